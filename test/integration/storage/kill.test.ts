import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { migrations } from '../../../src/db/migrations/index.ts';
import { all, sql } from '../../../src/db/sql.ts';
import { startChild } from '../../support/storage/child.ts';
import { addSession, countSessions, openIn, temporaryFolder } from '../../support/storage/folders.ts';

test('R1 what write returned from is there after kill -9, wherever it strikes', async () => {
	for (let round = 0; round < 4; round++) {
		const folder = temporaryFolder();
		const child = startChild(['commit-forever', folder]);
		await child.until('committed');
		await sleep(Math.random() * 150);
		await child.end('SIGKILL');
		const said = Number(child.rest().at(-1)?.committed ?? 0);
		const ids = all<{ id: string }>(openIn(folder).read, sql`SELECT id FROM sessions`).map((row) => row.id);
		for (let index = 0; index <= said; index++) expect(ids).toContain(`s${index}`);
	}
});

test.each(['migration.backed_up', 'migration.applied'])(
	'a process killed at %s leaves the older version, and the next start migrates',
	async (dieAt) => {
		const folder = temporaryFolder();
		const db = openIn(folder);
		addSession(db, 's1');
		db.close();
		expect(await startChild(['die-migrating', folder, dieAt]).end()).toBe('SIGKILL');
		const older = openIn(folder);
		expect(older.schemaVersion).toBe(migrations.length);
		expect(countSessions(older)).toBe(1);
		expect(older.backups()).toHaveLength(1);
		older.close();
		expect(await startChild(['die-migrating', folder, 'never']).next()).toEqual({ migrated: true });
	},
);

test('R1 a process killed when the first database is made and has no name yet leaves none, and the next start makes one', async () => {
	const folder = temporaryFolder();
	expect(await startChild(['die-migrating', folder, 'database.created']).end()).toBe('SIGKILL');
	expect(existsSync(join(folder, 'state.db'))).toBe(false);
	const db = openIn(folder);
	addSession(db, 's1');
	expect(countSessions(db)).toBe(1);
	expect(db.schemaVersion).toBe(migrations.length);
	expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
});

test('M3 a file that is replaced all the time is whole after kill -9', async () => {
	const folder = temporaryFolder();
	for (let round = 0; round < 4; round++) {
		const child = startChild(['replace-forever', folder]);
		await child.until('replaced');
		await sleep(Math.random() * 100);
		await child.end('SIGKILL');
		const text = readFileSync(join(folder, 'file'), 'utf8');
		expect(text).toHaveLength(300_000);
		expect(new Set(text).size).toBe(1);
	}
});
