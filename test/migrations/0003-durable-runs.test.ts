import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migration0001 } from '../../src/db/migrations/0001-sessions-and-runs.ts';
import { migration0002 } from '../../src/db/migrations/0002-memory.ts';
import { migration0003 } from '../../src/db/migrations/0003-durable-runs.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { expectSoundSchema } from '../support/storage/sound-schema.ts';

const BEFORE = [migration0001, migration0002];
const PARTS = [
	{ type: 'text', text: 'Let me look. 茶壶' },
	{ type: 'tool', callId: 'c1', tool: 'look', args: { in: ['kitchen', { deep: 'a "quoted" word' }] }, status: 'waiting' },
];

/** A profile of part 2 with chats and runs in it, before the step or after it. */
function withChats(migrations = [...BEFORE, migration0003]) {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, BEFORE);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m1', 's1', 0, 'user', '[{"type":"text","text":"where is it? \\ud83d"}]', 'complete', 'owner', 'where is it?', 1);
		INSERT INTO messages (id, session_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m3', 's1', 0, 'user', '[]', 'complete', 'owner', 'teapot', 1);
	`);
	db.prepare(
		`INSERT INTO messages (id, session_id, parent_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m2', 's1', 'm1', 1, 'assistant', ?, 'waiting', 'agent', 'Let me look.', 2)`,
	).run(JSON.stringify(PARTS));
	db.exec(`
		INSERT INTO runs (id, session_id, message_id, kind, status, step, created_at, updated_at)
			VALUES ('r2', 's1', 'm2', 'chat', 'waiting', 2, 1, 3), ('r1', 's1', 'm2', 'chat', 'done', 1, 1, 2);
		INSERT INTO journal (run_id, seq, event, at) VALUES ('r2', 1, '{}', 9), ('r2', 2, '{"a":1}', 3), ('r1', 1, '{}', 4);
		INSERT INTO stream_chunks (run_id, step, seq, kind, text) VALUES ('r2', 2, 1, 'text', 'half');
		INSERT INTO interrupts (id, run_id, session_id, step, call_id, detail, shown_hash, status, created_at)
			VALUES ('i1', 'r2', 's1', 2, 'c1', '{"kind":"approval","tool":"look"}', 'h', 'open', 1),
				('i2', 'r2', 's1', 1, 'c0', '{"kind":"question","question":"?"}', 'h', 'answered', 1);
		INSERT INTO drafts VALUES ('s1', 'half a thought', '[]', 1);
	`);
	migrate(db, migrations);
	return db;
}

