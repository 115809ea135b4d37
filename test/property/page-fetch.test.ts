import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import type { Lookup } from '../../src/net/lookup.ts';
import { createPageFetch } from '../../src/net/page.ts';
import { pageAddress } from '../../src/net/page-address.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

/** Three servers on this machine: the owner named one in a permission, typed the address of one, and nobody named the third. */
let permitted: WebServer;
let typed: WebServer;
let inside: WebServer;
/** Where names lead, drawn anew for each call: inside, out to where nobody lives, or both. */
let leads: readonly string[] = [];
const lookup: Lookup = (_, __, done) =>
	leads.length === 0
		? done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
		: done(
				null,
				leads.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
			);
const fetchPage = createPageFetch(createGuardedFetch({ lookup }));

beforeAll(async () => {
	[permitted, typed, inside] = await Promise.all([startWebServer(), startWebServer(), startWebServer()]);
	for (const server of [permitted, typed, inside]) {
		server.on('/to', (request, response) => {
			const location = new URL(request.url ?? '', server.url).searchParams.get('to') ?? '/';
			// As servers send it that encode nothing.
			response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
		});
	}
});
afterAll(async () => void (await Promise.all([permitted, typed, inside].map((server) => server.close()))));

const RUNS = 150;
const schemes = fc.constantFrom(
	'http://',
	'http://',
	'http://',
	'https://',
	'HTTP:\\\\',
	'//',
	'file://',
	'gopher://',
	'http:/',
	'http://user@',
	'http://x:y@',
	'http:// ',
);
const hosts = fc.constantFrom(
	'127.0.0.1',
	'2130706433',
	'0x7f.1',
	'0177.0.0.1',
	'127.1',
	'[::ffff:127.0.0.1]',
	'[::ffff:7f00:1]',
	'localhost',
	'LOCALHOST.',
	'127。0。0。1',
	'0.0.0.0',
	'[::]',
	'rebind.example',
	'www.rebind.example',
	'169.254.169.254',
	'[::1]',
);
const target = fc.record({
	scheme: schemes,
	host: hosts,
	server: fc.constantFrom('permitted', 'typed', 'inside'),
	tail: fc.constantFrom('/', '/x?y', '#@evil', '\\@evil/', '/..//'),
});
const plain = (server: 'permitted' | 'inside') => ({ scheme: 'http://', host: '127.0.0.1', server, tail: '/' }) as const;

test('S2 whatever is asked for, and wherever redirects lead: only what was allowed is reached', async () => {
	let calls = 0;
	let reached = 0;
	let denied = 0;
	const server = { permitted: () => permitted, typed: () => typed, inside: () => inside };
	await fc.assert(
		fc.asyncProperty(
			fc.array(target, { minLength: 1, maxLength: 4 }),
			fc.subarray(['127.0.0.1', '::1', '2000::1', '10.0.0.1', '::ffff:127.0.0.1']),
			fc.boolean(),
			async (chain, answers, follows) => {
				leads = answers;
				for (const each of [permitted, typed, inside]) each.asked.length = 0;
				// From the last to the first: each leads to the one behind it.
				const address = chain.reduceRight((next, { scheme, host, server: name, tail }) => {
					const place = `${scheme}${host}:${server[name as keyof typeof server]().port}`;
					return next === '' ? `${place}${tail}` : `${place}/to?to=${encodeURIComponent(next)}`;
				}, '');
				const allowed = new Set<string>();
				calls++;
				try {
					const url = pageAddress(address);
					allowed.add(url.host);
					await fetchPage({
						url,
						signal: new AbortController().signal,
						totalMs: 200,
						namedBy: ({ host }) => (host === permitted.host ? 'permission' : host === typed.host ? 'message' : undefined),
						mayFollow: ({ host }) => {
							if (follows) allowed.add(host);
							return follows;
						},
					});
				} catch (error) {
					if (!(error instanceof HearthError)) throw error;
					if (error.code === 'network_denied') denied++;
				}
				expect(inside.asked).toEqual([]);
				for (const each of [permitted, typed]) {
					reached += each.asked.length;
					if (each.asked.length > 0) expect(allowed).toContain(each.host);
				}
				// Of a chain that may not be followed only the first is called.
				if (!follows) expect(permitted.asked.length + typed.asked.length).toBeLessThanOrEqual(1);
			},
		),
		// The drawn ones may all end the same way: one that is let through and one that is not are always among them.
		{
			numRuns: RUNS,
			examples: [
				[[plain('permitted')], [], true],
				[[plain('inside')], [], true],
			],
		},
	);
	expect(calls).toBe(RUNS);
	expect(reached).toBeGreaterThan(0);
	expect(denied).toBeGreaterThan(0);
});
