import type { Timestamp } from '../domain/ids.ts';

/** Which slots have no row yet after a clock was set back and came round again. Pure. */

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

/** Of `all`, ascending, those that are free: the newest `most`, and those before them together, where none lies between that is not. */
export function freeSlots(rows: readonly Claimed[], all: Iterable<Timestamp>, most: number): { older: Older[]; newest: Timestamp[] } {
	const older: Older[] = [];
	const newest: { readonly at: Timestamp; readonly goesOn: boolean }[] = [];
	let goesOn = false;
	for (const at of all) {
		const free = isFree(rows, at);
		if (free) newest.push({ at, goesOn });
		goesOn = free;
		const passed = newest.length > most ? newest.shift() : undefined;
		const before = passed?.goesOn ? older.pop() : undefined;
		if (passed) older.push({ count: (before?.count ?? 0) + 1, first: before?.first ?? passed.at, last: passed.at });
	}
	return { older, newest: newest.map(({ at }) => at) };
}

/** A clock that shows years before the task was made is wrong, and what lies between was never to come. */
const WRONG_CLOCK_MS = 400 * 24 * 3_600_000;

/** After which slots of a task may have no row yet. */
export function unclaimedFrom(
	{ claimedTo, createdAt }: { readonly claimedTo: Timestamp; readonly createdAt: Timestamp },
	now: Timestamp,
): Timestamp {
	return createdAt <= now && createdAt - claimedTo > WRONG_CLOCK_MS ? createdAt : claimedTo;
}
