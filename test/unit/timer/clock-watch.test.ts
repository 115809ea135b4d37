import { expect, test } from 'vitest';
import { ClockWatch, type Jump, jumpsBetween, type Reading } from '../../../src/timer/clock-watch.ts';

const HOUR = 3_600_000;
const START: Reading = { wall: 1_000_000, monotonic: 500, sinceBoot: 90_000 };
const after = (wall: number, monotonic: number, sinceBoot?: number): Reading => ({
	wall: START.wall + wall,
	monotonic: START.monotonic + monotonic,
	sinceBoot: sinceBoot === undefined ? undefined : 90_000 + sinceBoot,
});
const before = (given: Reading): Reading => (given.sinceBoot === undefined ? { ...START, sinceBoot: undefined } : START);
const between = (given: Reading): Jump[] => jumpsBetween(before(given), given);

test('dur-6 a sleep and a clock that is set are told apart where the system counts its sleep', () => {
	expect(between(after(30_000, 30_000, 30_000))).toEqual([]);
	expect(between(after(HOUR, 20_000, HOUR))).toEqual([{ what: 'woke', ms: HOUR - 20_000 }]);
	expect(between(after(30_000 + HOUR, 30_000, 30_000))).toEqual([{ what: 'clock', ms: HOUR }]);
	expect(between(after(30_000 - HOUR, 30_000, 30_000))).toEqual([{ what: 'clock', ms: -HOUR }]);
	expect(between(after(2 * HOUR, 20_000, HOUR))).toEqual([
		{ what: 'woke', ms: HOUR - 20_000 },
		{ what: 'clock', ms: HOUR },
	]);
});

test('dur-6 where it does not, forward is a sleep and back is a clock that was set', () => {
	expect(between(after(30_004, 30_000))).toEqual([]);
	expect(between(after(HOUR, 20_000))).toEqual([{ what: 'woke', ms: HOUR - 20_000 }]);
	expect(between(after(30_000 - HOUR, 30_000))).toEqual([{ what: 'clock', ms: -HOUR }]);
});

test('dur-6 where the process’s own clock goes on in a sleep, a look that comes far too late tells of it', () => {
	expect(between(after(HOUR, HOUR))).toEqual([{ what: 'woke', ms: HOUR - 30_000 }]);
	expect(between(after(100_000, 100_000))).toEqual([]);
});

function watched() {
	const at = { wall: 0, monotonic: 0 };
	const told: Jump[] = [];
	const clock = { now: () => at.wall, monotonic: () => at.monotonic };
	const watch = new ClockWatch({ clock, onJump: (jump) => void told.push(jump), onLook: () => undefined, onNoticed: () => undefined });
	return { at, told, watch };
}

test('one wake is told once, whoever notices it first', () => {
	const { at, told, watch } = watched();
	at.wall += HOUR;
	expect(watch.check()).toBe(true);
	at.wall += 2_000;
	at.monotonic += 2_000;
	watch.told('woke');
	expect(told).toEqual([{ what: 'woke', ms: HOUR }]);
	at.wall += HOUR;
	at.monotonic += 1_000;
	watch.told('woke');
	expect(watch.check()).toBe(false);
	expect(told).toHaveLength(2);
});

test('the shell’s word says what it was, and a zone of its own is never lost', () => {
	const { at, told, watch } = watched();
	at.wall += HOUR;
	watch.told('clock', 'Asia/Tokyo');
	watch.told('woke', 'Asia/Tokyo');
	watch.told('woke', 'Asia/Seoul');
	expect(told).toEqual([
		{ what: 'clock', ms: HOUR, zone: 'Asia/Tokyo' },
		{ what: 'woke', ms: 0, zone: 'Asia/Tokyo' },
		{ what: 'clock', ms: 0, zone: 'Asia/Seoul' },
	]);
});
