import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connect } from '../../../src/db/driver.ts';

/** Where in a profile a text stands: every file byte by byte, every column of every table, every full-text index by a search. Changes nothing (B1). */

export interface Place {
	/** `MEMORY.md`; `state.db messages.text`; `index.db words`; of a back-up its file instead. */
	readonly where: string;
	/** It belongs to a run of a look: its session, its messages, its journal. */
	readonly ofLook: boolean;
}

/** Where quarantined text may stand before it is approved, and nowhere else. */
export const QUARANTINE = [
	'watched_items.title',
	'watched_items.url',
	'watched_items.author',
	'watched_items.text',
	'proposals.operation',
	'proposals.provenance',
	'proposals.finding',
	'proposals.decision',
] as const;
/** The rows of a look's own runs: its task, its answer, its journal. */
export const OF_LOOKS = ['message_parts.part', 'journal.event', 'stream_chunks.text'] as const;

/** Places that break the quarantine. `needle`: letters and digits only, so that no coding or quoting changes it. */
export function leaks(profile: string, needle: string): string[] {
	return [
		...new Set(
			placesOf(profile, needle)
				.filter(({ where, ofLook }) => {
					const [file = '', place = ''] = where.split(' ');
					if (!isState(file)) return true;
					return !(QUARANTINE as readonly string[]).includes(place) && !(ofLook && (OF_LOOKS as readonly string[]).includes(place));
				})
				.map(({ where, ofLook }) => (ofLook ? `${where} (of a look)` : where)),
		),
	];
}

export function placesOf(profile: string, needle: string): Place[] {
	if (!/^[A-Za-z0-9]{6,}$/.test(needle)) throw new Error(`“${needle}” may be written in more than one way`);
	return filesBelow(profile).flatMap((path) => {
		const file = join(profile, path);
		if (/-(?:wal|shm|journal)$/.test(path)) return [];
		if (isDatabase(file)) return inDatabase(file, path, needle);
		return bytesOf(file).some((bytes) => holds(bytes, needle)) ? [{ where: path, ofLook: false }] : [];
	});
}

/** The database itself, and what was put aside of it. */
function isState(path: string): boolean {
	return path === 'state.db' || /^backups\/[^ ]*\.db$/.test(path);
}

/** A log of SQLite's belongs to its database, and is read through it. */
function inDatabase(file: string, path: string, needle: string): Place[] {
	const db = connect(file, { readonly: true, mustExist: true });
	try {
		const tables = db
			.prepare<[], { name: string; sql: string }>("SELECT name, coalesce(sql, '') AS sql FROM sqlite_master WHERE type = 'table'")
			.all();
		const names = new Set(tables.map(({ name }) => name));
		const looks = names.has('heartbeat_runs') ? looksOf(db) : undefined;
		return tables.flatMap(({ name, sql }): Place[] => {
			if (/^CREATE VIRTUAL TABLE .* USING fts5/is.test(sql)) {
				const found = db
					.prepare(`SELECT 1 FROM "${name}" WHERE "${name}" MATCH ? LIMIT 1`)
					.get(/trigram/.test(sql) ? trigramsOf(needle) : `"${needle}"`);
				return found === undefined ? [] : [{ where: `${path} ${name}`, ofLook: false }];
			}
			// What is in them is found by the search above.
			if (/_(?:data|idx|docsize|config|content)$/.test(name)) return [];
			const columns = db.prepare<[], { name: string }>(`PRAGMA table_info("${name}")`).all();
			return columns.flatMap(({ name: column }): Place[] => {
				const rows = db
					.prepare<[string], Record<string, unknown>>(`SELECT * FROM "${name}" WHERE instr(CAST("${column}" AS BLOB), CAST(? AS BLOB)) > 0`)
					.all(needle);
				return rows.map((row) => ({ where: `${path} ${name}.${column}`, ofLook: looks?.(name, row) ?? false }));
			});
		});
	} finally {
		db.close();
	}
}

function looksOf(db: ReturnType<typeof connect>): (table: string, row: Record<string, unknown>) => boolean {
	const ids = (query: string): Set<unknown> =>
		new Set(
			db
				.prepare<[], { id: unknown }>(query)
				.all()
				.map(({ id }) => id),
		);
	const runs = ids("SELECT id FROM runs WHERE kind = 'heartbeat'");
	const sessions = ids("SELECT DISTINCT session_id AS id FROM runs WHERE kind = 'heartbeat'");
	const messages = ids("SELECT m.id FROM messages m WHERE m.session_id IN (SELECT session_id FROM runs WHERE kind = 'heartbeat')");
	return (table, row) =>
		runs.has(row.run_id) ||
		messages.has(row.message_id) ||
		sessions.has(row.session_id) ||
		(table === 'messages' && messages.has(row.id)) ||
		(table === 'runs' && runs.has(row.id)) ||
		(table === 'sessions' && sessions.has(row.id));
}

/** An index without positions knows no phrases: all of its parts have to be in one row. */
function trigramsOf(needle: string): string {
	return Array.from({ length: needle.length - 2 }, (_, at) => `"${needle.slice(at, at + 3)}"`).join(' AND ');
}

function isDatabase(file: string): boolean {
	const handle = openSync(file, 'r');
	try {
		const head = Buffer.alloc(16);
		readSync(handle, head, 0, 16, 0);
		return head.toString('latin1').startsWith('SQLite format 3');
	} finally {
		closeSync(handle);
	}
}

/** As it is, and unpacked where it is packed. */
function bytesOf(file: string): Buffer[] {
	const bytes = readFileSync(file);
	return bytes[0] === 0x1f && bytes[1] === 0x8b ? [bytes, gunzipSync(bytes)] : [bytes];
}

function holds(bytes: Buffer, needle: string): boolean {
	const flat = bytes.toString('latin1').toLowerCase();
	const lower = needle.toLowerCase();
	return flat.includes(lower) || flat.includes([...lower].join('\0'));
}

/** With forward slashes, relative. Sockets and the like are passed over. */
function filesBelow(folder: string, below = ''): string[] {
	return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
		const path = below === '' ? entry.name : `${below}/${entry.name}`;
		if (entry.isDirectory()) return filesBelow(folder, path);
		return entry.isFile() && statSync(join(folder, path)).size > 0 ? [path] : [];
	});
}
