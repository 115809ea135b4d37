import { describe, expect, test } from 'vitest';
import { memoryGlance } from '../../../renderer/chat/memory/tool-words.ts';
import { memoriesOf } from '../../../renderer/chat/memory/used-memories.tsx';
import {
	ageOf,
	canEdit,
	canUndo,
	chipSource,
	type Kind,
	kindOf,
	labelAfter,
	mustBeOpened,
	neighbour,
	rowText,
	seenKey,
	sourceName,
	stepped,
	textAfter,
	textBefore,
} from '../../../renderer/inbox/proposal-view.ts';
import { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { ChangeId, EntryId, MemoryPath, ProposalId, type Provenance, type Source } from '../../../src/domain/memory.ts';
import type { Proposal, ProposalOperation } from '../../../src/domain/proposal.ts';

const file = MemoryPath.parse('MEMORY.md');
const entryId = EntryId.parse('e1');
const changeId = ChangeId.parse('c1');
const append: ProposalOperation = { kind: 'append', file, headingPath: ['Travel'], text: 'No 07:42 at weekends.' };
const patch: ProposalOperation = { kind: 'patch', file, entryId, baseHash: 'h', before: 'Old.', text: 'New.' };
const forget: ProposalOperation = { kind: 'forget', file, entryId, baseHash: 'h', before: 'Old.' };
const drift = (before: string | null, text: string | null): ProposalOperation => ({ kind: 'drift', file, changeId, entryId, before, text });

const provenance: Provenance = { author: 'agent', label: 'external', origin: 'external', sources: [], at: 0 };
const proposal = (change: Partial<Proposal> = {}): Proposal => ({
	id: ProposalId.parse('p1'),
	operation: append,
	provenance,
	label: 'external',
	rule: 'memory_from_outside',
	reason: 'It read a letter.',
	shownHash: 'a'.repeat(64),
	status: 'pending',
	stale: false,
	duplicates: 0,
	opened: false,
	createdAt: 0,
	...change,
});

describe('what a row and the detail say of a proposal', () => {
	test('what a program did is told apart by what became of the text', () => {
		const kinds: [ProposalOperation, Kind][] = [
			[append, 'append'],
			[patch, 'patch'],
			[forget, 'forget'],
			[drift(null, 'New.'), 'drift_added'],
			[drift('Old.', 'New.'), 'drift_changed'],
			[drift('Old.', null), 'drift_removed'],
		];
		for (const [operation, kind] of kinds) expect(kindOf(operation)).toBe(kind);
	});

	test('the text that would come stands in the row, else the one that would go', () => {
		expect([append, patch, forget, drift('Old.', null)].map(rowText)).toEqual(['No 07:42 at weekends.', 'New.', 'Old.', 'Old.']);
		expect([append, patch, forget].map(textBefore)).toEqual([null, 'Old.', 'Old.']);
		expect([append, patch, forget].map(textAfter)).toEqual(['No 07:42 at weekends.', 'New.', null]);
	});

	test('B4 outside text is approved after a yes, and nothing else is lowered', () => {
		expect(labelAfter(proposal())).toBe('approved');
		expect(labelAfter(proposal({ label: 'workspace', provenance: { ...provenance, origin: 'workspace' } }))).toBe('workspace');
		expect(labelAfter(proposal({ label: 'agent', provenance: { ...provenance, origin: 'agent' } }))).toBe('agent');
		// Approved memory and workspace text together count as outside.
		expect(labelAfter(proposal({ label: 'workspace', provenance: { ...provenance, origin: 'approved' } }))).toBe('approved');
	});

	test('B3 what its row does not show whole, what is from outside and what takes away must be opened before a yes counts', () => {
		expect(mustBeOpened(proposal())).toBe(true);
		expect(mustBeOpened(proposal({ label: 'owner', operation: forget }))).toBe(true);
		expect(mustBeOpened(proposal({ label: 'owner', operation: patch }))).toBe(true);
		expect(mustBeOpened(proposal({ label: 'owner', operation: { ...append, text: 'x'.repeat(500) } }))).toBe(true);
		expect(mustBeOpened(proposal({ label: 'owner' }))).toBe(false);
	});

	test('B3 what was opened is the content: a rebased proposal is to be opened again', () => {
		expect(seenKey(proposal())).not.toBe(seenKey(proposal({ shownHash: 'b'.repeat(64) })));
	});

	test('only what waits, is not stale and brings text can be edited; only what was forgotten can’t be taken back', () => {
		expect(canEdit(proposal())).toBe(true);
		expect(canEdit(proposal({ stale: true }))).toBe(false);
		expect(canEdit(proposal({ status: 'approved' }))).toBe(false);
		expect(canEdit(proposal({ operation: forget }))).toBe(false);
		expect(canUndo(proposal())).toBe(false);
		expect(canUndo(proposal({ status: 'rejected', operation: forget }))).toBe(true);
		expect(canUndo(proposal({ status: 'approved', operation: forget }))).toBe(false);
		expect(canUndo(proposal({ status: 'approved' }))).toBe(true);
	});
});

describe('moving through the list', () => {
	const rows = ['a', 'b', 'c'].map((id) => ({ id }));

	test('steps stay within the list and begin at its first row', () => {
		expect(stepped(rows, undefined, 1)?.id).toBe('a');
		expect(stepped(rows, 'a', 1)?.id).toBe('b');
		expect(stepped(rows, 'c', 1)?.id).toBe('c');
		expect(stepped(rows, 'a', -1)?.id).toBe('a');
		expect(stepped([], 'a', 1)).toBeUndefined();
	});

	test('after a decision comes the next row, else the one before, else none', () => {
		const left = (...ids: string[]) => ids.map((id) => ({ id }));
		expect(neighbour(rows, left('b', 'c'), 'a')?.id).toBe('b');
		expect(neighbour(rows, left('a', 'b'), 'c')?.id).toBe('b');
		expect(neighbour(rows, rows, 'c')?.id).toBe('b');
		expect(neighbour(rows.slice(0, 1), [], 'a')).toBeUndefined();
		// What else was decided meanwhile is passed over; what came back or came anew is found.
		expect(neighbour(rows, left('c'), 'a')?.id).toBe('c');
		expect(neighbour(rows.slice(0, 1), left('n'), 'a')?.id).toBe('n');
		expect(neighbour(rows, rows, 'decided elsewhere')?.id).toBe('a');
	});
});

test('an age is told in its largest whole unit', () => {
	const minute = 60_000;
	const hour = 60 * minute;
	const ages = [0, 59_999, minute, 59 * minute, hour, 23 * hour, 24 * hour, 6 * 24 * hour, 7 * 24 * hour, 365 * 24 * hour];
	expect(ages.map((passed) => Object.values(ageOf(1_000, 1_000 + passed)))).toEqual([
		['now', 0],
		['now', 0],
		['minute', 1],
		['minute', 59],
		['hour', 1],
		['hour', 23],
		['day', 1],
		['day', 6],
		['week', 1],
		['week', 52],
	]);
	// A clock that was set back makes nothing older or younger than now.
	expect(ageOf(2_000, 1_000)).toEqual({ unit: 'now', count: 0 });
});

describe('where it comes from, in a chip', () => {
	const message: Source = {
		kind: 'message',
		sessionId: SessionId.parse('01900000-0000-7000-8000-000000000001'),
		messageId: MessageId.parse('01900000-0000-7000-8000-000000000002'),
		sessionTitle: 'The letter',
		role: 'user',
		quote: 'Look at it.',
		deleted: false,
	};
	const letter: Source = { kind: 'file', path: 'letter.txt', quote: 'At nine.' };
	const page: Source = {
		kind: 'url',
		url: 'https://rail.example/notices?x=1',
		fetchedAt: 0,
		fetchedHash: 'f',
		quote: '',
		start: 0,
		end: 0,
	};

	test('what came from outside comes before the chat that it came through', () => {
		expect(chipSource([message, letter])).toBe(letter);
		expect(chipSource([message])).toBe(message);
		expect(chipSource([])).toBeUndefined();
		expect([message, letter, page].map(sourceName)).toEqual(['The letter', 'letter.txt', 'rail.example']);
	});
});

describe('memory in a chat', () => {
	test('mem-9 a row of a memory tool shows what was asked or written, and never an id', () => {
		expect(memoryGlance({ tool: 'memory_search', args: { query: 'boiler', limit: 8 } })).toEqual({ text: 'boiler' });
		expect(memoryGlance({ tool: 'memory_write', args: { reason: 'why', text: 'Tea.', mode: 'append' } })).toEqual({ text: 'Tea.' });
		expect(memoryGlance({ tool: 'memory_get', args: { file: 'MEMORY.md', heading: 'Home' } })).toEqual({ text: 'MEMORY.md, Home' });
		expect(memoryGlance({ tool: 'memory_get', args: { day: '2026-11-29' } })).toEqual({ text: '2026-11-29' });
		expect(memoryGlance({ tool: 'memory_forget', args: { entry: '01a22911@6080', reason: 'asked' } })).toEqual({ entryId: '01a22911' });
		expect(memoryGlance({ tool: 'memory_forget', args: null })).toEqual({ text: '' });
		expect(memoryGlance({ tool: 'search_chats', args: { query: 'x' } })).toBeUndefined();
	});

	test('M2 the memories of a reply are counted once each', () => {
		const used = (...ids: string[]) => ({ type: 'memory' as const, entryIds: ids.map((id) => EntryId.parse(id)) });
		expect(memoriesOf({ parts: [used('a', 'b'), { type: 'text', text: 'Nine.' }, used('b', 'c')] })).toEqual(['a', 'b', 'c']);
		expect(memoriesOf({ parts: [{ type: 'text', text: 'Nine.' }] })).toEqual([]);
	});
});
