import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterOf, isFiltered, NOTHING_CHOSEN, startOfDay } from '../../../renderer/memory/filter.ts';
import { groupAt } from '../../../renderer/memory/groups.ts';
import { entryAt, indexOf, PAGE, pagesOf } from '../../../renderer/memory/pages.ts';
import { entryPlace, filePlace, parsePlace } from '../../../renderer/memory/place.ts';
import { daysBetween, provenanceParts, shownLabel, writerOf } from '../../../renderer/memory/provenance-parts.ts';
import { HEADINGS_AT_ONCE, RECENT_DAYS, treeOf } from '../../../renderer/memory/tree-rows.ts';
import type { MemoryFile } from '../../../src/contract/methods/memory.ts';
import { localDay } from '../../../src/domain/local-day.ts';
import { MemoryEntry, MemoryPath, Source } from '../../../src/domain/memory.ts';

const NOW = new Date(2026, 2, 12, 10, 0).getTime();
const DAY = 86_400_000;

function entry(more: Record<string, unknown> = {}): MemoryEntry {
	return MemoryEntry.parse({
		id: 'e1',
		file: 'MEMORY.md',
		headingPath: [],
		kind: 'item',
		text: 'The key is with the neighbours.',
		hash: 'h',
		lineStart: 3,
		lineEnd: 3,
		state: 'current',
		provenance: { author: 'file_edit', label: 'owner', origin: 'owner', sources: [], at: NOW - DAY },
		useCount: 0,
		versions: 1,
		createdAt: 1,
		updatedAt: 1,
		...more,
	});
}

function file(path: string, more: Partial<MemoryFile> = {}): MemoryFile {
	const day = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1];
	return {
		path: MemoryPath.parse(path),
		kind: path === 'MEMORY.md' ? 'long_term' : day ? 'daily' : 'note',
		...(day ? { day } : {}),
		entries: 1,
		bytes: 10,
		headings: [],
		...more,
	};
}

describe('the address', () => {
	test('names a file, a heading, an entry; and is read back as it was written, whatever the names hold', () => {
		const name = fc
			.string({ minLength: 1, unit: 'grapheme' })
			.filter((text) => text.trim() !== '' && !/[/\\\0]/.test(text) && text !== '.' && text !== '..');
		const heading = fc.string({ minLength: 1, unit: 'grapheme' });
		fc.assert(
			fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), fc.array(heading, { maxLength: 3 }), (names, headings) => {
				const path = MemoryPath.safeParse(`memory/${names.join('/')}.md`);
				fc.pre(path.success);
				expect(parsePlace(filePlace(path.data, headings))).toEqual({ kind: 'file', file: path.data, headingPath: headings });
			}),
		);
		expect(parsePlace(entryPlace('a/b c'))).toEqual({ kind: 'entry', entryId: 'a/b c' });
		expect(filePlace('memory/2026-03-10.md')).toBe('/memory/file/memory/2026-03-10.md');
	});

	test('that names nothing shows everything', () => {
		for (const address of [
			'/memory',
			'/memory/',
			'/memory/file/',
			'/memory/file/../AGENT.md',
			'/memory/file/%E0%A4%A.md',
			'/memory/entry/',
		]) {
			expect(parsePlace(address), address).toEqual({ kind: 'all' });
		}
	});
});

describe('pages', () => {
	test('are asked for by the rows in view, never beyond the end', () => {
		expect(pagesOf(0, 20, 10_000)).toEqual([0]);
		expect(pagesOf(PAGE - 1, PAGE, 10_000)).toEqual([0, 1]);
		expect(pagesOf(9_990, 12_000, 10_000)).toEqual([19]);
		expect(pagesOf(0, 10, 0)).toEqual([]);
	});

	test('tell where an entry stands', () => {
		const pages = { 2: [entry({ id: 'a' }), entry({ id: 'b' })] };
		expect(indexOf(pages, 'b')).toBe(2 * PAGE + 1);
		expect(entryAt(pages, 2 * PAGE + 1)?.id).toBe('b');
		expect(indexOf(pages, 'c')).toBe(-1);
		expect(entryAt(pages, 3)).toBeUndefined();
	});
});

