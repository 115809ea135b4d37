import type { ErrorCode, ErrorShape } from '../domain/errors.ts';
import type { ModelPlan } from './state.ts';

/** What to do after a failed model call: data and one pure function. The error's kind and code decide; nobody parses messages. */

/** Calls in all, the first one included, before giving up. Codes that are not named get `DEFAULT_TRIES`. */
const TRIES: Partial<Record<ErrorCode, number>> = {
	// Refused at once, and seldom different a second later; one more try covers a server that is just starting.
	model_unreachable: 2,
	// Each costs the whole silence.
	model_timeout: 2,
	model_empty_response: 2,
	model_bad_response: 2,
};
const DEFAULT_TRIES = 4;
const OVERFLOW_TRIES = 3;
const FIRST_WAIT_MS = 1000;
/** A provider that asks for more than this gets its way by the owner's Retry, not by a reply that hangs. */
export const LONGEST_WAIT_MS = 60_000;

export type FailureVerdict =
	| { kind: 'again'; waitMs: number }
	| { kind: 'smaller_window' }
	| { kind: 'fallback' }
	/** Text had arrived: it is kept and the owner decides (chat-9). */
	| { kind: 'interrupted' }
	| { kind: 'failed' };

/** `fixed`: its prompt can't be made smaller. */
export function judgeFailure(
	error: ErrorShape,
	plan: ModelPlan,
	received: { text: boolean; fallback: boolean; fixed?: boolean },
): FailureVerdict {
	if (error.code === 'model_context_overflow' && !received.text && !received.fixed)
		return plan.overflows + 1 < OVERFLOW_TRIES ? { kind: 'smaller_window' } : { kind: 'failed' };
	if (error.kind !== 'retryable') return { kind: 'failed' };
	if (received.text) return { kind: 'interrupted' };
	const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (plan.attempt - 1);
	const triesLeft = plan.attempt < (TRIES[error.code] ?? DEFAULT_TRIES);
	if (triesLeft && waitMs <= LONGEST_WAIT_MS) return { kind: 'again', waitMs };
	return received.fallback && plan.use === 'chosen' ? { kind: 'fallback' } : { kind: 'failed' };
}

/** The part of the model's window that a prompt may fill after so many overflow errors. */
export function windowShare(overflows: number): number {
	return 0.6 ** overflows;
}
