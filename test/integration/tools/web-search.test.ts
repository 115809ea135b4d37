import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchProvider } from '../../../src/domain/outgoing.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { createWebSearch } from '../../../src/tools/web/search-providers.ts';
import { webSearchTool } from '../../../src/tools/web/web-search.ts';
import { toolContext } from '../../support/tool-context.ts';
import { send, startWebServer, type WebServer } from '../../support/web-server.ts';

let server: WebServer;
let provider: SearchProvider | null = null;
let key: string | undefined;
const records: RequestRecord[] = [];
const fetch = createGuardedFetch({ onRequest: (record) => void records.push(record) });
const tool = webSearchTool({ search: createWebSearch({ fetch, secrets: { get: async () => key } }), provider: () => provider });

beforeAll(async () => {
	server = await startWebServer();
});
beforeEach(() => {
	provider = null;
	key = undefined;
	records.length = 0;
	server.asked.length = 0;
});
afterAll(() => server.close());

async function search(query: string, count = 3) {
	const args = tool.schema.parse({ query, count });
	return tool.run(args, toolContext({ touches: (await tool.touches?.(args, toolContext())) ?? [] }));
}

describe('web_search', () => {
	test('is not offered without a provider, and says how to set one up', () => {
		expect(tool.offered?.()).toBe(false);
		expect(() => tool.touches?.(tool.schema.parse({ query: 'x' }), toolContext())).toThrow('Settings, Web and messages');
	});

	test('SearXNG at an address of the owner’s: what is found comes from outside; the query is all that leaves', async () => {
		provider = { kind: 'searxng', baseUrl: `${server.url}/searx/` };
		const results = [
			{ title: 'First <b>hit</b>', url: 'https://a.example/1', content: 'About  the <em>first</em> one.' },
			{ title: null, url: 'https://b.example/2', content: null },
		];
		server.on('/searx/search', send(JSON.stringify({ results }), 'application/json'));
		expect(tool.offered?.()).toBe(true);
		expect(await tool.touches?.(tool.schema.parse({ query: 'two words' }), toolContext())).toEqual([
			{ sink: 'network', url: `${server.url}/searx/?q=two+words`, host: server.host, method: 'GET' },
		]);
		const output = await search('two words');
		expect(server.asked).toEqual(['GET /searx/search?q=two+words&format=json']);
		expect(output).toMatchObject({ isError: false, label: 'external', summary: '2 results' });
		expect(output.text).toBe(
			`[Results of ${server.host}]\n1. First hit\nhttps://a.example/1\nAbout the first one.\n\n2. (no title)\nhttps://b.example/2`,
		);
		expect(output.sources).toEqual([{ kind: 'search', name: server.host, label: 'external' }]);
		expect(records).toMatchObject([{ purpose: 'search', by: { tool: 'web_search' } }]);
	});

	test('Brave, with the key in a header, and never in an error', async () => {
		provider = { kind: 'brave', baseUrl: `${server.url}/brave` };
		await expect(search('x')).rejects.toMatchObject({ code: 'unauthorised', message: 'The key for Brave Search is missing.' });
		key = 'BSA-secret-key';
		server.on('/brave', (request, response) => {
			const right = request.headers['x-subscription-token'] === 'BSA-secret-key';
			const results = [{ title: 'One', url: 'https://one.example/', description: 'd' }];
			response.writeHead(right ? 200 : 401).end(JSON.stringify({ web: { results } }));
		});
		expect((await search('x')).text).toContain('1. One\nhttps://one.example/\nd');
		expect(server.asked).toEqual(['GET /brave?q=x&count=3']);
		key = 'BSA-wrong-key';
		const error: unknown = await search('x').catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code: 'unauthorised' });
		expect(JSON.stringify([error, records])).not.toContain('BSA-');
	});

	test.each([
		[403, 'does not give its results as JSON'],
		[429, 'asked too often'],
		[500, 'answered 500'],
	])('an answer of %i in words', async (status, words) => {
		provider = { kind: 'searxng', baseUrl: server.url };
		server.on('/search', send('<html>', 'text/html', status));
		await expect(search('x')).rejects.toThrow(words);
	});

	test('a server that is no search provider is told as that', async () => {
		provider = { kind: 'searxng', baseUrl: server.url };
		server.on('/search', send('<html>hello</html>', 'text/html'));
		await expect(search('x')).rejects.toThrow('does not answer as a search provider does');
		server.on('/search', send('{"results": []}', 'application/json'));
		expect(await search('x')).toMatchObject({ isError: false, summary: '0 results' });
	});

	test('S2 a call that was allowed for one provider does not go to another', async () => {
		provider = { kind: 'searxng', baseUrl: 'https://search.example/' };
		const args = tool.schema.parse({ query: 'x' });
		const touches = (await tool.touches?.(args, toolContext())) ?? [];
		provider = { kind: 'searxng', baseUrl: server.url };
		expect(await tool.run(args, toolContext({ touches }))).toMatchObject({ isError: true });
		expect(server.asked).toEqual([]);
	});
});
