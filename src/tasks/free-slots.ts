import type { Timestamp } from '../domain/ids.ts';

/** Which slots have no row yet, where some have: a clock was set back and came round again. Pure. */

/** Slots that stand as one row. */
export interface Older {
	readonly count: number;
	readonly first: Timestamp;
	readonly last: Timestamp;
}

/** From one slot to another, all of which have their rows. */
export interface Claimed {
	readonly slot: Timestamp;
	readonly lastSlot: Timestamp;
}

export function isFree(rows: readonly Claimed[], at: Timestamp): boolean {
	return !rows.some(({ slot, lastSlot }) => slot <= at && at <= lastSlot);
}

/** Those of `all`, ascending, that are free, with none between that is not. */
export function freeStretches(rows: readonly Claimed[], all: Iterable<Timestamp>): Older[] {
	const found: Older[] = [];
	let goesOn = false;
	for (const at of all) {
		const free = isFree(rows, at);
		const before = free && goesOn ? found.pop() : undefined;
		if (free) found.push({ count: (before?.count ?? 0) + 1, first: before?.first ?? at, last: at });
		goesOn = free;
	}
	return found;
}
