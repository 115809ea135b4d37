import { terminal } from '../domain/errors.ts';

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

export function pastPause() {
	return terminal('invalid_input', 'That time is past already.', { safe: UNCHANGED, action: 'Choose a later time.' });
}
