import { stoppedError } from '../../net/errors.ts';

/** Throws `run_stopped` where the reading is no longer wanted. */
export function checkWanted(signal: AbortSignal): void {
	if (signal.aborted) throw stoppedError();
}
