import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';

/** What the owner's word on tasks can't do, in words. */

const UNCHANGED = 'Nothing was changed.';

export function staleCard() {
	return terminal('stale', 'What would be confirmed is not what was shown any more.', { safe: UNCHANGED, action: 'Look at it again.' });
}

export function allPaused() {
	return terminal('conflict', 'Everything is paused, so nothing runs now.', { safe: UNCHANGED, action: 'Resume all first.' });
}

export function alreadyOver() {
	return terminal('conflict', 'That run is over already.', { safe: UNCHANGED });
}

export function notToDecide() {
	return terminal('conflict', 'There is nothing to decide about that run now: it ran, runs, or waits for its turn.', { safe: UNCHANGED });
}

/** Times are looked for up to fifty years ahead: what is paused for almost as long would seem to have none. */
const LONGEST_PAUSE_MS = 10 * 366 * 24 * 3_600_000;

/** Throws `invalid_input`. */
export function checkPause(until: Timestamp, now: Timestamp): void {
	if (until <= now) throw terminal('invalid_input', 'That time is past already.', { safe: UNCHANGED, action: 'Choose a later time.' });
	if (until > now + LONGEST_PAUSE_MS)
		throw terminal('invalid_input', 'That is more than ten years from now.', {
			safe: UNCHANGED,
			action: 'Choose an earlier time, or pause it until you resume it.',
		});
}
