/** Why a run that is at work has to end: the owner stopped it, or the process is ending and the next one goes on. */
export type EndReason = 'stopped' | 'closing';

/** Time a tool under way gets to finish when the process ends in an orderly way: one less question to the owner (R2). */
const TOOL_PATIENCE_MS = 2_000;

/** One drive of a run. */
export class RunControl {
	readonly #abort = new AbortController();
	readonly #toolAbort = new AbortController();
	#reason: EndReason | undefined;

	/** For model calls and waits: what they have is kept, so they end at once. */
	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	get toolSignal(): AbortSignal {
		return this.#toolAbort.signal;
	}

	get reason(): EndReason | undefined {
		return this.#reason;
	}

	/** The first reason stands. */
	end(reason: EndReason): void {
		this.#reason ??= reason;
		this.#abort.abort();
		if (this.#reason === 'stopped') this.#toolAbort.abort();
		else setTimeout(() => this.#toolAbort.abort(), TOOL_PATIENCE_MS).unref();
	}

	/** Resolves after `ms`, or as soon as the run has to end. */
	async pause(ms: number): Promise<void> {
		if (ms <= 0 || this.signal.aborted) return;
		await new Promise<void>((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.signal.removeEventListener('abort', done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			this.signal.addEventListener('abort', done, { once: true });
		});
	}
}
