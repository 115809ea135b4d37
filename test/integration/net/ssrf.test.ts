import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { HearthError } from '../../../src/domain/errors.ts';
import { createGuardedConnect } from '../../../src/net/guarded-connect.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import type { Lookup } from '../../../src/net/lookup.ts';
import { createPageFetch, type PageAnswer, type PageRequest } from '../../../src/net/page.ts';
import { pageAddress } from '../../../src/net/page-address.ts';
import { html, redirect, send, startWebServer, type WebServer } from '../../support/web-server.ts';

/** `named`: the owner named it in a permission. `secret`: nobody did, and nobody may reach it. */
let named: WebServer;
let secret: WebServer;
const names = new Map<string, string[][]>();
const looked: string[] = [];
/** A resolver that answers as the test says, one answer after the other; the last one stays. */
const lookup: Lookup = (hostname, _, done) => {
	looked.push(hostname);
	const answers = names.get(hostname) ?? [];
	const addresses = answers.length > 1 ? answers.shift() : answers[0];
	if (!addresses) return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
	done(
		null,
		addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
	);
};
const records: RequestRecord[] = [];
const options = { lookup, onRequest: (record: RequestRecord) => void records.push(record), clock: systemClock };
const fetchPage = createPageFetch(createGuardedFetch(options));
const connect = createGuardedConnect(options);

beforeAll(async () => {
	named = await startWebServer();
	secret = await startWebServer();
	secret.on('/', html('<p>the secret page</p>'));
	named.on('/', html('<p>the named page</p>'));
});
afterEach(() => {
	expect(secret.asked).toEqual([]);
	names.clear();
	looked.length = 0;
	records.length = 0;
});
afterAll(async () => {
	await named.close();
	await secret.close();
});

function get(address: string, more: Partial<PageRequest> = {}): Promise<PageAnswer> {
	return fetchPage({
		url: pageAddress(address),
		signal: new AbortController().signal,
		namedBy: (url) => (url.host === named.host ? 'permission' : undefined),
		mayFollow: () => true,
		...more,
	});
}

async function failure(work: () => Promise<unknown>): Promise<HearthError> {
	try {
		await work();
	} catch (error) {
		return error as HearthError;
	}
	throw new Error('it went through');
}

async function page(address: string, more: Partial<PageRequest> = {}): Promise<string> {
	const answer = await get(address, more);
	return answer.kind === 'page' ? new TextDecoder().decode(answer.bytes) : `leads to ${answer.to.href}`;
}

