import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { getMessage } from '../../../src/sessions/message-store.ts';
import { startModelServer } from '../../support/model-server/index.ts';
import { openHarness } from '../../support/run/harness.ts';
import { startApp } from '../../support/storage/child.ts';
import { hashFiles, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const refused = { failed: expect.stringMatching(/^(disk_full|read_only)$/) };

test('dur-2 S5 the app with no room to write reads everything, says why it cannot save, also after a restart, and goes on by itself', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const app = startApp(folder, 'ulimit -S -f 3000;');
	await app.until('ready');
	app.say('send');
	await app.until('sent');
	app.say('fill');
	expect(await app.until('failed')).toMatchObject({
		...refused,
		safe: expect.stringContaining('kept'),
		action: expect.stringContaining('by itself'),
	});
	app.say('hello');
	expect(await app.until('state')).toMatchObject({ state: 'read_only', action: expect.stringContaining('by itself') });
	app.say('sessions');
	const { sessions } = await app.until('sessions');
	expect(sessions).toBeGreaterThan(1);
	await app.end('SIGKILL');

	// Little room again, and a start under it: what was saved is shown.
	const again = startApp(folder, 'ulimit -S -f 3000;');
	await again.until('ready');
	again.say('sessions');
	expect(await again.until('sessions')).toEqual({ sessions });

	execFileSync('prlimit', ['--pid', String(again.process.pid), '--fsize=unlimited']);
	await expect
		.poll(
			async () => {
				again.say('hello');
				return (await again.until('state')).state;
			},
			{ timeout: 20_000, interval: 100 },
		)
		.toBe('ok');
	again.say('send');
	expect(await again.until('sent')).toHaveProperty('sent');
	again.say('close');
	await again.until('closed');
});

test('dur-2 S5 a start that can write nothing at all, over a reply that was cut off, opens, and recovers both by itself', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const steps = [
		{ type: 'text' as const, text: 'It begins. ' },
		{ type: 'silence' as const, ms: 60_000 },
	];
	const server = await startModelServer({ script: { replies: [{ steps }] } });
	onTestFinished(() => server.close());
	const before = openHarness({ folder, modelUrl: server.openaiUrl });
	const sent = await before.send(before.newSession(), 'Write');
	await before.until(() => before.events.some((event) => event.type === 'message_delta'), 'text');
	// Leaves what a crash leaves.
	await before.close();

	// Smaller than the database is already.
	const app = startApp(folder, 'ulimit -S -f 8;');
	await app.until('ready');
	app.say('sessions');
	expect(await app.until('sessions')).toEqual({ sessions: 1 });
	app.say('hello');
	expect(await app.until('state')).toMatchObject({ state: 'read_only', action: expect.stringContaining('by itself') });
	execFileSync('prlimit', ['--pid', String(app.process.pid), '--fsize=unlimited']);
	const state = async () => {
		app.say('hello');
		return (await app.until('state')).state;
	};
	await expect.poll(state, { timeout: 20_000, interval: 100 }).toBe('ok');
	app.say('close');
	await app.until('closed');
	const message = getMessage(openIn(folder).read, sent.messageId);
	expect(message).toMatchObject({ status: 'interrupted', parts: [{ type: 'text', text: 'It begins. ' }] });
});

test('dur-1 a second runtime over the same profile is refused and its end costs the first one nothing', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const first = startApp(folder);
	await first.until('ready');
	const second = startApp(folder);
	expect(await second.next()).toMatchObject({ failed: 'profile_locked', message: expect.stringContaining(String(first.process.pid)) });
	await second.end();
	first.say('send');
	expect(await first.until('sent')).toHaveProperty('sent');
	expect(await startApp(folder).next()).toMatchObject({ failed: 'profile_locked' });
});

test('dur-4 S5 the runtime over a damaged state.db does not start, and the file stays as it is', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const app = startApp(folder);
	await app.until('ready');
	app.say('close');
	await app.until('closed');
	const file = join(folder, 'state.db');
	truncateSync(file, 5000);
	const before = hashFiles(file);
	expect(await startApp(folder).next()).toMatchObject({ failed: 'database_corrupt', safe: expect.stringContaining('changed nothing') });
	expect(hashFiles(file)).toEqual(before);
});

test('dur-2 the runtime over an empty config.json keeps the last good settings and says so', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const app = startApp(folder);
	await app.until('ready');
	app.say('set');
	expect(await app.until('theme')).toEqual({ theme: 'dark' });
	writeFileSync(join(folder, 'config.json'), '');
	app.say('doctor');
	expect(await app.until('ok')).toMatchObject({ failed: ['config'] });
	await app.end('SIGKILL');
	const again = startApp(folder);
	await again.until('ready');
	again.say('doctor');
	expect(await again.until('ok')).toMatchObject({ failed: ['config'] });
});

test('M4 S3 every file of a profile is for its owner alone, whatever the umask, also one that was open to others', async () => {
	const folder = join(temporaryFolder(), 'profiles', 'default');
	const openFiles = () =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
			.sort();
	const app = startApp(folder, 'umask 0000;');
	await app.until('ready');
	for (const [word, answer] of [
		['set', 'theme'],
		['send', 'sent'],
		['attach', 'attached'],
	] as const) {
		app.say(word);
		await app.until(answer);
	}
	expect(readdirSync(folder)).toEqual(expect.arrayContaining(['state.db', 'state.db-wal', 'state.db-shm', 'lock', 'config.json']));
	for (const inner of ['attachments', 'logs']) expect(readdirSync(join(folder, inner))).not.toEqual([]);
	expect(openFiles()).toEqual([]);
	await app.end('SIGKILL');

	for (const name of ['state.db', 'state.db-wal', 'lock']) chmodSync(join(folder, name), 0o644);
	const again = startApp(folder, 'umask 0000;');
	await again.until('ready');
	expect(openFiles()).toEqual([]);
});
