import { expect, test } from 'vitest';
import type { Schedule, Slot, Timing } from '../../src/domain/schedule.ts';
import { newestSlots, nextSlot, slots } from '../../src/schedule/slots.ts';

const DAY = 86_400_000;
const at = (text: string): number => Date.parse(text);
const alone = (timing: Timing): Schedule => ({ timing, jitterSeconds: 0 });
const cron = (expression: string, zone?: string): Schedule => alone({ kind: 'cron', expression, ...(zone && { zone }) });
const rule = (text: string, start: string): Schedule => alone({ kind: 'rrule', rule: text, start });
const moments = (found: readonly Slot[]): string[] => found.map((slot) => new Date(slot.at).toISOString().replace(':00.000Z', 'Z'));
const locals = (found: readonly Slot[]): string[] => found.map(({ local, offset, note }) => `${local}${offset}${note ? ` ${note}` : ''}`);

/** A time that the zone's clocks skip or show twice on the day, and what must come of it. */
const CHANGES = [
	{ zone: 'Europe/Berlin', day: '2027-03-28', time: '02:30', comes: '2027-03-28T03:00+02:00 moved' },
	{ zone: 'Europe/Berlin', day: '2027-10-31', time: '02:30', comes: '2027-10-31T02:30+02:00 twice' },
	{ zone: 'America/New_York', day: '2027-03-14', time: '02:30', comes: '2027-03-14T03:00-04:00 moved' },
	{ zone: 'America/New_York', day: '2027-11-07', time: '01:30', comes: '2027-11-07T01:30-04:00 twice' },
	{ zone: 'Australia/Lord_Howe', day: '2027-10-03', time: '02:15', comes: '2027-10-03T02:30+11:00 moved' },
	{ zone: 'Australia/Lord_Howe', day: '2027-04-04', time: '01:45', comes: '2027-04-04T01:45+11:00 twice' },
	{ zone: 'Africa/Casablanca', day: '2025-04-06', time: '02:30', comes: '2025-04-06T03:00+01:00 moved' },
	{ zone: 'Africa/Casablanca', day: '2025-02-23', time: '02:30', comes: '2025-02-23T02:30+01:00 twice' },
	{ zone: 'America/Sao_Paulo', day: '2018-11-04', time: '00:30', comes: '2018-11-04T01:00-02:00 moved' },
	{ zone: 'America/Sao_Paulo', day: '2019-02-16', time: '23:30', comes: '2019-02-16T23:30-02:00 twice' },
	{ zone: 'America/Sao_Paulo', day: '2027-11-07', time: '00:30', comes: '2027-11-07T00:30-03:00' },
	{ zone: 'Asia/Kolkata', day: '2027-03-28', time: '02:30', comes: '2027-03-28T02:30+05:30' },
];

for (const { zone, day, time, comes } of CHANGES) {
	const [hour, minute] = time.split(':').map(Number);
	const ways: Record<string, Schedule> = {
		cron: cron(`${minute} ${hour} * * *`),
		'a rule': rule('FREQ=DAILY', `2010-01-01T${time}`),
		'one time': alone({ kind: 'at', local: `${day}T${time}` }),
	};
	test.each(Object.entries(ways))(`sch-1 ${zone}: ${time} on ${day} as %s comes once, as ${comes}`, (_, schedule) => {
		const about = at(`${day}T12:00Z`);
		const found = slots(schedule, about - 3 * DAY, about + 3 * DAY, { zone });
		expect(locals(found).filter((local) => local.startsWith(day))).toEqual([comes]);
	});
}

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Sao_Paulo', 'Asia/Kolkata'])(
	'R5 %s: each time of day comes once on each day of fifteen years',
	(zone) => {
		const [first, last] = ['2013-01-01', '2027-12-31'];
		const days = (at(last) - at(first)) / DAY + 1;
		for (const expression of ['30 2 * * *', '15 2 * * *', '45 1 * * *', '30 0 * * *', '0 0 * * *', '30 23 * * *', '0 9 * * *']) {
			const found = slots(cron(expression), at(`${first}T00:00Z`) - 2 * DAY, at(`${last}T00:00Z`) + 2 * DAY, { zone });
			const within = found.map(({ local }) => local.slice(0, 10)).filter((day) => day >= first && day <= last);
			expect([expression, within.length, new Set(within).size]).toEqual([expression, days, days]);
		}
	},
);

