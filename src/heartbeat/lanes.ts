/**
 * Does `work` for each, a few at a time, those of the same key one after the other; a key of undefined waits for nobody. Rejects with the first
 * failure, once what was begun has ended; nothing is begun after it.
 */
export async function inLanes<T>(
	items: readonly T[],
	{ lanes, keyOf }: { lanes: number; keyOf: (item: T) => string | undefined },
	work: (item: T) => Promise<void>,
): Promise<void> {
	const waiting = items.map((item) => ({ item, key: keyOf(item) }));
	const busy = new Set<string>();
	const failures: unknown[] = [];
	const next = (): (typeof waiting)[number] | undefined => {
		const at = failures.length > 0 ? -1 : waiting.findIndex(({ key }) => key === undefined || !busy.has(key));
		return at < 0 ? undefined : waiting.splice(at, 1)[0];
	};
	const running = new Set<Promise<void>>();
	const begin = ({ item, key }: (typeof waiting)[number]): void => {
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
		for (let one = next(); one !== undefined; one = running.size < lanes ? next() : undefined) {
			begin(one);
			if (running.size >= lanes) break;
		}
		if (running.size === 0) break;
		await Promise.race(running);
	}
	if (failures.length > 0) throw failures[0];
}
