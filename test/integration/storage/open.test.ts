import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { connect } from '../../../src/db/driver.ts';
import type { Migration } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import type { StateDb } from '../../../src/db/open.ts';
import { all, runOne, sql, value } from '../../../src/db/sql.ts';
import { addSession, countSessions, failureOf, hashFiles, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const next: Migration = { version: migrations.length + 1, name: 'a next one', sql: 'CREATE TABLE notes (id TEXT PRIMARY KEY) STRICT;' };

function filled(folder: string, sessions = 200): StateDb {
	const db = openIn(folder);
	db.write((tx) => {
		for (let index = 0; index < sessions; index++) {
			runOne(
				tx,
				sql`INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES (${`s${index}`}, ${'title '.repeat(50)}, 'auto', 0, 0)`,
			);
		}
	});
	return db;
}

test('R1 a commit is on the disk when write returns: WAL, synchronous FULL, foreign keys, secure delete', () => {
	const db = openIn(temporaryFolder());
	db.write((tx) => {
		const pragma = (name: string) => tx.pragma(name, { simple: true });
		expect([
			pragma('journal_mode'),
			pragma('synchronous'),
			pragma('foreign_keys'),
			pragma('secure_delete'),
			pragma('trusted_schema'),
		]).toEqual(['wal', 2, 1, 1, 0]);
	});
});

test('R1 write keeps all or nothing, and its text can be read only after it', () => {
	const db = openIn(temporaryFolder());
	expect(() =>
		db.write((tx) => {
			runOne(tx, sql`INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 't', 'auto', 0, 0)`);
			expect(countSessions(db)).toBe(0);
			throw new Error('half way');
		}),
	).toThrow('half way');
	expect(countSessions(db)).toBe(0);
	addSession(db, 's1');
	expect(countSessions(db)).toBe(1);
});

test('a read handle cannot write, a write cannot hide in a write or outlive its turn', () => {
	const db = openIn(temporaryFolder());
	expect(() => db.read.exec('DELETE FROM sessions')).toThrow(/readonly/);
	expect(() => db.write(() => db.write(() => undefined))).toThrow(/inside write/);
	expect(() => db.write(async () => undefined)).toThrow(/synchronous/);
	addSession(db, 's1');
});

test('a mutation that misses its row is an error', () => {
	const db = openIn(temporaryFolder());
	expect(() => db.write((tx) => runOne(tx, sql`UPDATE sessions SET title = 'x' WHERE id = 'none'`))).toThrow(/changed 0/);
});

test('creation cut off before the end leaves no state.db, and the next start makes a whole one', () => {
	const folder = temporaryFolder();
	const remove = onCrashPoint(() => {
		throw new Error('killed');
	});
	expect(() => openIn(folder)).toThrow('killed');
	remove();
	expect(readdirSync(folder)).not.toContain('state.db');
	addSession(openIn(folder), 's1');
});

test('dur-4 a state.db from a newer version is refused politely, and nothing changes', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'state.db');
	const backup = await filled(folder).backUp();
	openIn(folder, { migrations: [...migrations, next] }).close();
	const before = hashFiles(file, `${file}-wal`);
	const names = readdirSync(folder);
	const failure = await failureOf(() => openIn(folder));
	expect(failure.shape).toMatchObject({ code: 'database_newer', kind: 'needs_owner', safe: 'Hearth has changed nothing.' });
	// The one from before the upgrade, not the one of the newer version.
	expect(failure.shape.action).toContain(join(folder, 'backups', readdirSync(join(folder, 'backups')).sort().at(-1) ?? ''));
	expect(backup.schemaVersion).toBe(migrations.length);
	expect(hashFiles(file, `${file}-wal`)).toEqual(before);
	expect(readdirSync(folder)).toEqual(names);
});