describe('headings over the rows', () => {
	const list = [
		entry({ lineStart: 1, lineEnd: 1, kind: 'heading', text: 'Home' }),
		entry({ lineStart: 3, lineEnd: 4, headingPath: ['Home'] }),
		entry({ lineStart: 5, lineEnd: 5, headingPath: ['Home'] }),
		entry({ lineStart: 9, lineEnd: 9, headingPath: ['Home', 'Kitchen'] }),
		entry({ lineStart: 11, lineEnd: 11, kind: 'heading', text: 'Work' }),
		entry({ lineStart: 1, lineEnd: 2, file: 'memory/notes.md' }),
	];
	const at = (index: number) => list[index];

	test('stand where file or heading change; a heading that is an entry stands for itself', () => {
		const groups = list.map((_, index) => groupAt(at, index, list.length));
		expect(groups.map((group) => group && [group.lineStart, group.lineEnd])).toEqual([
			[1, 5],
			undefined,
			undefined,
			[9, 9],
			[11, 11],
			[1, 2],
		]);
	});

	test('say no end that is not loaded, and stand again after a gap', () => {
		const gap = (index: number) => (index === 2 ? undefined : list[index]);
		expect(groupAt(gap, 0, list.length)?.lineEnd).toBeUndefined();
		expect(groupAt(gap, 3, list.length)?.headingPath).toEqual(['Home', 'Kitchen']);
	});
});

describe('the tree of files', () => {
	test('has MEMORY.md with its headings, the newest days, and the older ones behind one row', () => {
		const days = Array.from({ length: 20 }, (_, index) => file(`memory/2026-02-${String(index + 1).padStart(2, '0')}.md`));
		const headings = [
			{ path: ['Memory'], line: 1, entries: 9 },
			{ path: ['Memory', 'Home'], line: 3, entries: 5 },
			{ path: ['Memory', 'Home', 'Kitchen'], line: 5, entries: 2 },
			{ path: ['Memory', 'Work'], line: 9, entries: 4 },
		];
		const files = [file('MEMORY.md', { headings }), ...days, file('memory/people/ann.md')];
		const tree = treeOf(files, undefined, false);
		expect(tree.longTerm.map((row) => row.kind === 'heading' && row.name)).toEqual([false, 'Home', 'Work']);
		expect(tree.daily).toHaveLength(RECENT_DAYS + 1);
		expect(tree.daily[0]).toMatchObject({ kind: 'file', name: '2026-02-20' });
		expect(tree.daily.at(-1)).toEqual({ kind: 'older', count: 20 - RECENT_DAYS, open: false });
		expect(tree.notes).toMatchObject([{ name: 'people/ann.md' }]);
		expect(treeOf(files, undefined, true).daily).toHaveLength(21);
		expect(treeOf(files, { file: 'memory/2026-02-01.md', headingPath: [] }, false).daily).toHaveLength(21);
		const inside = treeOf(files, { file: 'MEMORY.md', headingPath: ['Memory', 'Home'] }, false).longTerm;
		expect(inside.map((row) => row.kind === 'heading' && `${row.depth} ${row.name}`)).toEqual([false, '0 Home', '1 Kitchen', '0 Work']);
	});

	test('of a file with very many headings only some are named, more on demand, and always the one that is shown', () => {
		const headings = Array.from({ length: 5_000 }, (_, at) => ({ path: [`Heading ${at}`], line: at + 1, entries: 1 }));
		const files = [file('memory/many.md', { headings })];
		const rows = (at: number, limit?: number) =>
			treeOf(files, { file: 'memory/many.md', headingPath: at < 0 ? [] : [`Heading ${at}`] }, false, limit).notes;
		expect(rows(-1)).toHaveLength(1 + HEADINGS_AT_ONCE + 1);
		expect(rows(-1).at(-1)).toMatchObject({ kind: 'more', count: 5_000 - HEADINGS_AT_ONCE });
		expect(rows(-1, 5_000).at(-1)).toMatchObject({ kind: 'heading', name: 'Heading 4999' });
		expect(rows(700).slice(-2)).toMatchObject([{ name: 'Heading 700' }, { kind: 'more', count: 4_299 }]);
	});
});

