import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Migration } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import { createNeedle, FORGOTTEN } from '../../../src/db/needle.ts';
import { findText, isIn, mergeFullText, scrubText } from '../../../src/db/scrub.ts';
import { all, run, sql } from '../../../src/db/sql.ts';
import { addChain, addSession } from '../../support/sessions.ts';
import { openIn, temporaryFolder } from '../../support/storage/folders.ts';

const SECRET = 'zebra quokka 77';

/** What a later version may add: any table, with any key, text where nobody thinks of it. */
const later: Migration = {
	version: migrations.length + 1,
	name: 'later',
	sql: `
CREATE TABLE plain (name TEXT, note ANY, blob BLOB);
CREATE TABLE "odd ""name" (a TEXT NOT NULL, b INTEGER NOT NULL, "the text" TEXT, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
CREATE TABLE keyed (id INTEGER PRIMARY KEY, json TEXT NOT NULL CHECK (json_valid(json))) STRICT;
`,
};

test('M4 every text of every table is looked at, those of later versions too; JSON stays JSON, other rows stay as they are', async () => {
	const folder = temporaryFolder();
	const db = openIn(folder, { migrations: [...migrations, later] });
	db.write((tx) => {
		for (let index = 0; index < 5_000; index++) run(tx, sql`INSERT INTO plain VALUES (${`row ${index}`}, ${index}, NULL)`);
		run(tx, sql`INSERT INTO plain VALUES (${`the ${SECRET.toUpperCase()}!`}, ${`a\nzebra\n quokka\t77`}, x'00')`);
		run(tx, sql`INSERT INTO "odd ""name" VALUES ('k', 1, ${SECRET}), ('k', 2, 'zebra'), ('l', 1, NULL)`);
		run(
			tx,
			sql`INSERT INTO keyed VALUES (7, ${JSON.stringify({ a: [SECRET, 1], [SECRET]: JSON.stringify({ deep: `${SECRET}"` }) })}), (8, '{}')`,
		);
	});
	for (const needle of [createNeedle([SECRET]), createNeedle([SECRET, '§§'])]) {
		const places = await findText(db.read, needle);
		expect(places.map(({ table, column, key }) => [table, column, key[0]])).toEqual([
			['"keyed"', '"json"', 7],
			['"odd ""name"', '"the text"', 'k'],
			['"plain"', '"name"', 5_001],
			['"plain"', '"note"', 5_001],
		]);
		expect(places.map((place) => isIn(place, 'keyed', 7))).toEqual([true, false, false, false]);
	}
	const needle = createNeedle([SECRET]);
	const places = await findText(db.read, needle, (place) => isIn(place, 'keyed'));
	expect(db.write((tx) => scrubText(tx, places, needle))).toBe(3);
	expect(await findText(db.read, needle)).toHaveLength(1);
	const rest = await findText(db.read, needle);
	// Places whose row says something else by now do no harm.
	expect(db.write((tx) => scrubText(tx, [...places, ...rest], needle))).toBe(1);
	expect(await findText(db.read, needle)).toEqual([]);
	expect(all(db.read, sql`SELECT name, note FROM plain WHERE rowid > 5000`)).toEqual([
		{ name: `the ${FORGOTTEN}!`, note: `a\n${FORGOTTEN}` },
	]);
	expect(all(db.read, sql`SELECT json FROM keyed WHERE id = 7`)).toEqual([
		{ json: JSON.stringify({ a: [FORGOTTEN, 1], [FORGOTTEN]: JSON.stringify({ deep: `${FORGOTTEN}"` }) }) },
	]);
	expect(all<{ b: number }>(db.read, sql`SELECT b FROM "odd ""name" WHERE "the text" = 'zebra'`)).toEqual([{ b: 2 }]);
});

test('M4 nothing of the words stays in the file, its log or its full-text indexes', async () => {
	const folder = temporaryFolder();
	const db = openIn(folder);
	db.write((tx) => {
		const session = addSession(tx, 'a chat');
		addChain(tx, session, 300, (index) => (index === 150 ? `my ${SECRET} is secret` : `message ${index} about the weather`));
	});
	const words = () => ['state.db', 'state.db-wal'].filter((name) => /quokka/i.test(readFileSync(join(folder, name)).toString('latin1')));
	expect(words()).not.toEqual([]);
	const needle = createNeedle([SECRET]);
	const places = await findText(db.read, needle);
	db.write((tx) => scrubText(tx, places, needle));
	await mergeFullText(db.read, (change) => db.write(change));
	db.leaveNothing();
	expect(words()).toEqual([]);
	expect(all(db.read, sql`SELECT rowid FROM messages_words WHERE messages_words MATCH 'quokka'`)).toEqual([]);
	expect(all(db.read, sql`SELECT count(*) AS n FROM messages_words WHERE messages_words MATCH 'weather'`)).toEqual([{ n: 299 }]);
	db.leaveNothing({ rebuild: true });
	expect(all(db.read, sql`SELECT count(*) AS n FROM messages`)).toEqual([{ n: 300 }]);
});
