import { expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import { Schedule, type Timing } from '../../src/domain/schedule.ts';
import { checkSchedule } from '../../src/schedule/check.ts';
import { scheduleNotes } from '../../src/schedule/notes.ts';
import { timingInWords } from '../../src/schedule/words.ts';

const standpoint = { now: Date.parse('2026-11-30T09:00Z'), zone: 'Europe/Berlin' };
const START = '2026-12-03T09:00';
const alone = (timing: Timing, limits: Partial<Schedule> = {}): Schedule => Schedule.parse({ timing, ...limits });
const cron = (expression: string, limits?: Partial<Schedule>): Schedule => alone({ kind: 'cron', expression }, limits);
const rule = (text: string, limits?: Partial<Schedule>): Schedule => alone({ kind: 'rrule', rule: text, start: START }, limits);

test.each([
	['0 9 * * 1-5', 'Every weekday at 09:00'],
	['0 9 * * *', 'Every day at 09:00'],
	['@daily', 'Every day at 00:00'],
	['30 0 9 * * SUN,SAT', 'Every Saturday and Sunday at 09:00:30'],
	['0 9,17 * * *', 'Every day at 09:00 and 17:00'],
	['*/15 * * * *', 'Every 15 minutes'],
	['* * * * *', 'Every minute'],
	['0 * * * *', 'Every hour'],
	['15 * * * *', 'Every hour at minute 15'],
	['*/15 9-17 * * 1-5', 'Every 15 minutes from 09:00 to 17:45, every weekday'],
	['0 8-18/2 * * 1,3', 'Every 2 hours from 08:00 to 18:00, every Monday and Wednesday'],
	['5,20 9-10 * * *', 'Every day at 09:05, 09:20, 10:05 and 10:20'],
	['5,20 9-11 * * *', 'At minutes 5 and 20 of the hours 09:00, 10:00 and 11:00'],
	['*/45 * * * *', 'At minutes 0 and 45 of every hour'],
	['0 9 1,15 * *', 'On the 1st and 15th of every month at 09:00'],
	['0 9 L * *', 'On the last day of every month at 09:00'],
	['0 9 LW * *', 'On the last workday of every month at 09:00'],
	['0 9 15W * *', 'On the workday nearest to the 15th of every month at 09:00'],
	['0 9 * * FRI#2', 'On the second Friday of every month at 09:00'],
	['0 9 * * 5L', 'On the last Friday of every month at 09:00'],
	['0 9 29 2 *', 'Every year on 29 February at 09:00'],
	['0 9 1 1,7 *', 'On the 1st of January and July at 09:00'],
	['0 9 * 6-8 MON', 'Every Monday in June, July and August at 09:00'],
	['0 9 13 * 5', 'On the 13th of every month, and also every Friday, at 09:00'],
	['0 9 13 * +FRI', 'On the 13th of every month where it is a Friday at 09:00'],
])('sch-6 cron %s is “%s”', (expression, words) => {
	expect(timingInWords(cron(expression))).toBe(words);
});

test.each([
	['FREQ=DAILY', 'Every day at 09:00'],
	['FREQ=DAILY;INTERVAL=3', 'Every 3 days at 09:00'],
	['FREQ=WEEKLY', 'Every Thursday at 09:00'],
	['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday at 09:00'],
	['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9,17', 'Every 2 weeks on Monday at 09:00 and 17:00'],
	['FREQ=MONTHLY', 'On the 3rd of every month at 09:00'],
	['FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1', 'Every 3 months on the last day at 09:00'],
	['FREQ=MONTHLY;BYDAY=-1FR', 'On the last Friday of every month at 09:00'],
	['FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR', 'On the last weekday of every month at 09:00'],
	['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'On the 13th of every month where it is a Friday at 09:00'],
	['FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL=20271231', 'On the 1st and 15th of every month at 09:00, until 31 December 2027'],
	['FREQ=YEARLY', 'Every year on 3 December at 09:00'],
	['FREQ=YEARLY;BYDAY=1MO;BYMONTH=9', 'Every year on the first Monday of September at 09:00'],
	['FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', 'Every year in week 53 on Monday at 09:00'],
	['FREQ=YEARLY;BYYEARDAY=366', 'Every year on day 366 of the year at 09:00'],
	['FREQ=HOURLY;INTERVAL=5', 'Every 5 hours'],
	['FREQ=MINUTELY;INTERVAL=30;BYHOUR=9,10', 'Every 30 minutes, in the hours 9 and 10'],
	['FREQ=DAILY;COUNT=5', 'Every day at 09:00, 5 times'],
])('sch-6 the rule %s is “%s”', (text, words) => {
	expect(timingInWords(rule(text))).toBe(words);
});

test('sch-6 single times, real time and hours are said, too', () => {
	expect(timingInWords(alone({ kind: 'at', local: START }))).toBe('On 3 December 2026 at 09:00');
	const moment: Timing = { kind: 'moment', at: Date.parse('2026-12-03T08:00Z') };
	expect(timingInWords(alone(moment), 'Europe/Berlin')).toBe('On 3 December 2026 at 09:00');
	expect(timingInWords(alone(moment))).toBe('On 3 December 2026 at 08:00 UTC');
	expect(timingInWords(alone({ kind: 'every', seconds: 5_400, anchor: 0 }, { hours: { from: '08:00', to: '22:00' } }))).toBe(
		'Every 90 minutes, only between 08:00 and 22:00',
	);
});

test.each([
	['0 9 13 * 5', 'It runs on the 13th and also every Friday: either is enough, so not only where both fall on one day.'],
	['30 2 * * *', 'On 28 March 2027 the clocks skip its time: it runs at 03:00 then.'],
	['30 2 * * *', 'On 31 October 2027 the clocks show 02:30 twice: it runs the first time only.'],
	['0 9 29 2 *', '29 February comes in leap years only. The next run is on 29 February 2028.'],
	['0 9 31 * *', 'Months without a 31st have no run then. For the last day of each month, say so.'],
	['0 9 * * 5#5', 'Months without a fifth Friday have no run then.'],
	['*/45 * * * *', 'Every 45 minutes starts anew at each full hour, so the last pause of an hour is shorter.'],
	['0 */5 * * *', 'Every 5 hours starts anew at midnight, so the last pause of a day is shorter.'],
	['0 9 */2 * *', 'Every 2 days starts anew on the 1st of each month.'],
])('sch-6 the card of cron %s says what may surprise: “%s”', (expression, note) => {
	expect(scheduleNotes(cron(expression), standpoint)).toContain(note);
});

test('sch-6 rules say what may surprise, too, and plain schedules say nothing', () => {
	const notes = (text: string): string[] => scheduleNotes(rule(text), standpoint);
	expect(notes('FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO')).toEqual(['Few years have a week 53. The next run is on 28 December 2026.']);
	expect(notes('FREQ=YEARLY;BYYEARDAY=366')).toEqual(['Only leap years have a day 366. The next run is on 31 December 2028.']);
	expect(notes('FREQ=MONTHLY;BYMONTHDAY=30')).toEqual(['Months without a 30th have no run then. For the last day of each month, say so.']);
	expect(notes('FREQ=MONTHLY;BYDAY=5FR')).toEqual(['Months without a fifth Friday have no run then.']);
	for (const plain of [cron('0 9 * * 1-5'), cron('*/15 * * * *'), cron('0 9 31 1 *'), rule('FREQ=MONTHLY;BYMONTHDAY=1')]) {
		expect(scheduleNotes(plain, standpoint)).toEqual([]);
	}
	expect(scheduleNotes(alone({ kind: 'every', seconds: 86_400, anchor: 0 }), standpoint)).toEqual([
		'Every 24 hours counts real hours: after a change of the clocks it comes at another time of day.',
	]);
});

test('limits and another zone are said as notes', () => {
	const limits = {
		jitterSeconds: 300,
		from: Date.parse('2026-12-24T08:00Z'),
		until: Date.parse('2027-06-30T22:00Z'),
		pausedUntil: Date.parse('2026-12-25T08:00Z'),
	};
	expect(scheduleNotes(alone({ kind: 'cron', expression: '0 9 * * *', zone: 'Asia/Kolkata' }, limits), standpoint)).toEqual([
		'Its times are those of Asia/Kolkata.',
		'It begins on 24 December 2026 at 13:30.',
		'It ends on 1 July 2027 at 03:30.',
		'It is paused until 25 December 2026 at 13:30.',
		'Each run begins up to 5 minutes later.',
	]);
});

test.each<[string, Schedule, RegExp]>([
	['30 February', cron('0 9 30 2 *'), /never comes: no day fits “0 9 30 2 \*”/],
	['30 February as a date', alone({ kind: 'at', local: '2027-02-30T09:00' }), /There is no day 2027-02-30/],
	['a start that is no date', alone({ kind: 'rrule', rule: 'FREQ=DAILY', start: '2027-04-31T09:00' }), /There is no day 2027-04-31/],
	['a position that there is not', rule('FREQ=DAILY;BYHOUR=9,10;BYSETPOS=3'), /BYSETPOS asks for a later one than there are/],
	['positions within a day', rule('FREQ=HOURLY;BYMINUTE=9,10;BYSETPOS=1'), /BYSETPOS needs FREQ=YEARLY, MONTHLY, WEEKLY or DAILY/],
	['the 31st of short months', cron('0 9 31 4,6 *'), /never comes/],
	['30 February by a rule', rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), /never comes: no time fits the rule/],
	['four fields', cron('9 * * *'), /five fields/],
	['an hour that is none', cron('0 24 * * *'), /The hour “24” can't be read\. Use 0 to 23/],
	['a weekday that is none', cron('0 9 * * FOO'), /The weekday “FOO”/],
	['a step without a range', cron('5/10 * * * *'), /The minute “5\/10”/],
	['each second', cron('* * * * * *'), /more than once a minute/],
	['each 30 seconds', rule('FREQ=SECONDLY;INTERVAL=30'), /more than once a minute/],
	['an unknown part of a rule', rule('FREQ=DAILY;BYHOURS=9'), /no part “BYHOURS”.*Did you mean “BYHOUR”/],
	['an hour of a rule that is none', rule('FREQ=DAILY;BYHOUR=25'), /BYHOUR can't be “25”: use 0 to 23/],
	['two ends', rule('FREQ=DAILY;COUNT=3;UNTIL=20270101'), /not both/],
	['an end that is no date', rule('FREQ=DAILY;UNTIL=20270231'), /UNTIL can't be “20270231”/],
	['the second Monday of a week', rule('FREQ=WEEKLY;BYDAY=2MO'), /needs FREQ=MONTHLY or FREQ=YEARLY/],
	['a rule that is over', alone({ kind: 'rrule', rule: 'FREQ=DAILY;COUNT=3', start: '2026-01-01T09:00' }), /The rule has ended/],
	['a time that is past', alone({ kind: 'at', local: '2026-11-30T09:59' }), /2026-11-30 09:59 \(Europe\/Berlin\) is past/],
	['an end that is past', cron('0 9 * * *', { until: standpoint.now - 1 }), /Its end is past/],
	['an end before the first time', cron('0 9 * * *', { until: standpoint.now + 60_000 }), /ends before its first time/],
	['an end before its beginning', cron('0 9 * * *', { from: 2e12, until: 1.9e12 }), /end before it begins/],
	[
		'hours without any of its times',
		cron('0 9 * * *', { hours: { from: '22:00', to: '06:00' } }),
		/none of its times is between 22:00 and 06:00/,
	],
	[
		'a delay as long as the time between two',
		cron('*/15 * * * *', { jitterSeconds: 900 }),
		/up to 15 minutes is not shorter than the 15 minutes/,
	],
	['a first time in thousands of years', alone({ kind: 'at', local: '9999-12-31T09:00' }), /more than 50 years/],
	['a moment in thousands of years', alone({ kind: 'moment', at: Date.UTC(9999, 0) }), /more than 50 years/],
	['a beginning after all time', cron('0 9 * * *', { from: 8.64e15 }), /more than 50 years/],
	['a pause until after all time', rule('FREQ=DAILY', { pausedUntil: 8.64e15 }), /more than 50 years/],
])('a schedule with %s is refused in words', (_, schedule, says) => {
	let error: unknown;
	try {
		checkSchedule(schedule, standpoint);
	} catch (thrown) {
		error = thrown;
	}
	expect(error).toBeInstanceOf(HearthError);
	expect((error as HearthError).shape).toMatchObject({ kind: 'terminal', code: 'invalid_input', message: expect.stringMatching(says) });
});

test('what comes some day is let through, however rare', () => {
	for (const schedule of [
		cron('0 9 29 2 *'),
		cron('0 9 29 2 +MON'),
		rule('FREQ=YEARLY;BYWEEKNO=53'),
		rule('FREQ=DAILY;COUNT=1'),
		rule('FREQ=DAILY;BYHOUR=9,12;BYMINUTE=0,30;BYSETPOS=1,4'),
		alone({ kind: 'at', local: '2026-11-30T10:01' }),
		cron('*/15 * * * *', { jitterSeconds: 899, hours: { from: '23:00', to: '01:00' } }),
	]) {
		expect(() => checkSchedule(schedule, standpoint)).not.toThrow();
	}
});
