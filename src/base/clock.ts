import { uptime } from 'node:os';

/** The two clocks of the machine. `now` is for people and may jump either way (dur-6); `monotonic` measures durations and only grows. */
export interface Clock {
	/** Wall clock: milliseconds since the Unix epoch, whole. */
	now(): number;
	/** Milliseconds since an arbitrary start of this process; never goes back. */
	monotonic(): number;
	/** Milliseconds since the machine was started, its sleep included; nothing where the system does not tell. */
	sinceBoot?(): number | undefined;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	// Elsewhere it is made from the wall clock, and jumps with it.
	sinceBoot: () => (process.platform === 'linux' ? uptime() * 1000 : undefined),
};
