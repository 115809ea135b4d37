import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migration0001 } from '../../src/db/migrations/0001-sessions-and-runs.ts';
import { migration0002 } from '../../src/db/migrations/0002-memory.ts';
import { temporaryFolder } from '../support/storage/folders.ts';

const CHATS = ['sessions', 'messages', 'runs', 'journal', 'drafts'];

/** A profile of part 1 with a chat in it, before the step or after it. */
function withChat(migrations = [migration0001, migration0002]) {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, [migration0001]);
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m1', 's1', 0, 'user', '[]', 'complete', 'owner', 'where is the blue teapot?', 1);
		INSERT INTO runs (id, session_id, message_id, kind, status, created_at, updated_at) VALUES ('r1', 's1', 'm1', 'chat', 'done', 1, 1);
		INSERT INTO journal (run_id, seq, event, at) VALUES ('r1', 1, '{}', 9);
		INSERT INTO drafts VALUES ('s1', 'half a thought', '[]', 1);
	`);
	migrate(db, migrations);
	return db;
}

const ENTRY = `INSERT INTO memory_entries (id, file, rank, hash, ordinal, position, kind, heading_path, text, line_start, line_end, live,
	provenance, author, label, origin, source, dated, created_at, updated_at)`;

function entry(id: string, more: { file?: string; hash?: string; ordinal?: number; live?: number; kind?: string } = {}): string {
	const { file = 'MEMORY.md', hash = 'h', ordinal = 0, live = 1, kind = 'item' } = more;
	return `${ENTRY} VALUES ('${id}', '${file}', '0', '${hash}', ${ordinal}, 0, '${kind}', '[]', 'text', 1, 1, ${live}, '{}', 'owner', 'owner', 'owner', 'none', 1, 1, 1)`;
}

test('1 → 2 keeps everything of the chats', () => {
	const before = withChat([migration0001]);
	const after = withChat();
	expect(schemaVersion(after)).toBe(2);
	for (const table of CHATS) {
		const rows = (db: typeof before) => db.prepare(`SELECT * FROM ${table}`).all();
		expect(rows(after), table).toEqual(rows(before));
		expect(rows(after), table).toHaveLength(1);
	}
	expect(after.prepare("SELECT rowid FROM messages_words WHERE messages_words MATCH 'teapot'").all()).toHaveLength(1);
});

test('1 → 2 makes a sound schema of strict tables', () => {
	const db = withChat();
	expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
	expect(db.pragma('foreign_key_check')).toEqual([]);
	const tables = db.prepare("SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'").all() as {
		name: string;
		strict: number;
	}[];
	const ours = tables.filter(({ name }) => /^(memory_|proposals)/.test(name));
	// M4: none for what was forgotten. A change says that there was something, and when.
	expect(ours.map(({ name }) => name).toSorted()).toEqual([
		'memory_changes',
		'memory_conflicts',
		'memory_entries',
		'memory_files',
		'memory_programs',
		'memory_versions',
		'proposals',
	]);
	expect(ours.filter(({ strict }) => strict === 0)).toEqual([]);
});

test('1 → 2 runs once: a second start changes nothing', () => {
	const db = withChat();
	db.exec(entry('e1'));
	expect(migrate(db, [migration0001, migration0002])).toBe(2);
	expect(db.prepare('SELECT count(*) FROM memory_entries').pluck().get()).toBe(1);
});

test('M2 a live entry is one of its file, text and ordinal; gone ones may be as many as there were', () => {
	const db = withChat();
	db.exec(entry('e1'));
	db.exec(entry('e2', { ordinal: 1 }));
	db.exec(entry('e3', { file: 'memory/notes.md' }));
	db.exec(entry('e4', { live: 0 }));
	db.exec(entry('e5', { live: 0 }));
	expect(() => db.exec(entry('e6'))).toThrow(/UNIQUE/);
	expect(() => db.exec(entry('e1', { ordinal: 2 }))).toThrow(/UNIQUE/);
	expect(() => db.exec("UPDATE memory_entries SET live = 1 WHERE id = 'e4'")).toThrow(/UNIQUE/);
});

test('mem-5 a step key names one change; what was given up leaves its key free', () => {
	const db = withChat();
	const change = (id: string, key: string, status = 'intended') =>
		`INSERT INTO memory_changes (id, file, kind, status, step_key, before_hash, after_hash, hunks, plan, provenance, at)
			VALUES ('${id}', 'MEMORY.md', 'append', '${status}', ${key}, 'a', 'b', '[]', '{}', '{}', 1)`;
	db.exec(change('c1', "'k'"));
	expect(() => db.exec(change('c2', "'k'"))).toThrow(/UNIQUE/);
	db.exec("UPDATE memory_changes SET status = 'given_up', step_key = NULL WHERE id = 'c1'");
	db.exec(change('c2', "'k'"));
	db.exec(change('c3', 'NULL'));
	expect(() => db.exec(change('c4', 'NULL', 'perhaps'))).toThrow(/CHECK/);
});

test('dur-6 changes keep the order in which they were made, also when the last one is deleted', () => {
	const db = withChat();
	const insert = db.prepare(`INSERT INTO memory_changes (id, file, kind, status, before_hash, after_hash, hunks, plan, provenance, at)
		VALUES (?, 'MEMORY.md', 'append', 'done', 'a', 'b', '[]', '{}', '{}', ?)`);
	insert.run('c1', 9);
	insert.run('c2', 3);
	db.exec("DELETE FROM memory_changes WHERE id = 'c2'");
	insert.run('c3', 1);
	expect(db.prepare('SELECT id, seq FROM memory_changes ORDER BY seq').raw().all()).toEqual([
		['c1', 1],
		['c3', 3],
	]);
});

test('lists are read in their order from an index', () => {
	const db = withChat();
	const plan = (sql: string) =>
		(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail).join('\n');
	const page = plan('SELECT * FROM memory_entries WHERE live = 1 ORDER BY rank, position LIMIT 200');
	expect(page).toContain('memory_entries_in_order');
	expect(page).not.toContain('TEMP B-TREE');
	expect(plan("SELECT * FROM memory_changes WHERE status = 'intended' ORDER BY seq")).toContain('memory_changes_intended');
	expect(plan("SELECT * FROM memory_versions WHERE entry_id = 'e1'")).toContain('memory_versions_of_entry');
});
