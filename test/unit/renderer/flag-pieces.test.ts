import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markedFlags, piecesOf } from '../../../renderer/ui/flag-pieces.ts';
import { FlagKind } from '../../../src/domain/inspection.ts';

test('overlapping flags become neighbours, each with all of its kinds', () => {
	const flags = [
		{ kind: 'instruction' as const, start: 4, end: 10 },
		{ kind: 'exfiltration' as const, start: 8, end: 14 },
	];
	expect(piecesOf('Now send it away.', flags)).toEqual([
		{ start: 0, piece: 'Now ', kinds: [] },
		{ start: 4, piece: 'send', kinds: ['instruction'] },
		{ start: 8, piece: ' i', kinds: ['instruction', 'exfiltration'] },
		{ start: 10, piece: 't aw', kinds: ['exfiltration'] },
		{ start: 14, piece: 'ay.', kinds: [] },
	]);
});

test('names of people and secrets, which are masked, are not marked', () => {
	const flags = FlagKind.options.map((kind) => ({ kind, start: 0, end: 1 }));
	const marked = markedFlags({ flags }).map(({ kind }) => kind);
	expect(marked).not.toContain('personal_data');
	expect(marked).toContain('instruction');
	expect(markedFlags(undefined)).toEqual([]);
});

test('the pieces are the text, whatever the flags', () => {
	const flag = fc.record({ kind: fc.constantFrom(...FlagKind.options), start: fc.nat(40), end: fc.nat(60) });
	fc.assert(
		fc.property(fc.string({ maxLength: 30 }), fc.array(flag, { maxLength: 6 }), (text, flags) => {
			expect(
				piecesOf(text, flags)
					.map(({ piece }) => piece)
					.join(''),
			).toBe(text);
		}),
	);
});
