import { expect, test } from 'vitest';
import { checkChoices, chosen } from '../../../src/approvals/choices.ts';
import type { Target } from '../../../src/approvals/proposal-store.ts';
import type { ApproveChoices } from '../../../src/contract/methods/memory.ts';
import { EntryId, MemoryPath } from '../../../src/domain/memory.ts';
import type { ProposalOperation } from '../../../src/domain/proposal.ts';

const file = MemoryPath.parse('MEMORY.md');
const entryId = EntryId.parse('e1');
const entry: Target = {
	entryId,
	file: MemoryPath.parse('memory/home.md'),
	headingPath: ['Home'],
	text: 'The bin is emptied on Mondays.',
	hash: 'h1',
	live: true,
	quarantined: false,
	supersededBy: null,
};
const append: ProposalOperation = { kind: 'append', file, headingPath: [], text: 'The bin is emptied on Tuesdays.' };
const task = (dueAt: number | null): ProposalOperation => ({ kind: 'task', text: 'Put the bin out.', dueAt });
const target = { file: MemoryPath.parse('memory/town.md'), headingPath: ['Bins'] };
const replaces = { entryId, baseHash: 'h1' };

const at = (found: Target | undefined = entry) => ({ find: () => found, now: 100 });

test.each<[string, ProposalOperation, ApproveChoices]>([
	['a place for what is no addition', { kind: 'notice', text: 'x' }, { target }],
	['an entry to replace for what is no addition', { kind: 'patch', file, entryId, baseHash: 'h1', before: 'a', text: 'b' }, { replaces }],
	['a place and an entry to replace', append, { target, replaces }],
	['a validity of what goes nowhere into memory', task(200), { validUntil: 300 }],
	['a validity that ends before it begins', append, { validFrom: 300, validUntil: 300 }],
	['a time for what is nothing to do', append, { dueAt: 200 }],
	['a task without a time', task(null), {}],
	['a task whose time is past', task(100), {}],
	['a time that is past', task(200), { dueAt: 99 }],
])('a choice that does not fit is refused: %s', (_name, operation, choices) => {
	expect(() => checkChoices(operation, choices, at())).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test.each<[string, Target | undefined]>([
	['is gone', undefined],
	['was taken out', { ...entry, live: false }],
	['says something else', { ...entry, hash: 'h2' }],
	['was replaced already', { ...entry, supersededBy: EntryId.parse('e2') }],
	['is a program’s own', { ...entry, quarantined: true }],
])('bg-5 an entry to replace that %s is stale', (_name, found) => {
	expect(() => checkChoices(append, { replaces }, { find: () => found, now: 100 })).toThrow(expect.objectContaining({ code: 'stale' }));
});

test('what is done is the proposal as the owner chose it', () => {
	const find = () => entry;
	expect(chosen(append, undefined, {}, find)).toMatchObject({ operation: append, text: 'The bin is emptied on Tuesdays.' });
	expect(chosen(append, 'On Fridays.', { target }, find)).toMatchObject({ operation: { ...append, ...target }, text: 'On Fridays.' });
	expect(chosen(append, undefined, { replaces, validUntil: 900 }, find)).toEqual({
		operation: { kind: 'supersede', file: entry.file, ...replaces, before: entry.text, text: 'The bin is emptied on Tuesdays.' },
		text: 'The bin is emptied on Tuesdays.',
		validity: { validFrom: undefined, validUntil: 900 },
	});
	expect(chosen(task(null), undefined, { dueAt: 500 }, find).operation).toEqual(task(500));
});
