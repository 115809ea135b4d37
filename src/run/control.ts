import type { HearthError } from '../domain/errors.ts';

/** Why a run that is at work has to end: the owner stopped it, or the process is ending and the next one goes on. */
export type EndReason = 'stopped' | 'closing';

/** Time a tool under way gets to finish when the process ends in an orderly way: one less question to the owner (R2). */
const TOOL_PATIENCE_MS = 2_000;

/** One drive of a run. */
export class RunControl {
	readonly #abort = new AbortController();
	readonly #toolAbort = new AbortController();
	readonly #closing = new AbortController();
	/** Resolves with the reason when the end that the owner asked for cannot be written down now. */
	readonly unsaved: Promise<HearthError>;
	#cannotSave: (why: HearthError) => void = () => {};
	#reason: EndReason | undefined;

	constructor() {
		this.unsaved = new Promise((resolve) => {
			this.#cannotSave = resolve;
		});
	}

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

	/** The process is ending, whatever ended the run before. */
	get closing(): AbortSignal {
		return this.#closing.signal;
	}

	cannotSave(why: HearthError): void {
		this.#cannotSave(why);
	}

	/** The first reason stands. */
	end(reason: EndReason): void {
		if (reason === 'closing') this.#closing.abort();
		this.#reason ??= reason;
		this.#abort.abort();
		if (this.#reason === 'stopped') this.#toolAbort.abort();
		else setTimeout(() => this.#toolAbort.abort(), TOOL_PATIENCE_MS).unref();
	}

	/** Resolves after `ms`, or as soon as the run has to end. */
	async pause(ms: number, signal = this.signal): Promise<void> {
		if (ms <= 0 || signal.aborted) return;
		await new Promise<void>((resolve) => {
			const done = () => {
				clearTimeout(timer);
				signal.removeEventListener('abort', done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			signal.addEventListener('abort', done, { once: true });
		});
	}
}
