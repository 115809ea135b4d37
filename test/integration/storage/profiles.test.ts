import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProfilesHandlers } from '../../../src/app/handlers/profiles.ts';
import { acquireLock } from '../../../src/app/lock.ts';
import { hearthHome, prepareProfileFolder, profileFolderOf, profilePaths } from '../../../src/app/profile-folder.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { startApp } from '../../support/apps.ts';
import { startChild } from '../../support/storage/child.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

async function withDefault() {
	const home = temporaryFolder();
	const currentFolder = profileFolderOf(home, 'default');
	await prepareProfileFolder(profilePaths(currentFolder));
	const lock = acquireLock(profilePaths(currentFolder).lock);
	onTestFinished(() => lock.release());
	return { home, currentFolder, profiles: createProfilesHandlers({ home, currentFolder, logger: silentLogger, now: Date.now }) };
}

test('a new profile folder is private and holds the three documents and the owner’s rules', async () => {
	const folder = join(temporaryFolder(), 'deep', 'profiles', 'work');
	await prepareProfileFolder(profilePaths(folder));
	const documents = ['AGENT.md', 'HEARTBEAT.md', 'USER.md'];
	const others = ['attachments', 'backups', 'blobs', 'logs', 'policy.yaml', 'workflows', 'workspace'];
	expect(readdirSync(folder).sort()).toEqual([...documents, ...others]);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	expect(statSync(join(folder, 'AGENT.md')).mode & 0o777).toBe(0o600);
});

test('M3 documents that exist are never overwritten, and one that was deleted from a profile in use stays deleted', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'AGENT.md'), 'mine');
	await prepareProfileFolder(profilePaths(folder));
	expect(readFileSync(join(folder, 'AGENT.md'), 'utf8')).toBe('mine');
	expect(existsSync(join(folder, 'USER.md'))).toBe(true);
	writeFileSync(join(folder, 'config.json'), '{"version": 1}');
	rmSync(join(folder, 'USER.md'));
	await prepareProfileFolder(profilePaths(folder));
	expect(existsSync(join(folder, 'USER.md'))).toBe(false);
});

test('S5 a file in the place of the folder is explained', async () => {
	const file = join(temporaryFolder(), 'file');
	writeFileSync(file, '');
	expect((await failureOf(() => prepareProfileFolder(profilePaths(file)))).shape.action).toContain('--home');
});

test('the home is what is given, else $HEARTH_HOME, else ~/.hearth', () => {
	expect(hearthHome('/given', { HEARTH_HOME: '/named' })).toBe('/given');
	expect(hearthHome(undefined, { HEARTH_HOME: '/named' })).toBe('/named');
	expect(hearthHome(undefined, {})).toMatch(/\.hearth$/);
});

test.each(['../escape', 'Upper', '', '.', 'a/b', 'a'.repeat(33)])('S5 “%s” is no name for a profile', async (name) => {
	expect((await failureOf(() => profileFolderOf('/home', name))).code).toBe('invalid_input');
});

test('profiles are listed with their size and whether they run', async () => {
	const { home, profiles } = await withDefault();
	await profiles.create({ name: 'work' });
	mkdirSync(join(home, 'profiles', '.deleted-old'));
	writeFileSync(join(home, 'profiles', 'notes.txt'), '');
	writeFileSync(join(home, 'profiles', 'work', 'attachments', 'a'), 'x'.repeat(1000));
	const other = startChild(['hold-lock', join(home, 'profiles', 'work')]);
	await other.next();
	const listed = await profiles.list();
	expect(listed.map(({ name, current, running }) => ({ name, current, running }))).toEqual([
		{ name: 'default', current: true, running: true },
		{ name: 'work', current: false, running: true },
	]);
	expect(listed[1]?.bytes).toBeGreaterThan(1000);
	await other.end('SIGKILL');
	expect((await profiles.list())[1]?.running).toBe(false);
	// Listing must not have cost us our own lock.
	const contender = startChild(['hold-lock', join(home, 'profiles', 'default')]);
	expect(await contender.next()).toMatchObject({ failed: 'profile_locked' });
});

test('S5 a name that is taken is refused', async () => {
	const { profiles } = await withDefault();
	expect((await failureOf(() => profiles.create({ name: 'default' }))).code).toBe('conflict');
});

test('a profile that nobody uses is deleted whole, after its name was repeated', async () => {
	const { home, profiles } = await withDefault();
	await profiles.create({ name: 'work' });
	expect((await failureOf(() => profiles.delete({ name: 'work', confirmName: 'wrok' }))).code).toBe('invalid_input');
	await profiles.delete({ name: 'work', confirmName: 'work' });
	expect(readdirSync(join(home, 'profiles'))).toEqual(['default']);
	expect((await failureOf(() => profiles.delete({ name: 'work', confirmName: 'work' }))).code).toBe('not_found');
});

