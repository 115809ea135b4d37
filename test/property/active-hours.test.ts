import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activeFrom, isActive } from '../../src/schedule/active-hours.ts';
import { dayAt, dayEnds } from '../../src/schedule/local-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Northern and southern summer time, half an hour, none, two hours at once, midnight that is skipped. */
const ZONES = [
	'Europe/Berlin',
	'America/New_York',
	'Australia/Lord_Howe',
	'Asia/Kolkata',
	'Antarctica/Troll',
	'Asia/Beirut',
	'America/Havana',
	'UTC',
];
const zones = fc.constantFrom(...ZONES);
/** Any minute of 2026, or one within a day of a change of clocks in it. */
const CHANGES = [
	'2026-03-29T01:00Z',
	'2026-10-25T01:00Z',
	'2026-03-08T07:00Z',
	'2026-11-01T06:00Z',
	'2026-04-04T15:00Z',
	'2026-03-28T22:00Z',
];
const start = Date.UTC(2026, 0, 1);
const moments = fc.oneof(
	fc.integer({ min: 0, max: 365 * 24 * HOUR }).map((ms) => start + ms),
	fc
		.tuple(fc.constantFrom(...CHANGES), fc.integer({ min: -24 * 60, max: 24 * 60 }))
		.map(([change, minutes]) => Date.parse(change) + minutes * MINUTE),
);
const times = fc
	.integer({ min: 0, max: 1439 })
	.map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
const windows = fc.record({ from: times, to: times }).filter(({ from, to }) => from !== to);

test('active hours open at the first minute that the wall clock shows within them, whatever the zone and the day', () => {
	fc.assert(
		fc.property(zones, moments, windows, (zone, at, hours) => {
			const from = activeFrom(hours, at, zone);
			expect(from).toBeGreaterThanOrEqual(at);
			expect(isActive(hours, from, zone)).toBe(true);
			// Two days at most: where the clocks skip the whole window.
			expect(from - at).toBeLessThan(51 * HOUR);
			for (let before = at; before < from; before = Math.floor(before / MINUTE) * MINUTE + MINUTE)
				if (isActive(hours, before, zone)) throw new Error(`open at ${new Date(before).toISOString()} already`);
		}),
		{ numRuns: 300 },
	);
});

test('a day ends when the date of the wall clock changes, after 23, 24 or 25 hours', () => {
	fc.assert(
		fc.property(zones, moments, (zone, at) => {
			const end = dayEnds(at, zone);
			const day = dayAt(at, zone);
			expect(dayAt(end, zone) > day).toBe(true);
			expect(dayAt(end - 1, zone)).toBe(day);
			expect(end - at).toBeLessThanOrEqual(26 * HOUR);
		}),
		{ numRuns: 500 },
	);
});

test('a window that is skipped in spring has no slot that day, and one that comes twice in autumn is open both times', () => {
	const zone = 'Europe/Berlin';
	const gone = { from: '02:00', to: '03:00' };
	expect(new Date(activeFrom(gone, Date.parse('2026-03-29T00:30Z'), zone)).toISOString()).toBe('2026-03-30T00:00:00.000Z');
	const twice = { from: '02:00', to: '02:30' };
	expect(isActive(twice, Date.parse('2026-10-25T00:10Z'), zone)).toBe(true);
	expect(isActive(twice, Date.parse('2026-10-25T00:40Z'), zone)).toBe(false);
	expect(new Date(activeFrom(twice, Date.parse('2026-10-25T00:40Z'), zone)).toISOString()).toBe('2026-10-25T01:00:00.000Z');
});

test('a window over midnight is open on both sides of it', () => {
	const night = { from: '22:00', to: '06:00' };
	const open = ['21:59', '22:00', '23:59', '00:00', '05:59', '06:00'].map((time) =>
		isActive(night, Date.parse(`2026-06-01T${time}Z`), 'UTC'),
	);
	expect(open).toEqual([false, true, true, true, true, false]);
});