type Db = ReturnType<typeof withChats>;
const rows = (db: Db, table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all();
const keyed = (db: Db, table: string) => db.prepare(`SELECT * FROM ${table}`).all();

test('2 → 3 keeps every part of every message, in order, as it was written', () => {
	const db = withChats();
	expect(schemaVersion(db)).toBe(3);
	expect(db.prepare('SELECT message_id, position, part FROM message_parts ORDER BY message_id, position').raw().all()).toEqual([
		['m1', 0, '{"type":"text","text":"where is it? \\ud83d"}'],
		['m2', 0, JSON.stringify(PARTS[0])],
		['m2', 1, JSON.stringify(PARTS[1])],
	]);
	const gone = (messages: unknown[]) => messages.map((message) => ({ ...(message as { parts?: string }), parts: undefined }));
	expect(gone(rows(db, 'messages'))).toEqual(gone(rows(withChats(BEFORE), 'messages')));
	expect(db.prepare("SELECT count(*) FROM messages_words WHERE messages_words MATCH 'teapot'").pluck().get()).toBe(1);
	expect(db.prepare("SELECT kind FROM sessions WHERE id = 's1'").pluck().get()).toBe('chat');
});

test('2 → 3 keeps runs, journals, text under way and what waits, and says of each run what it waits for', () => {
	const [before, db] = [withChats(BEFORE), withChats()];
	for (const [index, old] of rows(before, 'runs').entries()) expect(rows(db, 'runs')[index]).toMatchObject(old as object);
	for (const table of ['journal', 'stream_chunks', 'drafts']) expect(keyed(db, table), table).toEqual(keyed(before, table));
	for (const [index, old] of rows(before, 'interrupts').entries()) expect(rows(db, 'interrupts')[index]).toMatchObject(old as object);
	expect(db.prepare('SELECT id, kind FROM interrupts ORDER BY id').raw().all()).toEqual([
		['i1', 'approval'],
		['i2', 'question'],
	]);
	expect(db.prepare('SELECT id, waits_for, title, parent_run_id FROM runs ORDER BY id').raw().all()).toEqual([
		['r1', null, '', null],
		['r2', 'approval', '', null],
	]);
});

test('2 → 3 makes a sound schema of strict tables, and runs once', () => {
	const db = withChats();
	expectSoundSchema(db);
	db.exec("INSERT INTO checkpoints (run_id, step, seq, memory_seq, workspace_seq, at) VALUES ('r1', 1, 1, 0, 0, 1)");
	expect(migrate(db, [...BEFORE, migration0003])).toBe(3);
	expect(keyed(db, 'checkpoints')).toHaveLength(1);
});

test('what belongs to a message or a run goes with it, children of a run and their waits too', () => {
	const db = withChats();
	db.exec(`
		INSERT INTO sessions (id, kind, title, title_by, created_at, updated_at) VALUES ('s2', 'work', 'Task', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, status, label, text, created_at) VALUES ('m9', 's2', 0, 'assistant', 'waiting', 'agent', '', 1);
		INSERT INTO runs (id, session_id, message_id, kind, status, parent_run_id, created_at, updated_at)
			VALUES ('child', 's2', 'm9', 'child', 'sleeping', 'r2', 1, 1);
		INSERT INTO interrupts (id, run_id, session_id, step, call_id, kind, detail, shown_hash, status, created_at)
			VALUES ('i9', 'child', 's2', 1, 'c1', 'timer', '{}', 'h', 'open', 1);
		INSERT INTO timers (id, kind, ref, due_at, work, created_at) VALUES ('t1', 'interrupt', 'i9', 5, 'chat', 1), ('t2', 'interrupt', 'i1', 5, 'chat', 1);
		INSERT INTO checkpoints (run_id, step, seq, memory_seq, workspace_seq, at) VALUES ('child', 0, 1, 0, 0, 1), ('r1', 0, 1, 0, 0, 1);
		INSERT INTO tool_state (run_id, tool, key, seq, value) VALUES ('child', 'look', 'at', 1, '1');
		INSERT INTO run_blobs (run_id, hash) VALUES ('child', 'h1'), ('r1', 'h1');
	`);
	db.exec("DELETE FROM runs WHERE id = 'r2'");
	expect(db.prepare('SELECT id FROM runs').pluck().all()).toEqual(['r1']);
	for (const [table, left] of [
		['checkpoints', 1],
		['tool_state', 0],
		['run_blobs', 1],
		['timers', 0],
		['interrupts', 0],
		['message_parts', 3],
	] as const)
		expect(keyed(db, table), table).toHaveLength(left);
	db.exec("DELETE FROM messages WHERE id = 'm2'");
	expect(keyed(db, 'message_parts')).toHaveLength(1);
	expect(keyed(db, 'runs')).toHaveLength(0);
	expect(db.pragma('foreign_key_check')).toEqual([]);
});

test('rows that cannot be are refused', () => {
	const db = withChats();
	const run = "INSERT INTO runs (id, session_id, message_id, kind, status, begin_key, created_at, updated_at) VALUES ('r3', 's1', 'm1'";
	db.exec(`${run}, 'child', 'running', 'r2:1:c1', 1, 1)`);
	for (const bad of [
		"INSERT INTO sessions (id, kind, title, title_by, created_at, updated_at) VALUES ('s3', 'other', '', 'auto', 1, 1)",
		`${run.replace('r3', 'r4')}, 'heartbeat', 'running', NULL, 1, 1)`,
		`${run.replace('r3', 'r4')}, 'child', 'running', 'r2:1:c1', 1, 1)`,
		"INSERT INTO message_parts (message_id, position, part) VALUES ('m2', 1, '{}')",
		"INSERT INTO message_parts (message_id, position, part) VALUES ('nobody', 0, '{}')",
		"INSERT INTO message_parts (message_id, position, part) VALUES ('m2', 2, 'no JSON')",
		"INSERT INTO checkpoints (run_id, step, seq, memory_seq, workspace_seq, at) VALUES ('nobody', 1, 1, 0, 0, 1)",
		"INSERT INTO workspace_changes (path, bytes, label, status, at) VALUES ('a.md', 1, 'agent', 'perhaps', 1)",
	])
		expect(() => db.exec(bad), bad).toThrow(/UNIQUE|CHECK|FOREIGN|malformed/);
});

test('what is looked for at each step or start is found by an index', () => {
	const db = withChats();
	const plan = (sql: string) =>
		(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail).join('\n');
	expect(plan("SELECT * FROM runs WHERE status IN ('running', 'sleeping')")).toContain('runs_by_status');
	expect(plan("SELECT * FROM runs WHERE begin_key = 'k'")).toContain('sqlite_autoindex_runs');
	expect(plan("SELECT * FROM runs WHERE parent_run_id = 'r1'")).toContain('runs_by_parent');
	expect(plan("SELECT 1 FROM run_blobs WHERE hash = 'h'")).toContain('run_blobs_by_hash');
	expect(plan("SELECT 1 FROM message_parts WHERE json_extract(part, '$.result.whole.hash') = 'h'")).toContain('message_parts_whole');
	expect(plan("SELECT value FROM tool_state WHERE run_id = 'r' AND tool = 't' AND key = 'k' ORDER BY seq DESC LIMIT 1")).not.toContain(
		'TEMP',
	);
	expect(plan("SELECT id FROM interrupts WHERE kind = 'event' AND awaited = 'x' AND status = 'open'")).toContain('interrupts_awaited');
	expect(plan("SELECT min(due_at) FROM timers WHERE claimed_at IS NULL AND work = 'chat'")).toContain('timers_due');
});