describe('S2 addresses of this machine', () => {
	test('the one that the owner named is reached, with its final address and the hash of its bytes', async () => {
		const answer = await get(`${named.url}/#part`);
		expect(answer).toMatchObject({
			kind: 'page',
			status: 200,
			contentType: 'text/html; charset=utf-8',
			hash: expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		expect(records).toMatchObject([{ purpose: 'page', host: named.host, status: 200 }]);
	});

	test.each([
		['by number', () => secret.url],
		['by a name', () => `http://localhost:${secret.port}`],
		['by a name with a dot', () => `http://localhost.:${secret.port}`],
		['as one number', () => `http://2130706433:${secret.port}`],
		['in hex', () => `http://0x7f.1:${secret.port}`],
		['in octal', () => `http://0177.0.0.1:${secret.port}`],
		['as IPv6', () => `http://[::ffff:127.0.0.1]:${secret.port}`],
		['in wide characters', () => `http://１２７。0.0.1:${secret.port}`],
		['behind a user name', () => `http://${named.host}@${secret.host}/`],
		['as any', () => `http://0.0.0.0:${secret.port}`],
		['by a name that somebody gives out', () => `http://inside.example:${secret.port}`],
		['by a name that leads there by IPv6', () => `http://mapped.example:${secret.port}`],
	])('another is not, %s', async (_, address) => {
		names
			.set('localhost', [['127.0.0.1']])
			.set('inside.example', [['127.0.0.1']])
			.set('mapped.example', [['::ffff:127.0.0.1', '::1']]);
		expect((await failure(() => get(address()))).code).toBe('network_denied');
	});

	test('a name that leads both out and in is called at its public addresses only', async () => {
		names.set('both.example', [['127.0.0.1', '240.0.0.1']]);
		expect((await failure(() => get(`http://both.example:${secret.port}/`))).code).toBe('network_denied');
	});

	test('DNS rebinding: what was looked up is what is connected to, and every hop is looked up and checked anew', async () => {
		// First an address of the internet (where nobody lives), from then on the inside.
		names.set('rebind.example', [['2000::1'], ['127.0.0.1']]);
		const address = `http://rebind.example:${secret.port}/`;
		expect((await failure(() => get(address, { totalMs: 500 }))).code).toMatch(/^network_(unreachable|timeout)$/);
		expect(looked).toEqual(['rebind.example']);
		for (let each = 0; each < 3; each++) expect((await failure(() => get(address))).code).toBe('network_denied');
		expect(looked).toHaveLength(4);
	});

	test('a name of the internet that a permission names leads to the local network at most, never to this machine', async () => {
		names.set('wiki.example', [['127.0.0.1']]);
		const error = await failure(() => get(`http://wiki.example:${secret.port}/`, { namedBy: () => 'permission' }));
		expect(error.code).toBe('network_denied');
	});

	test('metadata of a cloud is out of reach, even named', async () => {
		names.set('metadata.google.internal', [['169.254.169.254']]);
		for (const address of [
			'http://169.254.169.254/',
			'http://metadata.google.internal/',
			'http://[fd00:ec2::254]/',
			'http://100.100.100.200/',
		])
			expect((await failure(() => get(address, { namedBy: () => 'permission' }))).code).toBe('network_denied');
	});

	test('the way out for what is not HTTP has the same rules', async () => {
		names.set('inside.example', [['127.0.0.1']]);
		const open = (host: string, port: number, ownerNamed = false) => connect({ host, port, allow: { ownerNamed }, purpose: 'command' });
		for (const host of ['127.0.0.1', '::1', '0x7f.1', 'inside.example', '169.254.169.254', 'a b', 'x@127.0.0.1', '[::1]'])
			expect((await failure(() => open(host, secret.port))).code).toBe('network_denied');
		expect((await failure(() => open('169.254.169.254', 80, true))).code).toBe('network_denied');
		const socket = await open('inside.example', named.port, true);
		socket.destroy();
		await expect.poll(() => records.at(-1)).toMatchObject({ purpose: 'command', method: 'TCP', host: `inside.example:${named.port}` });
	});
});

describe('S2 redirects', () => {
	test.each([
		['this machine', () => secret.url],
		['this machine by its name', () => `http://localhost:${secret.port}/`],
		['this machine without a scheme', () => `//${secret.host}/`],
		['this machine as a number', () => `http://2130706433:${secret.port}/`],
		['metadata', () => 'http://169.254.169.254/latest/meta-data/'],
		['a file', () => 'file:///etc/passwd'],
		['gopher', () => `gopher://${secret.host}/_GET`],
		['data', () => 'data:text/html,<p>x</p>'],
		['an address with a password', () => `http://user:pw@${secret.host}/`],
		['a port of mail', () => 'http://example.com:25/'],
		['nonsense', () => 'http://['],
		['a name that leads in', () => `http://inside.example:${secret.port}/`],
	])('to %s end there, although every redirect may be followed', async (_, location) => {
		names.set('localhost', [['127.0.0.1']]).set('inside.example', [['127.0.0.1']]);
		named.on('/out', redirect(location()));
		expect((await failure(() => get(`${named.url}/out`))).code).toBe('network_denied');
	});

	test('a chain that goes by the named server, and ends inside', async () => {
		named.on('/one', redirect('/two', 301)).on('/two', redirect('/three', 307));
		named.on('/three', redirect(`${secret.url}/`, 308));
		expect((await failure(() => get(`${named.url}/one`))).code).toBe('network_denied');
		expect(records.map(({ status, error }) => status ?? error)).toEqual([301, 307, 308, 'network_denied']);
	});

	test('to a host that was not allowed: told, and nothing is sent there', async () => {
		named.on('/out', redirect(`${secret.url}/where?to=here`));
		const asked: string[] = [];
		const answer = await get(`${named.url}/out`, {
			mayFollow: (url) => {
				asked.push(url.host);
				return false;
			},
		});
		expect(answer).toMatchObject({ kind: 'leads_elsewhere', to: new URL(`${secret.url}/where?to=here`) });
		expect(asked).toEqual([secret.host]);
		expect(looked).toEqual([]);
	});

	test('within the named server they are followed; a circle ends', async () => {
		named.on('/a', redirect('/')).on('/round', redirect('/round'));
		expect(await page(`${named.url}/a`)).toContain('the named page');
		expect(await failure(() => get(`${named.url}/round`))).toMatchObject({ code: 'network_bad_response' });
		expect(named.asked.filter((line) => line === 'GET /round')).toHaveLength(6);
	});

	test('nothing is handed on from one hop to the next: no cookie, no referrer', async () => {
		named.on('/cookie', (_, response) => response.writeHead(302, { location: '/', 'set-cookie': 'id=1' }).end());
		await get(`${named.url}/cookie`);
		const last = named.requests.at(-1);
		expect(Object.keys(last?.headers ?? {}).sort()).toEqual(expect.not.arrayContaining(['cookie', 'referer', 'authorization', 'origin']));
	});
});

describe('S2 answers that are made to do harm', () => {
	const limits = { maxBytes: 200_000, totalMs: 1_500 };

	test('a body without an end is cut off by size', async () => {
		named.on('/endless', (_, response) => {
			response.writeHead(200, { 'content-type': 'text/plain' });
			const more = () => {
				while (!response.destroyed && response.write('x'.repeat(65_536)));
			};
			response.on('drain', more);
			more();
		});
		expect((await failure(() => get(`${named.url}/endless`, limits))).code).toBe('network_bad_response');
		expect(records).toMatchObject([{ error: 'network_bad_response' }]);
	});

	test('a small body that unpacks to a large one is cut off as it unpacks, also packed twice', async () => {
		const bomb = gzipSync(new Uint8Array(50_000_000));
		named.on('/bomb', send(bomb, 'text/html', 200, { 'content-encoding': 'gzip' }));
		named.on('/twice', send(gzipSync(bomb), 'text/html', 200, { 'content-encoding': 'gzip, gzip' }));
		for (const path of ['/bomb', '/twice'])
			expect((await failure(() => get(`${named.url}${path}`, limits))).code).toBe('network_bad_response');
		const bytes = Math.max(...records.map((record) => record.bytes));
		expect(bytes).toBeLessThan(2_000_000);
	});

	test('one that trickles is cut off when its time is up, however steady it is', async () => {
		named.on('/slow', (_, response) => {
			response.writeHead(200, { 'content-type': 'text/plain' });
			const timer = setInterval(() => response.write('x'), 50);
			response.on('close', () => clearInterval(timer));
		});
		expect(await failure(() => get(`${named.url}/slow`, { totalMs: 600 }))).toMatchObject({
			code: 'network_timeout',
			message: expect.stringContaining('was not done'),
		});
	});

	test('the time counts over all redirects', async () => {
		named.on('/late', (_, response) => void setTimeout(() => response.writeHead(302, { location: '/late' }).end(), 300));
		expect((await failure(() => get(`${named.url}/late`, { totalMs: 700 }))).code).toBe('network_timeout');
	});

	test('one that never answers', async () => {
		named.on('/never', () => undefined);
		expect((await failure(() => get(`${named.url}/never`, { totalMs: 300 }))).code).toBe('network_timeout');
	});

	test('headers without an end', async () => {
		named.on('/headers', (request) => {
			request.socket.write('HTTP/1.1 200 OK\r\n');
			request.socket.write(Array.from({ length: 3_000 }, (_, index) => `x-${index}: ${'y'.repeat(100)}\r\n`).join(''));
		});
		expect((await failure(() => get(`${named.url}/headers`, limits))).code).toMatch(/^network_(bad_response|unreachable)$/);
	});

	test('a length that is not true', async () => {
		named.on(
			'/short',
			(request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-type: text/plain\r\n\r\nonly this'),
		);
		expect((await failure(() => get(`${named.url}/short`, limits))).code).toBe('network_cut');
		named.on('/long', (request) => void request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nonly this'));
		expect(await page(`${named.url}/long`)).toBe('only');
	});

	test('packed nonsense', async () => {
		named.on('/broken', send('this is not gzip', 'text/plain', 200, { 'content-encoding': 'gzip' }));
		expect((await failure(() => get(`${named.url}/broken`, limits))).code).toBe('network_cut');
	});

	test('the owner’s stop ends it at once', async () => {
		named.on('/wait', () => undefined);
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 50);
		expect((await failure(() => get(`${named.url}/wait`, { signal: stop.signal }))).code).toBe('run_stopped');
	});

	test('S3 what is recorded of a call is no path, no query, no content', async () => {
		named.on('/private', send('what it says', 'text/plain'));
		await get(`${named.url}/private?token=abc`);
		expect(JSON.stringify(records)).not.toMatch(/private|token|what it says/);
	});
});
