import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareProfileFolder, profilePaths } from '../../../src/app/profile-folder.ts';
import { storageReport } from '../../../src/app/storage-report.ts';
import { connect } from '../../../src/db/driver.ts';
import { addSession, openIn, temporaryFolder } from '../../support/storage/folders.ts';

test('the report measures each part and finds a sound database sound', async () => {
	const paths = profilePaths(temporaryFolder());
	await prepareProfileFolder(paths);
	const db = openIn(paths.folder);
	addSession(db, 's1');
	const backup = await db.backUp();
	writeFileSync(join(paths.attachments, 'a'), 'x'.repeat(123));
	const report = await storageReport(paths, db, 'full');
	expect(report).toMatchObject({ damage: [], backups: [backup.name], schemaVersion: db.schemaVersion });
	expect(report.sizes).toMatchObject({ attachments: 123, backups: backup.bytes, logs: 0 });
	expect(report.sizes.state_db).toBeGreaterThan(0);
	expect(report.sizes.wal).toBeGreaterThan(0);
	expect(report.freeBytes).toBeGreaterThan(0);
});

test('S5 what was written since the last search is no damage', async () => {
	const paths = profilePaths(temporaryFolder());
	await prepareProfileFolder(paths);
	const db = openIn(paths.folder);
	const writer = connect(paths.stateDb);
	const search = () => db.read.prepare("SELECT count(*) FROM messages_words WHERE messages_words MATCH 'harbour'").pluck().get();
	const write = (from: number) => {
		for (let row = from; row < from + 40; row++)
			writer.prepare("INSERT INTO messages_words (rowid, text) VALUES (?, 'the harbour')").run(row);
	};
	write(1);
	expect(search()).toBe(40);
	write(41);
	const damage = (await storageReport(paths, db, 'full')).damage;
	expect(damage.filter((words) => words.includes('corruption found'))).toEqual([]);
	writer.close();
});

test('the full check finds what the quick one does not look for: rows that refer to nothing', async () => {
	const paths = profilePaths(temporaryFolder());
	await prepareProfileFolder(paths);
	const db = openIn(paths.folder);
	const foreign = connect(paths.stateDb);
	foreign.pragma('foreign_keys = OFF');
	foreign.exec("INSERT INTO drafts VALUES ('no such session', 'lost', '[]', 0)");
	foreign.close();
	expect((await storageReport(paths, db, 'quick')).damage).toEqual([]);
	expect((await storageReport(paths, db, 'full')).damage).toEqual(['rows in drafts refer to rows that do not exist']);
});
