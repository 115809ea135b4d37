import fc from 'fast-check';
import { Schedule, type Timing } from '../../../src/domain/schedule.ts';
import { type DayTimes, MINUTE } from './oracle.ts';

/** Timings together with what they mean, said without the code that reads them. */
export interface Drawn {
	readonly timing: Timing;
	readonly times: DayTimes;
}

const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 3 });
/** Small hours are those that clocks skip and show twice. */
const smallHours = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 2 });
const weekdays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
const monthDays = fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 20 });

const minuteOf = (wall: number): number => new Date(wall).getUTCMinutes();
const hourOf = (wall: number): number => new Date(wall).getUTCHours();

/** Cron with lists only: times that are named. */
const namedCron = fc
	.record({ hours: fc.oneof(hours, smallHours), minutes, weekdays: fc.option(weekdays), monthDays: fc.option(monthDays) })
	.map(
		({ hours: hour, minutes: minute, weekdays: weekday, monthDays: day }): Drawn => ({
			timing: {
				kind: 'cron',
				expression: `${minute.join()} ${hour.join()} ${day?.join() ?? '*'} * ${weekday?.join() ?? '*'}`,
			},
			times: {
				wild: false,
				fits: (wall) => minute.includes(minuteOf(wall)) && hour.includes(hourOf(wall)) && dayFits(wall, weekday, day),
			},
		}),
	);

/** Vixie's rule: with both given, either is enough. */
function dayFits(wall: number, weekday: readonly number[] | null, day: readonly number[] | null): boolean {
	const [byWeekday, byDay] = [weekday?.includes(new Date(wall).getUTCDay()), day?.includes(new Date(wall).getUTCDate())];
	if (byWeekday === undefined && byDay === undefined) return true;
	return byWeekday === true || byDay === true;
}

/** `7 * * * *`, `* / 20 0-4 * * *`. */
const wildCron = fc
	.record({
		minute: fc.oneof(fc.constantFrom('*/10', '*/20', '*/30', '*/45'), fc.integer({ min: 0, max: 59 })),
		range: fc.option(smallHours),
	})
	.map(({ minute, range }): Drawn => {
		const step = typeof minute === 'string' ? Number(minute.slice(2)) : undefined;
		// A named minute of named hours would be no wildcard.
		const chosen = step === undefined ? null : range;
		return {
			timing: { kind: 'cron', expression: `${minute} ${chosen?.join() ?? '*'} * * *` },
			times: {
				wild: true,
				fits: (wall) => (step ? minuteOf(wall) % step === 0 : minuteOf(wall) === minute) && (!chosen || chosen.includes(hourOf(wall))),
			},
		};
	});

const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const START = '1972-01-03T00:00';

const namedRule = fc.record({ hours: fc.oneof(hours, smallHours), minutes, weekdays: fc.option(weekdays) }).map(
	({ hours: hour, minutes: minute, weekdays: weekday }): Drawn => ({
		timing: {
			kind: 'rrule',
			start: START,
			rule: `FREQ=${weekday ? 'WEEKLY' : 'DAILY'};BYHOUR=${hour.join()};BYMINUTE=${minute.join()}${weekday ? `;BYDAY=${weekday.map((day) => DAY_CODES[day]).join()}` : ''}`,
		},
		times: {
			wild: false,
			fits: (wall) => minute.includes(minuteOf(wall)) && hour.includes(hourOf(wall)) && dayFits(wall, weekday, null),
		},
	}),
);

const wildRule = fc.record({ minutes, weekdays: fc.option(weekdays) }).map(
	({ minutes: minute, weekdays: weekday }): Drawn => ({
		timing: {
			kind: 'rrule',
			start: START,
			rule: `FREQ=HOURLY;BYMINUTE=${minute.join()}${weekday ? `;BYDAY=${weekday.map((day) => DAY_CODES[day]).join()}` : ''}`,
		},
		times: { wild: true, fits: (wall) => minute.includes(minuteOf(wall)) && dayFits(wall, weekday, null) },
	}),
);

export const drawnTimings = fc.oneof(namedCron, wildCron, namedRule, wildRule);

/** Whole schedules of every kind, with limits near `about`. */
export function schedulesAbout(about: number): fc.Arbitrary<Schedule> {
	const near = fc.integer({ min: -3 * 1440, max: 3 * 1440 }).map((minute) => about + minute * MINUTE);
	const timings = fc.oneof(
		{ weight: 4, arbitrary: drawnTimings.map(({ timing }) => timing) },
		near.map((at): Timing => ({ kind: 'moment', at })),
		near.map((at): Timing => ({ kind: 'at', local: new Date(at).toISOString().slice(0, 16) })),
		fc.record({ seconds: fc.integer({ min: 60, max: 100_000 }), anchor: near }).map((every): Timing => ({ kind: 'every', ...every })),
		fc.record({ minutes: fc.integer({ min: 7, max: 2_000 }), count: fc.integer({ min: 1, max: 40 }), start: near }).map(
			({ minutes: interval, count, start }): Timing => ({
				kind: 'rrule',
				rule: `FREQ=MINUTELY;INTERVAL=${interval};COUNT=${count}`,
				start: new Date(start).toISOString().slice(0, 16),
			}),
		),
	);
	const time = fc.integer({ min: 0, max: 1439 }).map((minute) => new Date(minute * MINUTE).toISOString().slice(11, 16));
	const limits = fc.record(
		{
			jitterSeconds: fc.integer({ min: 0, max: 3_600 }),
			hours: fc.record({ from: time, to: time }).filter(({ from, to }) => from !== to),
			from: near,
			until: near,
			pausedUntil: near,
		},
		{ requiredKeys: [] },
	);
	return fc.tuple(timings, limits).map(([timing, limit]) => Schedule.parse({ timing, ...limit }));
}
