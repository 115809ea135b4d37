import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProfileBackups } from '../../../src/app/backup/profile-backups.ts';
import { keepBackups } from '../../../src/app/backups.ts';
import { profilePaths } from '../../../src/app/profile-folder.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { connect } from '../../../src/db/driver.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { addSession, countSessions, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const DAY = 86_400_000;

function manualClock(start: number) {
	const clock = { wall: start, passed: 0, now: () => clock.wall, monotonic: () => clock.passed };
	return clock;
}

test('a back-up is a whole database, also of what is written while it is made', async () => {
	const folder = temporaryFolder();
	const db = openIn(folder);
	for (let index = 0; index < 300; index++) addSession(db, `s${index}`, 'long title '.repeat(1000));
	const making = db.backUp();
	setImmediate(() => addSession(db, 'meanwhile'));
	const made = await making;
	const copy = connect(made.path, { readonly: true, mustExist: true });
	onTestFinished(() => void copy.close());
	expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
	// M4: for its owner alone.
	expect(statSync(made.path).mode & 0o777).toBe(0o600);
	expect(copy.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(countSessions(db));
});

test('five back-ups are kept, the newest ones, and foreign files in the folder stay', async () => {
	const folder = temporaryFolder();
	mkdirSync(join(folder, 'backups'));
	writeFileSync(join(folder, 'backups', 'my own copy.db'), 'mine');
	writeFileSync(join(folder, 'backups', 'state-v1-20200101T000000000Z.db.tmp'), 'left by a kill');
	const db = openIn(folder);
	const made: string[] = [];
	for (let index = 0; index < 7; index++) made.push((await db.backUp()).name);
	expect(readdirSync(join(folder, 'backups')).sort()).toEqual(['my own copy.db', ...made.slice(2)]);
	expect(db.backups().map((backup) => backup.name)).toEqual(made.slice(2).reverse());
});

test('dur-6 the newest back-up stays the newest when the clock jumped back', async () => {
	const clock = manualClock(Date.UTC(2026, 5, 2));
	const db = openIn(temporaryFolder(), { clock });
	await db.backUp();
	clock.wall -= 2 * 3_600_000;
	const second = await db.backUp();
	expect(db.backups()[0]?.name).toBe(second.name);
});

test('a back-up is made once there is something to lose, then once a day, also after the clock jumped back', async () => {
	const folder = temporaryFolder();
	const clock = manualClock(Date.UTC(2026, 5, 2));
	const db = openIn(folder, { clock });
	const keeper = keepBackups({ db, folder, clock, logger: silentLogger });
	onTestFinished(() => keeper.close());
	expect(await keeper.look()).toBe(false);
	addSession(db, 's1');
	expect(await keeper.look()).toBe(true);
	clock.wall += DAY - 1;
	clock.passed += DAY - 1;
	expect(await keeper.look()).toBe(false);
	clock.wall += 1;
	clock.passed += 1;
	expect(await keeper.look()).toBe(true);
	clock.wall -= 10 * DAY;
	expect(await keeper.look()).toBe(false);
	clock.passed += DAY;
	expect(await keeper.look()).toBe(true);
});

test('S5 a back-up that cannot be written is tried again later and leaves the older ones', async () => {
	const folder = temporaryFolder();
	const clock = manualClock(0);
	writeFileSync(join(folder, 'blocked'), '');
	const db = openIn(folder, { clock, backupsFolder: join(folder, 'blocked', 'backups') });
	addSession(db, 's1');
	const keeper = keepBackups({ db, folder, clock, logger: silentLogger });
	onTestFinished(() => keeper.close());
	expect(await keeper.look()).toBe(false);
});

test('M4 a profile with memory has an archive of all of it a day, beside the back-up of its database', async () => {
	const folder = temporaryFolder();
	const clock = manualClock(Date.UTC(2026, 5, 2));
	const db = openIn(folder, { clock });
	const archives = createProfileBackups({
		db,
		paths: profilePaths(folder),
		clock,
		logger: silentLogger,
		redactor: createRedactor(Buffer.alloc(32)),
	});
	const keeper = keepBackups({ db, folder, clock, logger: silentLogger, archives });
	onTestFinished(() => keeper.close());
	expect(await keeper.look()).toBe(false);
	addSession(db, 's1');
	const made = () => readdirSync(join(folder, 'backups')).toSorted();
	expect(await keeper.look()).toBe(true);
	const schema = `v${migrations.length}`;
	expect(made()).toEqual([`profile-${schema}-20260602T000000000Z.zip`, `state-${schema}-20260602T000000000Z.db`]);
	clock.wall += DAY / 2;
	expect(await keeper.look()).toBe(false);
	// The owner's own counts as well.
	await archives.create();
	clock.wall += DAY / 2;
	clock.passed += DAY;
	expect(await keeper.look()).toBe(true);
	expect(made().map((name) => name.split('-').slice(0, 2).join('-'))).toEqual([
		`profile-${schema}`,
		`profile-${schema}`,
		`state-${schema}`,
		`state-${schema}`,
	]);
});
