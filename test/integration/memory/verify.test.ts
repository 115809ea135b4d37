import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { run, sql } from '../../../src/db/sql.ts';
import type { ChangeId } from '../../../src/domain/memory.ts';
import { insertForgetJob } from '../../../src/memory/forget-store.ts';
import { byOwner, openMemory } from '../../support/memory.ts';

const kinds = async ({ memory }: Awaited<ReturnType<typeof openMemory>>) =>
	(await memory.verify()).problems.map(({ kind, file }) => [kind, file]).toSorted();

test('verify compares disk, ledger and index, says each difference, and changes nothing', async () => {
	const m = await openMemory();
	await m.append('The boiler is from 2019.', { file: 'MEMORY.md' });
	await m.append('Ada likes tea.', { file: 'memory/ada.md' });
	await m.append('Her bike is red.', { file: 'memory/ada.md' });
	await m.append('Gone soon.', { file: 'memory/gone.md' });
	await m.memory.settled();
	expect(await m.memory.verify()).toEqual({ files: 3, entries: 4, problems: [] });

	m.edit('MEMORY.md', '- The boiler is from 2021.\n');
	m.edit('memory/new.md', '- Nobody knows this yet.\n');
	m.edit('memory/large.md', 'x'.repeat(2_000_001));
	rmSync(join(m.folder, 'memory/gone.md'));
	m.db.write((tx) => {
		run(tx, sql`UPDATE memory_entries SET line_start = 7, line_end = 7 WHERE text = 'Her bike is red.'`);
		run(tx, sql`INSERT INTO memory_conflicts (id, file, change_id, ours, theirs, at) VALUES ('c', 'MEMORY.md', 'x', 'a', 'b', 1)`);
		const [entryId] = m.entries().map(({ id }) => id);
		if (!entryId) throw new Error('no entry');
		insertForgetJob(tx, { id: newId<ChangeId>(), texts: ['a'], hashes: [], entryIds: [entryId], scope: 'entry', at: 1 }, byOwner());
	});
	const expected = [
		['conflict', 'MEMORY.md'],
		['disk_differs', 'MEMORY.md'],
		['disk_differs', 'memory/large.md'],
		['intent_open', ''],
		['ledger_differs', 'memory/ada.md'],
		['missing_file', 'memory/gone.md'],
		['new_file', 'memory/new.md'],
	];
	expect(await kinds(m)).toEqual(expected);
	expect(await kinds(m)).toEqual(expected);

	await m.memory.reconcile();
	expect(await kinds(m)).toEqual([
		['conflict', 'MEMORY.md'],
		['disk_differs', 'memory/large.md'],
		['intent_open', ''],
		['ledger_differs', 'memory/ada.md'],
	]);
	m.db.write((tx) => run(tx, sql`UPDATE memory_entries SET live = 0 WHERE text = 'Ada likes tea.'`));
	expect((await kinds(m)).filter(([kind]) => kind === 'index_ghost')).toHaveLength(1);
});

test('verify says what the index lacks', async () => {
	const m = await openMemory();
	await m.append('Ada likes tea.', { file: 'memory/ada.md' });
	await m.memory.settled();
	m.db.write((tx) =>
		run(
			tx,
			sql`INSERT INTO memory_entries SELECT NULL, 'another', file, rank, hash, 1, 1, kind, heading_path, text, 2, 2, live, quarantined, provenance,
				author, label, origin, source, valid_from, valid_until, supersedes, superseded_by, use_count, last_used_at, versions, dated,
				created_at, updated_at FROM memory_entries`,
		),
	);
	expect(await kinds(m)).toEqual([
		['index_missing', 'memory/ada.md'],
		['ledger_differs', 'memory/ada.md'],
	]);
});
