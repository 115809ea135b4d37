import { expect, test } from 'vitest';
import { MATCH_END, MATCH_START } from '../../../src/contract/methods/sessions.ts';
import { parseSearchQuery } from '../../../src/sessions/search-query.ts';
import { markTerms, snippetOf } from '../../../src/sessions/snippet.ts';

const show = (text: string) => text.replaceAll(MATCH_START, '[').replaceAll(MATCH_END, ']');
const marked = (text: string) => text.replaceAll('[', MATCH_START).replaceAll(']', MATCH_END);

test('what the owner typed becomes quoted terms; operators and quotes are text', () => {
	expect(parseSearchQuery('boiler "landlord pays" OR')).toMatchObject({
		terms: ['boiler', 'landlord pays', 'or'],
		words: '"boiler" "landlord pays" "OR" *',
		trigrams: '"boiler" "landlord pays"',
		shortTerms: [],
		substringsComplete: false,
	});
	expect(parseSearchQuery('NEAR(a b) * ^x -y: "')).toMatchObject({ words: '"NEAR(a" "b)" "*" "^x" "-y:" *' });
	expect(parseSearchQuery('東京 🎉')).toMatchObject({ shortTerms: ['東京', '🎉'], substringsComplete: true });
	expect(parseSearchQuery(' \0 "" \uE000')).toBeUndefined();
});

test('a snippet is one line around the first match', () => {
	const text = `${'before '.repeat(30)}the [boiler] and\n\nits [boiler] room${' after'.repeat(60)}`;
	const snippet = snippetOf(marked(text));
	expect(show(snippet)).toMatch(/^…before .*the \[boiler\] and its \[boiler\] room after .*…$/);
	expect(snippet.length).toBeLessThan(260);
	expect(show(snippetOf(marked('short [text]')))).toBe('short [text]');
	expect(snippetOf('no match')).toBe('no match');
});

test('chat-4 a snippet never cuts an emoji, and a mark that is cut is closed', () => {
	const snippet = snippetOf(marked(`${'😀'.repeat(200)}[${'😀'.repeat(300)}]`));
	expect(/\p{Surrogate}/u.test(snippet)).toBe(false);
	expect(snippet.split(MATCH_START).length).toBe(snippet.split(MATCH_END).length);
});

test('terms are marked whatever their case, and are no patterns', () => {
	expect(show(markTerms('C++ and c++ (東京)', ['c++', '東京']))).toBe('[C++] and [c++] ([東京])');
	expect(show(markTerms('aaa', ['.']))).toBe('aaa');
});
