import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PatternKind, patternOf, patternOfKind, timingOf } from '../../renderer/tasks/pattern.ts';
import type { Schedule, Timing } from '../../src/domain/schedule.ts';
import { checkSchedule } from '../../src/schedule/check.ts';
import { slots } from '../../src/schedule/slots.ts';
import { schedulesAbout } from '../support/schedule/arbitraries.ts';
import { tries } from '../support/thorough.ts';

const ABOUT = Date.parse('2027-03-28T01:00Z');
const DAY = 86_400_000;
const zone = 'Europe/Berlin';
const today = '2027-03-20';
/** As people and sentences write them: what most of the forms are for. */
const two = (value: number): string => String(value).padStart(2, '0');
const day = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const rule = fc.oneof(
	fc.integer({ min: 1, max: 4 }).map((every) => `FREQ=DAILY;INTERVAL=${every}`),
	fc
		.tuple(fc.integer({ min: 1, max: 3 }), fc.uniqueArray(day, { minLength: 1 }))
		.map(([every, days]) => `FREQ=WEEKLY;INTERVAL=${every};BYDAY=${days.join()}`),
	fc.tuple(fc.constantFrom(1, 2, 3, 4, -1), day).map(([nth, weekday]) => `FREQ=MONTHLY;BYDAY=${nth}${weekday}`),
	fc.constantFrom(1, 31, -1).map((date) => `FREQ=MONTHLY;BYMONTHDAY=${date}`),
	fc.constantFrom('FREQ=WEEKLY', 'FREQ=MONTHLY', 'FREQ=DAILY', 'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1', 'FREQ=DAILY;COUNT=5'),
);
const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
const plain: fc.Arbitrary<Schedule> = fc
	.oneof(
		fc
			.tuple(rule, time)
			.map(([of, [hour, minute]]): Timing => ({ kind: 'rrule', rule: of, start: `2027-03-29T${two(hour)}:${two(minute)}` })),
		fc
			.tuple(time, fc.constantFrom('* * *', '* * 1-5', '* * SUN', '* * 0,3', '1 * *', '31 * *', '1 4 *', '1 * 1'))
			.map(([[hour, minute], rest]): Timing => ({ kind: 'cron', expression: `${minute} ${hour} ${rest}` })),
	)
	.map((timing) => ({ timing, jitterSeconds: 0 }));
const schedules = fc.oneof(plain, schedulesAbout(ABOUT));
const runs = { numRuns: tries(200) };

test('a schedule that is shown as a form and taken back comes at the very same times', () => {
	let shownAsForm = 0;
	fc.assert(
		fc.property(schedules, (schedule) => {
			const pattern = patternOf(schedule.timing);
			if (pattern.kind !== 'cron' && pattern.kind !== 'rule') shownAsForm += 1;
			const timing = timingOf(pattern, schedule.timing, { today, now: ABOUT });
			const span = [ABOUT - 4 * DAY, ABOUT + 40 * DAY] as const;
			const times = (of: typeof schedule): number[] => slots(of, ...span, { zone, seed: 'task', most: 300 }).map(({ at }) => at);
			expect(times({ ...schedule, timing })).toEqual(times(schedule));
		}),
		runs,
	);
	expect(shownAsForm).toBeGreaterThan(0);
});

test('each kind of form begins with a schedule that can be, whatever stood there before', () => {
	const kinds: PatternKind[] = ['days', 'weeks', 'months', 'years', 'interval', 'cron', 'rule'];
	fc.assert(
		fc.property(schedules, fc.constantFrom(...kinds), ({ timing }, kind) => {
			const pattern = patternOfKind(kind, timing, today);
			expect(pattern.kind).toBe(kind);
			const schedule = { timing: timingOf(pattern, timing, { today, now: ABOUT }), jitterSeconds: 0 };
			expect(() => checkSchedule(schedule, { now: ABOUT - 30 * DAY, zone })).not.toThrow();
		}),
		runs,
	);
});
