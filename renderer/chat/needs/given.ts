import type { Flag } from '../../../src/domain/inspection.ts';
import { canonicalJson, type Json } from '../../../src/domain/json.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { prettyFlags } from './pretty-flags.ts';
import { exactly } from './touch-words.ts';

/**
 * What a tool is given, as people read it: each value under its name, texts as they are, with what detectors flagged in them. Pure. Flags
 * come at their places in the JSON of all of it in one line.
 */

export interface FlaggedValue {
	readonly text: string;
	readonly flags: readonly Flag[];
}

export interface Edit {
	readonly find: FlaggedValue;
	readonly replace: FlaggedValue;
}

export type GivenPart = { readonly name: string } & (
	| ({ readonly kind: 'text' } & FlaggedValue)
	| { readonly kind: 'texts'; readonly texts: readonly FlaggedValue[] }
	| { readonly kind: 'edits'; readonly edits: readonly Edit[] }
	/** Of any other shape: as JSON. */
	| ({ readonly kind: 'json' } & FlaggedValue)
);

export interface Given {
	/** Without what the touches say letter by letter. */
	readonly parts: readonly GivenPart[];
	/** What is flagged in the texts of the touches, by those texts. */
	readonly touched: ReadonlyMap<string, readonly Flag[]>;
	/** Something is flagged that only the JSON shows, such as a name. */
	readonly elsewhere: boolean;
}

/** Undefined where it has no names: all there is to show is the JSON. */
export function givenOf(args: Json, flags: readonly Flag[], touches: readonly Touch[]): Given | undefined {
	if (!isObject(args)) return undefined;
	const placed = flags.map((flag) => inOneValue(flag, args));
	const parts: GivenPart[] = [];
	const touched = new Map<string, readonly Flag[]>();
	const found = new Set<Flag>();
	const marked = (flag: Flag): void => void found.add(flag);
	for (const [name, value, at] of members(args, 0)) {
		const part = partOf(name, value, flaggedIn(placed, at, marked), at);
		const already = part.kind === 'text' ? whereSaid(touches, name, value) : undefined;
		if (part.kind !== 'text' || already === undefined) {
			if (!isInWords(touches, part, value)) parts.push(part);
		} else {
			const by = already.length - part.text.length;
			const moved = part.flags.map(({ kind, start, end }) => ({ kind, start: start + by, end: end + by }));
			touched.set(already, [...(touched.get(already) ?? []), ...moved]);
		}
	}
	return { parts, touched, elsewhere: placed.some((flag) => !found.has(flag)) };
}

/** A flag that runs from one value into the next, of which only the JSON makes one text: where most of it lies. */
function inOneValue({ kind, start, end }: Flag, args: { [name: string]: Json }): Flag {
	const shares = members(args, 0).map(([, value, at]) => ({
		kind,
		start: Math.max(start, at),
		end: Math.min(end, at + JSON.stringify(value).length),
	}));
	const [first = { kind, start, end }] = shares
		.filter((share) => share.start < share.end)
		.sort((a, b) => b.end - b.start - (a.end - a.start));
	return first;
}

/** The text of a touch that says this value whole; files are named with the folder of the workspace before them. */
function whereSaid(touches: readonly Touch[], name: string, value: Json): string | undefined {
	for (const touch of touches) {
		const text = exactly(touch);
		if (text === undefined) continue;
		const here = (of: readonly string[]): boolean => of.includes(name) && value === text;
		if (touch.sink === 'file' && (here(PATHS) || (PATHS.includes(name) && `workspace/${value}` === text))) return text;
		if (touch.sink === 'shell' && here(['command'])) return text;
		if (touch.sink === 'network' && here(['url'])) return text;
	}
	return undefined;
}

/** Whether the words of a touch say all of it. What is flagged stands by itself, so that it can be marked. */
function isInWords(touches: readonly Touch[], part: GivenPart, value: Json): boolean {
	const { name } = part;
	if (part.kind === 'texts' ? part.texts.some(({ flags }) => flags.length > 0) : part.kind !== 'text' || part.flags.length > 0)
		return false;
	return touches.some((touch) => {
		if (touch.sink === 'message')
			return (
				(name === 'via' && (value === touch.via || touch.via.startsWith(`${value} (`))) ||
				(name === 'to' && canonicalJson(value) === canonicalJson(touch.to))
			);
		if (touch.sink !== 'shell') return false;
		if (name === 'hosts') return canonicalJson(value) === canonicalJson(touch.hosts);
		return name === 'cwd' && (value === touch.cwd || `workspace/${value}` === touch.cwd);
	});
}

