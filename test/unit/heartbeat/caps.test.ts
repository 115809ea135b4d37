import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byUrgency, roomIn, sourceCap, startOfDay } from '../../../src/heartbeat/caps.ts';

test('bg-4 a source that the owner trusts less may bring less, and never nothing', () => {
	expect([1, 0.5, 0.4, 0.25, 0.2, 0].map((trust) => sourceCap(10, trust))).toEqual([10, 10, 8, 5, 2, 1]);
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 200 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(cap, a, b) => {
				const [less, more] = [Math.min(a, b), Math.max(a, b)];
				expect(sourceCap(cap, less)).toBeLessThanOrEqual(sourceCap(cap, more));
				expect(sourceCap(cap, less)).toBeGreaterThanOrEqual(1);
				expect(sourceCap(cap, more)).toBeLessThanOrEqual(cap);
			},
		),
	);
});

test('bg-4 the narrowest cap counts; the urgent comes first, else the order of the answer', () => {
	expect(roomIn({ look: 5, day: 3, source: 9 })).toBe(3);
	expect(roomIn({ look: 5, day: -2, source: 9 })).toBe(0);
	const findings = (['low', 'normal', 'high', 'normal', 'high'] as const).map((urgency, index) => ({ urgency, index }));
	expect(byUrgency(findings).map(({ index }) => index)).toEqual([2, 4, 1, 3, 0]);
});

test('the owner’s day begins at their midnight', () => {
	const at = new Date(2026, 10, 30, 23, 59).getTime();
	expect(startOfDay(at)).toBe(new Date(2026, 10, 30).getTime());
});
