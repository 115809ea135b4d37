import type { Timestamp } from '../domain/ids.ts';
import { MINUTE } from '../schedule/local-time.ts';

/** The next slot of the row that `slot` is of, after `now`: however many were missed, one look makes up for them. Pure. */
export function nextSlot(slot: Timestamp, now: Timestamp, minutes: number): Timestamp {
	const every = minutes * MINUTE;
	const missed = Math.max(0, Math.floor((now - slot) / every));
	return slot + (missed + 1) * every;
}
