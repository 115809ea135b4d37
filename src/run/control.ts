/** Why a run that is at work has to end: the owner stopped it, or the process is ending and the next one goes on. */
export type EndReason = 'stopped' | 'closing';

/** One drive of a run. */
export class RunControl {
	readonly #abort = new AbortController();
	#reason: EndReason | undefined;

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	get reason(): EndReason | undefined {
		return this.#reason;
	}

	/** The first reason stands. */
	end(reason: EndReason): void {
		this.#reason ??= reason;
		this.#abort.abort();
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
