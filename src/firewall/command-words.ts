/**
 * A command as plain words, where it is that and nothing else: one program with its arguments. Conservative: what a shell could make more of
 * (a second command, a substitution, a redirection, a variable, a glob, a comment, a line end) has no words.
 */

const PLAIN = /^[^\s;&|<>()$`\\"'{}*?[\]#~!^%\p{Cc}]+/u;
const QUOTED = /^(?:'([^'\p{Cc}]*)'|"([^"$`\\!\p{Cc}]*)")/u;

/** Undefined where it is not plain. Quoted words count where nothing in the quotes means anything to a shell. */
export function plainWords(command: string): string[] | undefined {
	const words: string[] = [];
	let rest = command.replace(/^[ \t]+|[ \t]+$/g, '');
	while (rest !== '') {
		let word = '';
		let taken = 0;
		while (taken < rest.length && !/[ \t]/.test(rest.charAt(taken))) {
			const here = rest.slice(taken);
			const quoted = QUOTED.exec(here);
			const part = quoted ?? PLAIN.exec(here);
			if (!part) return undefined;
			word += quoted ? (quoted[1] ?? quoted[2] ?? '') : part[0];
			taken += part[0].length;
		}
		words.push(word);
		rest = rest.slice(taken).replace(/^[ \t]+/, '');
	}
	return words.length === 0 ? undefined : words;
}

/** Whether an owner may permit it in advance: plain words, with `*` at the end for any more. */
export function isPattern(pattern: string): boolean {
	return plainWords(pattern.trim().replace(/[ \t]\*$/, '')) !== undefined;
}

/**
 * Whether the pattern names this command: the very same text, or, where it ends in ` *`, the same first words and any plain ones after them.
 * It never names a command with something chained behind.
 */
export function commandMatches(pattern: string, command: string): boolean {
	const wanted = pattern.trim();
	if (!/[ \t]\*$/.test(wanted)) return wanted === command.trim() && wanted !== '*' && wanted !== '';
	const first = plainWords(wanted.slice(0, -1));
	const words = plainWords(command);
	return first !== undefined && words !== undefined && first.every((word, at) => words[at] === word);
}
