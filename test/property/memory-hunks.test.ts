import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyHunks, diffLinewise, diffOnce, insertedRanges, mapRange } from '../../src/memory/hunks.ts';

const line = fc.constantFrom('- a\n', '- b\n', '- c\n', '\n', '# h\n', 'p\r\n', 'tail', '🫖\n');
const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join(''));

test('M4 hunks make the one text out of the other, and back', () => {
	fc.assert(
		fc.property(text, text, (before, after) => {
			for (const diff of [diffOnce, diffLinewise]) {
				const hunks = diff(before, after);
				expect(applyHunks(before, hunks)).toBe(after);
				const ranges = insertedRanges(hunks);
				const back = hunks.map(({ removed, inserted }, index) => ({ at: ranges[index]?.start ?? 0, removed: inserted, inserted: removed }));
				expect(applyHunks(after, back)).toBe(before);
				for (const { at, removed } of hunks) expect(before.slice(at, at + removed.length)).toBe(removed);
			}
		}),
		{ numRuns: 1000 },
	);
});

test('M4 a place that no hunk touched is found again with the same text in it', () => {
	let found = 0;
	fc.assert(
		fc.property(text, text, fc.nat(60), fc.nat(20), (before, after, start, length) => {
			const range = { start: Math.min(start, before.length), end: Math.min(start + length, before.length) };
			const mapped = mapRange(range, diffLinewise(before, after));
			if (!mapped) return;
			found++;
			expect(after.slice(mapped.start, mapped.end)).toBe(before.slice(range.start, range.end));
		}),
		{ numRuns: 1000 },
	);
	expect(found).toBeGreaterThan(100);
});
