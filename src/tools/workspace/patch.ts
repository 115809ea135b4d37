import { featuresOf, similarity } from '../../memory/similarity.ts';
import { withLineEnds } from './text.ts';

/** Edits of a text by what stands there: all of them, or none. Pure. */

export interface Edit {
	readonly find: string;
	readonly replace: string;
}

export type Patched = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

const SHOWN_LINES = 3;
const MOST_PLACES = 5;

/** Each `find` must stand exactly once in the text as it is now, however its lines end. What no edit touches stays byte for byte. */
export function applyEdits(source: string, edits: readonly Edit[]): Patched {
	const { text, offsets } = withPlainLineEnds(source);
	const places: { from: number; to: number; replace: string; number: number }[] = [];
	for (const [index, edit] of edits.entries()) {
		const find = edit.find.replaceAll('\r\n', '\n');
		const found = placesOf(text, find);
		const [from] = found;
		if (from === undefined) return failed(index, edits, `its text is not in the file.${nearest(text, find)}`);
		if (found.length > 1)
			return failed(index, edits, `its text is in the file more than once, at ${lineList(text, found)}. Give more of the text around it.`);
		places.push({ from: offsets(from), to: offsets(from + find.length), replace: edit.replace, number: index + 1 });
	}
	places.sort((left, right) => left.from - right.from);
	let patched = '';
	let at = 0;
	for (const { from, to, replace, number } of places) {
		if (from < at)
			return { ok: false, problem: `Edit ${number} touches the same text as another edit: make them one. Nothing was changed.` };
		patched += source.slice(at, from) + withLineEnds(replace, source);
		at = to;
	}
	return { ok: true, text: patched + source.slice(at) };
}

/** `offsets`: from a place in the text with plain line ends to the same place in the source. */
function withPlainLineEnds(source: string): { text: string; offsets: (index: number) => number } {
	const removed: number[] = [];
	for (let at = source.indexOf('\r\n'); at >= 0; at = source.indexOf('\r\n', at + 2)) removed.push(at - removed.length);
	return {
		text: source.replaceAll('\r\n', '\n'),
		offsets: (index) => {
			let low = 0;
			let high = removed.length;
			while (low < high) {
				const middle = (low + high) >> 1;
				if ((removed[middle] ?? 0) < index) low = middle + 1;
				else high = middle;
			}
			return index + low;
		},
	};
}

/** At most one more than are told of. */
function placesOf(text: string, find: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(find); at >= 0 && places.length <= MOST_PLACES; at = text.indexOf(find, at + 1)) places.push(at);
	return places;
}

function lineList(text: string, places: readonly number[]): string {
	const lines = places.slice(0, MOST_PLACES).map((at) => lineOf(text, at));
	return `lines ${lines.join(', ')}${places.length > MOST_PLACES ? ' and more' : ''}`;
}

function lineOf(text: string, at: number): number {
	return text.slice(0, at).split('\n').length;
}

/** The lines that are most like what was looked for, so that the next try can take them as they are. */
function nearest(text: string, find: string): string {
	const lines = text.split('\n');
	const wanted = featuresOf(find.split('\n').find((line) => line.trim() !== '') ?? '');
	let best = 0;
	let line = -1;
	for (const [index, each] of lines.entries()) {
		const alike = each.trim() === '' ? 0 : similarity(wanted, featuresOf(each));
		if (alike > best) [best, line] = [alike, index];
	}
	if (line < 0) return '';
	const shown = lines.slice(line, line + Math.max(SHOWN_LINES, Math.min(find.split('\n').length, 20)));
	return ` The nearest is at line ${line + 1}:\n${shown.map((each) => each.slice(0, 500)).join('\n')}`;
}

function failed(index: number, edits: readonly Edit[], why: string): Patched {
	const which = edits.length === 1 ? 'The edit' : `Edit ${index + 1}`;
	return { ok: false, problem: `${which} can’t be made, so nothing was changed: ${why}` };
}