test('R5 steps and wildcards follow real time: the hour that is missing has none, the one that comes twice has two', () => {
	const zone = 'Europe/Berlin';
	const night = (from: string, schedule: Schedule): string[] => locals(slots(schedule, at(from) - 1, at(from) + 4 * 3_600_000, { zone }));
	expect(night('2027-03-27T23:00Z', cron('*/30 * * * *'))).toEqual([
		'2027-03-28T00:00+01:00',
		'2027-03-28T00:30+01:00',
		'2027-03-28T01:00+01:00',
		'2027-03-28T01:30+01:00',
		'2027-03-28T03:00+02:00',
		'2027-03-28T03:30+02:00',
		'2027-03-28T04:00+02:00',
		'2027-03-28T04:30+02:00',
		'2027-03-28T05:00+02:00',
	]);
	expect(night('2027-10-30T23:00Z', cron('20 * * * *'))).toEqual([
		'2027-10-31T01:20+02:00',
		'2027-10-31T02:20+02:00',
		'2027-10-31T02:20+01:00',
		'2027-10-31T03:20+01:00',
	]);
	expect(night('2027-10-30T22:00Z', rule('FREQ=MINUTELY;INTERVAL=40', '2027-10-31T00:00')).map((local) => local.slice(11))).toEqual([
		'00:00+02:00',
		'00:40+02:00',
		'01:20+02:00',
		'02:00+02:00',
		'02:40+02:00',
		'02:20+01:00',
		'03:00+01:00',
	]);
});

test('R5 a step whose only times fall into the missing hour comes right after it', () => {
	const found = slots(cron('*/20 2 * * *', 'Europe/Berlin'), at('2027-03-27T12:00Z'), at('2027-03-28T12:00Z'), { zone: 'UTC' });
	expect(locals(found)).toEqual(['2027-03-28T03:00+02:00 moved']);
});

test('R5 two times that come to the same moment are one', () => {
	const found = slots(cron('0,30 2,3 * * *'), at('2027-03-27T12:00Z'), at('2027-03-28T12:00Z'), { zone: 'Europe/Berlin' });
	expect(locals(found)).toEqual(['2027-03-28T03:00+02:00 moved', '2027-03-28T03:30+02:00']);
});

test('R5 a day that a zone left out has no daily time; what comes on that day alone comes right after it', () => {
	const [from, to, zone] = [at('2011-12-28T00:00Z'), at('2012-01-01T12:00Z'), 'Pacific/Apia'];
	const days = (schedule: Schedule): string[] => locals(slots(schedule, from, to, { zone }));
	expect(days(cron('0 9 * * *'))).toEqual([
		'2011-12-28T09:00-10:00',
		'2011-12-29T09:00-10:00',
		'2011-12-31T09:00+14:00',
		'2012-01-01T09:00+14:00',
	]);
	expect(days(cron('0 9 30 12 *'))).toEqual(['2011-12-31T00:00+14:00 moved']);
	expect(days(alone({ kind: 'at', local: '2011-12-30T09:00' }))).toEqual(['2011-12-31T00:00+14:00 moved']);
});

test('R5 a time without a zone is in the owner’s, wherever that is by then; one with a zone stays', () => {
	const after = at('2027-01-01T00:00Z');
	const next = (schedule: Schedule, zone: string): string =>
		moments([nextSlot(schedule, after, { zone })].filter((slot) => slot !== undefined))[0] ?? '';
	expect(next(cron('0 9 * * *'), 'Europe/Berlin')).toBe('2027-01-01T08:00Z');
	expect(next(cron('0 9 * * *'), 'America/New_York')).toBe('2027-01-01T14:00Z');
	expect(next(cron('0 9 * * *', 'Europe/Berlin'), 'America/New_York')).toBe('2027-01-01T08:00Z');
});

