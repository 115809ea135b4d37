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
/** Runs of one look that may fail before it is given up until the next. */
export const MOST_FAILED = 8;

export interface FailedRun {
	readonly error: ErrorShape;
	readonly items: number;
	/** Runs of the same look that failed before. */
	readonly failedBefore: number;
	/** Runs of other items went well lately. */
	readonly worksLately: boolean;
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
	/** These items are not considered. */
	| 'give_up';

export function judgeEnd({ error, items, failedBefore, worksLately }: FailedRun): EndVerdict {
	if (error.code === 'consent_missing') return 'asks';
	if (error.kind === 'needs_owner' && STOPS.has(error.code)) return 'stop';
	if (failedBefore + 1 >= MOST_FAILED || !OF_THE_ITEMS.has(error.code)) return 'fail';
	if (error.kind === 'retryable') return 'others';
	if (items > 1) return 'fewer';
	// One alone: it is to blame where others went well, or where it is too long. Else the model is.
	return worksLately || error.code === 'model_context_overflow' ? 'give_up' : 'stop';
}
