import type { Logger } from '../base/logger.ts';

/** How soon to try again what the disk had no room for. */
const AGAIN_MS = 1_000;

/** Work that is tried again a little later, unless the process ends first: then the next start finds it. */
export class Later {
	readonly #logger: Logger;
	readonly #timers = new Set<NodeJS.Timeout>();

	constructor(logger: Logger) {
		this.#logger = logger;
	}

	/** `what`: for the log, should it fail for good. */
	again(what: string, work: () => void): void {
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			try {
				work();
			} catch (error) {
				this.#logger.error(what, { error });
			}
		}, AGAIN_MS).unref();
		this.#timers.add(timer);
	}

	close(): void {
		for (const timer of this.#timers) clearTimeout(timer);
	}
}
