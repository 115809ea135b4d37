import { terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';

/** Commands under way, so that the owner can end a single one while its run goes on. */
export class RunningCommands {
	readonly #running = new Map<string, () => void>();

	/** Returns what takes it off the list. */
	add(runId: RunId, callId: string, stop: () => void): () => void {
		const key = keyOf(runId, callId);
		this.#running.set(key, stop);
		return () => {
			this.#running.delete(key);
		};
	}

	/** Throws `not_found` where no such command is under way. */
	stop(runId: RunId, callId: string): void {
		const stop = this.#running.get(keyOf(runId, callId));
		if (!stop) throw terminal('not_found', 'That command is not running any more.', { safe: 'Nothing was changed.' });
		stop();
	}
}

function keyOf(runId: RunId, callId: string): string {
	return JSON.stringify([runId, callId]);
}
