import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialSocket } from '../../../src/app/socket.ts';
import { connect } from '../../../src/contract/client.ts';
import type { HearthError } from '../../../src/domain/errors.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { programOf } from '../../support/program.ts';

let home: ReturnType<typeof temporaryHome>;
const children: ChildProcess[] = [];

beforeEach(() => {
	home = temporaryHome();
});
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	home.remove();
});

function startChild(profileFolder: string): Promise<ChildProcess> {
	const child = spawn(
		process.execPath,
		[programOf(join(import.meta.dirname, '..', '..', 'support', 'app-child', 'main.ts')), profileFolder],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	children.push(child);
	return new Promise((resolve, reject) => {
		child.stdout?.on('data', (text: Buffer) => text.toString().includes('ready') && resolve(child));
		child.on('exit', (code) => reject(new Error(`ended with ${code}`)));
	});
}

const ended = (child: ChildProcess): Promise<void> => new Promise((resolve) => child.once('exit', () => resolve()));

/** What the far side says to a greeting; empty where it just closes. */
function greet(address: string, greeting: string): Promise<string> {
	return new Promise((resolve) => {
		const socket = dial(address, () => socket.write(greeting));
		let answer = '';
		socket.on('data', (chunk) => {
			answer += chunk.toString();
		});
		socket.on('error', () => {});
		socket.on('close', () => resolve(answer));
		setTimeout(() => socket.end(), 1000).unref();
	});
}

describe('the door for the command line', () => {
	test('dur-1 a second runtime on the same folder is refused and harms nothing; the door leads to the first', async () => {
		const first = await startApp(home.home);
		const error = await startApp(home.home).catch((cause: unknown) => cause);
		expect((error as HearthError).shape).toMatchObject({ kind: 'needs_owner', code: 'profile_locked', action: expect.any(String) });
		const transport = await dialSocket(home.profileFolder);
		if (!transport) throw new Error('the door is closed');
		const connection = await connect(transport, { client: 'cli' });
		expect(connection.hello.epoch).toBe(first.connection.hello.epoch);
		connection.close();
		await first.close();
		const third = await startApp(home.home);
		await third.close();
	});

	test('dur-1 another process is refused, too, and its end takes nothing away', async () => {
		await startChild(home.profileFolder);
		const error = await startApp(home.home).catch((cause: unknown) => cause);
		expect((error as HearthError).code).toBe('profile_locked');
		expect(await dialSocket(home.profileFolder)).toBeDefined();
		expect((await startApp(home.home).catch((cause: unknown) => cause)) as HearthError).toMatchObject({ code: 'profile_locked' });
	});

	test('S4 who is refused and does not hang up holds nothing open', async () => {
		const app = await startApp(home.home);
		const socket = dial({ path: join(home.profileFolder, 'hearth.sock'), allowHalfOpen: true });
		const errors: NodeJS.ErrnoException[] = [];
		socket.on('error', (error) => errors.push(error)).resume();
		socket.write('let me in\n');
		await new Promise((resolve) => socket.once('end', resolve));
		const tryAgain = () => {
			socket.write('hello?');
			return errors[0]?.code;
		};
		await expect.poll(tryAgain).toBe('EPIPE');
		await app.close();
	});

	test('S4 socket and token are the owner’s alone', async () => {
		const app = await startApp(home.home);
		expect(lstatSync(join(home.profileFolder, 'hearth.sock')).isSocket()).toBe(true);
		expect(statSync(join(home.profileFolder, 'hearth.sock')).mode & 0o777).toBe(0o600);
		expect(statSync(join(home.profileFolder, 'hearth.token')).mode & 0o777).toBe(0o600);
		expect(statSync(home.profileFolder).mode & 0o777).toBe(0o700);
		await app.close();
		expect(existsSync(join(home.profileFolder, 'hearth.sock'))).toBe(false);
		expect(existsSync(join(home.profileFolder, 'hearth.token'))).toBe(false);
	});

	test('S4 without the token nothing is answered, and no call gets through', async () => {
		const app = await startApp(home.home);
		const address = join(home.profileFolder, 'hearth.sock');
		expect(await greet(address, `hearth 1 ${'x'.repeat(43)}\n`)).toBe('hearth 1 refused\n');
		expect(await greet(address, '\n')).toBe('hearth 1 refused\n');
		expect(await greet(address, 'x'.repeat(5000))).toBe('hearth 1 refused\n');
		expect(await greet(address, '{"i":"1","p":{"u":"/system/hello"}}\n')).toBe('hearth 1 refused\n');
		const ticket = JSON.parse(readFileSync(join(home.profileFolder, 'hearth.token'), 'utf8')) as { token: string };
		expect(await greet(address, `hearth 1 ${ticket.token}\n`)).toBe('hearth 1 welcome\n');
		writeFileSync(join(home.profileFolder, 'hearth.token'), JSON.stringify({ ...ticket, token: 'y'.repeat(43) }));
		expect((await dialSocket(home.profileFolder).catch((cause: unknown) => cause)) as HearthError).toMatchObject({ code: 'unauthorised' });
		await app.close();
	});

	test('after kill -9 the old socket is dead, and the next start replaces it', async () => {
		const child = await startChild(home.profileFolder);
		child.kill('SIGKILL');
		await ended(child);
		expect(existsSync(join(home.profileFolder, 'hearth.sock'))).toBe(true);
		expect(await dialSocket(home.profileFolder)).toBeUndefined();
		const app = await startApp(home.home);
		const transport = await dialSocket(home.profileFolder);
		expect(transport).toBeDefined();
		transport?.close();
		await app.close();
	});

	test('a folder whose path is too long for a socket has its door in a private place, and the way there is known', async () => {
		const profileFolder = join(home.home, 'a'.repeat(60), 'b'.repeat(60), 'profiles', 'default');
		mkdirSync(profileFolder, { recursive: true });
		const app = await startApp(home.home, { profileFolder });
		const transport = await dialSocket(profileFolder);
		if (!transport) throw new Error('the door is closed');
		const connection = await connect(transport, { client: 'cli' });
		expect(connection.hello.profileFolder).toBe(profileFolder);
		expect(statSync(join(tmpdir(), `hearth-${userInfo().uid}`)).mode & 0o777).toBe(0o700);
		const report = await connection.rpc.system.doctor({ fast: true });
		expect(report.checks.find((check) => check.id === 'socket')).toMatchObject({ state: 'ok' });
		connection.close();
		await app.close();
	});

	test.each(['hearth.sock', 'hearth.token'])(
		'%s, deleted under a running app, is said by the doctor and made anew; who is inside stays',
		async (name) => {
			const app = await startApp(home.home);
			const before = await dialSocket(home.profileFolder);
			if (!before) throw new Error('the door is closed');
			const connection = await connect(before, { client: 'cli' });
			const door = async () => (await connection.rpc.system.doctor({ fast: true })).checks.find((check) => check.id === 'socket');
			expect(await door()).toMatchObject({ state: 'ok' });
			rmSync(join(home.profileFolder, name));
			expect(await door()).toMatchObject({
				state: 'failed',
				detail: expect.stringContaining(name),
				action: expect.stringContaining('anew'),
			});
			await expect.poll(async () => (await door())?.state, { timeout: 20_000 }).toBe('ok');
			expect(statSync(join(home.profileFolder, name)).mode & 0o777).toBe(0o600);
			const after = await dialSocket(home.profileFolder);
			if (!after) throw new Error('the door is closed');
			const second = await connect(after, { client: 'cli' });
			expect(second.hello.epoch).toBe(connection.hello.epoch);
			second.close();
			connection.close();
			await app.close();
			expect(existsSync(join(home.profileFolder, 'hearth.sock'))).toBe(false);
		},
	);

	test('dur-2 a door that could not be opened at the start is said by the doctor, and opens once it can', async () => {
		// What stands in the way of the token, as a full disk does.
		mkdirSync(join(home.profileFolder, 'hearth.token', 'in the way'), { recursive: true });
		const app = await startApp(home.home);
		const door = async () => (await app.rpc.system.doctor({ fast: true })).checks.find((check) => check.id === 'socket');
		expect(await door()).toMatchObject({
			state: 'warning',
			detail: expect.stringContaining('Closed'),
			action: expect.stringContaining('again'),
		});
		rmSync(join(home.profileFolder, 'hearth.token'), { recursive: true });
		await expect.poll(async () => (await door())?.state, { timeout: 20_000 }).toBe('ok');
		const transport = await dialSocket(home.profileFolder);
		expect(transport).toBeDefined();
		transport?.close();
		await app.close();
	});

	test('a closing runtime tells its connections, and waits for nobody', async () => {
		const app = await startApp(home.home);
		const transport = await dialSocket(home.profileFolder);
		if (!transport) throw new Error('the door is closed');
		const connection = await connect(transport, { client: 'cli' });
		const told = new Promise<void>((resolve) => connection.onClose(resolve));
		await app.close();
		await told;
		expect(((await connection.rpc.settings.get().catch((cause: unknown) => cause)) as HearthError).code).toBe('disconnected');
	});
});
