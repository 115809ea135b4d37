import type { ErrorCode, ErrorShape } from '../../domain/errors.ts';

/** What follows from a failure: its kind decides, nobody parses messages. */

/** Something was used up this once; the next run of the task has it anew. */
const LIMITS: readonly ErrorCode[] = ['run_step_limit', 'run_budget_used'];

/** It may go otherwise at another try, without anybody doing anything. */
export function mayRetry({ kind }: ErrorShape): boolean {
	return kind === 'retryable';
}

/** The owner unlocks the stored keys for all that waits for them, and is asked nothing about this task. */
export function waitsForUnlock({ code }: ErrorShape): boolean {
	return code === 'secret_store_locked';
}

/** Only the owner can mend it (a key, a model that is gone): each further run would fail with it. */
export function blocksAtOnce({ kind, code }: ErrorShape): boolean {
	return kind === 'needs_owner' && !LIMITS.includes(code);
}

/** More of what was used up lets it go on where it is. */
export function isLimit({ code }: ErrorShape): boolean {
	return LIMITS.includes(code);
}