test('R5 leap days, week 53, the 31st and day 366 come where the calendar has them', () => {
	const years = (schedule: Schedule, from: string, count: number): string[] =>
		slots(schedule, at(from), Number.MAX_SAFE_INTEGER, { zone: 'Europe/Berlin', most: count }).map(({ local }) => local.slice(0, 10));
	expect(years(cron('0 9 29 2 *'), '2026-12-01', 3)).toEqual(['2028-02-29', '2032-02-29', '2036-02-29']);
	expect(years(cron('0 9 29 2 *'), '2096-03-01', 1)).toEqual(['2104-02-29']);
	expect(years(rule('FREQ=YEARLY', '2024-02-29T09:00'), '2026-12-01', 2)).toEqual(['2028-02-29', '2032-02-29']);
	expect(years(rule('FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', '2020-01-01T09:00'), '2026-12-01', 3)).toEqual([
		'2026-12-28',
		'2032-12-27',
		'2037-12-28',
	]);
	expect(years(cron('0 9 31 * *'), '2027-01-31T12:00Z', 3)).toEqual(['2027-03-31', '2027-05-31', '2027-07-31']);
	expect(years(cron('0 9 L * *'), '2028-01-31T12:00Z', 2)).toEqual(['2028-02-29', '2028-03-31']);
	expect(years(rule('FREQ=YEARLY;BYYEARDAY=366', '2020-01-01T09:00'), '2026-12-01', 2)).toEqual(['2028-12-31', '2032-12-31']);
	expect(years(rule('FREQ=MONTHLY;BYDAY=-1FR', '2020-01-01T09:00'), '2027-01-01', 2)).toEqual(['2027-01-29', '2027-02-26']);
});

test('R5 a rule ends by its count and by UNTIL, in local time or in UTC, its last time among them', () => {
	const all = (text: string): string[] =>
		moments(slots(rule(text, '2027-03-27T02:30'), at('2027-01-01T00:00Z'), at('2028-01-01T00:00Z'), { zone: 'Europe/Berlin' })).map(
			(moment) => moment.slice(5, 16),
		);
	const three = ['03-27T01:30', '03-28T01:00', '03-29T00:30'];
	expect(all('FREQ=DAILY;COUNT=3')).toEqual(three);
	expect(all('FREQ=DAILY;UNTIL=20270329T023000')).toEqual(three);
	expect(all('FREQ=DAILY;UNTIL=20270329T003000Z')).toEqual(three);
	expect(all('FREQ=DAILY;UNTIL=20270329')).toEqual(three);
	expect(all('FREQ=DAILY;UNTIL=20270329T003000')).toEqual(three.slice(0, 2));
	expect(all('FREQ=HOURLY;INTERVAL=23;COUNT=3')).toEqual(['03-27T01:30', '03-28T00:30', '03-28T23:30']);
});

test('R5 the first slot after the clocks were set says so', () => {
	const found = slots(cron('0 9 * * 1'), at('2027-03-15T00:00Z'), at('2027-04-10T00:00Z'), { zone: 'Europe/Berlin' });
	expect(found.map(({ local, clocks }) => [local.slice(5, 10), clocks])).toEqual([
		['03-15', undefined],
		['03-22', undefined],
		['03-29', 'forward'],
		['04-05', undefined],
	]);
});

test('R5 of a long absence the newest slots are named and the others counted', () => {
	const [from, to] = [at('2027-01-01T00:00Z'), at('2028-01-01T00:00Z')];
	const { newest, older } = newestSlots(cron('* * * * *'), from, to, 3, { zone: 'UTC' });
	expect(moments(newest)).toEqual(['2027-12-31T23:58Z', '2027-12-31T23:59Z', '2028-01-01T00:00Z']);
	expect(older).toEqual({ count: 365 * 1440 - 3, first: at('2027-01-01T00:01Z'), last: at('2027-12-31T23:57Z') });
});

test('R5 hours that none of the times is in are none for ever, found out at once', () => {
	const schedule = { ...cron('0 9 * * *'), hours: { from: '22:00', to: '06:00' } };
	expect(nextSlot(schedule, at('2027-01-01T00:00Z'), { zone: 'Europe/Berlin' })).toBeUndefined();
});
