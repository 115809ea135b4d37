/**
 * Three-way merge of a file by entries (mem-10): changes to different entries go together, even to neighbours; two additions in one
 * place are both kept. Only two changes to the same entry are a conflict. Pure.
 */
import { diffArrays } from 'diff';
import { entryHash, normaliseText } from './identity.ts';
import { matchEntries } from './lineage.ts';
import { type MarkdownEntryKind, parseMarkdown } from './markdown/parse.ts';

/** One place where both sides said something else; the empty string where a side said nothing (any more). */
export type MergeConflict = { base: string; ours: string; theirs: string };

/** With conflicts the text is theirs in those places: what is on the owner's disk stays there. */
export type Merge = { clean: true; text: string } | { clean: false; text: string; conflicts: MergeConflict[] };

/** Whole lines: those of one entry, or one line between entries. */
type Chunk = {
	/** Equal for equal content, whatever the line breaks are. */
	key: string;
	/** As written, its line break included. */
	raw: string;
	kind: MarkdownEntryKind | undefined;
};

type Side = {
	chunks: Chunk[];
	finalBreak: boolean;
};

/** What one side made of the base: for each of its chunks what stands there now, and what was put in front of it (and at the end). */
type Change = {
	/** Undefined: taken out. */
	kept: (Chunk | undefined)[];
	inserted: Chunk[][];
};

/** Past this many changed chunks likeness alone aligns them. */
const MOST_EDITS = 1_000;

export function merge3(base: string, ours: string, theirs: string): Merge {
	if (ours === theirs || base === ours) return { clean: true, text: theirs };
	if (base === theirs) return { clean: true, text: ours };
	const root = readSide(base);
	const left = readSide(ours);
	const right = readSide(theirs);
	const leftChange = changeOf(root.chunks, left.chunks);
	const rightChange = changeOf(root.chunks, right.chunks);
	const merged: Chunk[] = [];
	const conflicts: MergeConflict[] = [];
	for (let index = 0; index <= root.chunks.length; index++) {
		const atEnd = index === root.chunks.length;
		mergeInserted(leftChange.inserted[index] ?? [], rightChange.inserted[index] ?? [], atEnd, merged, conflicts);
		const chunk = root.chunks[index];
		if (chunk !== undefined) mergeKept(chunk, leftChange.kept[index], rightChange.kept[index], merged, conflicts);
	}
	const finalBreak = left.finalBreak === root.finalBreak ? right.finalBreak : left.finalBreak;
	const text = writeChunks(merged, finalBreak);
	return conflicts.length === 0 ? { clean: true, text } : { clean: false, text, conflicts };
}

function mergeKept(base: Chunk, left: Chunk | undefined, right: Chunk | undefined, merged: Chunk[], conflicts: MergeConflict[]): void {
	if (left?.key === right?.key) {
		// The same words; line breaks may have been changed.
		const taken = left?.raw === base.raw ? right : right?.raw === base.raw ? left : eitherOf(left, right);
		if (taken !== undefined) merged.push(taken);
		return;
	}
	if (left?.key !== base.key && right?.key !== base.key) {
		conflicts.push({ base: rawOf([base]), ours: rawOf(left ? [left] : []), theirs: rawOf(right ? [right] : []) });
		if (right !== undefined) merged.push(right);
		return;
	}
	const taken = left?.key === base.key ? right : left;
	if (taken !== undefined) merged.push(taken);
}

