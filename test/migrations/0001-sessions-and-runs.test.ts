import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { migrate, schemaVersion } from '../../src/db/migrate.ts';
import { migration0001 } from '../../src/db/migrations/0001-sessions-and-runs.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { temporaryFolder } from '../support/storage/folders.ts';

function migrated() {
	const db = connect(join(temporaryFolder(), 'state.db'));
	onTestFinished(() => void db.close());
	migrate(db, [migration0001]);
	return db;
}

function withChat() {
	const db = migrated();
	db.exec(`
		INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'First', 'auto', 1, 1);
		INSERT INTO messages (id, session_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m1', 's1', 0, 'user', '[]', 'complete', 'owner', 'where is the blue teapot?', 1);
		INSERT INTO messages (id, session_id, parent_id, depth, role, parts, status, label, text, created_at)
			VALUES ('m2', 's1', 'm1', 1, 'assistant', '[]', 'complete', 'agent', '茶壶在厨房里', 2);
		INSERT INTO runs (id, session_id, message_id, kind, status, created_at, updated_at) VALUES ('r1', 's1', 'm2', 'chat', 'done', 1, 1);
		INSERT INTO journal (run_id, seq, event, at) VALUES ('r1', 1, '{}', 9), ('r1', 2, '{}', 3);
		INSERT INTO drafts VALUES ('s1', 'half a thought', '[]', 1);
	`);
	return db;
}

test('migrations are numbered 1, 2, 3 … without gaps', () => {
	expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1));
});

test('0 → 1 makes a sound schema of strict tables', () => {
	const db = migrated();
	expect(schemaVersion(db)).toBe(1);
	expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
	const loose = db.prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND strict = 0").pluck().all();
	expect(loose.filter((name) => !/^(sqlite_|messages_(words|trigrams)_)/.test(String(name)))).toEqual([]);
});

test('0 → 1 runs once: a second start changes nothing', () => {
	const db = withChat();
	expect(migrate(db, [migration0001])).toBe(1);
	expect(db.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(2);
});

test('what breaks a rule of the schema is refused', () => {
	const db = withChat();
	const refused = [
		"INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s1', 'Again', 'auto', 1, 1)",
		"INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s2', 'Who', 'someone', 1, 1)",
		"INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s2', 'When', 'auto', 'today', 1)",
		"INSERT INTO messages (id, session_id, depth, role, parts, status, label, created_at) VALUES ('m3', 'none', 0, 'user', '[]', 'complete', 'owner', 1)",
		"INSERT INTO messages (id, session_id, depth, role, parts, status, label, created_at) VALUES ('m3', 's1', 0, 'system', '[]', 'complete', 'owner', 1)",
		"INSERT INTO journal VALUES ('r1', 2, '{}', 1)",
		"INSERT INTO journal VALUES ('none', 1, '{}', 1)",
		"INSERT INTO interrupts (id, run_id, session_id, step, call_id, detail, shown_hash, status, created_at) VALUES ('i1', 'r1', 's1', 1, 'c', '{}', 'h', 'perhaps', 1)",
	];
	for (const statement of refused) expect(() => db.exec(statement), statement).toThrow(/constraint|cannot store/i);
});

test('dur-6 the journal keeps its order when the clock went back between two events', () => {
	const db = withChat();
	expect(db.prepare("SELECT seq FROM journal WHERE run_id = 'r1' ORDER BY seq").pluck().all()).toEqual([1, 2]);
	expect(db.prepare("SELECT at FROM journal WHERE run_id = 'r1' ORDER BY seq").pluck().all()).toEqual([9, 3]);
});

test('search finds words by stem and substrings of any script, and follows edits', () => {
	const db = withChat();
	const words = db.prepare('SELECT rowid FROM messages_words WHERE messages_words MATCH ?').pluck();
	const trigrams = db.prepare('SELECT rowid FROM messages_trigrams WHERE messages_trigrams MATCH ?').pluck();
	expect(words.all('teapots')).toEqual([1]);
	expect(trigrams.all('在厨房')).toEqual([2]);
	db.exec("UPDATE messages SET text = 'where is the red kettle?' WHERE id = 'm1'");
	expect(words.all('teapot')).toEqual([]);
	expect(words.all('kettle')).toEqual([1]);
});

test('M4 deleting a session takes everything of it along, and its words leave the search index when that is merged', () => {
	const db = withChat();
	db.pragma('secure_delete = ON');
	db.exec("DELETE FROM sessions WHERE id = 's1'");
	for (const table of ['messages', 'runs', 'journal', 'drafts', 'interrupts', 'attachments', 'stream_chunks', 'requests']) {
		expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
	}
	expect(db.pragma('foreign_key_check')).toEqual([]);
	for (const index of ['messages_words', 'messages_trigrams']) db.exec(`INSERT INTO ${index} (${index}) VALUES ('optimize')`);
	const left = db.serialize().toString('latin1');
	for (const text of ['teapot', 'half a thought', Buffer.from('茶壶在').toString('latin1')]) expect(left.includes(text), text).toBe(false);
});
