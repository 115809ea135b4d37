import { expect, test } from 'vitest';
import { rank, ranked } from '../../../renderer/palette/results.ts';

test('all words must be there, in any order and without accents', () => {
	expect(rank('Export this chat as Markdown', 'mark exp')).toBeDefined();
	expect(rank('Résumé für Ärzte', 'resume arz')).toBeDefined();
	expect(rank('New chat', 'settings')).toBeUndefined();
	expect(rank('旅行计划', '计划')).toBeDefined();
});

test('the start of the title comes first, then starts of words, then the rest in its order', () => {
	const titles = ['Rechat', 'Pin this chat', 'Chat about bread', 'Delete this chat'];
	expect(ranked(titles, (title) => title, 'chat')).toEqual(['Chat about bread', 'Pin this chat', 'Delete this chat', 'Rechat']);
});

test('nothing typed keeps everything as it is', () => {
	expect(ranked(['b', 'a'], (title) => title, '')).toEqual(['b', 'a']);
});
