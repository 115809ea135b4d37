import type Database from 'better-sqlite3';
import type { ReadDb, WriteDb } from './brands.ts';
import { asStorageError } from './errors.ts';

/** What SQLite stores. Booleans are given as 0 or 1 by the tag. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A statement with its values, made by the `sql` tag only: values are always bound, never pasted into the text. */
export class Query {
	readonly text: string;
	readonly values: readonly SqlValue[];
	constructor(text: string, values: readonly SqlValue[]) {
		this.text = text;
		this.values = values;
	}
}

/**
 * SQL as tagged text. A value becomes a bound parameter; another `sql` query is spliced in with its values. For a list use
 * `IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`, so that the text, and with it the prepared statement, stays one.
 */
export function sql(parts: TemplateStringsArray, ...given: (SqlValue | boolean | Query)[]): Query {
	let text = parts[0] ?? '';
	const values: SqlValue[] = [];
	given.forEach((value, index) => {
		if (value instanceof Query) {
			text += value.text;
			values.push(...value.values);
		} else {
			if (value === undefined) throw new TypeError(`sql: value ${index + 1} is undefined; give null where that is meant`);
			text += '?';
			values.push(typeof value === 'boolean' ? Number(value) : value);
		}
		text += parts[index + 1] ?? '';
	});
	return new Query(text, values);
}

const prepared = new WeakMap<Database.Database, Map<string, Database.Statement<SqlValue[]>>>();

/** The prepared statement of a text, kept for the life of the connection: texts are few because values are bound. */
function statement(db: ReadDb, text: string): Database.Statement<SqlValue[]> {
	let cache = prepared.get(db);
	if (!cache) {
		cache = new Map();
		prepared.set(db, cache);
	}
	let found = cache.get(text);
	if (!found) {
		found = db.prepare<SqlValue[]>(text);
		cache.set(text, found);
	}
	return found;
}

/** The first row, or undefined. `Row` is the caller's word on the columns; JSON columns are parsed with zod by the caller. */
export function get<Row>(db: ReadDb, query: Query): Row | undefined {
	return guarded(() => statement(db, query.text).get(...query.values) as Row | undefined);
}

/** All rows. */
export function all<Row>(db: ReadDb, query: Query): Row[] {
	return guarded(() => statement(db, query.text).all(...query.values) as Row[]);
}

/** The first column of the first row, or undefined. */
export function value<Value>(db: ReadDb, query: Query): Value | undefined {
	const row = get<Record<string, Value>>(db, query);
	return row === undefined ? undefined : Object.values(row)[0];
}

/** Changes rows; returns how many. */
export function run(db: WriteDb, query: Query): number {
	return guarded(() => statement(db, query.text).run(...query.values).changes);
}

/** Changes exactly one row, or throws: a mutation that missed its row is a defect, not a result. */
export function runOne(db: WriteDb, query: Query): void {
	const changes = run(db, query);
	if (changes !== 1) throw new Error(`expected to change 1 row, changed ${changes}: ${query.text.trim().slice(0, 80)}`);
}

function guarded<T>(act: () => T): T {
	try {
		return act();
	} catch (error) {
		throw asStorageError(error);
	}
}
