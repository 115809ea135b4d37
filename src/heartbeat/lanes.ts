/**
 * Does `work` for each, a few at a time, those of the same key one after the other; a key of undefined waits for nobody. Rejects with the first
 * failure, once what was begun has ended; nothing is begun after it.
 */
export async function inLanes<T>(
	items: readonly T[],
	{ lanes, keyOf }: { lanes: number; keyOf: (item: T) => string | undefined },
	work: (item: T) => Promise<void>,
): Promise<void> {
	const waiting = [...items];
	const busy = new Set<string>();
	const failures: unknown[] = [];
	const next = (): T | undefined => {
		const at = failures.length > 0 ? -1 : waiting.findIndex((item) => !busy.has(keyOf(item) ?? ''));
		return at < 0 ? undefined : waiting.splice(at, 1)[0];
	};
	const running = new Set<Promise<void>>();
	const begin = (item: T): void => {
		const key = keyOf(item);
		if (key !== undefined) busy.add(key);
		const done = work(item)
			.catch((error: unknown) => void failures.push(error))
			.finally(() => {
				if (key !== undefined) busy.delete(key);
				running.delete(done);
			});
		running.add(done);
	};
	for (;;) {
		for (let item = next(); item !== undefined; item = running.size < lanes ? next() : undefined) {
			begin(item);
			if (running.size >= lanes) break;
		}
		if (running.size === 0) break;
		await Promise.race(running);
	}
	if (failures.length > 0) throw failures[0];
}
