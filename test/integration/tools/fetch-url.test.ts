import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { createPageFetch } from '../../../src/net/page.ts';
import type { ToolContext, ToolOutput } from '../../../src/tools/port.ts';
import { fetchUrlTool } from '../../../src/tools/web/fetch-url.ts';
import { readPage } from '../../../src/tools/web/read-page.ts';
import { createRobots } from '../../../src/tools/web/robots.ts';
import { makePdf } from '../../support/pdf.ts';
import { toolContext } from '../../support/tool-context.ts';
import { html, redirect, send, startWebServer, type WebServer } from '../../support/web-server.ts';

let site: WebServer;
let other: WebServer;
const records: RequestRecord[] = [];
const fetchPage = createPageFetch(createGuardedFetch({ onRequest: (record) => void records.push(record) }));
const tool = fetchUrlTool({ fetchPage, robots: createRobots({ fetchPage, clock: systemClock }), clock: systemClock });

beforeAll(async () => {
	site = await startWebServer();
	other = await startWebServer();
});
beforeEach(() => {
	records.length = 0;
	for (const each of [site, other]) each.asked.length = 0;
});
afterAll(async () => {
	await site.close();
	await other.close();
});

/** As the gate calls it, where a permission names `site`. */
async function read(path: string, more: Partial<ToolContext> = {}, args: object = {}): Promise<ToolOutput> {
	const parsed = tool.schema.parse({ url: path.startsWith('http') ? path : `${site.url}${path}`, ...args });
	const touches = (await tool.touches?.(parsed, toolContext())) ?? [];
	const namedBy: ToolContext['namedBy'] = ({ host }) => (host === site.host ? 'permission' : undefined);
	return tool.run(parsed, toolContext({ touches, namedBy, mayTouch: () => false, ...more }));
}

