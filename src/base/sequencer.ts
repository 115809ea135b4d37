/**
 * Runs at most one task at a time for each key, in the order of the calls. A task that fails rejects its own promise and
 * does not stop the ones behind it.
 */
export class Sequencer {
	readonly #tails = new Map<string, Promise<unknown>>();

	run<T>(key: string, task: () => T | Promise<T>): Promise<T> {
		const before = this.#tails.get(key) ?? Promise.resolve();
		const result = before.then(task);
		// The tail never rejects: the caller holds `result` and answers for its failure.
		const tail = result.then(
			() => undefined,
			() => undefined,
		);
		this.#tails.set(key, tail);
		void tail.then(() => {
			if (this.#tails.get(key) === tail) this.#tails.delete(key);
		});
		return result;
	}

	/** Resolves when no task is queued or running, those added meanwhile included. */
	async idle(): Promise<void> {
		while (this.#tails.size > 0) await Promise.all(this.#tails.values());
	}
}
