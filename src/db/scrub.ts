import { setImmediate } from 'node:timers/promises';
import type { ReadDb, WriteDb } from './brands.ts';
import { type Needle, replacedInStored } from './needle.ts';

/**
 * M4: takes a text out of a whole database, whatever tables it has: they are read from its schema. Full-text indexes with a table of
 * their own follow by that table's triggers, and are then merged, because a deletion only marks.
 */

/** A value that holds the text. */
export interface TextPlace {
	/** Names as SQL writes them, in quotes. */
	readonly table: string;
	readonly column: string;
	/** The columns that tell its row from others, and their values in it. */
	readonly keyColumns: readonly string[];
	readonly key: readonly Key[];
}
type Key = string | number | bigint | null;

/** Whether it is in this table, which has rowids; and, where one is given, in this row. */
export function isIn(place: TextPlace, table: string, rowid?: number): boolean {
	return place.table === quoted(table) && (rowid === undefined || place.key[0] === rowid);
}

interface Table {
	readonly name: string;
	readonly columns: readonly string[];
	readonly key: readonly string[];
}

/** Columns, as SQL writes them, with somebody's words. In all others what looks like JSON is Hearth's own. */
const WORDS = new Set(['title', 'text', 'content', 'name', 'reason', 'before', 'after', 'ours', 'theirs'].map((name) => `"${name}"`));

/** Rows read between two turns of the event loop. */
const ROWS_A_TURN = 2_000;
/** Pages of a full-text index that one step merges: some tens of milliseconds. */
const MERGED_PAGES = 32;

/** `skip`: rows that may hold it, such as the note that it is being forgotten. Reads a little at a time between other work. */
export async function findText(db: ReadDb, needle: Needle, skip: (place: TextPlace) => boolean = () => false): Promise<TextPlace[]> {
	const found: TextPlace[] = [];
	for (const table of ordinaryTables(db)) {
		for (let after: Key[] | undefined, more = true; more; ) {
			const rows = readRows(db, table, needle, after);
			found.push(...rows.flatMap((row) => placesIn(table, row, needle)).filter((place) => !skip(place)));
			more = rows.length === ROWS_A_TURN;
			after = rows.at(-1)?.slice(0, table.key.length);
			await setImmediate();
		}
	}
	return found;
}

/** Replaces it in each of the places. Those whose row is gone by now, and columns of keys, are left. Returns how many values changed. */
export function scrubText(db: WriteDb, places: readonly TextPlace[], needle: Needle): number {
	let changed = 0;
	for (const { table, column, keyColumns, key } of places) {
		if (keyColumns.includes(column)) continue;
		const where = keyColumns.map((name) => `${name} IS ?`).join(' AND ');
		const stored = db.prepare(`SELECT ${column} FROM ${table} WHERE ${where}`).pluck().get(key);
		if (typeof stored !== 'string') continue;
		const scrubbed = replacedInStored(needle, stored, WORDS.has(column));
		if (scrubbed === stored) continue;
		changed += db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(scrubbed, ...key).changes;
	}
	return changed;
}

/** Every full-text index, rewritten without what was deleted from it. `step` runs each part in a transaction of its own. */
export async function mergeFullText(db: ReadDb, step: <T>(change: (tx: WriteDb) => T) => T): Promise<void> {
	for (const name of fullTextIndexes(db)) {
		for (let first = true, more = true; more; first = false) {
			more = step((tx) => mergeStep(tx, name, first));
			await setImmediate();
		}
	}
}

/** SQLite's own sign that there was work: fewer than two changes mean that all is merged. */
function mergeStep(tx: WriteDb, name: string, first: boolean): boolean {
	const changes = () => tx.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
	const before = changes();
	tx.prepare(`INSERT INTO ${quoted(name)} (${quoted(name)}, rank) VALUES ('merge', ?)`).run(first ? -MERGED_PAGES : MERGED_PAGES);
	return changes() - before >= 2;
}

/** The next rows in the order of their keys: the key's values, then those of all columns, null where a value is no text or cannot hold it. */
function readRows(db: ReadDb, table: Table, needle: Needle, after: readonly Key[] | undefined): Key[][] {
	const probes = (needle.probes ?? []).map((probe) => `%${probe}%`);
	const values = table.columns.map((column) => {
		const probed = probes.length > 0 ? ` AND (${probes.map(() => `${column} LIKE ?`).join(' OR ')})` : '';
		return `CASE WHEN typeof(${column}) = 'text'${probed} THEN ${column} END`;
	});
	const key = table.key.join(', ');
	const from = after ? `WHERE (${key}) > (${table.key.map(() => '?').join(', ')})` : '';
	const text = `SELECT ${key}, ${values.join(', ')} FROM ${table.name} ${from} ORDER BY ${key} LIMIT ${ROWS_A_TURN}`;
	return db
		.prepare(text)
		.raw()
		.all([...table.columns.flatMap(() => probes), ...(after ?? [])]) as Key[][];
}

function placesIn(table: Table, row: readonly Key[], needle: Needle): TextPlace[] {
	const key = row.slice(0, table.key.length);
	return table.columns.flatMap((column, index) => {
		const stored = row[table.key.length + index];
		return typeof stored === 'string' && replacedInStored(needle, stored, WORDS.has(column)) !== stored
			? [{ table: table.name, column, keyColumns: table.key, key }]
			: [];
	});
}

function ordinaryTables(db: ReadDb): Table[] {
	const rows = db
		.prepare<[], { name: string; wr: number }>(
			"SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		)
		.all();
	return rows.map(({ name, wr }) => {
		const columns = db.prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk').all(name);
		const primary = columns.filter(({ pk }) => pk > 0).map((column) => quoted(column.name));
		return { name: quoted(name), columns: columns.map((column) => quoted(column.name)), key: wr === 1 ? primary : ['rowid'] };
	});
}

export function fullTextIndexes(db: Pick<ReadDb, 'prepare'>): string[] {
	return db
		.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'")
		.pluck()
		.all();
}

export function quoted(name: string): string {
	return `"${name.replaceAll('"', '""')}"`;
}