describe('fetch_url', () => {
	test('M2 a page: its text, its final address, when it was fetched and the hash of its bytes; from outside', async () => {
		site.on('/old', redirect('/story'));
		site.on(
			'/story',
			html('<main><h1>A story</h1><p>Once upon a time.</p><p><a href="/next">Next</a></p></main>', '<title>The  title</title>'),
		);
		const output = await read('/old');
		const bytes =
			'<!doctype html><html><head><title>The  title</title></head><body><main><h1>A story</h1><p>Once upon a time.</p><p><a href="/next">Next</a></p></main></body></html>';
		const hash = createHash('sha256').update(bytes).digest('hex');
		expect(output.isError).toBe(false);
		expect(output.label).toBe('external');
		expect(output.text).toMatch(new RegExp(`^\\[Page ${site.url}/story; fetched 20[^;]+Z; SHA-256 ${hash}`));
		expect(output.text).toContain('Title: The title');
		expect(output.text).toContain('Once upon a time.');
		expect(output.text).toContain(`[Next](${site.url}/next)`);
		expect(output.sources).toEqual([
			{ kind: 'page', name: `${site.host}/story`, url: `${site.url}/story`, at: expect.any(Number), hash, label: 'external' },
		]);
		expect(records).toMatchObject([
			{ purpose: 'page', status: 302, by: { tool: 'fetch_url', label: 'agent', step: 1 } },
			{ purpose: 'page', status: 200 },
		]);
	});

	test('what a call touches is the host as the network sees it; what makes no sense is refused before', () => {
		const touches = (url: string) => tool.touches?.(tool.schema.parse({ url }), toolContext());
		expect(touches('HTTPS://Example.COM/a#b')).toEqual([
			{ sink: 'network', url: 'https://example.com/a', host: 'example.com', method: 'GET' },
		]);
		for (const url of ['file:///etc/passwd', 'http://user@example.com/', 'http://example.com:6379/'])
			expect(() => touches(url)).toThrow('Hearth did not connect');
	});

	test('S2 a redirect to another host says where it leads, and stops', async () => {
		site.on('/out', redirect(`${other.url}/elsewhere`));
		const asked: string[] = [];
		const mayTouch: ToolContext['mayTouch'] = (touch) => {
			asked.push(JSON.stringify(touch));
			return false;
		};
		const output = await read('/out', { mayTouch });
		expect(output).toMatchObject({ isError: false, label: 'external' });
		expect(output.text).toContain(`${other.url}/elsewhere`);
		expect(output.text).toContain('not opened');
		expect(asked).toEqual([JSON.stringify({ sink: 'network', url: `${other.url}/elsewhere`, host: other.host, method: 'GET' })]);
		expect(other.asked).toEqual([]);
	});

	test('S2 a redirect that rules allow still leads nowhere private that the owner has not named', async () => {
		site.on('/out', redirect(`${other.url}/elsewhere`));
		await expect(read('/out', { mayTouch: () => true })).rejects.toMatchObject({ code: 'network_denied' });
		expect(other.asked).toEqual([]);
	});

	test('S2 a call reaches no other host than the gate let it touch', async () => {
		const output = await read(`${other.url}/`, { touches: [{ sink: 'network', url: `${site.url}/`, host: site.host, method: 'GET' }] });
		expect(output).toMatchObject({ isError: true, label: 'agent' });
		expect(other.asked).toEqual([]);
	});

	test('nothing runs, and what nobody would see is left out and said', async () => {
		site.on(
			'/hidden',
			html(
				[
					'<p>Seen.</p>',
					'<script>document.write("SCRIPT")</script><noscript>NOSCRIPT</noscript><template>TEMPLATE</template><!-- COMMENT -->',
					'<p style="display: none">H1</p><p style="visibility:hidden">H2</p><p hidden>H3</p><p aria-hidden="true">H4</p>',
					'<p style="font-size:0">H5</p><p style="opacity:0">H6</p><p style="position:absolute;left:-9999px">H7</p>',
					'<p style="color:#fff;background:white">H8</p><div style="background-color:#000"><span style="color:black">H9</span></div>',
					'<p style="width:0;height:0;overflow:hidden">H10</p><p class="gone">H11</p><p id="away">H12</p><font color="white">H13</font>',
					'<p style="color:rgba(0,0,0,0)">H14</p><p style="text-indent:-9999px">H15</p><p style="clip:rect(0,0,0,0)">H16</p>',
					'<p style="color:red">Red.</p><div style="background:#000"><b style="color:#fff">White on black.</b></div><p style="font-size:0.8em">Small.</p>',
				].join('\n'),
				'<style>.gone { display: none } #away { position: fixed; top: -900px } @media print { p { display: none } }</style>',
			),
		);
		const { text } = await read('/hidden');
		expect(text).not.toMatch(/H\d|SCRIPT|TEMPLATE|COMMENT/);
		for (const seen of ['Seen.', 'Red.', 'White on black.', 'Small.']) expect(text).toContain(seen);
		expect(text).toContain('16 hidden passages left out');
	});

	test('a long article without what stands around it', async () => {
		const words = 'It was a bright cold day in the small town by the river, and the clocks were late again. '.repeat(12);
		site.on(
			'/article',
			html(
				`<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav><article><h2>Clocks</h2><p>${words}</p><p>${words}</p></article><footer>Imprint</footer>`,
			),
		);
		const { text } = await read('/article');
		expect(text).toContain('its main text');
		expect(text).toContain('bright cold day');
		expect(text).not.toMatch(/Shop|Imprint/);
	});

	test('text, JSON and PDF, by what they are; pictures not', async () => {
		site.on('/data', send('{"a": [1, 2]}', 'application/json')).on('/plain', send('just text <b>', 'text/plain'));
		site
			.on('/pdf', send(makePdf({ pages: ['Words in a PDF'] }), 'application/octet-stream'))
			.on('/nameless', send('<html><body><p>a page</p></body></html>', ''));
		site.on('/picture', send(new Uint8Array([137, 80, 78, 71]), 'image/png')).on(
			'/bytes',
			send(
				Uint8Array.from({ length: 500 }, (_, index) => (index * 37) % 256),
				'',
			),
		);
		expect((await read('/data')).text).toMatch(/application\/json\]\n\{"a": \[1, 2\]\}$/);
		expect((await read('/plain')).text).toMatch(/\njust text <b>$/);
		expect((await read('/pdf')).text).toMatch(/PDF, one page\]\nWords in a PDF$/);
		expect((await read('/nameless')).text).toMatch(/\na page$/);
		expect(await read('/picture')).toMatchObject({ isError: true, text: expect.stringContaining('image/png') });
		expect(await read('/bytes')).toMatchObject({ isError: true });
	});

	test.each([
		['what the server says', 'text/html; charset=Shift_JIS', Buffer.from([0x93, 0x8c, 0x8b, 0x9e]), '東京'],
		['what the page says', 'text/html', Buffer.from('<meta charset="windows-1251">\xcf\xf0\xe8', 'latin1'), 'При'],
		['a byte order mark before both', 'text/html; charset=latin1', Buffer.from('\uFEFFGröße'), 'Größe'],
		['nothing', 'text/html', Buffer.from('Größe 😀'), 'Größe 😀'],
		['an encoding that there is none of', 'text/plain; charset=klingon', Buffer.from('Größe'), 'Größe'],
		['GBK', 'text/plain; charset=gbk', Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), '中文'],
	])('letters by %s', async (_, contentType, bytes, expected) => {
		site.on('/letters', send(bytes, contentType));
		expect((await read('/letters')).text).toContain(expected);
	});

	test('a long text is cut between characters, and said', async () => {
		site.on('/long', send('😀'.repeat(2_000), 'text/plain; charset=utf-8'));
		const { text } = await read('/long', {}, { maxChars: 1_001 });
		expect(text).toContain('[cut after 1000 of 4000 characters]');
		expect(text).not.toMatch(/\p{Surrogate}/u);
	});

	test('what a server refuses is an error in words, with its number', async () => {
		expect(await read('/none')).toMatchObject({
			isError: true,
			label: 'external',
			text: expect.stringContaining('404 (there is no such page)'),
		});
	});

	test('a page that is made to never be read is told with its tags taken away', async () => {
		const deep = `${'<div>'.repeat(60_000)}<p>the words &amp; more</p>`;
		const page = await readPage(deep, 'https://example.com/', { chars: 1_000_000, timeMs: 700 });
		expect(page).toMatchObject({ extent: 'bare', text: 'the words & more' });
		const large = await readPage('<p>a</p>'.repeat(100), 'https://example.com/', { chars: 100, timeMs: 5_000 });
		expect(large).toMatchObject({ extent: 'bare' });
	});
});