function mergeInserted(left: Chunk[], right: Chunk[], atEnd: boolean, merged: Chunk[], conflicts: MergeConflict[]): void {
	let head = 0;
	while (head < left.length && head < right.length && left[head]?.key === right[head]?.key) head++;
	let tail = 0;
	while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail)?.key === right.at(-1 - tail)?.key) tail++;
	const leftRest = left.slice(head, left.length - tail);
	const rightRest = right.slice(head, right.length - tail);
	for (const [index, chunk] of right.slice(0, head).entries()) merged.push(eitherOf(left[index], chunk) ?? chunk);
	if (leftRest.length === 0 || rightRest.length === 0) for (const chunk of [...leftRest, ...rightRest]) merged.push(chunk);
	else if (canStandTogether(leftRest, rightRest, atEnd)) for (const chunk of together(leftRest, rightRest)) merged.push(chunk);
	else {
		conflicts.push({ base: '', ours: rawOf(leftRest), theirs: rawOf(rightRest) });
		for (const chunk of rightRest) merged.push(chunk);
	}
	for (let index = tail; index > 0; index--) {
		const chunk = eitherOf(left.at(-index), right.at(-index));
		if (chunk !== undefined) merged.push(chunk);
	}
}

/** Of two that say the same, one, whichever side it is on. */
function eitherOf(left: Chunk | undefined, right: Chunk | undefined): Chunk | undefined {
	return left !== undefined && right !== undefined && left.raw < right.raw ? left : right;
}

/** List items in one place, or whole sections at the end: both sides' texts survive and none changes the other's meaning. */
function canStandTogether(left: Chunk[], right: Chunk[], atEnd: boolean): boolean {
	const onlyItems = (chunks: Chunk[]) => chunks.every((chunk) => chunk.kind === 'item' || isBlank(chunk));
	if (onlyItems(left) && onlyItems(right)) return true;
	const isSection = (chunks: Chunk[]) => chunks.find((chunk) => !isBlank(chunk))?.kind === 'heading';
	return atEnd && isSection(left) && isSection(right);
}

/** The deeper one first, so that it stays with what is above; else in an order that does not depend on the sides. */
function together(left: Chunk[], right: Chunk[]): Chunk[] {
	const rank = (chunks: Chunk[]) => /^[ \t]*/.exec(chunks.find((chunk) => !isBlank(chunk))?.raw ?? '')?.[0].length ?? 0;
	const leftFirst = rank(left) !== rank(right) ? rank(left) > rank(right) : keysOf(left) < keysOf(right);
	const [first, second] = leftFirst ? [left, right] : [right, left];
	const apart = second.some((chunk) => chunk.kind === 'heading') && !isBlankAt(first.at(-1)) && !isBlankAt(second[0]);
	return apart ? [...first, blankLike(first.at(-1)), ...second] : [...first, ...second];
}

function changeOf(base: Chunk[], side: Chunk[]): Change {
	const change: Change = { kept: base.map(() => undefined), inserted: Array.from({ length: base.length + 1 }, () => []) };
	let from = 0;
	let to = 0;
	const align = (baseEnd: number, sideEnd: number) => {
		alignHunk(base, side, { from, to, baseEnd, sideEnd }, change);
		from = baseEnd;
		to = sideEnd;
	};
	for (const [baseIndex, sideIndex] of sameChunks(base, side)) {
		align(baseIndex, sideIndex);
		change.kept[baseIndex] = side[sideIndex];
		from++;
		to++;
	}
	align(base.length, side.length);
	return change;
}

/** In a run where nothing is the same: pairs edited entries with what they were, as far as the order allows. */
function alignHunk(
	base: Chunk[],
	side: Chunk[],
	{ from, to, baseEnd, sideEnd }: { from: number; to: number; baseEnd: number; sideEnd: number },
	change: Change,
): void {
	let nextBase = from;
	let nextSide = to;
	const insertBefore = (baseIndex: number, until: number) => {
		for (; nextSide < until; nextSide++) {
			const chunk = side[nextSide];
			if (chunk !== undefined) change.inserted[baseIndex]?.push(chunk);
		}
	};
	for (const [baseIndex, sideIndex] of editedPairs(base, side, { from, to, baseEnd, sideEnd })) {
		if (baseIndex < nextBase || sideIndex < nextSide) continue;
		insertBefore(baseIndex, sideIndex);
		change.kept[baseIndex] = side[sideIndex];
		nextBase = baseIndex + 1;
		nextSide = sideIndex + 1;
	}
	insertBefore(baseEnd, sideEnd);
}

