import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMarkdown } from '../../src/memory/markdown/parse.ts';
import { merge3 } from '../../src/memory/merge.ts';
import { hostileMarkdown } from '../support/markdown-arbitraries.ts';

const line = fc.constantFrom(
	'- tea',
	'- milk and bread',
	'  - nested',
	'',
	'# Head',
	'A paragraph',
	'more of it',
	'> said',
	'```',
	'- [ ] task',
	'| a |',
);
const file = fc
	.tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
	.map(([lines, eol, final]) => lines.join(eol) + (final ? eol : ''));
const files = fc.oneof(file, hostileMarkdown);

const texts = (source: string) => parseMarkdown(source).entries.map((entry) => entry.text);

test('mem-10 when one side changed nothing, the result is the other side byte for byte', () => {
	fc.assert(
		fc.property(files, files, (base, side) => {
			expect(merge3(base, base, side)).toEqual({ clean: true, text: side });
			expect(merge3(base, side, base)).toEqual({ clean: true, text: side });
			expect(merge3(base, side, side)).toEqual({ clean: true, text: side });
		}),
		{ numRuns: 500 },
	);
});

test('mem-10 a merge without conflict does not depend on whose side is whose', () => {
	let clean = 0;
	fc.assert(
		fc.property(file, file, file, (base, ours, theirs) => {
			const merge = merge3(base, ours, theirs);
			const mirrored = merge3(base, theirs, ours);
			expect(mirrored.clean).toBe(merge.clean);
			if (!merge.clean) return;
			clean++;
			expect(mirrored.text).toBe(merge.text);
		}),
		{ numRuns: 2_000 },
	);
	expect(clean).toBeGreaterThan(100);
});

test('mem-10 in a conflict their text stays in the file, and each conflict holds what both said', () => {
	fc.assert(
		fc.property(file, file, file, (base, ours, theirs) => {
			const merge = merge3(base, ours, theirs);
			if (merge.clean) return;
			expect(merge.conflicts.length).toBeGreaterThan(0);
			const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
			for (const conflict of merge.conflicts) {
				expect(squeezed(ours)).toContain(squeezed(conflict.ours));
				expect(squeezed(theirs)).toContain(squeezed(conflict.theirs));
				expect(squeezed(merge.text)).toContain(squeezed(conflict.theirs));
				expect(conflict.ours).not.toBe(conflict.theirs);
			}
		}),
		{ numRuns: 1_000 },
	);
});

/** Distinct items: each side edits, removes or adds some, none of them the same. */
const plan = fc.uniqueArray(
	fc.string({ minLength: 4, maxLength: 12, unit: 'grapheme-ascii' }).map((text) => `fact ${text.trim()}.`),
	{
		minLength: 4,
		maxLength: 12,
	},
);

test('mem-10 edits, removals and additions on different entries all survive', () => {
	fc.assert(
		fc.property(plan, fc.array(fc.constantFrom('keep', 'ours', 'theirs', 'oursGone', 'theirsGone')), (facts, actions) => {
			const build = (side: 'ours' | 'theirs' | 'base') => {
				const lines = facts.flatMap((_, index) => {
					const action = actions[index] ?? 'keep';
					if (action === `${side}Gone`) return [];
					return [`- entry number ${index} says the ${action === side ? 'changed' : 'plain'} thing`];
				});
				return `${[...lines, ...(side === 'base' ? [] : [`- added by ${side}`])].join('\n')}\n`;
			};
			const merge = merge3(build('base'), build('ours'), build('theirs'));
			expect(merge.clean).toBe(true);
			const expected = facts.flatMap((_, index) => {
				const action = actions[index] ?? 'keep';
				if (action.endsWith('Gone')) return [];
				return [`entry number ${index} says the ${action === 'keep' ? 'plain' : 'changed'} thing`];
			});
			expect(texts(merge.text).sort()).toEqual([...expected, 'added by ours', 'added by theirs'].sort());
		}),
	);
});