describe('robots.txt', () => {
	const unattended = { unattended: true };

	test('is asked once per site where nobody watches, and never else', async () => {
		const polite = await startWebServer();
		polite.on('/robots.txt', send('User-agent: *\nDisallow: /private/\n', 'text/plain'));
		for (const path of ['/a', '/private/b']) polite.on(path, html(`<p>${path}</p>`));
		const namedBy = () => 'permission' as const;
		const ask = (path: string, more: Partial<ToolContext>) => read(`${polite.url}${path}`, { namedBy, ...more });
		expect((await ask('/private/b', {})).isError).toBe(false);
		expect(polite.asked).toEqual(['GET /private/b']);
		expect((await ask('/a', unattended)).isError).toBe(false);
		const refused = await ask('/private/b', unattended);
		expect(refused).toMatchObject({ isError: true, label: 'agent', text: expect.stringContaining('robots.txt') });
		expect(polite.asked).toEqual(['GET /private/b', 'GET /robots.txt', 'GET /a']);
		polite.on('/hop', redirect('/private/b'));
		expect((await ask('/hop', unattended)).isError).toBe(true);
		expect(polite.asked.slice(3)).toEqual(['GET /hop']);
		await polite.close();
	});

	test('without one everything may be read; where the site fails, nothing', async () => {
		for (const [status, isError] of [
			[404, false],
			[500, true],
		] as const) {
			const server = await startWebServer();
			server.on('/robots.txt', send('', 'text/plain', status)).on('/a', html('<p>a</p>'));
			expect((await read(`${server.url}/a`, { ...unattended, namedBy: () => 'permission' })).isError).toBe(isError);
			await server.close();
		}
	});
});
