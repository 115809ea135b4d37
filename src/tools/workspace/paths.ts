import { isAbsolute, parse, sep } from 'node:path';
import { terminal } from '../../domain/errors.ts';
import { nameProblem } from '../../domain/memory-name.ts';

/** What a path may look like, whatever the disk holds. Pure. */

const LONGEST_PATH = 500;
const MOST_FOLDERS = 20;

/**
 * The names of a path's folders and of its file, from the top, as NFC; none for the workspace itself. Throws `invalid_input` for all that
 * could lead elsewhere, or that begins with a dot: such files are left to other programs.
 */
export function namesOf(path: string): string[] {
	const plain = path.normalize('NFC');
	checkLength(plain);
	if (/^[a-z]:/i.test(plain) || /^[/\\~]/.test(plain))
		throw refuse('Paths begin in the workspace folder, such as notes/plan.md: absolute paths are not allowed.');
	if (plain.includes('\\')) throw refuse('Put / between folders, not \\.');
	return namesBelow(plain.split('/'));
}
/** A whole path: as NFC, its root and its names. Undefined for one that begins in the workspace. Throws as `namesOf` does, but says nothing of dots. */
export function absoluteNames(path: string): { root: string; names: string[] } | undefined {
	const plain = path.normalize('NFC');
	if (!isAbsolute(plain)) return undefined;
	checkLength(plain);
	if (/^[/\\]{2}/.test(plain)) throw refuse('A path may not begin with two slashes.');
	const { root } = parse(plain);
	const names = plain.slice(root.length).split(sep === '/' ? '/' : /[\\/]/);
	const kept = names.filter((name, index) => name !== '.' && !(name === '' && index === names.length - 1));
	checkNames(kept);
	return { root, names: kept };
}

/** One spelling for each way to write the same path; throws as `namesOf` does. */
export function plainPath(path: string): string {
	const whole = absoluteNames(path);
	if (whole) return whole.root + whole.names.join('/');
	return path.startsWith('~/') ? path.normalize('NFC') : namesOf(path).join('/');
}

/** Below a folder that tools may work in. Throws `invalid_input` as `namesOf` does. */
export function namesBelow(parts: readonly string[]): string[] {
	const names = parts.filter((name, index, all) => name !== '.' && !(name === '' && index === all.length - 1));
	checkNames(names);
	const hidden = names.find((name) => name.startsWith('.'));
	if (hidden !== undefined) throw refuse(nameProblem(hidden) ?? 'A name begins with a dot.');
	return names;
}

function checkLength(plain: string): void {
	if (plain.length > LONGEST_PATH) throw refuse(`The path is longer than ${LONGEST_PATH} characters.`);
	if (/\p{Cc}/u.test(plain)) throw refuse('The path has a control character in it.');
}

function checkNames(names: readonly string[]): void {
	if (names.includes('..')) throw refuse('The path may not lead out of the workspace folder: “..” is not allowed.');
	if (names.includes('')) throw refuse('The path has an empty name in it.');
	if (names.length > MOST_FOLDERS) throw refuse(`The path has more than ${MOST_FOLDERS} folders.`);
}

/** Throws `invalid_input` where some system would not take one of these names for a new file or folder. */
export function checkNewNames(names: readonly string[]): void {
	const problem = nameProblem(names.join('/'));
	if (problem !== undefined) throw refuse(problem);
}

/** Whether some systems would take the two for the same name. */
export function isSameName(left: string, right: string): boolean {
	return folded(left) === folded(right);
}

function folded(name: string): string {
	return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** A name beside the file's for another version of it: `notes (changed meanwhile).md`, `notes (changed meanwhile 2).md`. */
export function besideName(path: string, count: number): string {
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	const name = path.slice(folder.length);
	const dot = name.lastIndexOf('.');
	const stem = dot > 0 ? name.slice(0, dot) : name;
	return `${folder}${stem} (changed meanwhile${count > 1 ? ` ${count}` : ''})${name.slice(stem.length)}`;
}

function refuse(message: string) {
	return terminal('invalid_input', message, { safe: 'Nothing was changed.' });
}
