import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import type { EntryFilter } from '../../../src/domain/memory.ts';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { promptMemory } from '../../../src/run/prompt-memory.ts';
import { memoryGetTool } from '../../../src/tools/memory-get.ts';
import { byAgent, openMemory, ownersGrant, TEST_NOW } from '../../support/memory.ts';
import { failureOf } from '../../support/storage/folders.ts';
import { toolContext } from '../../support/tool-context.ts';

const all = { offset: 0, limit: 1000 };
const base = (more = {}) => ({ grant: ownersGrant, key: crypto.randomUUID(), provenance: byAgent(), ...more });

test('M1 files are listed as they are shown, with their days, headings and counts', async () => {
	const { memory, edit } = await openMemory();
	edit('memory/zebra.md', '- z\n');
	edit('memory/2026-11-28.md', '# 2026-11-28\n\n- older\n');
	edit('memory/2026-11-29.md', '# 2026-11-29\n\n- newer\n');
	edit('memory/2026-02-31.md', '- no such day\n');
	edit('memory/work/plan.md', 'Plan.\n');
	edit('MEMORY.md', '- top\n\n# Home\n\n- a\n\n## Cat\n\n- b\n- c\n\n# Work\n\ntext\n');
	await memory.reconcile();
	const files = memory.files();
	expect(files.map(({ path, kind, day, entries }) => [path, kind, day, entries])).toEqual([
		['MEMORY.md', 'long_term', undefined, 5],
		['memory/2026-11-29.md', 'daily', '2026-11-29', 1],
		['memory/2026-11-28.md', 'daily', '2026-11-28', 1],
		['memory/2026-02-31.md', 'note', undefined, 1],
		['memory/work/plan.md', 'note', undefined, 1],
		['memory/zebra.md', 'note', undefined, 1],
	]);
	expect(files[0]?.headings).toEqual([
		{ path: ['Home'], line: 3, entries: 3 },
		{ path: ['Home', 'Cat'], line: 7, entries: 2 },
		{ path: ['Work'], line: 12, entries: 1 },
	]);
	expect(memory.entries({}, all).entries.map(({ text }) => text)).toEqual([
		'top',
		'Home',
		'a',
		'Cat',
		'b',
		'c',
		'Work',
		'text',
		'2026-11-29',
		'newer',
		'2026-11-28',
		'older',
		'no such day',
		'Plan.',
		'z',
	]);
});

test('entries are filtered by file, heading, author, label, source, day, use and state', async () => {
	const harness = await openMemory();
	const { memory, edit, clock, entry } = harness;
	edit('MEMORY.md', '# Home\n\n- mine\n\n## Cat "Miso"\n\n- Miso is old\n\n# Home base\n\n- elsewhere\n');
	edit('memory/2026-11-01.md', '# 2026-11-01\n\n- first of the month\n');
	await memory.reconcile();
	const source = { kind: 'url', url: 'https://example.org', fetchedAt: 1, fetchedHash: 'h', quote: 'q', start: 0, end: 1 } as const;
	const provenance = byAgent({ label: 'approved', origin: 'external', sources: [source] });
	await memory.writer.append({ ...base({ provenance }), file: MemoryPath.parse('MEMORY.md'), headingPath: ['Home'], text: 'from the web' });
	memory.used([entry('mine').id, 'no such entry' as never]);
	const found = (filter: EntryFilter) =>
		memory.entries(filter, all).entries.flatMap(({ kind, text }) => (kind === 'heading' ? [] : [text]));
	expect(found({ file: MemoryPath.parse('memory/2026-11-01.md') })).toEqual(['first of the month']);
	expect(found({ headingPath: ['Home'] })).toEqual(['mine', 'from the web', 'Miso is old']);
	expect(found({ headingPath: ['Home', 'Cat "Miso"'] })).toEqual(['Miso is old']);
	expect(found({ authors: ['agent'] })).toEqual(['from the web']);
	expect(found({ labels: ['approved'] })).toEqual(['from the web']);
	expect(found({ origins: ['external'] })).toEqual(['from the web']);
	expect(found({ sources: ['url'] })).toEqual(['from the web']);
	expect(found({ sources: ['url', 'none'] })).toHaveLength(5);
	expect(found({ until: Date.UTC(2026, 10, 2) })).toEqual(['first of the month']);
	expect(found({ from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 2) })).toEqual(['first of the month']);
	expect(found({ neverUsed: true })).not.toContain('mine');
	expect(entry('mine')).toMatchObject({ useCount: 1, lastUsedAt: TEST_NOW });
	await harness.remove(entry('mine'));
	clock.at += 1;
	expect(found({ states: ['gone'] })).toEqual(['mine']);
	expect(found({ states: ['current', 'gone'], headingPath: ['Home'] })).toContain('mine');
	expect(found({})).not.toContain('mine');
	expect(found({ states: [] })).toEqual([]);
});

