import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migration0001 } from '../../src/db/migrations/0001-sessions-and-runs.ts';
import { migration0002 } from '../../src/db/migrations/0002-memory.ts';
import { migration0003 } from '../../src/db/migrations/0003-durable-runs.ts';
import { migration0004 } from '../../src/db/migrations/0004-firewall.ts';
import { migration0005 } from '../../src/db/migrations/0005-heartbeat.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { expectSoundSchema } from '../support/storage/sound-schema.ts';

const BEFORE = [migration0001, migration0002, migration0003, migration0004];

/** A profile of part 4 with a chat, a run that delegated work, and what waits, before the step or after it. */
function withWork(migrations = [...BEFORE, migration0005]) {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, BEFORE);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, status, label, text, created_at)
			VALUES ('m1', 's1', 0, 'user', 'complete', 'owner', 'file the bills', 1), ('m2', 's1', 1, 'assistant', 'waiting', 'agent', '', 2);
		INSERT INTO runs (id, session_id, message_id, kind, status, step, begin_key, created_at, updated_at)
			VALUES ('r1', 's1', 'm2', 'chat', 'waiting', 2, NULL, 1, 3);
		INSERT INTO runs (id, session_id, message_id, kind, status, step, begin_key, parent_run_id, created_at, updated_at)
			VALUES ('r2', 's1', 'm2', 'child', 'done', 1, 'r1:1:c1', 'r1', 1, 3);
		INSERT INTO journal (run_id, seq, event, at) VALUES ('r1', 1, '{"type":"run_started"}', 9), ('r2', 1, '{"type":"run_started"}', 9);
		INSERT INTO interrupts (id, run_id, session_id, step, call_id, kind, detail, shown_hash, status, created_at)
			VALUES ('i1', 'r1', 's1', 2, 'c1', 'approval', '{"kind":"approval","tool":"look"}', 'h', 'open', 1);
		INSERT INTO proposals (id, operation, provenance, label, rule, reason, shown_hash, status, created_at)
			VALUES ('p1', '{"kind":"append"}', '{}', 'external', 'r', 'why', 'h', 'pending', 1);
	`);
	migrate(db, migrations);
	return db;
}

type Db = ReturnType<typeof withWork>;
const rows = (db: Db, table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
const one = (db: Db, sql: string) => db.prepare(sql).pluck().get();

test('4 → 5 keeps runs with their journals, what waits, and their order', () => {
	const [before, db] = [withWork(BEFORE), withWork()];
	expect(schemaVersion(db)).toBe(5);
	for (const table of ['sessions', 'messages', 'runs', 'journal', 'interrupts', 'proposals']) {
		const [old, kept] = [rows(before, table), rows(db, table)];
		expect(kept, table).toHaveLength(old.length);
		for (const [index, row] of old.entries()) expect(kept[index], table).toMatchObject(row as object);
	}
	// What goes with a run still does.
	db.exec("DELETE FROM runs WHERE id = 'r1'");
	expect(one(db, 'SELECT count(*) FROM runs') ?? 0).toBe(0);
	expect(one(db, 'SELECT count(*) FROM journal') ?? 0).toBe(0);
});

test('4 → 5 makes a sound schema of strict tables, and runs once', () => {
	const db = withWork();
	expectSoundSchema(db);
	expect(migrate(db, [...BEFORE, migration0005])).toBe(5);
});

test('R5 rows that cannot be are refused: one look a slot, items of sources, one reason why looks stopped', () => {
	const db = withWork();
	const source = 'INSERT INTO watched_sources (id, title, place, budget, trust, next_read_at, created_at) VALUES';
	const item = 'INSERT INTO watched_items (id, source_id, title, text, fetched_at, fetched_hash, state) VALUES';
	const tick = 'INSERT INTO heartbeat_ticks (id, slot, by, outcome, started_at) VALUES';
	const run = 'INSERT INTO heartbeat_runs (run_id, tick_id, source_id, items, outcome) VALUES';
	db.exec(`${source} ('w1', 'Paper', '{}', '{}', 0.5, 1, 1); ${item} ('n1', 'w1', 'News', 'Text', 1, 'h', 'unread');`);
	db.exec(`${tick} ('t1', 60, 'schedule', 'done', 1), ('t2', 60, 'owner', 'done', 1); ${run} ('r9', 't1', 'w1', 3, NULL)`);
	db.exec("INSERT INTO heartbeat_problem (id, message, at) VALUES (1, 'It refused the key.', 1)");
	for (const bad of [
		`${tick} ('t3', 60, 'schedule', 'done', 1)`,
		`${tick} ('t4', 61, 'somebody', 'done', 1)`,
		`${item} ('n2', 'w1', 'News', 'Text', 1, 'h', 'perhaps')`,
		`${item} ('n3', 'w2', 'News', 'Text', 1, 'h', 'read')`,
		`${run} ('r8', 't1', 'w1', 3, 'perhaps')`,
		`${run} ('r7', 't9', 'w1', 3, NULL)`,
		"INSERT INTO heartbeat_problem (id, message, at) VALUES (2, 'Another.', 1)",
	])
		expect(() => db.exec(bad), bad).toThrow(/UNIQUE|CHECK|FOREIGN/);
	// A source takes its items with it; a run of a look outlives the run engine's own row.
	db.exec("DELETE FROM watched_sources WHERE id = 'w1'");
	expect(one(db, 'SELECT count(*) FROM watched_items')).toBe(0);
	expect(one(db, 'SELECT count(*) FROM heartbeat_runs')).toBe(1);
});
