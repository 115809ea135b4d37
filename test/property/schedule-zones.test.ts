import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slots } from '../../src/schedule/slots.ts';
import { zoneClock } from '../../src/schedule/zone-clock.ts';
import { type Drawn, drawnTimings } from '../support/schedule/arbitraries.ts';
import { DAY, HOUR, shownAt, slotsAmong, walk } from '../support/schedule/oracle.ts';
import { SEED, stride, THOROUGH } from '../support/thorough.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
/** Offsets had seconds before (Africa/Monrovia until 1972), which a walk by minutes does not show. */
const START = Date.UTC(1973, 0, 1);
const END = Date.UTC(2045, 0, 1);

/** Where to look: what is found there, the walk asks of Intl. One of each zone's changes, all of them in the long tests. */
function changesOf(zone: string): number[] {
	const found: number[] = [];
	const clock = zoneClock(zone);
	const next = (after: number): number | undefined => clock.firstChange(after, END)?.at;
	const drawnOne = drawn(fc.integer({ min: START, max: END }), 1, ZONES.indexOf(zone))[0] ?? START;
	if (!THOROUGH) return [next(drawnOne) ?? next(START)].filter((at) => at !== undefined);
	for (let at = next(START); at !== undefined; at = next(at)) found.push(at);
	return found;
}

/** The same for the same `which`; so each zone has its own draws. */
function drawn<Value>(arbitrary: fc.Arbitrary<Value>, count: number, which: number): Value[] {
	return fc.sample(arbitrary, { seed: SEED + which, numRuns: count });
}

function expectAsWalked(zone: string, about: number, timings: readonly Drawn[]): void {
	const [from, to] = [about - 5 * HOUR, about + 5 * HOUR];
	const minutes = walk(from, to, zone);
	for (const { timing, times } of timings) {
		const found = slots({ timing, jitterSeconds: 0 }, from, to, { zone }).map(({ at, note }) => ({ at, ...(note && { note }) }));
		expect({ zone, timing, found }).toEqual({ zone, timing, found: slotsAmong(minutes, times) });
	}
}

/** All changes of all zones are some thirty thousand. */
const LONG = { timeout: 1_800_000 };

test('sch-1 around changes of the clocks of every zone, slots are those that a walk through real time finds', LONG, () => {
	let looked = 0;
	for (const zone of ZONES) for (const change of changesOf(zone)) expectAsWalked(zone, change, drawn(drawnTimings, 4, looked++));
	expect(looked).toBeGreaterThan(ZONES.length / 2);
});

test.each([
	['Pacific/Apia', '2011-12-30T10:00Z'],
	['Pacific/Fakaofo', '2011-12-30T11:00Z'],
	['Pacific/Kwajalein', '1993-08-21T12:00Z'],
	['Pacific/Kiritimati', '1994-12-31T10:00Z'],
	['Asia/Pyongyang', '2015-08-14T15:00Z'],
	['Asia/Pyongyang', '2018-05-04T15:00Z'],
	['America/Sao_Paulo', '2018-11-04T03:00Z'],
	['Asia/Beirut', '2027-03-27T22:00Z'],
	['Africa/Casablanca', '2025-02-23T02:00Z'],
	['Africa/Casablanca', '2025-04-06T02:00Z'],
	['Australia/Lord_Howe', '2027-04-03T15:00Z'],
	['America/Caracas', '2007-12-09T07:00Z'],
	['Antarctica/Troll', '2026-03-29T01:00Z'],
])('sch-1 %s, whose clocks were set in an odd way at %s', (zone, change) => {
	const about = Date.parse(change);
	expect(shownAt(about, zone) - shownAt(about - 60_000, zone)).not.toBe(60_000);
	expectAsWalked(zone, about, drawn(drawnTimings, 40, 1));
});

test('sch-1 the clocks of zones are known as Intl knows them, whatever was asked before', () => {
	for (const [index, zone] of ZONES.entries()) {
		const clock = zoneClock(zone);
		for (let at = START + index * HOUR; at < END; at += stride(61 * DAY)) {
			if (at + clock.offsetAt(at) !== shownAt(at, zone) + (at % 60_000)) expect.fail(`${zone} at ${new Date(at).toISOString()}`);
		}
	}
});

test('sch-1 a daily time comes once on each day that a zone has', LONG, () => {
	const times = drawn(fc.integer({ min: 0, max: 1439 }), ZONES.length, 2);
	for (const [index, zone] of ZONES.entries()) {
		const minute = times[index] ?? 0;
		const expression = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
		for (const change of changesOf(zone)) {
			const days = daysWithin(zone, change - 2 * DAY, change + 2 * DAY);
			const [from, to] = [days[0]?.begins ?? 0, (days.at(-1)?.begins ?? 0) - 1];
			const found = slots({ timing: { kind: 'cron', expression }, jitterSeconds: 0 }, from - 1, to, { zone });
			expect({ zone, change, expression, found: found.length }).toEqual({ zone, change, expression, found: days.length - 1 });
		}
	}
});

/** Local days that begin within; by looking at the wall each half hour, and at each minute of those in which a day begins. */
function daysWithin(zone: string, from: number, to: number): { begins: number }[] {
	const days: { begins: number }[] = [];
	const dayAt = (at: number): number => Math.floor(shownAt(at, zone) / DAY);
	let latest = dayAt(from);
	for (let at = from; at <= to; at += HOUR / 4) {
		if (dayAt(at) <= latest) continue;
		let begins = at;
		while (dayAt(begins - 60_000) > latest) begins -= 60_000;
		latest = dayAt(at);
		days.push({ begins });
	}
	return days;
}
