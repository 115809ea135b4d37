import type { KeptItem, KeptKind } from '../../domain/compaction.ts';
import type { CountTokens } from '../tokens.ts';

/** Which kept items go on: into the next compaction, and into a prompt of a certain size. Pure. */

/** Unmarked ones that are kept at most; those that matter more and are newer outlast the others. Marked ones have no limit. */
const MOST_UNMARKED = 600;

/** What of the room left by marked items each kind may take at first; what one does not need the others get. */
const SHARES: Readonly<Record<KeptKind, number>> = {
	decision: 0.36,
	commitment: 0.18,
	question: 0.14,
	note: 0.08,
	number: 0.14,
	name: 0.1,
};
const LEAST_UNMARKED = 0.4;
const KINDS = Object.keys(SHARES) as KeptKind[];

/** Everything of before and after in its order; the same words once, where they stood last. */
export function foldItems(before: readonly KeptItem[], more: readonly KeptItem[]): KeptItem[] {
	const newest = new Map<string, KeptItem>();
	for (const item of [...before, ...more]) {
		const same = newest.get(item.text);
		newest.delete(item.text);
		// Once marked, always marked.
		newest.set(item.text, same?.marked && !item.marked ? same : item);
	}
	const all = [...newest.values()].sort(inOrder);
	const unmarked = all.filter((item) => !item.marked);
	if (unmarked.length <= MOST_UNMARKED) return all;
	const kept = new Set(byShare(unmarked, MOST_UNMARKED, () => 1));
	return all.filter((item) => item.marked || kept.has(item));
}

function inOrder(a: KeptItem, b: KeptItem): number {
	return a.number - b.number || a.part - b.part;
}

interface ChosenItems {
	/** In the order of the conversation. */
	readonly items: readonly KeptItem[];
	readonly left: number;
}

/**
 * As many as fit: the marked ones first, newest first where not even they fit; then the others by kind and age. `room.all` is for all together;
 * where there are very many marked ones they may take `room.marked`, and the others have their least share beside that.
 */
export function chooseItems(
	all: readonly KeptItem[],
	room: { all: number; marked: number },
	cost: (item: KeptItem) => number,
): ChosenItems {
	const kept = new Set<KeptItem>();
	let spent = 0;
	const take = (items: readonly KeptItem[], most: number): void => {
		for (const item of items.toReversed()) {
			const tokens = cost(item);
			if (spent + tokens > most) continue;
			spent += tokens;
			kept.add(item);
		}
	};
	const marked = all.filter((item) => item.marked);
	take(
		marked.filter(({ weak }) => !weak),
		room.marked,
	);
	take(
		marked.filter(({ weak }) => weak),
		room.all,
	);
	const unmarked = all.filter((item) => !item.marked);
	for (const item of byShare(unmarked, Math.max(room.all - spent, Math.floor(room.all * LEAST_UNMARKED)), cost)) kept.add(item);
	return { items: all.filter((item) => kept.has(item)), left: all.length - kept.size };
}

function byShare(unmarked: readonly KeptItem[], room: number, cost: (item: KeptItem) => number): KeptItem[] {
	const kept: KeptItem[] = [];
	const later: KeptItem[] = [];
	let left = room;
	for (const kind of KINDS) {
		let share = Math.floor(room * SHARES[kind]);
		for (const item of unmarked.filter((each) => each.kind === kind).toReversed()) {
			const tokens = cost(item);
			if (tokens > share) {
				later.push(item);
				continue;
			}
			share -= tokens;
			left -= tokens;
			kept.push(item);
		}
	}
	for (const item of later) {
		const tokens = cost(item);
		if (tokens > left) continue;
		left -= tokens;
		kept.push(item);
	}
	return kept;
}

const TITLES: Readonly<Record<KeptKind, string>> = {
	decision: 'Decisions',
	commitment: 'Commitments and tasks',
	question: 'Open questions',
	note: 'To remember',
	number: 'Numbers and dates',
	name: 'Files and addresses',
};

/** `- Decision: blue. [12, agent]` */
function lineOf({ text, number, by, label }: KeptItem): string {
	const from = [String(number), ...(by === 'owner' ? [] : [by]), ...(label === 'external' || label === 'workspace' ? [label] : [])];
	return `- ${text.replaceAll('\n', '\n  ')} [${from.join(', ')}]`;
}

export function costOf(count: CountTokens): (item: KeptItem) => number {
	return (item) => count(lineOf(item)) + 1;
}

/** The items under headings by kind, in the order of the conversation. */
export function listOf(items: readonly KeptItem[]): string {
	return KINDS.flatMap((kind) => {
		const lines = items.filter((item) => item.kind === kind).map(lineOf);
		return lines.length === 0 ? [] : [`${TITLES[kind]}:\n${lines.join('\n')}`];
	}).join('\n\n');
}