test('S5 the profile in use is never deleted, also under another name', async () => {
	const { home, currentFolder, profiles } = await withDefault();
	symlinkSync(currentFolder, join(home, 'profiles', 'alias'));
	for (const name of ['default', 'alias']) {
		expect((await failureOf(() => profiles.delete({ name, confirmName: name }))).code).toBe('conflict');
	}
	expect(existsSync(join(currentFolder, 'AGENT.md'))).toBe(true);
});

test('S5 a profile that is a link is not called deleted while all it leads to stays: the owner is told what to do', async () => {
	const { home, profiles } = await withDefault();
	const elsewhere = temporaryFolder();
	await prepareProfileFolder(profilePaths(elsewhere));
	symlinkSync(elsewhere, join(home, 'profiles', 'linked'));
	const failure = await failureOf(() => profiles.delete({ name: 'linked', confirmName: 'linked' }));
	expect(failure.shape).toMatchObject({ code: 'conflict', safe: 'Nothing was deleted.', message: expect.stringContaining(elsewhere) });
	expect(existsSync(join(home, 'profiles', 'linked', 'AGENT.md'))).toBe(true);
});

test.each(['list', 'create', 'start'] as const)(
	'a deletion that a crash cut off is ended at the next %s, and nothing else goes',
	async (how) => {
		const { home, profiles } = await withDefault();
		const left = join(home, 'profiles', '.deleted-old-one-018f0000-0000-7000-8000-000000000001');
		for (const folder of [
			left,
			join(home, 'profiles', '.deleted-mine'),
			join(home, 'electron', 'old-one'),
			join(home, 'electron', 'default'),
		]) {
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, 'private'), 'words');
		}
		if (how === 'list') await profiles.list();
		if (how === 'create') await profiles.create({ name: 'old-one' });
		if (how === 'start') {
			const { close } = await startApp(home, { profileFolder: join(home, 'profiles', 'other') });
			await close();
		}
		expect(existsSync(left)).toBe(false);
		expect(readdirSync(join(home, 'electron'))).toEqual(['default']);
		expect(readdirSync(join(home, 'profiles'))).toEqual(expect.arrayContaining(['.deleted-mine', 'default']));
	},
);

test('dur-2 a start removes what a kill left of writes to the profile’s own files, and only that', async () => {
	const home = temporaryFolder();
	const folder = join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true });
	const names = ['AGENT.md.123-0a1b2c3d.tmp', 'config.json.4567-ffffffff.tmp', 'notes.tmp', 'AGENT.md.123-0a1b2c3d.tmp.txt'];
	const younger = 'USER.md.9-00000000.tmp';
	for (const name of [...names, younger]) writeFileSync(join(folder, name), 'half');
	for (const name of names) utimesSync(join(folder, name), new Date(Date.now() - 1_000), new Date(Date.now() - 1_000));
	utimesSync(join(folder, younger), new Date(Date.now() + 60_000), new Date(Date.now() + 60_000));
	const { close } = await startApp(home);
	await close();
	expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual(['AGENT.md.123-0a1b2c3d.tmp.txt', younger, 'notes.tmp']);
});

test('dur-1 a profile that another process has open is not deleted', async () => {
	const { home, profiles } = await withDefault();
	await profiles.create({ name: 'work' });
	const other = startChild(['hold-lock', join(home, 'profiles', 'work')]);
	await other.next();
	const failure = await failureOf(() => profiles.delete({ name: 'work', confirmName: 'work' }));
	expect(failure.shape).toMatchObject({ code: 'profile_locked', safe: 'Nothing was deleted.' });
	expect(existsSync(join(home, 'profiles', 'work', 'AGENT.md'))).toBe(true);
});

test('S3 the keys of a deleted profile leave the keyring with it', async () => {
	const folder = temporaryFolder();
	const keyring = 'echo | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1;';
	const child = startChild(
		['delete-with-keyring', join(folder, 'hearth')],
		`exec dbus-run-session -- bash -c '${keyring} exec "$@"' bash "$@"; :`,
		{
			HOME: folder,
			XDG_DATA_HOME: join(folder, 'data'),
			XDG_RUNTIME_DIR: folder,
		},
	);
	expect(await child.next()).toEqual({ before: 'sk-of-the-deleted-profile', after: '', folderLeft: false });
	await child.end();
});
