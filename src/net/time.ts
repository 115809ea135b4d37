/** Longest time that a timer of Node can wait; beyond it one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `then` in so many milliseconds, which may be infinite: then never. */
export function after(ms: number, then: () => void): NodeJS.Timeout | undefined {
	return ms > LONGEST_TIMER_MS ? undefined : setTimeout(then, ms);
}
