import { expect, test } from 'vitest';
import { changeOf, paragraphsOf } from '../../../src/heartbeat/readers/page-change.ts';

const NOTHING = { now: [], gone: [] };

test('what changes by itself on a page is no news: counts of comments, however they are written, and where links lead', () => {
	const before = paragraphsOf('The fair, 1,204 comments [more](https://town.example/a?session=1)');
	const after = paragraphsOf('The fair, 12,311 comments [more](https://town.example/a?session=2)');
	const { seen } = changeOf(NOTHING, before);
	expect(changeOf(seen, after).added).toEqual([]);
});

// Each of these was read once for each of its characters: the test would not end.
test.each([
	['numbers that never end', '1,'.repeat(500_000)],
	['numbers with dots', '1.1,1'.repeat(200_000)],
	['links that never end', ']('.repeat(500_000)],
	['a link of links', `](${'('.repeat(500_000)}`],
	['comments without a count', 'comments ('.repeat(100_000)],
])('a page of %s is read in one pass', (_, text) => {
	expect(changeOf(NOTHING, paragraphsOf(text)).added.length).toBeLessThanOrEqual(1);
});
