import { expect, test } from 'vitest';
import { createAway } from '../../../electron/main/away.ts';

const MINUTE = 60_000;

test('the owner is back once, after as long as there was no sign of them', () => {
	const away = createAway();
	expect(away.look({ idleSeconds: 5, locked: false, at: 0 })).toBeUndefined();
	expect(away.look({ idleSeconds: 70, locked: false, at: 2 * MINUTE })).toBeUndefined();
	expect(away.look({ idleSeconds: 600, locked: false, at: 12 * MINUTE })).toBeUndefined();
	expect(away.look({ idleSeconds: 0, locked: false, at: 30 * MINUTE })).toBeCloseTo(30 - 50 / 60);
	expect(away.look({ idleSeconds: 3, locked: false, at: 31 * MINUTE })).toBeUndefined();
});

test('who moves the mouse before a locked screen is not back; who unlocks it is', () => {
	const away = createAway();
	away.left(0);
	expect(away.look({ idleSeconds: 1, locked: true, at: 20 * MINUTE })).toBeUndefined();
	expect(away.look({ idleSeconds: 0, locked: false, at: 21 * MINUTE })).toBe(21);
});

test('a sleep counts, also where the system’s own count of idle time stands still in it', () => {
	const away = createAway();
	away.left(0);
	expect(away.look({ idleSeconds: 10, locked: false, at: 480 * MINUTE + 10_000 })).toBe(480);
});
