import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryHash, identify, normaliseText } from '../../src/memory/identity.ts';
import { type LineageEntry, matchEntries, matchMoves } from '../../src/memory/lineage.ts';
import { parseMarkdown } from '../../src/memory/markdown/parse.ts';

const word = fc.constantFrom('tea', 'code', 'Anna', 'door', 'green', '4711', 'May', '東京', 'likes', 'the');
const entry = fc
	.tuple(fc.array(word, { minLength: 1, maxLength: 6 }), fc.constantFrom([], ['People'], ['People', 'Anna']))
	.map(([words, headingPath]): LineageEntry => ({ hash: entryHash(words.join(' ')), text: words.join(' '), headingPath }));
const entries = fc.array(entry, { maxLength: 25 });

function expectOneToOne(pairs: { before: number; after: number }[], before: number, after: number): void {
	expect(new Set(pairs.map((pair) => pair.before)).size).toBe(pairs.length);
	expect(new Set(pairs.map((pair) => pair.after)).size).toBe(pairs.length);
	for (const pair of pairs) {
		expect(pair.before).toBeLessThan(before);
		expect(pair.after).toBeLessThan(after);
	}
}

test('M2 an unchanged file: every entry is itself', () => {
	fc.assert(
		fc.property(entries, (list) => {
			expect(matchEntries(list, list)).toEqual(list.map((_, index) => ({ before: index, after: index, similarity: 1 })));
		}),
	);
});

test('M2 a file put into another order loses no entry', () => {
	fc.assert(
		fc.property(
			entries.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
			([before, after]) => {
				const pairs = matchEntries(before, after);
				expect(pairs).toHaveLength(before.length);
				for (const pair of pairs) expect(before[pair.before]?.hash).toBe(after[pair.after]?.hash);
				expectOneToOne(pairs, before.length, after.length);
			},
		),
	);
});

test('M2 each entry is used at most once, and as many as possible of the same text are matched', () => {
	fc.assert(
		fc.property(entries, entries, (before, after) => {
			const pairs = matchEntries(before, after);
			expectOneToOne(pairs, before.length, after.length);
			const same = pairs.filter((pair) => pair.similarity === 1 && before[pair.before]?.hash === after[pair.after]?.hash).length;
			const count = (list: LineageEntry[], hash: string) => list.filter((item) => item.hash === hash).length;
			const hashes = [...new Set(before.map((item) => item.hash))];
			expect(same).toBe(hashes.reduce((sum, hash) => sum + Math.min(count(before, hash), count(after, hash)), 0));
		}),
	);
});

test('M2 entries keep their lineage through inserts, deletes and moves around them', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(fc.string({ minLength: 5, maxLength: 40 }), { minLength: 3, maxLength: 20, selector: normaliseText }),
			fc.nat(),
			(texts, pick) => {
				const list = texts.map((text) => ({ hash: entryHash(text), text }));
				const gone = pick % list.length;
				const added = { hash: entryHash('An entirely new thing'), text: 'An entirely new thing' };
				const after = [added, ...list.filter((_, index) => index !== gone)];
				const kept = matchEntries(list, after).filter((pair) => pair.similarity === 1 && pair.after > 0);
				expect(kept.map((pair) => pair.before)).toEqual(list.map((_, index) => index).filter((index) => index !== gone));
			},
		),
	);
});

test('M2 moves between files: word for word always, edited only when the file moved or the likeness is close', () => {
	const of = (file: string, text: string) => ({ file, hash: entryHash(text), text });
	const removed = [of('a.md', 'Anna likes green tea'), of('a.md', 'The door code is 4711'), of('b.md', 'Buy milk and bread on Friday')];
	const renamed = [of('c.md', 'The door code is 8823'), of('c.md', 'Anna likes green tea')];
	expect(matchMoves(removed, renamed).map(({ before, after }) => [before, after])).toEqual([
		[1, 0],
		[0, 1],
	]);
	// Alone in another file, half alike is not enough.
	expect(matchMoves([of('a.md', 'The door code is 4711')], [of('z.md', 'The alarm code is 8823')])).toEqual([]);
	const close = matchMoves([of('b.md', 'Buy milk and bread on Friday morning')], [of('z.md', 'Buy milk and bread on Friday mornings')]);
	expect(close.map(({ before, after }) => [before, after])).toEqual([[0, 0]]);
	fc.assert(
		fc.property(entries, entries, (before, after) => {
			const inFile = (list: LineageEntry[], file: string) => list.map((item, index) => ({ ...item, file: `${file}${index % 3}` }));
			expectOneToOne(matchMoves(inFile(before, 'a'), inFile(after, 'b')), before.length, after.length);
		}),
	);
});

test('M2 ten thousand entries with a few hundred edits are matched by what they say', () => {
	const text = (index: number) =>
		`Note ${index}: ${['alpha', 'beta', 'gamma', 'delta'][index % 4]} said ${index * 7919} about ${index % 97}`;
	const before = Array.from({ length: 10_000 }, (_, index) => ({ hash: entryHash(text(index)), text: text(index) }));
	const after = before.map((item, index) => {
		if (index % 25 !== 0) return item;
		const edited = `${item.text}, and then some`;
		return { hash: entryHash(edited), text: edited };
	});
	after.splice(5_000, 0, { hash: entryHash('Brand new'), text: 'Brand new' });
	const pairs = matchEntries(before, after);
	expect(pairs).toHaveLength(10_000);
	for (const pair of pairs) expect(pair.after).toBe(pair.before < 5_000 ? pair.before : pair.before + 1);
});

test('M2 identity: layout does not matter, the nth of equal texts does', () => {
	const { entries: found } = parseMarkdown('- one  two\n- other\n- one\n  two\n\none\ttwo\n');
	const ids = identify(found);
	expect(ids.map(({ hash, ordinal }) => [hash === entryHash('one two'), ordinal])).toEqual([
		[true, 0],
		[false, 0],
		[true, 1],
		[true, 2],
	]);
	expect(entryHash('Caf\u00e9')).toBe(entryHash(' Cafe\u0301\n'));
	expect(entryHash('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
		}),
	);
});
