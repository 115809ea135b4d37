import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migration0001 } from '../../src/db/migrations/0001-sessions-and-runs.ts';
import { migration0002 } from '../../src/db/migrations/0002-memory.ts';
import { migration0003 } from '../../src/db/migrations/0003-durable-runs.ts';
import { migration0004 } from '../../src/db/migrations/0004-firewall.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { expectSoundSchema } from '../support/storage/sound-schema.ts';

const BEFORE = [migration0001, migration0002, migration0003];

/** A profile of part 3 with a chat, a run, files and what waits, before the step or after it. */
function withWork(migrations = [...BEFORE, migration0004]) {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, BEFORE);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, status, label, text, created_at)
			VALUES ('m1', 's1', 0, 'user', 'complete', 'owner', 'file the bills', 1), ('m2', 's1', 1, 'assistant', 'waiting', 'agent', '', 2);
		INSERT INTO message_parts (message_id, position, part) VALUES ('m1', 0, '{"type":"text","text":"file the bills"}');
		INSERT INTO runs (id, session_id, message_id, kind, status, step, created_at, updated_at) VALUES ('r1', 's1', 'm2', 'chat', 'waiting', 2, 1, 3);
		INSERT INTO journal (run_id, seq, event, at) VALUES ('r1', 1, '{"type":"run_started"}', 9);
		INSERT INTO interrupts (id, run_id, session_id, step, call_id, kind, detail, shown_hash, status, created_at)
			VALUES ('i1', 'r1', 's1', 2, 'c1', 'approval', '{"kind":"approval","tool":"look"}', 'h', 'open', 1);
		INSERT INTO workspace_changes (run_id, step, path, before_hash, after_hash, bytes, label, status, at)
			VALUES ('r1', 1, 'bills/a.csv', NULL, 'h1', 4, 'agent', 'done', 1), (NULL, NULL, 'b.md', 'h1', 'h2', 5, 'external', 'intended', 2);
	`);
	migrate(db, migrations);
	return db;
}

type Db = ReturnType<typeof withWork>;
const rows = (db: Db, table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
const one = (db: Db, sql: string) => db.prepare(sql).pluck().get();

test('3 → 4 keeps chats, runs, what waits, and who wrote which file', () => {
	const [before, db] = [withWork(BEFORE), withWork()];
	expect(schemaVersion(db)).toBe(4);
	for (const table of ['sessions', 'messages', 'message_parts', 'runs', 'journal', 'interrupts', 'workspace_changes'])
		for (const [index, old] of rows(before, table).entries()) expect(rows(db, table)[index], table).toMatchObject(old as object);
	expect(one(db, "SELECT sources FROM messages WHERE id = 'm1'")).toBeNull();
	expect(one(db, 'SELECT sources FROM workspace_changes')).toBe('[]');
	expect(one(db, 'SELECT root FROM workspace_changes')).toBeNull();
});

test('3 → 4 makes a sound schema of strict tables, and runs once', () => {
	const db = withWork();
	expectSoundSchema(db);
	const salt = one(db, 'SELECT hex(salt) FROM redaction') as string;
	expect(salt).toMatch(/^[0-9A-F]{64}$/);
	expect(migrate(db, [...BEFORE, migration0004])).toBe(4);
	expect(one(db, 'SELECT hex(salt) FROM redaction')).toBe(salt);
	// Another profile has another one.
	expect(one(withWork(), 'SELECT hex(salt) FROM redaction')).not.toBe(salt);
});

const RECORD = 'INSERT INTO audit (seq, at, sink, decision, rule, label, record, detail, detail_salt, previous_hash, hash) VALUES';
const ROW = "1, 'file', 'allowed', 'r', 'agent', '{}', '{}', x'00', 'p', 'h'";

test('S1 records of the audit log are added and never changed; a detail only goes', () => {
	const db = withWork();
	db.exec(`${RECORD} (1, ${ROW}), (2, ${ROW})`);
	for (const bad of [
		'DELETE FROM audit',
		'DELETE FROM audit WHERE seq = 2',
		"UPDATE audit SET hash = 'x'",
		"UPDATE audit SET run_id = 'r1' WHERE seq = 1",
		`INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 1`,
		`${RECORD} (1, ${ROW})`,
		"UPDATE audit SET detail = 'other'",
		"UPDATE audit SET detail = NULL, detail_salt = x'01'",
	])
		expect(() => db.exec(bad), bad).toThrow(/append-only|only be forgotten/);
	expect(rows(db, 'audit')).toHaveLength(2);
	db.exec('UPDATE audit SET detail = NULL, detail_salt = NULL WHERE seq = 1');
	expect(one(db, 'SELECT detail FROM audit WHERE seq = 1')).toBeNull();
	// A record outlives its run.
	db.exec(`INSERT INTO audit (seq, at, sink, decision, rule, label, run_id, record, previous_hash, hash)
		VALUES (3, 1, 'file', 'allowed', 'r', 'agent', 'r1', '{}', 'p', 'h')`);
	db.exec("DELETE FROM runs WHERE id = 'r1'");
	expect(one(db, "SELECT count(*) FROM audit WHERE run_id = 'r1'")).toBe(1);
});

test('rows that cannot be are refused; one answer gives one permission', () => {
	const db = withWork();
	const permission = 'INSERT INTO permissions (id, terms, job_kind, origin, interrupt_id, created_at) VALUES';
	db.exec(
		`${permission} ('p1', '{}', 'any', 'approval', 'i1', 1), ('p2', '{}', 'any', 'owner', NULL, 1), ('p3', '{}', 'any', 'owner', NULL, 1)`,
	);
	for (const bad of [
		`${permission} ('p4', '{}', 'any', 'approval', 'i1', 1)`,
		`${permission} ('p5', '{}', 'any', 'somebody', NULL, 1)`,
		"INSERT INTO skill_changes (id, name, kind, status, at) VALUES ('c', 'n', 'write', 'perhaps', 1)",
	])
		expect(() => db.exec(bad), bad).toThrow(/UNIQUE|CHECK/);
	db.exec(`INSERT INTO content_labels (hash, place, label, at) VALUES ('h', 'workspace', 'external', 1), ('h', 'skill', 'approved', 1)`);
	expect(() => db.exec("INSERT INTO content_labels (hash, place, label, at) VALUES ('h', 'skill', 'agent', 1)")).toThrow('UNIQUE');
});