describe('filters', () => {
	test('ask the runtime for no more than was chosen', () => {
		expect(filterOf({ kind: 'all' }, NOTHING_CHOSEN, NOW)).toEqual({});
		expect(isFiltered(NOTHING_CHOSEN)).toBe(false);
		const chosen = { ...NOTHING_CHOSEN, authors: ['agent' as const], neverUsed: true };
		expect(filterOf({ kind: 'file', file: MemoryPath.parse('MEMORY.md'), headingPath: ['Home'] }, chosen, NOW)).toEqual({
			file: 'MEMORY.md',
			headingPath: ['Home'],
			authors: ['agent'],
			neverUsed: true,
		});
		expect(isFiltered(chosen)).toBe(true);
	});

	test('by date count the owner’s own days, the last one included', () => {
		const today = startOfDay('2026-03-12');
		expect(filterOf({ kind: 'all' }, { ...NOTHING_CHOSEN, date: { kind: 'today' } }, NOW)).toEqual({ from: today });
		const custom = { kind: 'custom' as const, from: '2026-03-01', until: '2026-03-11' };
		expect(filterOf({ kind: 'all' }, { ...NOTHING_CHOSEN, date: custom }, NOW)).toEqual({ from: startOfDay('2026-03-01'), until: today });
		expect(filterOf({ kind: 'all' }, { ...NOTHING_CHOSEN, date: { ...custom, from: '' } }, NOW)).toEqual({ until: today });
	});

	test('days are read as they were written', () => {
		fc.assert(
			fc.property(fc.date({ min: new Date(2000, 0, 1), max: new Date(2100, 0, 1), noInvalidDate: true }), (date) => {
				const day = localDay(date.getTime());
				expect(localDay(startOfDay(day) ?? 0)).toBe(day);
				expect(startOfDay(day, 1)).toBeGreaterThan(date.getTime());
			}),
		);
	});
});

describe('M2 the line under an entry', () => {
	const message = Source.parse({
		kind: 'message',
		sessionId: 's',
		messageId: 'm',
		sessionTitle: 'Household',
		role: 'user',
		quote: 'remember it',
	});
	const ids = (of: MemoryEntry) => provenanceParts(of, NOW).map((part) => (part.kind === 'used' ? `used ${part.count}` : part.id));

	test('says who, when, that there is no source, and that it was of no use yet', () => {
		expect(ids(entry())).toEqual(['memory.by.file_edit', 'memory.on', 'memory.noSource', 'used 0']);
	});

	test('names the first source and how many more there are', () => {
		expect(writerOf({ author: 'agent', sources: [message, message, message] })).toEqual({
			kind: 'writer',
			id: 'memory.from.agent',
			source: message,
			more: 2,
		});
	});

	test('B4 says when the owner approved it, and that outside text is still outside text', () => {
		const approval = { at: NOW, shownHash: 'abc', proposalId: 'p' };
		const approved = entry({
			provenance: { author: 'agent', label: 'approved', origin: 'external', sources: [message], at: 1, approval },
			useCount: 3,
			lastUsedAt: NOW,
		});
		expect(ids(approved)).toEqual(['memory.from.agent', 'memory.approvedOn', 'used 3']);
		expect(shownLabel(approved.provenance)).toBe('approved');
		expect(shownLabel({ label: 'agent', origin: 'agent', approval: approved.provenance.approval })).toBe('agent');
	});

	test('mem-8 says until when it holds; what no longer holds has a mark instead', () => {
		const until = (more: Record<string, unknown>) =>
			provenanceParts(entry(more), NOW).find((part) => part.kind === 'date' && part.id === 'memory.until');
		const lastDay = startOfDay('2026-12-31') ?? 0;
		expect(until({ validUntil: startOfDay('2027-01-01') })).toMatchObject({ at: lastDay + DAY - 1 });
		expect(until({ validUntil: NOW - DAY, state: 'expired' })).toBeUndefined();
		expect(until({ validUntil: NOW + DAY, state: 'superseded' })).toBeUndefined();
	});

	test('counts days by the calendar', () => {
		expect(daysBetween(new Date(2026, 2, 11, 23, 59).getTime(), new Date(2026, 2, 12, 0, 1).getTime())).toBe(1);
		expect(daysBetween(NOW, NOW)).toBe(0);
	});
});
