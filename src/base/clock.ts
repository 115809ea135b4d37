/** The two clocks of the machine. `now` is for people and may jump either way (dur-6); `monotonic` measures durations and only grows. */
export interface Clock {
	/** Wall clock: milliseconds since the Unix epoch, whole. */
	now(): number;
	/** Milliseconds since an arbitrary start of this process; never goes back. */
	monotonic(): number;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
};
