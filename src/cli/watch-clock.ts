const LOOK_MS = 20_000;
/** What a busy machine may be late by. */
const LATE_MS = 5_000;

/**
 * Notices within half a minute that the machine slept or its clock was set, where no shell says so: meanwhile the clock on the wall went another
 * way than the time this process ran for. Returns a function that stops it.
 */
export function watchClock(jumped: () => void): () => void {
	const gap = (): number => Date.now() - performance.now();
	let before = gap();
	const timer = setInterval(() => {
		const now = gap();
		if (Math.abs(now - before) > LATE_MS) jumped();
		before = now;
	}, LOOK_MS);
	timer.unref();
	return () => clearInterval(timer);
}