function editedPairs(
	base: Chunk[],
	side: Chunk[],
	{ from, to, baseEnd, sideEnd }: { from: number; to: number; baseEnd: number; sideEnd: number },
): [number, number][] {
	if (from === baseEnd || to === sideEnd) return [];
	if (baseEnd - from === 1 && sideEnd - to === 1 && !isBlankAt(base[from]) && !isBlankAt(side[to])) return [[from, to]];
	const asEntries = (chunks: Chunk[], start: number, end: number) =>
		chunks.slice(start, end).map((chunk) => ({ hash: entryHash(chunk.key), text: chunk.key }));
	return matchEntries(asEntries(base, from, baseEnd), asEntries(side, to, sideEnd)).map(({ before, after }) => [from + before, to + after]);
}

/** Pairs of positions that are the same on both sides, in order. */
function sameChunks(base: Chunk[], side: Chunk[]): [number, number][] {
	let head = 0;
	while (head < base.length && head < side.length && base[head]?.key === side[head]?.key) head++;
	let tail = 0;
	while (tail < base.length - head && tail < side.length - head && base.at(-1 - tail)?.key === side.at(-1 - tail)?.key) tail++;
	const pairs: [number, number][] = [];
	for (let index = 0; index < head; index++) pairs.push([index, index]);
	const keys = (chunks: Chunk[]) => chunks.slice(head, chunks.length - tail).map((chunk) => chunk.key);
	const parts = diffArrays(keys(base), keys(side), { maxEditLength: MOST_EDITS }) ?? [];
	let from = head;
	let to = head;
	for (const { added, removed, count } of parts) {
		for (let step = 0; step < count && !added && !removed; step++) pairs.push([from + step, to + step]);
		if (!added) from += count;
		if (!removed) to += count;
	}
	for (let index = tail; index > 0; index--) pairs.push([base.length - index, side.length - index]);
	return pairs;
}

function readSide(source: string): Side {
	const { entries, eol } = parseMarkdown(source);
	const lines = source.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
	const chunks: Chunk[] = [];
	let line = 0;
	const take = (until: number, kind: MarkdownEntryKind | undefined) => {
		const raw = lines.slice(line, until).join('');
		chunks.push({ key: raw.replace(/\r\n?/g, '\n'), raw, kind });
		line = until;
	};
	for (const entry of entries) {
		while (line < entry.lineStart - 1) take(line + 1, undefined);
		if (line < entry.lineEnd) take(entry.lineEnd, entry.kind);
	}
	while (line < lines.length) take(line + 1, undefined);
	const finalBreak = source === '' || /[\r\n]$/.test(source);
	const last = chunks.at(-1);
	// Every chunk ends with a break, so that others can follow; whether the file does is merged apart.
	if (last !== undefined && !finalBreak) chunks[chunks.length - 1] = { ...last, raw: last.raw + eol, key: `${last.key}\n` };
	return { chunks, finalBreak };
}

function writeChunks(chunks: Chunk[], finalBreak: boolean): string {
	const text = chunks.map((chunk) => chunk.raw).join('');
	return finalBreak ? text : text.replace(/(?:\r\n|\n|\r)$/, '');
}

function rawOf(chunks: Chunk[]): string {
	return chunks
		.map((chunk) => chunk.raw)
		.join('')
		.replace(/(?:\r\n|\n|\r)$/, '');
}

function keysOf(chunks: Chunk[]): string {
	return chunks.map((chunk) => chunk.key).join('');
}

function isBlank(chunk: Chunk): boolean {
	return normaliseText(chunk.raw) === '';
}

function isBlankAt(chunk: Chunk | undefined): boolean {
	return chunk === undefined || isBlank(chunk);
}

function blankLike(chunk: Chunk | undefined): Chunk {
	return { key: '\n', raw: chunk?.raw.endsWith('\r\n') ? '\r\n' : '\n', kind: undefined };
}
