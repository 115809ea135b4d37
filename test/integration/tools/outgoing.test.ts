import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MailAccount } from '../../../src/domain/outgoing.ts';
import { calls, type Reply, says } from '../../support/model-server/index.ts';
import { type MemoryApp, memoryApp, toolParts } from '../../support/run/memory-app.ts';
import { type MailServer, startMailServer } from '../../support/smtp-server.ts';
import { html, send, startWebServer, type WebServer } from '../../support/web-server.ts';

async function web(): Promise<WebServer> {
	const server = await startWebServer();
	onTestFinished(() => server.close());
	return server;
}

async function mailServer(account?: string): Promise<MailServer> {
	const server = await startMailServer({ security: 'none', account });
	onTestFinished(() => server.close());
	return server;
}

async function app(replies?: Reply[]): Promise<MemoryApp> {
	const started = await memoryApp(replies ? { replies } : {});
	await started.rpc.secrets.choose({ store: 'memory' });
	return started;
}

const account = (port: number, more: Partial<MailAccount> = {}): MailAccount => ({
	host: '127.0.0.1',
	port,
	security: 'none',
	user: '',
	from: 'me@home.example',
	...more,
});
const configOf = ({ profileFolder }: MemoryApp) => readFileSync(join(profileFolder, 'config.json'), 'utf8');
function toolNames(running: MemoryApp, call: number): string[] {
	const body = running.server?.log.requests[call]?.body as { tools?: { function: { name: string } }[] } | undefined;
	return body?.tools?.map((tool) => tool.function.name) ?? [];
}

