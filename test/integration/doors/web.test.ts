import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createRouter } from '../../../src/app/router.ts';
import { createRpcServer } from '../../../src/app/serve.ts';
import { openWebDoor, type WebDoor } from '../../../src/app/web.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { connect } from '../../../src/contract/client.ts';
import { webSocketTransport } from '../../../src/contract/websocket-transport.ts';
import type { HearthError } from '../../../src/domain/errors.ts';
import { brokenHandlers } from '../../support/broken-handlers.ts';

let folder: string;
let door: WebDoor;
let port: number;

interface Answer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: string;
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'hearth-web-'));
	writeFileSync(join(folder, 'secret.txt'), 'outside');
	mkdirSync(join(folder, 'view', 'assets'), { recursive: true });
	writeFileSync(join(folder, 'view', 'index.html'), '<!doctype html><title>Hearth</title>');
	writeFileSync(join(folder, 'view', 'assets', 'main-abc.js'), 'export {};');
	const rpc = createRpcServer(createRouter(brokenHandlers()), silentLogger);
	door = await openWebDoor({
		rendererFolder: join(folder, 'view'),
		port: 0,
		attach: (transport) => rpc.attach(transport),
		logger: silentLogger,
	});
	port = Number(new URL(door.origin).port);
});

afterAll(async () => {
	await door.close();
	rmSync(folder, { recursive: true });
});

function call(path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = request(
			{ host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: options.headers ?? {}, agent: false },
			(response) => {
				let body = '';
				response.setEncoding('utf8').on('data', (chunk: string) => {
					body += chunk;
				});
				response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
			},
		);
		sent.on('error', reject);
		sent.end(options.body);
	});
}

const tokenOf = (url: string): string => new URL(url).hash.replace('#token=', '');
const json = { 'content-type': 'application/json' };
const enter = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
	call('/session', { method: 'POST', headers: { ...json, origin: door.origin, ...headers }, body: JSON.stringify({ token }) });

async function cookie(): Promise<string> {
	const answer = await enter(tokenOf(door.mint()));
	return String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? '';
}

function socket(headers: Record<string, string>, path = '/rpc'): Promise<number | 'open'> {
	return new Promise((resolve) => {
		const webSocket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
		webSocket.on('open', () => {
			webSocket.close();
			resolve('open');
		});
		webSocket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
		webSocket.on('error', () => {});
	});
}

