import { expect, test } from 'vitest';
import { nextTimeIn } from '../../../../src/model/triage/times.ts';

/** A Monday. */
const NOW = new Date(2026, 10, 30, 12).getTime();
const morning = (year: number, month: number, day: number): number => new Date(year, month - 1, day, 9).getTime();

test.each([
	['Pay by 5 December.', morning(2026, 12, 5)],
	['The deadline is December 24th', morning(2026, 12, 24)],
	['bis zum 15. Dezember', morning(2026, 12, 15)],
	['am 3.12.', morning(2026, 12, 3)],
	['until 2027-02-01', morning(2027, 2, 1)],
	['by 10 January', morning(2027, 1, 10)],
	['Please reply by Friday', morning(2026, 12, 4)],
	['on Monday', morning(2026, 12, 7)],
	['tomorrow at ten', morning(2026, 12, 1)],
	['payable within 14 days', morning(2026, 12, 14)],
	['on 12 December or on 2 December', morning(2026, 12, 2)],
	['the invoice of 4 November', undefined],
	['on 31 February', undefined],
	['version 5.1.2 of 3 tools', undefined],
	['nothing of the kind', undefined],
])('the next morning that “%s” names', (text, time) => {
	expect(nextTimeIn(text, NOW)).toBe(time);
});
