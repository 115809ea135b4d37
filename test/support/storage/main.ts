// A process of its own for the storage tests: it does what the first argument says in the folder of the second, says one line of
// JSON for each thing that happened, and reads single words from standard input.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createProfileBackups } from '../../../src/app/backup/profile-backups.ts';
import { restoreProfile } from '../../../src/app/backup/restore.ts';
import { openConfig } from '../../../src/app/config.ts';
import { createProfilesHandlers } from '../../../src/app/handlers/profiles.ts';
import { keepHealth } from '../../../src/app/health.ts';
import { acquireLock } from '../../../src/app/lock.ts';
import { profileFolderOf, profilePaths } from '../../../src/app/profile-folder.ts';
import { writeFileAtomic } from '../../../src/base/atomic-file.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import { type OpenOptions, openStateDb } from '../../../src/db/open.ts';
import { runOne, sql } from '../../../src/db/sql.ts';
import { HearthError } from '../../../src/domain/errors.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { createSecretStore } from '../../../src/secrets/secret-store.ts';

const [job, folder = ''] = process.argv.slice(2);
const say = (value: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(value)}\n`);
const open = (more: Partial<OpenOptions> = {}) =>
	openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger, ...more });
const onWord = (handle: (word: string) => void | Promise<void>) =>
	createInterface({ input: process.stdin }).on('line', (line) => void handle(line));

function failure(error: unknown): Record<string, unknown> {
	if (error instanceof HearthError) return { failed: error.code, message: error.message };
	throw error;
}

/** Holds the lock until it is told to release it or dies. */
function holdLock(): void {
	try {
		const lock = acquireLock(join(folder, 'lock'), { patienceMs: 0 });
		say({ locked: process.pid });
		onWord(() => {
			lock.release();
			say({ released: process.pid });
			process.exit(0);
		});
	} catch (error) {
		say(failure(error));
	}
}

/** Commits one session after the other and says each only after `write` returned. */
function commitForever(): void {
	const db = open();
	for (let index = 0; ; index++) {
		db.write((tx) =>
			runOne(tx, sql`INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES (${`s${index}`}, 't', 'auto', 0, 0)`),
		);
		// Synchronous, so that nothing said is lost with the process.
		writeFileSync(1, `${JSON.stringify({ committed: index })}\n`);
	}
}

/** Migrates to a next version and dies at the crash point of the third argument. */
function dieMigrating(): void {
	const dieAt = process.argv[4];
	onCrashPoint((name) => {
		if (name === dieAt) process.kill(process.pid, 'SIGKILL');
	});
	open({ migrations: [...migrations, { version: migrations.length + 1, name: 'next', sql: 'CREATE TABLE notes (id TEXT) STRICT;' }] });
	say({ migrated: true });
}

/** Replaces a file again and again by one of two texts. */
async function replaceForever(): Promise<void> {
	for (let index = 0; ; index++) {
		await writeFileAtomic(join(folder, 'file'), (index % 2 === 0 ? 'a' : 'b').repeat(300_000));
		// Not before: a kill must find a file to look at.
		if (index === 0) say({ replaced: true });
	}
}

/** Fills state.db under a limit that the caller set on this process, then waits for words. */
async function fillDisk(): Promise<void> {
	const db = open();
	const config = openConfig({ file: join(folder, 'config.json'), clock: systemClock, logger: silentLogger });
	const health = keepHealth({
		db,
		folder,
		logger: silentLogger,
		probeEveryMs: 50,
		announce: (event) =>
			event.type === 'health_changed' &&
			say({ health: event.health.state, code: event.health.problem?.code, action: event.health.problem?.action }),
	});
	config.onWriteFailed(health.report);
	const add = (id: string, title: string) =>
		db.write((tx) =>
			runOne(tx, sql`INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES (${id}, ${title}, 'auto', 0, 0)`),
		);
	onWord(async (word) => {
		try {
			if (word === 'fill') for (let index = 0; ; index++) add(`filler${index}`, 'x'.repeat(50_000));
			if (word === 'add') add('one more', 'short');
			if (word === 'config') await config.update((current) => ({ ...current, firstRunDone: true, padding: 'y'.repeat(3_000_000) }));
			say({ done: word });
		} catch (error) {
			say(failure(error));
		}
	});
	say({ ready: process.pid });
}

/** In a session with a keyring: makes a profile with a key, deletes it, and says how many of its keys the keyring held before and after. */
async function deleteWithKeyring(): Promise<void> {
	const profiles = createProfilesHandlers({
		home: folder,
		currentFolder: profileFolderOf(folder, 'default'),
		logger: silentLogger,
		now: Date.now,
	});
	const profile = await profiles.create({ name: 'work' });
	const secrets = createSecretStore({ profileFolder: profile.folder, onChange: () => undefined, now: Date.now });
	await secrets.choose('libsecret');
	await secrets.set('provider:openai', 'sk-of-the-deleted-profile');
	const held = () =>
		spawnSync('secret-tool', ['lookup', 'application', 'hearth', 'profile', profile.folder, 'name', 'provider:openai'], {
			encoding: 'utf8',
		}).stdout;
	const before = held();
	await profiles.delete({ name: 'work', confirmName: 'work' });
	say({ before: before.trim(), after: held().trim(), folderLeft: existsSync(profile.folder) });
}

/** Makes a back-up of the profile, or restores the archive of the third argument, under a limit that the caller set on this process. */
async function backUpOrRestore(): Promise<void> {
	const archive = process.argv[4];
	try {
		if (archive) await restoreProfile({ home: dirname(dirname(folder)), path: archive, profile: 'second' });
		else {
			const backups = createProfileBackups({
				db: open(),
				paths: profilePaths(folder),
				clock: systemClock,
				logger: silentLogger,
				redactor: createRedactor(Buffer.alloc(32)),
			});
			await backups.create();
		}
		say({ done: true });
	} catch (error) {
		say(failure(error));
	}
	process.exit(0);
}

if (job === 'hold-lock') holdLock();
else if (job === 'commit-forever') commitForever();
else if (job === 'die-migrating') dieMigrating();
else if (job === 'replace-forever') await replaceForever();
else if (job === 'fill-disk') await fillDisk();
else if (job === 'delete-with-keyring') await deleteWithKeyring();
else if (job === 'back-up') await backUpOrRestore();
else throw new Error(`unknown job ${job}`);
