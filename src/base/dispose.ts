/** Things to undo at the end, undone in reverse order. Register each where it is made. */
export class Disposables {
	readonly #steps: (() => void | Promise<void>)[] = [];
	#done: Promise<void> | undefined;

	/** After `dispose` began, a late step runs at once, so that nothing stays behind. */
	add(step: () => void | Promise<void>): void {
		if (this.#done === undefined) this.#steps.push(step);
		else this.#done = this.#done.then(step);
	}

	/** Runs every step even when some fail, then throws the first failure. Repeated calls give the same promise. */
	dispose(): Promise<void> {
		this.#done ??= this.#runAll();
		return this.#done;
	}

	async #runAll(): Promise<void> {
		const failures: unknown[] = [];
		for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
			try {
				await step();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw failures[0];
	}
}
