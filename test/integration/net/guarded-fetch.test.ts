import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { fails, type ModelServer, says, startModelServer } from '../../support/model-server/index.ts';

let server: ModelServer;
let other: ModelServer;
const records: RequestRecord[] = [];
const guardedFetch = createGuardedFetch({ onRequest: (record) => records.push(record) });

beforeAll(async () => {
	server = await startModelServer();
	other = await startModelServer();
});
afterEach(() => {
	records.length = 0;
	server.log.lists.length = 0;
	server.script({});
});
afterAll(async () => {
	await server.close();
	await other.close();
});

const call = (url: string, more: object = {}) =>
	guardedFetch({ url, purpose: 'model_list', allow: { baseUrl: server.url, ownerNamed: true }, ...more });

describe('the one guarded fetch', () => {
	test('S3 the audit sees purpose, method, host, status, bytes and time: no path, no header, no content', async () => {
		const body = JSON.stringify({ model: 'scripted', secret: 'what I said' });
		const response = await call(`${server.url}/api/chat?key=sk-secret`, {
			method: 'POST',
			body,
			headers: { authorization: 'Bearer sk-secret' },
		});
		const text = await response.text();
		expect(records).toEqual([
			{
				purpose: 'model_list',
				method: 'POST',
				host: new URL(server.url).host,
				status: 200,
				bytes: Buffer.byteLength(text),
				ms: expect.any(Number),
			},
		]);
		expect(JSON.stringify(records)).not.toMatch(/sk-secret|what I said|api\/chat/);
	});

	test('a failed call is recorded once, with its code', async () => {
		server.script({ listFault: { type: 'reset' } });
		await expect(call(`${server.url}/api/tags`)).rejects.toMatchObject({ shape: { code: 'model_unreachable', kind: 'retryable' } });
		expect(records).toMatchObject([{ status: null, bytes: 0, error: 'model_unreachable' }]);
	});

	test('another address than the owner’s is not called', async () => {
		await expect(call(`${other.url}/api/tags`)).rejects.toMatchObject({ shape: { code: 'network_denied' } });
		expect(other.log.lists).toHaveLength(0);
	});

	test('an address that ships with Hearth may not lead into the private network, by name or by number', async () => {
		const port = new URL(server.url).port;
		for (const baseUrl of [server.url, `http://localhost:${port}`]) {
			const calling = guardedFetch({ url: `${baseUrl}/api/tags`, purpose: 'model_list', allow: { baseUrl, ownerNamed: false } });
			await expect(calling).rejects.toMatchObject({ shape: { code: 'network_denied' } });
		}
		expect(server.log.lists).toHaveLength(0);
		const named = await guardedFetch({
			url: `http://localhost:${port}/api/version`,
			purpose: 'model_list',
			allow: { baseUrl: `http://localhost:${port}`, ownerNamed: true },
		});
		expect(named.status).toBe(200);
		await named.body?.cancel();
	});

	test('a redirect within the host is followed with its body, one to another host is not', async () => {
		const post = { method: 'POST', body: '{"model":"scripted"}' };
		server.script({ listFault: { type: 'redirect', location: '/api/chat' } });
		server.reply(says('moved'));
		expect(await (await call(`${server.url}/old`, post)).text()).toContain('moved');
		server.script({ listFault: { type: 'redirect', location: `${other.url}/api/tags` } });
		await expect(call(`${server.url}/old`, { headers: { authorization: 'Bearer sk-secret' } })).rejects.toMatchObject({
			shape: { code: 'network_denied' },
		});
		server.script({ listFault: { type: 'redirect', location: '/api/chat', status: 302 } });
		await expect(call(`${server.url}/old`, post)).rejects.toMatchObject({ shape: { code: 'network_denied' } });
		server.script({ listFault: { type: 'redirect', location: '/round' } });
		await expect(call(`${server.url}/old`)).rejects.toMatchObject({
			shape: { code: 'network_denied', message: expect.stringContaining('circle') },
		});
		expect(other.log.lists).toHaveLength(0);
	});

	test('a body larger than allowed is cut off', async () => {
		server.script({ listFault: { type: 'flood' } });
		const response = await call(`${server.url}/api/tags`, { maxBytes: 200_000 });
		await expect(response.text()).rejects.toMatchObject({ shape: { code: 'model_bad_response' } });
		expect(records).toMatchObject([{ error: 'model_bad_response' }]);
	});

	test('silence before the headers and in the body', async () => {
		server.script({ listFault: { type: 'hang' } });
		await expect(call(`${server.url}/api/tags`, { silenceMs: 100 })).rejects.toMatchObject({ shape: { code: 'model_timeout' } });
		server.script({
			replies: [
				{
					steps: [
						{ type: 'text', text: 'a' },
						{ type: 'silence', ms: 20_000 },
					],
				},
			],
		});
		const response = await call(`${server.url}/api/chat`, { method: 'POST', body: '{}', silenceMs: 300 });
		await expect(response.text()).rejects.toMatchObject({ shape: { code: 'model_timeout' } });
	});

	test('plain words for a name that does not exist and a port where nobody listens', async () => {
		const gone = await startModelServer();
		await gone.close();
		const refused = guardedFetch({ url: gone.url, purpose: 'detection', allow: { baseUrl: gone.url, ownerNamed: true } });
		await expect(refused).rejects.toMatchObject({ shape: { message: `Nothing answers at ${new URL(gone.url).host}.` } });
		const unknown = guardedFetch({
			url: 'http://no.such.name.invalid/',
			purpose: 'detection',
			allow: { baseUrl: 'http://no.such.name.invalid', ownerNamed: true },
		});
		await expect(unknown).rejects.toMatchObject({
			shape: { code: 'model_unreachable', message: expect.stringContaining('no.such.name.invalid') },
		});
	});

	test('an error answer is an answer', async () => {
		server.reply(fails({ type: 'server_error' }));
		const response = await call(`${server.url}/api/chat`, { method: 'POST', body: '{}' });
		expect(response.status).toBe(500);
		await response.text();
	});
});

test('client libraries and undici are loaded with the first call only: an idle runtime stays small', () => {
	const root = join(import.meta.dirname, '../../../src/');
	const eager = ['net', 'model'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.filter((file) =>
				/^import (?!type).*from '(?:undici|nodemailer|ai|ai-sdk-ollama|@ai-sdk\/[a-z-]+)'/m.test(
					readFileSync(join(root, folder, file), 'utf8'),
				),
			),
	);
	expect(eager).toEqual([]);
});
