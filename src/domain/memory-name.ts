/** Names that every system takes, so that a profile can move from one to the other. */

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Not taken by some system, or not to be seen. */
const UNUSABLE = /[<>:"|?*\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
/** Bytes; what is added while a file is being written fits behind it. */
const LONGEST = 200;

/**
 * Why a memory file that is not there yet can't have this path, in the words of an error; undefined where it can. Files that the owner
 * made are read under any name but those that begin with a dot: editors and sync programs keep their own things there.
 */
export function nameProblem(path: string): string | undefined {
	for (const name of path.split('/')) {
		if (name.startsWith('.')) return `“${shown(name)}” begins with a dot: Hearth leaves such files to other programs.`;
		if (UNUSABLE.test(name)) return `“${shown(name)}” has a character that not every system takes in a name.`;
		if (RESERVED.test(name)) return `“${shown(name)}” is a name that Windows keeps for itself.`;
		if (/^\s|[\s.]$/.test(name)) return `“${shown(name)}” begins or ends with a space or a dot.`;
		if (utf8Bytes(name) > LONGEST) return `“${shown(name)}” is too long for a name.`;
	}
	return undefined;
}

/** This folder is compiled without the types of any platform, so without its encoders. */
function utf8Bytes(text: string): number {
	let bytes = 0;
	for (const character of text) {
		const code = character.codePointAt(0) ?? 0;
		bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	}
	return bytes;
}

function shown(name: string): string {
	const plain = name.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '�');
	return plain.length > 40 ? `${[...plain].slice(0, 40).join('')}…` : plain;
}