describe('what is set up for leaving this machine', () => {
	test('nothing at first; then the tools are offered', async () => {
		const running = await app([says('One.'), says('Two.')]);
		const { rpc } = running;
		expect(await rpc.outgoing.get()).toEqual({
			search: null,
			searchHasKey: false,
			searchPermitted: false,
			mail: null,
			mailHasPassword: false,
			webhooks: [],
		});
		await running.turn('Hello');
		expect(toolNames(running, 0)).toContain('fetch_url');
		expect(toolNames(running, 0)).not.toEqual(expect.arrayContaining(['web_search']));
		expect(toolNames(running, 0)).not.toEqual(expect.arrayContaining(['send_message']));
		await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: 'http://127.0.0.1:9' } });
		await rpc.outgoing.setWebhook({ name: 'ops', url: 'https://hooks.example/T0KEN' });
		await running.turn('Again');
		expect(toolNames(running, 1)).toEqual(expect.arrayContaining(['web_search', 'send_message']));
	});

	test('S3 keys, passwords and addresses of webhooks go to the secret store, and never come back', async () => {
		const running = await app();
		const { rpc } = running;
		await rpc.outgoing.setSearch({ search: { kind: 'brave' }, key: ' BSA-key-1 ' });
		await rpc.outgoing.setMail({ mail: account(25_000, { user: 'me' }), password: 'pass-word-2' });
		const view = await rpc.outgoing.setWebhook({ name: 'ops', url: 'https://hooks.example/T0KEN-3' });
		expect(view).toMatchObject({
			searchHasKey: true,
			mailHasPassword: true,
			webhooks: [{ name: 'ops', host: 'hooks.example', hasAddress: true }],
		});
		expect(JSON.stringify([view, await rpc.outgoing.get()]) + configOf(running)).not.toMatch(/BSA-key-1|pass-word-2|T0KEN-3/);
		expect((await rpc.secrets.status()).names.sort()).toEqual(['mail:password', 'search:brave', 'webhook:ops']);
		await rpc.outgoing.setSearch({ search: null });
		await rpc.outgoing.setMail({ mail: null });
		await rpc.outgoing.removeWebhook({ name: 'ops' });
		expect((await rpc.secrets.status()).names).toEqual([]);
	});

	test('S3 a password is kept for its server and user alone', async () => {
		const { rpc } = await app();
		await rpc.outgoing.setMail({ mail: account(25_000, { user: 'me' }), password: 'secret' });
		expect(await rpc.outgoing.setMail({ mail: account(25_001, { user: 'me' }) })).toMatchObject({ mailHasPassword: true });
		expect(await rpc.outgoing.setMail({ mail: account(25_001, { user: 'me', host: 'localhost' }) })).toMatchObject({
			mailHasPassword: false,
		});
	});

	test('S5 what can’t be right is refused in words, and nothing changes', async () => {
		const { rpc } = await app();
		await expect(rpc.outgoing.setMail({ mail: account(25, { host: 'mail.example.org' }) })).rejects.toThrow('unprotected');
		await expect(rpc.outgoing.setMail({ mail: account(25, { from: 'me@a.example, eve@b.example' }) })).rejects.toThrow(
			'Use one mail address',
		);
		await expect(rpc.outgoing.setSearch({ search: { kind: 'brave' } })).rejects.toThrow('needs a key');
		await expect(rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: 'file:///etc' } })).rejects.toThrow('whole address');
		await expect(rpc.outgoing.setWebhook({ name: 'ops', url: 'http://hooks.example/x' })).rejects.toThrow('over the internet unprotected');
		await expect(rpc.outgoing.setWebhook({ name: 'mail', url: 'https://hooks.example/x' })).rejects.toThrow('the name of the mail account');
		await expect(rpc.outgoing.test({ what: 'mail' })).rejects.toThrow('There is no mail account yet');
		expect(await rpc.outgoing.get()).toMatchObject({ search: null, mail: null, webhooks: [] });
	});

	test('a search provider is permitted with its own host for clean replies, and no longer when it is gone', async () => {
		const { rpc } = await app();
		const inForce = async () =>
			(await rpc.permissions.list()).permissions.filter(({ revokedAt, terms }) => revokedAt === undefined && terms.tool === 'web_search');
		expect(await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: 'http://127.0.0.1:8888' } })).toMatchObject({
			searchPermitted: true,
		});
		expect((await inForce()).map(({ terms }) => terms)).toEqual([
			{ tool: 'web_search', scope: { kind: 'host', host: '127.0.0.1:8888', posts: false }, label: 'approved', job: { kind: 'any' } },
		]);
		await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: 'http://127.0.0.1:9999' } });
		expect((await inForce()).map(({ terms: { scope } }) => scope)).toMatchObject([{ host: '127.0.0.1:9999' }]);
		expect(await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: 'http://127.0.0.1:9999' }, permit: false })).toMatchObject({
			searchPermitted: false,
		});
		expect(await inForce()).toEqual([]);
	});

	test('a test really connects, and sends only where it is asked to, to the owner’s own address', async () => {
		const { rpc } = await app();
		const mail = await mailServer('me:right');
		const site = await web();
		await rpc.outgoing.setMail({ mail: account(mail.port, { user: 'me' }), password: 'wrong' });
		await expect(rpc.outgoing.test({ what: 'mail' })).rejects.toThrow('did not accept the sign-in');
		await rpc.outgoing.setMail({ mail: account(mail.port, { user: 'me' }), password: 'right' });
		expect(await rpc.outgoing.test({ what: 'mail' })).toMatchObject({ sent: false, found: expect.stringContaining('accepts the sign-in') });
		expect(mail.mails).toEqual([]);
		expect(await rpc.outgoing.test({ what: 'mail', send: true })).toMatchObject({ sent: true });
		expect(mail.mails).toMatchObject([{ from: 'me@home.example', to: ['me@home.example'] }]);

		await rpc.outgoing.setWebhook({ name: 'ops', url: `${site.url}/hook` });
		site.on('/hook', send('ok', 'text/plain'));
		expect(await rpc.outgoing.test({ what: 'webhook', name: 'ops' })).toMatchObject({ sent: false });
		expect(site.asked).toEqual([]);
		expect(await rpc.outgoing.test({ what: 'webhook', name: 'ops', send: true })).toMatchObject({ sent: true });
		expect(site.asked).toEqual(['POST /hook']);

		await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: site.url } });
		await expect(rpc.outgoing.test({ what: 'search' })).rejects.toThrow('answered 404');
		site.on('/search', send('{"results":[{"url":"https://a.example/"}]}', 'application/json'));
		expect(await rpc.outgoing.test({ what: 'search' })).toMatchObject({ sent: false, found: expect.stringContaining('1 result') });
	});
});

