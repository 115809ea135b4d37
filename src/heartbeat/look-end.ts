import type { ErrorCode, ErrorShape } from '../domain/errors.ts';

/** What follows from a run of a look that came to no answer: data and one pure function. The error's kind and code decide. */

/** Nothing of the next call would be different before the owner does something. */
const STOPS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	'model_auth',
	'model_not_found',
	'model_not_configured',
	'model_rate_limited',
	'network_denied',
	'secret_store_unavailable',
	'secret_store_locked',
	'secret_wrong_passphrase',
]);
/** The server is there and does not cope with these items: others may do better. */
const OF_THE_ITEMS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	'model_timeout',
	'model_empty_response',
	'model_bad_response',
	'model_bad_tool_call',
	'model_stream_cut',
	'model_context_overflow',
]);
/** Runs of one look, and of one source in it, that may come to no answer: one source must not use up the look, nor a hostile one the day. */
export const MOST_FAILED = 24;
export const MOST_FAILED_OF_SOURCE = 8;
/** Looks that one item alone may keep from an answer in time before it is not considered any more. */
const MOST_UNANSWERED = 3;

export interface FailedRun {
	readonly error: ErrorShape;
	readonly items: number;
	/** Runs of the same look, and of the same source in it, that came to no answer before. */
	readonly failedOfLook: number;
	readonly failedOfSource: number;
	/** Runs of other items went well lately. */
	readonly worksLately: boolean;
	/** The source's last runs, one after another, that had one item as this one has and came to no answer either. */
	readonly unansweredBefore: number;
}

export type EndVerdict =
	/** The owner is asked. */
	| 'asks'
	/** No looks until the owner says so. */
	| 'stop'
	/** This look is over; the next slot tries again. */
	| 'fail'
	/** The same items again, half as many. */
	| 'fewer'
	/** Other sources; this one again with the next look, with half as many. */
	| 'others'
	/** The source's other items; what becomes of this one shows at the end of the look. */
	| 'aside'
	/** It is not considered. */
	| 'give_up';

export function judgeEnd({ error, items, ...before }: FailedRun): EndVerdict {
	if (error.code === 'consent_missing') return 'asks';
	if (error.kind === 'needs_owner' && STOPS.has(error.code)) return 'stop';
	if (!OF_THE_ITEMS.has(error.code) || before.failedOfLook + 1 >= MOST_FAILED) return 'fail';
	if (before.failedOfSource + 1 >= MOST_FAILED_OF_SOURCE) return 'others';
	if (error.kind === 'retryable') {
		const everyTime = items === 1 && before.unansweredBefore + 1 >= MOST_UNANSWERED;
		return everyTime && before.worksLately ? 'give_up' : 'others';
	}
	return items > 1 ? 'fewer' : 'aside';
}