test('pages of many entries follow each other without a gap, and each total is right', async () => {
	const { memory, edit } = await openMemory();
	for (let day = 1; day <= 28; day++) {
		const items = Array.from({ length: 100 }, (_, index) => `- note ${index} of day ${day}`).join('\n');
		edit(`memory/2026-10-${String(day).padStart(2, '0')}.md`, `# Day ${day}\n\n${items}\n`);
	}
	await memory.reconcile();
	const seen: string[] = [];
	for (let offset = 0; ; offset += 333) {
		const { entries, total } = memory.entries({}, { offset, limit: 333 });
		expect(total).toBe(28 * 101);
		if (entries.length === 0) break;
		seen.push(...entries.map(({ text }) => text));
	}
	expect(seen).toHaveLength(28 * 101);
	expect(new Set(seen).size).toBe(28 * 101);
	expect(seen[1]).toBe('note 0 of day 28');
	expect(seen.at(-1)).toBe('note 99 of day 1');
});

test('M2 why tells the whole chain: former texts, what was held and why, and the entries it was made from', async () => {
	const { memory, db, append, entry, patch } = await openMemory();
	await append('Has a cat', { file: 'MEMORY.md' });
	const cat = entry('Has a cat');
	db.write((tx) =>
		tx.exec(`INSERT INTO proposals (id, operation, provenance, label, rule, reason, shown_hash, text_hash, status, created_at)
			VALUES ('p1', '{}', '{}', 'external', 'external_text', 'because', 'h', 'h', 'approved', 1)`),
	);
	const approval = { at: 2, shownHash: 'h', proposalId: 'p1' as never };
	const provenance = byAgent({ sources: [{ kind: 'entry', entryId: cat.id, quote: 'Has a cat' }], approval });
	await memory.writer.append({ ...base({ provenance }), file: MemoryPath.parse('MEMORY.md'), text: 'The cat eats fish' });
	await patch(entry('The cat eats fish'), 'The cat eats tuna');
	const chain = memory.why(entry('The cat eats tuna').id);
	expect(chain.map(({ version, heldBy }) => [version.kind, version.after, heldBy])).toEqual([
		['patch', 'The cat eats tuna', undefined],
		['append', 'The cat eats fish', 'external_text'],
		['append', 'Has a cat', undefined],
	]);
	expect((await failureOf(() => memory.why('nobody' as never))).code).toBe('not_found');
	expect((await failureOf(() => memory.entry('nobody' as never))).code).toBe('not_found');
});

test('M2 what is far down in a file of more than ten thousand entries is read by its line, and is not missing from what prompts take', async () => {
	const { edit, memory } = await openMemory();
	edit('MEMORY.md', Array.from({ length: 10_020 }, (_, at) => `- Note ${at + 1}\n`).join(''));
	await memory.reconcile();
	const context = toolContext({ signal: AbortSignal.timeout(60_000) });
	const args = { file: MemoryPath.parse('MEMORY.md'), from_line: 10_019, to_line: 10_030 };
	expect((await memoryGetTool(memory).run(args, context)).text).toMatch(/Note 10019[\s\S]*Note 10020/);
	const core = promptMemory(memory, silentLogger).core();
	expect([core.length, core.at(-1)?.text]).toEqual([10_020, 'Note 10020']);
});
