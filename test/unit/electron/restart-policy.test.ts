import { expect, test } from 'vitest';
import { afterDeath, freshStart } from '../../../electron/main/restart-policy.ts';

test('a runtime that keeps dying is started ever later, and then no more', () => {
	let state = freshStart;
	const delays: (number | undefined)[] = [];
	for (let death = 0; death < 7; death++) {
		const next = afterDeath(state, 0);
		state = next.state;
		delays.push(next.delayMs);
	}
	const started = delays.filter((delay) => delay !== undefined);
	expect(started.length).toBeGreaterThanOrEqual(3);
	expect(started).toEqual(started.toSorted((a, b) => a - b));
	expect(delays.slice(started.length)).toEqual(delays.slice(started.length).map(() => undefined));
	expect(state.restarts).toBe(started.length);
});

test('a death after a long life counts as the first', () => {
	let state = freshStart;
	for (let death = 0; death < 50; death++) {
		const next = afterDeath(state, 3_600_000);
		expect(next.delayMs).toBe(100);
		state = next.state;
	}
	expect(state.restarts).toBe(50);
});
