import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { expect, test } from 'vitest';
import { parseRule } from '../../src/schedule/rule.ts';
import { stepWalls } from '../../src/schedule/step-rule.ts';
import { tries } from '../support/thorough.ts';

const some = (from: number, to: number) =>
	fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 1, maxLength: 4 }).map((list) => list.join());
const parts = fc.record(
	{
		BYMONTH: some(1, 12),
		BYMONTHDAY: some(1, 31),
		BYDAY: fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { minLength: 1 }).map((list) => list.join()),
		BYHOUR: some(0, 23),
		BYMINUTE: some(0, 59),
	},
	{ requiredKeys: [] },
);
const frequencies = fc.constantFrom({ name: 'HOURLY', most: 50 }, { name: 'MINUTELY', most: 90 });
const rules = fc.tuple(frequencies, parts).chain(([{ name, most }, given]) =>
	fc.integer({ min: 1, max: most }).map((interval) => {
		const others = Object.entries(given).map(([part, list]) => `;${part}=${list}`);
		return `FREQ=${name};INTERVAL=${interval}${others.join('')}`;
	}),
);

/** What comes more rarely than this is said never to come. */
const FAR = 12 * 366 * 86_400_000;

test('R5 rules within a day come when the library says on a clock without changes', () => {
	const start = fc.integer({ min: 0, max: 365 * 1440 }).map((minute) => Date.UTC(2026, 0, 1) + minute * 60_000);
	const cases = fc.record({ rule: rules, start, ahead: fc.integer({ min: -100_000, max: 200 * 1440 }) });
	fc.assert(
		fc.property(cases, ({ rule, start: first, ahead }) => {
			const after = first + ahead * 60_000;
			const ours = stepWalls(parseRule(rule) as Parameters<typeof stepWalls>[0], first).next(after);
			const text = new Date(first).toISOString().replace(/[-:]|\.000/g, '');
			const library = new RRuleTemporal({ rruleString: `DTSTART:${text}\nRRULE:${rule}`, cache: false });
			let theirs: number | undefined;
			try {
				theirs = library.next(new Date(after))?.epochMilliseconds;
				if (theirs !== undefined && theirs > Math.max(after, first) + FAR) theirs = undefined;
			} catch {
				// It gave up, which for some that come rarely is too early.
				return;
			}
			expect({ rule, next: ours }).toEqual({ rule, next: theirs });
		}),
		{ numRuns: tries(40) },
	);
});
