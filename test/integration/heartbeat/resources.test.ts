import { expect, onTestFinished, test } from 'vitest';
import { ServerId } from '../../../src/domain/tool-server.ts';
import { createResourceReader } from '../../../src/heartbeat/readers/resource.ts';
import { describeSourceReader } from '../../spec/source-reader.ts';
import { readerLife } from '../../support/heartbeat/reader-life.ts';
import { testServers } from '../../support/mcp/tool-servers.ts';
import type { FixtureResources } from '../../support/mcp/tools.ts';
import { startHttpFixture } from '../../support/mcp-fixture.ts';
import { makePdf } from '../../support/pdf.ts';
import { failureOf } from '../../support/storage/folders.ts';

const SERVER = ServerId.parse('notes');
const URI = 'notes://shopping/list';

async function served() {
	const resources = new Map<string, FixtureResources extends ReadonlyMap<string, infer One> ? One : never>();
	const fixture = await startHttpFixture(resources);
	onTestFinished(() => fixture.close());
	const mcp = await testServers();
	await mcp.configure({ id: 'notes', title: 'Notes', transport: { kind: 'http', url: fixture.url } });
	await mcp.until('notes', 'connected');
	const reader = createResourceReader({ readResource: (id, uri, signal) => mcp.servers.readResource(id, uri, signal) });
	const at = (uri = URI, server = SERVER) => readerLife(reader, { kind: 'resource', server, uri });
	return { resources, fixture, mcp, reader, at };
}

test('a resource is an item whenever it holds something else, from a real tool server', async () => {
	const { resources, at } = await served();
	const life = at();
	resources.set(URI, { text: 'Milk' });
	expect(await life.news()).toMatchObject([{ title: 'shopping/list', text: 'Milk', url: URI }]);
	expect(await life.news()).toEqual([]);
	resources.set(URI, { text: 'Milk, bread' });
	expect((await life.news()).map(({ text }) => text)).toEqual(['Milk, bread']);
	resources.set(URI, { text: '' });
	expect(await life.news()).toEqual([]);
});

test('pages, PDFs and bytes that are text are read; what is no text is said', async () => {
	const { resources, at } = await served();
	resources.set('r://page', { text: '<html><body><p>Seen.</p><p style="display:none">Not.</p></body></html>', mimeType: 'text/html' });
	resources.set('r://pdf', { bytes: makePdf({ pages: ['On paper'] }), mimeType: 'application/pdf' });
	resources.set('r://json', { text: '{"a":1}', mimeType: 'application/json' });
	resources.set('r://picture', { bytes: new Uint8Array([0, 1, 2, 3]), mimeType: 'image/png' });
	for (const [uri, text] of [
		['r://page', 'Seen.'],
		['r://pdf', 'On paper'],
		['r://json', '{"a":1}'],
	] as const)
		expect((await at(uri).news()).map((item) => item.text)).toEqual([text]);
	expect(await at('r://picture').read()).toMatchObject({ items: [], note: 'One part of it is no text.' });
	resources.set('r://large', { text: 'x'.repeat(2_000_000) });
	expect((await failureOf(() => at('r://large').read({ limits: { maxBytes: 1_000_000, maxItems: 1 } }))).code).toBe('source_unreadable');
});

test('a server that is not connected is asked again later; one that does not know it, or is off, needs the owner', async () => {
	const { resources, fixture, mcp, at } = await served();
	const missing = await failureOf(() => at('notes://none').read());
	expect([missing.code, missing.message.includes('sk-user')]).toEqual(['source_missing', false]);
	expect((await failureOf(() => at(URI, ServerId.parse('nobody')).read())).shape).toMatchObject({ kind: 'needs_owner', code: 'not_found' });
	resources.set(URI, { text: 'Milk' });
	const life = at();
	await life.news();
	await fixture.restart();
	resources.set(URI, { text: 'Bread' });
	expect((await life.news()).map(({ text }) => text)).toEqual(['Bread']);
	await fixture.close();
	expect((await failureOf(() => life.read())).kind).toBe('retryable');
	await mcp.configure({ id: 'notes', title: 'Notes', enabled: false, transport: { kind: 'http', url: fixture.url } });
	expect((await failureOf(() => life.read())).shape).toMatchObject({ kind: 'needs_owner', code: 'conflict' });
});

describeSourceReader('resource', async () => {
	const { resources, reader } = await served();
	const lines: string[] = [];
	const say = async () => void resources.set(URI, { text: lines.join('\n') });
	await say();
	return {
		reader,
		place: { kind: 'resource', server: SERVER, uri: URI },
		put: (_, words) => {
			lines.push(words);
			return say();
		},
		hide: async () => void resources.delete(URI),
		show: say,
		contents: async () => [...resources],
	};
});
