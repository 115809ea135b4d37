import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { expectSoundSchema } from '../support/storage/sound-schema.ts';

const BEFORE = migrations.filter(({ version }) => version < 6);
const UP_TO = migrations.filter(({ version }) => version <= 6);

/** A profile of part 5 with a chat, a look's run and a timer. */
function migrated() {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, BEFORE);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, status, label, text, created_at) VALUES ('m1', 's1', 0, 'user', 'complete', 'owner', 'look', 1);
		INSERT INTO runs (id, session_id, message_id, kind, status, step, begin_key, created_at, updated_at)
			VALUES ('r1', 's1', 'm1', 'heartbeat', 'done', 1, 't1:f1:1', 1, 3);
		INSERT INTO timers (id, kind, ref, due_at, work, created_at) VALUES ('t1', 'heartbeat', 'look', 9, 'heartbeat', 1);
	`);
	migrate(db, UP_TO);
	return db;
}

test('5 → 6 keeps what there was, makes a sound schema, and runs once', () => {
	const db = migrated();
	expect(schemaVersion(db)).toBe(6);
	expect(db.prepare('SELECT kind FROM runs').pluck().all()).toEqual(['heartbeat']);
	expect(db.prepare('SELECT ref, due_at FROM timers').all()).toEqual([{ ref: 'look', due_at: 9 }]);
	expectSoundSchema(db);
	expect(migrate(db, UP_TO)).toBe(6);
});

test('5 → 6 R5 a slot of a task has one row; all of a task goes with it, its chat does not take it along', () => {
	const db = migrated();
	const slot = (id: string, at: number) =>
		db.exec(
			`INSERT INTO task_occurrences (id, task_id, by, slot, state, created_at) VALUES ('${id}', 'k1', 'schedule', ${at}, 'queued', 1)`,
		);
	db.exec(
		`INSERT INTO tasks (id, title, draft, label, status, chat_id, claimed_to, created_at, updated_at) VALUES ('k1', 'Bills', '{}', 'owner', 'on', 's1', 5, 1, 1)`,
	);
	slot('o1', 7);
	expect(() => slot('o2', 7)).toThrow(/UNIQUE/);
	slot('o2', 8);
	db.exec("DELETE FROM sessions WHERE id = 's1'");
	expect(db.prepare('SELECT chat_id FROM tasks').pluck().all()).toEqual([null]);
	db.exec("DELETE FROM tasks WHERE id = 'k1'");
	expect(db.prepare('SELECT count(*) FROM task_occurrences').pluck().get() ?? 0).toBe(0);
});

test('5 → 6 B1 chats about findings stay in no other chat’s search', () => {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, BEFORE);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'About the bins', 'auto', 1, 1);
		INSERT INTO finding_chats (session_id, proposal_id, source_id) VALUES ('s1', 'p1', 'w1');
	`);
	migrate(db, UP_TO);
	expect(db.prepare('SELECT * FROM outside_chats').all()).toEqual([
		{ session_id: 's1', proposal_id: 'p1', source_id: 'w1', task_id: null },
	]);
});
