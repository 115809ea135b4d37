import { terminal } from '../domain/errors.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { Hold } from '../timer/holds.ts';

/** Why a look does not begin, or an answer does not count, in words. */

export function notNow(why: Hold['why']) {
	const action = why === 'paused' ? 'Resume first.' : 'Raise the budget in Settings, or wait for tomorrow.';
	const message = why === 'paused' ? 'All background work is paused.' : 'The day’s budget for background work is used.';
	return terminal('conflict', message, { safe: 'Nothing was read.', action });
}

export function noSource(only: WatchedSourceId | undefined) {
	if (only !== undefined) return terminal('not_found', 'That source no longer exists.', { safe: 'Nothing was read.' });
	return terminal('conflict', 'There is no source to look at.', {
		action: 'Add one in Settings, Sources, or with: hearth sources add LINK',
	});
}

/** `file`: where HEARTBEAT.md lies. */
export function nothingToWatch(file: string) {
	return terminal('conflict', 'HEARTBEAT.md says nothing to watch for.', {
		safe: 'Nothing was read.',
		action: `Write into ${file}, one line each, what should be noticed for you.`,
	});
}

export function underWay() {
	return terminal('conflict', 'A look is under way.', { action: 'Wait for its end, or stop it.' });
}

export function stale() {
	return terminal('stale', 'Something else is asked by now.', { safe: 'Nothing was sent.', action: 'Look at the question again.' });
}