describe('what leaves, over the whole runtime', () => {
	test('S1 S2 an address in the owner’s own message is read without a question; what is read labels what follows, and is in the audit log', async () => {
		const site = await web();
		site.on('/page', html('<p>The meeting is on Monday.</p>'));
		const address = `${site.url}/page?of=anna`;
		const running = await app([calls('fetch_url', { url: address }), says('On Monday.')]);
		const reply = await running.turn(`When is the meeting? See ${address}`);
		const [part] = toolParts(reply);
		expect(part).toMatchObject({ tool: 'fetch_url', status: 'done', label: 'external' });
		expect(part?.result?.text).toContain('The meeting is on Monday.');
		expect(reply.label).toBe('external');
		const { records } = await running.rpc.audit.list({ sinks: ['network'] });
		expect(records.map(({ decision }) => decision)).toEqual(expect.arrayContaining(['allowed', 'done']));
		expect(site.asked).toEqual(['GET /page?of=anna']);
		expect(JSON.stringify(records)).not.toContain('anna');
	});

	test('S2 another host is asked for first, whole; the owner’s yes to that one address lets it be read, once', async () => {
		const site = await web();
		site.on('/page', html('<p>Inside.</p>'));
		const running = await app([calls('fetch_url', { url: `${site.url}/page?x=1` }), says('Done.')]);
		const reply = await running.turn('Look around');
		const [asked] = await running.rpc.chat.interrupts({ sessionId: reply.sessionId });
		expect(asked?.detail).toMatchObject({
			kind: 'approval',
			tool: 'fetch_url',
			touches: [{ sink: 'network', url: `${site.url}/page?x=1`, host: site.host }],
		});
		expect(site.asked).toEqual([]);
		const after = await running.allow(reply.sessionId);
		expect(toolParts(after)[0]?.result?.text).toContain('Inside.');
		expect(site.asked).toEqual(['GET /page?x=1']);
	});

	test('B2 S1 a message is asked for whole each time, and leaves once, exactly as shown', async () => {
		const mail = await mailServer();
		const letter = { via: 'mail', to: ['anna@example.org'], subject: 'Monday', text: 'Dear Anna,\nsee you on Monday.' };
		const running = await app([calls('send_message', letter), says('Sent.')]);
		await running.rpc.outgoing.setMail({ mail: account(mail.port) });
		const reply = await running.turn('Write to Anna');
		const [asked] = await running.rpc.chat.interrupts({ sessionId: reply.sessionId });
		expect(asked?.detail).toMatchObject({
			kind: 'approval',
			tool: 'send_message',
			effect: 'effectful',
			args: letter,
			touches: [{ sink: 'message', via: 'mail (me@home.example)', to: ['anna@example.org'] }],
			offers: [],
		});
		expect(mail.mails).toEqual([]);
		const after = await running.allow(reply.sessionId);
		expect(toolParts(after)[0]).toMatchObject({ status: 'done', result: { isError: false } });
		expect(mail.mails).toHaveLength(1);
		const { records } = await running.rpc.audit.list({ sinks: ['message'] });
		expect(records.map(({ decision }) => decision)).toEqual(expect.arrayContaining(['asked', 'approved', 'done']));
	});

	test('a search with the owner’s provider needs no question from a clean reply', async () => {
		const site = await web();
		site.on('/search', send(JSON.stringify({ results: [{ title: 'T', url: 'https://a.example/', content: 'c' }] }), 'application/json'));
		const running = await app([calls('web_search', { query: 'hearth' }), says('Found.')]);
		await running.rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: site.url } });
		const reply = await running.turn('Search');
		expect(toolParts(reply)[0]).toMatchObject({ status: 'done', label: 'external', result: { summary: '1 result' } });
		expect(site.asked).toEqual(['GET /search?q=hearth&format=json']);
	});
});