describe('the web door', () => {
	test('S4 serves the view with a strict policy and no way around it', async () => {
		const page = await call('/');
		expect(page.status).toBe(200);
		expect(page.body).toContain('<title>Hearth</title>');
		const policy = String(page.headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("script-src 'self'");
		expect(policy).not.toMatch(/script-src[^;]*unsafe/);
		expect(policy).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
		expect(page.headers).toMatchObject({
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'referrer-policy': 'no-referrer',
			'cross-origin-opener-policy': 'same-origin',
			'cross-origin-resource-policy': 'same-origin',
		});
		expect(page.headers['access-control-allow-origin']).toBeUndefined();
		expect((await call('/chat/some-id')).body).toContain('<title>Hearth</title>');
		expect((await call('/assets/main-abc.js')).headers['cache-control']).toContain('immutable');
	});

	test('S4 gives out no file outside the view', async () => {
		for (const path of [
			'/../secret.txt',
			'/%2e%2e/secret.txt',
			'/..%2fsecret.txt',
			'/assets/..%5c..%5csecret.txt',
			'//secret.txt',
			'/assets/%00.js',
			'/%',
		]) {
			const answer = await call(path);
			expect([path, answer.status]).toEqual([path, 404]);
			expect(answer.body).not.toContain('outside');
		}
	});

	test('S4 the one-time token works once, for one cookie that scripts can’t read', async () => {
		const token = tokenOf(door.mint());
		const first = await enter(token);
		expect(first.status).toBe(204);
		expect(String(first.headers['set-cookie'])).toMatch(/^hearth_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
		expect((await enter(token)).status).toBe(401);
		expect((await enter('x'.repeat(43))).status).toBe(401);
		const session = String(first.headers['set-cookie']).split(';')[0] ?? '';
		expect((await call('/session', { headers: { cookie: session } })).status).toBe(204);
		expect((await call('/session')).status).toBe(401);
	});

	test('S4 the address holds its token in the fragment, which browsers never send', () => {
		const url = new URL(door.mint());
		expect(url.hash).toMatch(/^#token=[\w-]{43}$/);
		expect(url.search + url.pathname).toBe('/');
		expect(url.hostname).toBe('127.0.0.1');
	});

	test('S4 a request under another host name is refused (DNS rebinding)', async () => {
		for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `127.0.0.1:${port + 1}`]) {
			expect([host, (await call('/', { headers: { host } })).status]).toEqual([host, 403]);
		}
		const session = await cookie();
		expect(await socket({ origin: door.origin, cookie: session, host: `evil.example:${port}` })).toBe(403);
	});

	test('S4 another site can’t use the token, even where it knows it', async () => {
		const token = tokenOf(door.mint());
		for (const origin of ['https://evil.example', 'null', `http://localhost:${port}`, `http://127.0.0.1:${port + 1}`]) {
			expect([origin, (await enter(token, { origin })).status]).toEqual([origin, 403]);
		}
		const asForm = { 'content-type': 'text/plain', origin: door.origin };
		expect((await call('/session', { method: 'POST', headers: asForm, body: JSON.stringify({ token }) })).status).toBe(401);
		expect((await call('/session', { method: 'POST', headers: json, body: JSON.stringify({ token }) })).status).toBe(403);
		expect((await enter(token)).status).toBe(204);
	});

	test('S4 the socket needs cookie, host and origin, all three', async () => {
		const session = await cookie();
		expect(await socket({ origin: door.origin, cookie: session })).toBe('open');
		expect(await socket({ origin: door.origin })).toBe(401);
		expect(await socket({ origin: door.origin, cookie: `hearth_${port}=wrong` })).toBe(401);
		expect(await socket({ cookie: session })).toBe(403);
		expect(await socket({ origin: 'https://evil.example', cookie: session })).toBe(403);
		expect(await socket({ origin: door.origin, cookie: session }, '/other')).toBe(404);
	});

	test('with all three the contract is spoken over it', async () => {
		const webSocket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers: { origin: door.origin, cookie: await cookie() } });
		const connection = await connect(webSocketTransport(webSocket), { client: 'browser' });
		expect(connection.hello.profile).toBe('p');
		const closed = new Promise<void>((resolve) => connection.onClose(resolve));
		connection.close();
		await closed;
	});

	test('S4 other methods and long bodies are refused', async () => {
		for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE'])
			expect([method, (await call('/', { method })).status]).toEqual([method, 405]);
		const long = await enter('x'.repeat(5000)).catch(() => ({ status: 0 }));
		expect([0, 401]).toContain(long.status);
	});

	test('S4 listens on the loopback address only', async () => {
		const others = Object.values(networkInterfaces())
			.flatMap((list) => list ?? [])
			.filter((address) => address.family === 'IPv4' && !address.internal);
		for (const { address } of others) {
			const error = await new Promise<string>((resolve) => {
				const sent = request({ host: address, port, timeout: 2000 }, () => resolve('answered'));
				sent.on('error', (cause: NodeJS.ErrnoException) => resolve(cause.code ?? 'error'));
				sent.on('timeout', () => sent.destroy());
				sent.end();
			});
			expect(error).not.toBe('answered');
		}
	});

	test('S5 a port that is taken is said in plain words', async () => {
		const other = createServer();
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const taken = (other.address() as { port: number }).port;
		const error = await openWebDoor({ rendererFolder: folder, port: taken, attach: () => {}, logger: silentLogger }).catch(
			(cause: unknown) => cause,
		);
		expect((error as HearthError).shape).toMatchObject({
			code: 'conflict',
			message: `Port ${taken} is used by another program.`,
			action: expect.any(String),
		});
		other.close();
	});
});
