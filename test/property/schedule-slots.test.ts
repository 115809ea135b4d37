import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestSlots, nextSlot, slots } from '../../src/schedule/slots.ts';
import { schedulesAbout } from '../support/schedule/arbitraries.ts';
import { DAY, MINUTE } from '../support/schedule/oracle.ts';
import { tries } from '../support/thorough.ts';

/** Changes of clocks of each kind, and none. */
const PLACES = [
	['Europe/Berlin', '2027-03-28T01:00Z'],
	['Europe/Berlin', '2027-10-31T01:00Z'],
	['America/New_York', '2027-11-07T06:00Z'],
	['Australia/Lord_Howe', '2027-10-02T15:30Z'],
	['Australia/Lord_Howe', '2027-04-03T15:00Z'],
	['Africa/Casablanca', '2025-02-23T02:00Z'],
	['Africa/Casablanca', '2025-04-06T02:00Z'],
	['America/Sao_Paulo', '2018-11-04T03:00Z'],
	['America/Sao_Paulo', '2019-02-17T02:00Z'],
	['Pacific/Apia', '2011-12-30T10:00Z'],
	['Asia/Kolkata', '2027-03-28T01:00Z'],
	['Asia/Kolkata', '2028-02-29T00:00Z'],
] as const;

const cases = fc.constantFrom(...PLACES).chain(([zone, change]) => {
	const about = Date.parse(change);
	const moment = fc.integer({ min: -4 * 1440, max: 4 * 1440 }).map((minute) => about + minute * MINUTE);
	return fc.record({
		zone: fc.constant(zone),
		schedule: schedulesAbout(about),
		moments: fc.tuple(moment, moment, moment).map((three) => three.sort((a, b) => a - b)),
	});
});
const runs = { numRuns: tries(300) };

test('R5 slots are ascending, each once, within what was asked and within the limits', () => {
	fc.assert(
		fc.property(cases, ({ zone, schedule, moments: [from = 0, , to = 0] }) => {
			const found = slots(schedule, from, to, { zone, seed: 'task' });
			for (const [index, { at, dueAt }] of found.entries()) {
				expect(at).toBeGreaterThan(found[index - 1]?.at ?? from);
				expect(at).toBeLessThanOrEqual(Math.min(to, schedule.until ?? to));
				expect(at).toBeGreaterThanOrEqual(Math.max(schedule.from ?? at, schedule.pausedUntil ?? at));
				expect(dueAt - at).toBeGreaterThanOrEqual(0);
				expect(dueAt - at).toBeLessThanOrEqual(schedule.jitterSeconds * 1000);
			}
		}),
		runs,
	);
});

test('R5 the slots of two stretches of time are those of both together, word for word', () => {
	fc.assert(
		fc.property(cases, ({ zone, schedule, moments: [from = 0, middle = 0, to = 0] }) => {
			const options = { zone, seed: 'task' };
			const parts = [...slots(schedule, from, middle, options), ...slots(schedule, middle, to, options)];
			expect(parts).toEqual(slots(schedule, from, to, options));
		}),
		runs,
	);
});

test('R5 the next slot, the first ones and the newest ones are of the same slots', () => {
	fc.assert(
		fc.property(cases, fc.integer({ min: 1, max: 20 }), ({ zone, schedule, moments: [from = 0, , to = 0] }, most) => {
			const options = { zone, seed: 'task' };
			const all = slots(schedule, from, to, options);
			const next = nextSlot(schedule, from, options);
			expect(next && next.at <= to ? next : undefined).toEqual(all[0]);
			expect(slots(schedule, from, to, { ...options, most })).toEqual(all.slice(0, most));
			const { newest, older } = newestSlots(schedule, from, to, most, options);
			const before = all.slice(0, -most);
			expect(newest).toEqual(all.slice(-most));
			expect(older).toEqual(before.length > 0 ? { count: before.length, first: before[0]?.at, last: before.at(-1)?.at } : undefined);
		}),
		runs,
	);
});

test('R5 hours take slots away by the clock of the timing’s zone and add none', () => {
	fc.assert(
		fc.property(cases, ({ zone, schedule, moments: [from = 0, , to = 0] }) => {
			const { hours, ...rest } = schedule;
			fc.pre(hours !== undefined);
			const within = (time: string): boolean =>
				hours.from < hours.to ? time >= hours.from && time < hours.to : time >= hours.from || time < hours.to;
			const all = slots(rest, from, to, { zone });
			const times = (found: typeof all): number[] => found.map(({ at }) => at);
			expect(times(slots(schedule, from, to, { zone }))).toEqual(times(all.filter(({ local }) => within(local.slice(11, 16)))));
		}),
		runs,
	);
});

test('R5 every counts real time from its anchor, whatever clocks do', () => {
	const steps = fc.record({
		seconds: fc.integer({ min: 60, max: 200_000 }),
		anchor: fc.integer({ min: 0, max: 1e12 }),
		after: fc.integer({ min: 0, max: 2e12 }),
	});
	fc.assert(
		fc.property(steps, ({ seconds, anchor, after }) => {
			const at =
				nextSlot({ timing: { kind: 'every', seconds, anchor }, jitterSeconds: 0 }, after, { zone: 'Europe/Berlin' })?.at ?? Number.NaN;
			expect((at - anchor) % (seconds * 1000)).toBe(0);
			expect(at).toBeGreaterThanOrEqual(anchor);
			expect(at).toBeGreaterThan(after);
			expect(at === anchor || at - seconds * 1000 <= after).toBe(true);
		}),
		runs,
	);
});

test('R5 a delay is the same each time it is asked for, and differs between slots and tasks', () => {
	const schedule = { timing: { kind: 'cron', expression: '0 9 * * *' }, jitterSeconds: 3_600 } as const;
	const from = Date.UTC(2027, 0, 1);
	const delays = (seed: string): number[] =>
		slots(schedule, from, from + 60 * DAY, { zone: 'Europe/Berlin', seed }).map(({ at, dueAt }) => dueAt - at);
	expect(delays('one')).toEqual(delays('one'));
	expect(delays('one')).not.toEqual(delays('another'));
	expect(new Set(delays('one')).size).toBeGreaterThan(40);
});