const PATHS: readonly string[] = ['path', 'folder'];

type Flagged = (text: string, at: number) => FlaggedValue;

function partOf(name: string, value: Json, flagged: { text: Flagged; json: (value: Json) => FlaggedValue }, at: number): GivenPart {
	if (typeof value === 'string') return { name, kind: 'text', ...flagged.text(value, at) };
	if (Array.isArray(value)) {
		const texts = items(value, at).map(([one, place]) => (typeof one === 'string' ? flagged.text(one, place) : undefined));
		if (texts.every((text) => text !== undefined)) return { name, kind: 'texts', texts };
		const edits = items(value, at).map(([one, place]) => editOf(one, place, flagged.text));
		if (edits.every((edit) => edit !== undefined)) return { name, kind: 'edits', edits };
	}
	return value === null || typeof value !== 'object'
		? { name, kind: 'text', text: String(value), flags: flagged.json(value).flags }
		: { name, kind: 'json', ...flagged.json(value) };
}

function editOf(value: Json, at: number, flagged: Flagged): Edit | undefined {
	if (!isObject(value)) return undefined;
	const { find, replace, ...rest } = Object.fromEntries(
		members(value, at).map(([name, one, place]) => [name, typeof one === 'string' ? flagged(one, place) : undefined]),
	);
	return find && replace && Object.keys(rest).length === 0 ? { find, replace } : undefined;
}

/** What stands at a place of the JSON in one line, with the flags that lie in it. */
function flaggedIn(
	flags: readonly Flag[],
	at: number,
	marked: (flag: Flag) => void,
): { text: Flagged; json: (value: Json) => FlaggedValue } {
	const within = (from: number, length: number): Flag[] => {
		const here = flags.filter(({ start, end }) => start < from + length && end > from);
		here.forEach(marked);
		return here.map(({ kind, start, end }) => ({ kind, start: Math.max(0, start - from), end: Math.min(length, end - from) }));
	};
	return {
		text: (text, from) => ({ text, flags: unquoted(text, within(from, JSON.stringify(text).length)) }),
		json: (value) => {
			const line = JSON.stringify(value);
			const text = JSON.stringify(value, null, 2);
			return { text, flags: prettyFlags(line, text, within(at, line.length)) };
		},
	};
}

/** Flags of a text as JSON writes it, at their places in the text itself: what is written out takes several places there. */
function unquoted(text: string, flags: readonly Flag[]): Flag[] {
	if (flags.length === 0) return [];
	/** Of each place: where its character begins, and where it ends. */
	const begins: number[] = [0];
	const ends: number[] = [0];
	let unit = 0;
	for (const character of text) {
		const written = JSON.stringify(character).length - 2;
		// What stands as it is has as many places as units; an escape stands for the whole of what it writes.
		const plain = written === character.length;
		for (let place = 0; place < written; place++) {
			begins.push(plain ? unit + place : unit);
			ends.push(plain ? unit + place + 1 : unit + character.length);
		}
		unit += character.length;
	}
	return flags.flatMap(({ kind, start, end }) => {
		const from = begins[start] ?? unit;
		const to = ends[end - 1] ?? unit;
		return from < to ? [{ kind, start: from, end: to }] : [];
	});
}

/** The members of an object that stands at `at` of the JSON in one line, each value with its own place. */
function members(value: { [name: string]: Json }, at: number): [string, Json, number][] {
	let place = at + 1;
	return Object.entries(value).map(([name, one]) => {
		const here = place + JSON.stringify(name).length + 1;
		place = here + JSON.stringify(one).length + 1;
		return [name, one, here];
	});
}

function items(list: readonly Json[], at: number): [Json, number][] {
	let place = at + 1;
	return list.map((one) => {
		const here = place;
		place += JSON.stringify(one).length + 1;
		return [one, here];
	});
}

function isObject(value: Json): value is { [name: string]: Json } {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}
