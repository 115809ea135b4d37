import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { dialSocket } from '../../src/app/socket.ts';
import { type Connection, connect } from '../../src/contract/client.ts';
import { type ModelServer, startModelServer } from '../support/model-server/index.ts';
import { endDisplay, type HearthApp, launchHearth, temporaryHome } from './support/electron.ts';

let hearth: HearthApp | undefined;
let session: ChildProcess | undefined;
let home: string | undefined;
let model: ModelServer | undefined;

afterEach(async () => {
	await hearth?.close();
	// The whole group: the bus, its keyring and what keeps them open.
	if (session?.pid) process.kill(-session.pid, 'SIGKILL');
	await model?.close();
	if (home) await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	hearth = undefined;
	session = undefined;
	model = undefined;
	home = undefined;
});
afterAll(endDisplay);

/** A session bus with an unlocked keyring of its own, in a home of its own; its address. */
async function startKeyring(folder: string): Promise<string> {
	const script =
		'printf word | gnome-keyring-daemon --unlock --components=secrets >/dev/null && echo "$DBUS_SESSION_BUS_ADDRESS" && exec sleep 600';
	const started = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
		env: { ...process.env, HOME: folder, XDG_DATA_HOME: path.join(folder, 'data'), XDG_RUNTIME_DIR: folder },
		stdio: ['ignore', 'pipe', 'ignore'],
		detached: true,
	});
	session = started;
	return new Promise((resolve, reject) => {
		started.stdout.once('data', (data: Buffer) => resolve(String(data).trim()));
		started.once('exit', () => reject(new Error('The session bus ended.')));
	});
}

async function door(): Promise<Connection> {
	const transport = await dialSocket(path.join(home ?? '', 'profiles', 'default'));
	if (!transport) throw new Error('the runtime does not run');
	return connect(transport, { client: 'test' });
}

test('S3 without a keychain the app says so, and keeps no key in a readable place', async () => {
	home = await temporaryHome();
	hearth = await launchHearth({ home, env: { DBUS_SESSION_BUS_ADDRESS: 'disabled:' } });
	await hearth.runtimePid();
	const info = await hearth.window.evaluate(() => window.hearthShell?.info());
	if (process.platform === 'linux') expect(info?.keychain).toEqual({ available: false, backend: 'basic_text' });
	const { rpc, close } = await door();
	const status = await rpc.secrets.status();
	expect(status.available.includes('keychain')).toBe(info?.keychain.available ?? false);
	expect(status.protected).toBe(false);
	close();
});

test('S3 with a keychain keys are kept encrypted by it, and read again after a restart', async () => {
	if (process.platform !== 'linux' || spawnSync('which', ['gnome-keyring-daemon', 'dbus-run-session']).status !== 0) {
		// Not a skip: the other half of the promise is in the test before.
		console.log('The keychain was not tried: there is no gnome-keyring and dbus-run-session here.');
		expect(true).toBe(true);
		return;
	}
	home = await temporaryHome();
	const env = { DBUS_SESSION_BUS_ADDRESS: await startKeyring(home), XDG_CURRENT_DESKTOP: 'GNOME' };
	const launch = async (): Promise<void> => {
		hearth = await launchHearth({ home: home ?? '', env, words: ['--password-store=gnome-libsecret'] });
		await hearth.runtimePid();
	};
	await launch();
	const info = await hearth?.window.evaluate(() => window.hearthShell?.info());
	expect(info?.keychain).toEqual({ available: true, backend: 'gnome_libsecret' });
	const key = 'sk-example-never-in-a-file';
	// Answers only calls that carry this very key.
	model = await startModelServer({ script: { key, models: [{ id: 'scripted' }], fallback: { steps: [{ type: 'text', text: 'Yes.' }] } } });
	const before = await door();
	expect(await before.rpc.secrets.choose({ store: 'keychain' })).toMatchObject({ store: 'keychain', protected: true });
	await before.rpc.models.saveProvider({
		provider: { id: 'mine' as never, kind: 'openai-compatible', name: 'Mine', baseUrl: model.openaiUrl },
		key,
	});
	before.close();
	const file = readFileSync(path.join(home, 'profiles', 'default', 'secrets.json'), 'utf8');
	expect(file).toContain('gnome_libsecret');
	expect(file).not.toContain(key);
	expect(file).not.toContain(Buffer.from(key).toString('base64'));
	await hearth?.close();

	await launch();
	const after = await door();
	expect(await after.rpc.secrets.status()).toMatchObject({ store: 'keychain', names: ['provider:mine'] });
	expect(await after.rpc.models.test({ model: { providerId: 'mine' as never, modelId: 'scripted' as never } })).toMatchObject({ ok: true });
	after.close();
});
