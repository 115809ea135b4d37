import { remembered } from '../base/remembered.ts';
import type { Timestamp } from '../domain/ids.ts';

/** How far the clocks of a zone are from UTC, and when they are set; asked of Intl, remembered. Offsets are milliseconds, east positive. */
export interface ZoneClock {
	offsetAt(at: Timestamp): number;
	/** The first change with `after < at <= to`. */
	firstChange(after: Timestamp, to: Timestamp): ClockChange | undefined;
	/** The last change with `after < at <= to`. */
	lastChange(after: Timestamp, to: Timestamp): ClockChange | undefined;
}

/** `at`: the first moment that goes by `after`. */
export interface ClockChange {
	readonly at: Timestamp;
	readonly before: number;
	readonly after: number;
}

const DAY = 86_400_000;
/** No zone has set its clocks twice within so short a time since 1970: the closest are a week apart (Asia/Gaza, America/Noronha). */
const STEP = 4 * DAY;
const CHUNK = 16 * STEP;

interface Chunk {
	readonly offset: number;
	readonly changes: readonly ClockChange[];
}

export const zoneClock = remembered(600, (zone): ZoneClock => {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	const chunks = new Map<number, Chunk>();
	const ask = (at: Timestamp): number => readOffset(format.format(at));

	function chunkAt(index: number): Chunk {
		let chunk = chunks.get(index);
		if (!chunk) {
			chunk = lookAtChunk(index * CHUNK, ask);
			chunks.set(index, chunk);
		}
		return chunk;
	}

	return {
		offsetAt(at) {
			const { offset, changes } = chunkAt(Math.floor(at / CHUNK));
			if (changes.length === 0) return offset;
			return changes.findLast((change) => change.at <= at)?.after ?? offset;
		},
		firstChange(after, to) {
			for (let index = Math.floor(after / CHUNK); index * CHUNK <= to; index++) {
				const found = chunkAt(index).changes.find(({ at }) => at > after);
				if (found) return found.at <= to ? found : undefined;
			}
			return undefined;
		},
		lastChange(after, to) {
			for (let index = Math.floor(to / CHUNK); (index + 1) * CHUNK > after; index--) {
				const found = chunkAt(index).changes.findLast(({ at }) => at <= to);
				if (found) return found.at > after ? found : undefined;
			}
			return undefined;
		},
	};
});

/** Changes with `start <= at < start + CHUNK`; `offset` goes before the first of them. */
function lookAtChunk(start: Timestamp, ask: (at: Timestamp) => number): Chunk {
	const changes: ClockChange[] = [];
	const first = ask(start - 1);
	let before = first;
	for (let low = start - 1; low < start + CHUNK - 1; low += STEP) {
		const after = ask(low + STEP);
		if (after !== before) changes.push({ at: firstWith(low, low + STEP, (at) => ask(at) !== before), before, after });
		before = after;
	}
	return { offset: first, changes };
}

/** The first moment of `(low, high]` for which `holds`, which does at `high`. */
function firstWith(low: Timestamp, high: Timestamp, holds: (at: Timestamp) => boolean): Timestamp {
	let [not, does] = [low, high];
	while (does - not > 1) {
		const middle = Math.floor((not + does) / 2);
		if (holds(middle)) does = middle;
		else not = middle;
	}
	return does;
}

/** `11/30/2026, GMT+01:00`; `GMT` alone is UTC. */
function readOffset(shown: string): number {
	const parts = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(shown);
	if (!parts) throw new Error(`The offset of a zone is written in an unknown way: ${shown}`);
	const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts;
	const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
	return sign === '-' ? -size : size;
}
