import type { Timestamp } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import { joinLabels } from '../../domain/label.ts';
import { EVENT_PAYLOAD_CHARS } from '../../domain/run.ts';
import type { StoredEvent } from './event-store.ts';
import type { Fired } from './ports.ts';

/** How events become one occurrence. Pure. */

/** A stream that never rests fires after so many quiet times, and no later than that. */
const MOST_QUIETS = 20;
const LONGEST_MS = 600_000;

/** So many are named of what it was about. */
const MOST_ITEMS = 3;

/** When what came from `first` to `last` stands as one: after the quiet time, which each new event begins anew, within bounds. */
export function quietUntil({ first, last }: { first: Timestamp; last: Timestamp }, quietSeconds: number): Timestamp {
	const quiet = quietSeconds * 1000;
	const longest = Math.max(2 * quiet, Math.min(MOST_QUIETS * quiet, LONGEST_MS));
	// A clock that was set back in between must not make it wait for longer.
	return Math.min(Math.max(first, last) + quiet, first + longest);
}

/** One occurrence's cause, and what comes with it: all payloads that there is room for, in their order, and how many there is none for. */
export function standAsOne(events: readonly StoredEvent[], slot: Timestamp): Fired {
	const names = [...new Set(events.map(({ name }) => name))];
	const items = [...new Set(events.flatMap(({ item }) => item ?? []))].slice(0, MOST_ITEMS);
	const cause = {
		name: names.length > 1 ? `${names[0]} and ${names.length - 1} more` : (names[0] ?? ''),
		label: joinLabels(...events.map(({ label }) => label)),
		events: Math.max(1, events.length),
		...(items.length > 0 && { items }),
	};
	const payloads = events.flatMap(({ payload }) => (payload === undefined ? [] : [payload]));
	return { slot, cause, payload: payloadOf(payloads, events.filter(({ leavesOut }) => leavesOut).length) };
}

function payloadOf(all: readonly Json[], notKept: number): Json | undefined {
	if (all.length + notKept === 0) return undefined;
	const events: Json[] = [];
	let room = EVENT_PAYLOAD_CHARS;
	for (const payload of all) {
		room -= JSON.stringify(payload).length;
		if (room < 0) break;
		events.push(payload);
	}
	const leftOut = all.length - events.length + notKept;
	return { events, ...(leftOut > 0 && { leftOut }) };
}