test('dur-4 a newer version that is still only in the write-ahead log is refused too, and the log stays', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'state.db');
	openIn(folder).close();
	const newer = connect(file);
	newer.pragma('wal_autocheckpoint = 0');
	newer.exec('CREATE TABLE later (id TEXT) STRICT; PRAGMA user_version = 99;');
	const crashed = join(folder, 'crashed');
	// A copy of the files as a kill would leave them.
	for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${crashed}${ending}`);
	newer.close();
	for (const ending of ['', '-wal']) copyFileSync(`${crashed}${ending}`, `${file}${ending}`);
	const before = hashFiles(file, `${file}-wal`);
	expect((await failureOf(() => openIn(folder))).code).toBe('database_newer');
	expect(hashFiles(file, `${file}-wal`)).toEqual(before);
});

const damages: [string, (file: string) => void][] = [
	['empty', (file) => truncateSync(file, 0)],
	['cut in the middle', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
	['text', (file) => writeFileSync(file, 'this is not a database, but it is long enough to look at. '.repeat(10))],
	['random bytes in its pages', (file) => overwrite(file, 4096 * 3, 4096 * 6)],
	['a ruined first page behind a good header', (file) => overwrite(file, 100, 4096)],
];

function overwrite(file: string, from: number, to: number): void {
	const bytes = readFileSync(file);
	for (let index = from; index < Math.min(to, bytes.length); index++) bytes[index] = (index * 2_654_435_761) >>> 24;
	writeFileSync(file, bytes);
}

test.each(damages)('dur-4 S5 a state.db that is %s is refused, names the newest back-up, and nothing changes', async (_, damage) => {
	const folder = temporaryFolder();
	const file = join(folder, 'state.db');
	const db = filled(folder);
	await db.backUp();
	const newest = await db.backUp();
	db.close();
	damage(file);
	const before = hashFiles(file, `${file}-wal`, newest.path);
	const names = readdirSync(folder).sort();
	const failure = await failureOf(() => openIn(folder));
	expect(failure.shape).toMatchObject({ code: 'database_corrupt', kind: 'needs_owner' });
	expect(failure.shape.action).toContain(newest.path);
	expect(failure.shape.safe).toContain('changed nothing');
	expect(hashFiles(file, `${file}-wal`, newest.path)).toEqual(before);
	expect(readdirSync(folder).sort()).toEqual(names);

	// The way back that the message names works.
	copyFileSync(newest.path, file);
	expect(countSessions(openIn(folder))).toBe(200);
});

test('dur-4 S5 a state.db that vanished is never replaced by an empty one', async () => {
	const folder = temporaryFolder();
	const db = filled(folder);
	const backup = await db.backUp();
	db.close();
	rmSync(join(folder, 'state.db'));
	const failure = await failureOf(() => openIn(folder));
	expect(failure.code).toBe('database_corrupt');
	expect(failure.shape.action).toContain(backup.path);
	expect(readdirSync(folder)).toEqual(['backups']);
});

test('dur-4 without a back-up the message says so', async () => {
	const folder = temporaryFolder();
	filled(folder).close();
	truncateSync(join(folder, 'state.db'), 0);
	expect((await failureOf(() => openIn(folder))).shape.action).toContain('There is no back-up yet');
});

test('S5 damage that only shows while reading is explained', async () => {
	const folder = temporaryFolder();
	const db = filled(folder, 2000);
	db.read.pragma('wal_checkpoint(TRUNCATE)');
	db.close();
	const opened = openIn(folder);
	overwrite(join(folder, 'state.db'), 4096 * 30, 4096 * 200);
	const failure = await failureOf(() => all(opened.read, sql`SELECT title FROM sessions`));
	expect(failure.code).toBe('database_corrupt');
});

test('a migration is preceded by a whole back-up and keeps every row', () => {
	const folder = temporaryFolder();
	filled(folder).close();
	const upgraded = openIn(folder, { migrations: [...migrations, next] });
	expect(upgraded.schemaVersion).toBe(next.version);
	expect(countSessions(upgraded)).toBe(200);
	const [backup] = upgraded.backups();
	expect(backup?.name).toMatch(new RegExp(`^state-v${migrations.length}-\\d{8}T\\d{9}Z\\.db$`));
	const copy = connect(backup?.path ?? '', { readonly: true, mustExist: true });
	expect(copy.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(200);
	expect(copy.pragma('user_version', { simple: true })).toBe(migrations.length);
	copy.close();
});

test.each(['migration.backed_up', 'migration.applied'])('a migration cut off at %s leaves the older version whole', (cutAt) => {
	const folder = temporaryFolder();
	filled(folder).close();
	const remove = onCrashPoint((name) => {
		if (name === cutAt) throw new Error('killed');
	});
	expect(() => openIn(folder, { migrations: [...migrations, next] })).toThrow('killed');
	remove();
	const db = openIn(folder);
	expect(db.schemaVersion).toBe(migrations.length);
	expect(countSessions(db)).toBe(200);
});

test('a migration that fails or breaks references changes nothing', () => {
	const folder = temporaryFolder();
	filled(folder).close();
	const broken = [
		{ ...next, sql: 'CREATE TABLE notes (id TEXT) STRICT; SELECT * FROM nowhere;' },
		{ ...next, sql: "INSERT INTO drafts VALUES ('no such session', '', '[]', 0);" },
		{ ...next, version: next.version + 1 },
	];
	for (const migration of broken) expect(() => openIn(folder, { migrations: [...migrations, migration] })).toThrow();
	const db = openIn(folder);
	expect(db.schemaVersion).toBe(migrations.length);
	expect(countSessions(db)).toBe(200);
});

test('on a network file system one exclusive connection does without shared memory', () => {
	const folder = temporaryFolder();
	filled(folder).close();
	const db = openIn(folder, { exclusive: true });
	addSession(db, 'new');
	expect(countSessions(db)).toBe(201);
	expect(readdirSync(folder)).not.toContain('state.db-shm');
	db.close();
	expect(countSessions(openIn(folder))).toBe(201);
});

test('dur-4 damage in the storage of the full-text index is found at the start too', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'state.db');
	const db = filled(folder, 1);
	db.write((tx) => {
		for (let index = 0; index < 300; index++) {
			const text = Array.from({ length: 40 }, (_, word) => `word${index * 40 + word}`).join(' ');
			runOne(
				tx,
				sql`INSERT INTO messages (id, session_id, depth, role, status, label, text, created_at)
					VALUES (${`m${index}`}, 's0', ${index}, 'user', 'complete', 'owner', ${text}, 0)`,
			);
		}
	});
	const page = value<number>(db.read, sql`SELECT rootpage FROM sqlite_schema WHERE name = 'messages_trigrams_data'`) ?? 0;
	db.close();
	overwrite(file, (page - 1) * 4096, page * 4096);
	expect((await failureOf(() => openIn(folder))).code).toBe('database_corrupt');
});

test('an unclean end loses nothing that was committed', () => {
	const folder = temporaryFolder();
	const db = filled(folder);
	const copy = temporaryFolder();
	// What a kill leaves: the file and its log, without a checkpoint.
	for (const ending of ['', '-wal']) copyFileSync(join(folder, `state.db${ending}`), join(copy, `state.db${ending}`));
	db.close();
	expect(countSessions(openIn(copy))).toBe(200);
});
