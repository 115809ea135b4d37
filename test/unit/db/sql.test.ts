import { expect, onTestFinished, test } from 'vitest';
import type { ReadDb, WriteDb } from '../../../src/db/brands.ts';
import { connect } from '../../../src/db/driver.ts';
import { all, get, run, runOne, sql, value } from '../../../src/db/sql.ts';

function table(): WriteDb & ReadDb {
	const db = connect(':memory:') as WriteDb;
	onTestFinished(() => void db.close());
	db.exec('CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER) STRICT');
	return db;
}

test('values are bound, never pasted into the text', () => {
	const nasty = "'); DROP TABLE things; --";
	const query = sql`INSERT INTO things VALUES (${nasty}, ${1})`;
	expect(query.text).toBe('INSERT INTO things VALUES (?, ?)');
	const db = table();
	expect(run(db, query)).toBe(1);
	expect(get(db, sql`SELECT * FROM things WHERE id = ${nasty}`)).toEqual({ id: nasty, size: 1 });
});

test('queries are put together with their values in order', () => {
	const db = table();
	for (const [id, size] of [
		['a', 1],
		['b', 2],
		['c', 3],
	] as const)
		runOne(db, sql`INSERT INTO things VALUES (${id}, ${size})`);
	const bigger = sql`size > ${1}`;
	const named = sql`id IN (SELECT value FROM json_each(${JSON.stringify(['a', 'b'])}))`;
	expect(all(db, sql`SELECT id FROM things WHERE ${bigger} AND ${named} AND ${true} ORDER BY id`)).toEqual([{ id: 'b' }]);
	expect(value(db, sql`SELECT count(*) FROM things WHERE ${bigger}`)).toBe(2);
});

test('undefined is refused: it is a forgotten value, not an empty one', () => {
	expect(() => sql`SELECT ${undefined as never}`).toThrow(/value 1 is undefined/);
	expect(get(table(), sql`SELECT ${null} AS empty`)).toEqual({ empty: null });
});

test('no row is undefined, and a change that misses its row is an error', () => {
	const db = table();
	expect(get(db, sql`SELECT * FROM things`)).toBeUndefined();
	expect(value(db, sql`SELECT id FROM things`)).toBeUndefined();
	expect(run(db, sql`DELETE FROM things`)).toBe(0);
	expect(() => runOne(db, sql`DELETE FROM things WHERE id = ${'none'}`)).toThrow('changed 0');
});
