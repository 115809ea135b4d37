import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunningApp, startApp } from '../../support/apps.ts';
import { temporaryFolder } from '../../support/storage/folders.ts';

const titles = async (app: RunningApp) => (await app.rpc.sessions.list()).sessions.map((session) => session.title).sort();
const state = (app: RunningApp) => join(app.profileFolder, 'state.db');

function remove(file: string): void {
	for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
}

function replace(file: string): void {
	copyFileSync(file, `${file}.copy`);
	renameSync(`${file}.copy`, file);
}

test.each([
	['deleted', remove],
	['replaced', replace],
])('S5 dur-4 state.db is %s under a running app: it says so, takes nothing that would be lost, and keeps a back-up', async (_, harm) => {
	const app = await startApp(temporaryFolder());
	await app.rpc.sessions.create({ title: 'Before' });
	harm(state(app));
	await expect(app.rpc.sessions.create({ title: 'After' })).rejects.toMatchObject({ code: 'read_only', shape: { kind: 'needs_owner' } });
	expect(await titles(app)).toEqual(['Before']);
	const report = await app.rpc.system.doctor({ fast: true });
	expect(report.checks.find(({ id }) => id === 'state_db')).toMatchObject({
		state: 'failed',
		detail: expect.stringContaining('deleted, moved or replaced'),
	});
	await app.close();

	const [backup] = readdirSync(join(app.profileFolder, 'backups'));
	remove(state(app));
	copyFileSync(join(app.profileFolder, 'backups', String(backup)), state(app));
	const again = await startApp(app.home);
	expect(await titles(again)).toEqual(['Before']);
	await again.close();
});

test('S5 a state.db that is deleted under an app which saves nothing more is backed up when it ends, and missed at the next start', async () => {
	const app = await startApp(temporaryFolder());
	await app.rpc.sessions.create({ title: 'Before' });
	rmSync(state(app));
	await app.close();
	remove(state(app));
	await expect(startApp(app.home)).rejects.toMatchObject({
		code: 'database_corrupt',
		shape: { action: expect.stringContaining('backups') },
	});
});

test('S5 a state.db that is put back is taken up again', async () => {
	const app = await startApp(temporaryFolder());
	await app.rpc.sessions.create({ title: 'Before' });
	renameSync(state(app), `${state(app)}.away`);
	await expect(app.rpc.sessions.create({ title: 'Meanwhile' })).rejects.toMatchObject({ code: 'read_only' });
	renameSync(`${state(app)}.away`, state(app));
	await app.rpc.sessions.create({ title: 'After' });
	expect(await titles(app)).toEqual(['After', 'Before']);
	await app.close();
});
