import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { MAIL_SECRET, type MailAccount, type Outgoing, webhookSecret } from '../../../src/domain/outgoing.ts';
import { createGuardedConnect } from '../../../src/net/guarded-connect.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { createMailer } from '../../../src/net/mailer.ts';
import { createMessenger } from '../../../src/tools/messages/messenger.ts';
import { sendMessageTool } from '../../../src/tools/messages/send-message.ts';
import type { ToolContext } from '../../../src/tools/port.ts';
import { type Certificate, type MailServer, type MailServerOptions, ownCertificate, startMailServer } from '../../support/smtp-server.ts';
import { toolContext } from '../../support/tool-context.ts';
import { send, startWebServer, type WebServer } from '../../support/web-server.ts';

let certificate: Certificate;
let web: WebServer;
const open: MailServer[] = [];
const secrets = new Map<string, string>();
let outgoing: Outgoing = { search: null, mail: null, webhooks: [] };
const records: RequestRecord[] = [];
const options = { onRequest: (record: RequestRecord) => void records.push(record) };
const audited: AuditEntry[] = [];
const audit = { record: async (entries: readonly AuditEntry[]) => void audited.push(...entries) };
const fetch = createGuardedFetch(options);
const connect = createGuardedConnect(options);

beforeAll(async () => {
	certificate = ownCertificate();
	web = await startWebServer();
});
afterEach(async () => {
	secrets.clear();
	outgoing = { search: null, mail: null, webhooks: [] };
	records.length = 0;
	audited.length = 0;
	await Promise.all(open.splice(0).map((server) => server.close()));
});
afterAll(() => web.close());

function toolFor(authorities: readonly string[] = [certificate.cert]) {
	const reader = { get: async (name: string) => secrets.get(name) };
	const messenger = createMessenger({ outgoing: () => outgoing, secrets: reader, mailer: createMailer({ connect, authorities }), fetch });
	return sendMessageTool({
		messenger,
		outgoing: () => outgoing,
		hasMask: (text) => text.includes('[secret removed'),
		audit,
		clock: systemClock,
	});
}

async function mailServer(options: Partial<MailServerOptions> = {}, account: Partial<MailAccount> = {}): Promise<MailServer> {
	const security = options.security ?? 'none';
	const server = await startMailServer({ security, certificate, ...options });
	open.push(server);
	outgoing = { ...outgoing, mail: { host: 'localhost', port: server.port, security, user: '', from: 'me@home.example', ...account } };
	return server;
}

const LETTER = { via: 'mail', to: ['anna@example.org'], subject: 'Grüße', text: 'Dear Anna,\n\nsee you on Monday.\n.\nMe' };

/** As the gate calls it once the owner has said yes to exactly this. */
async function sendIt(args: object, more: Partial<ToolContext> = {}, tool = toolFor()) {
	const parsed = tool.schema.parse(args);
	const touches = (await tool.touches?.(parsed, toolContext())) ?? [];
	return tool.run(parsed, toolContext({ touches, ...more }));
}

const header = (raw: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim();
const plain = (raw: string) => Buffer.from(raw.slice(raw.indexOf('\r\n\r\n') + 4).replace(/=\r\n/g, ''), 'latin1').toString('utf8');

describe('send_message by mail', () => {
	test('is effectful, says what it touches, and is offered only where a way is set up', async () => {
		const tool = toolFor();
		expect(tool).toMatchObject({ effect: 'effectful', sinks: ['message'] });
		expect(tool.offered?.()).toBe(false);
		await mailServer();
		expect(tool.offered?.()).toBe(true);
		expect(tool.description).toContain('Set up: mail.');
		expect(tool.touches?.(tool.schema.parse(LETTER), toolContext())).toEqual([
			{ sink: 'message', via: 'mail (me@home.example)', to: ['anna@example.org'] },
		]);
	});

	test('sends the whole text to whom it says, with a Message-ID made of the call', async () => {
		const server = await mailServer();
		const output = await sendIt(LETTER);
		expect(output).toMatchObject({ isError: false, label: 'agent', summary: 'sent' });
		expect(audited).toMatchObject([
			{ sink: 'message', decision: 'done', rule: 'message.sent', detail: { to: 'mail (me@home.example): anna@example.org' } },
		]);
		expect(JSON.stringify(audited)).not.toMatch(/Monday|Grüße/);
		const [mail] = server.mails;
		expect(mail).toMatchObject({ from: 'me@home.example', to: ['anna@example.org'] });
		const raw = mail?.raw ?? '';
		expect(plain(raw)).toContain('Dear Anna,\r\n\r\nsee you on Monday.\r\n.\r\nMe');
		expect(header(raw, 'subject')).toBe('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
		expect(header(raw, 'message-id')).toMatch(/^<[0-9a-f]{32}@home\.example>$/);
		expect(output.text).toContain(header(raw, 'message-id'));
		await sendIt(LETTER);
		expect(header(server.mails[1]?.raw ?? '', 'message-id')).toBe(header(raw, 'message-id'));
		await sendIt(LETTER, { idempotencyKey: 'another:1:c' });
		expect(header(server.mails[2]?.raw ?? '', 'message-id')).not.toBe(header(raw, 'message-id'));
		expect(records[0]).toMatchObject({ purpose: 'mail', method: 'TCP', host: `localhost:${server.port}`, by: { tool: 'send_message' } });
	});

	test.each(['tls', 'starttls'] as const)('%s with a sign-in', async (security) => {
		const server = await mailServer({ security, account: 'me:right' }, { user: 'me' });
		secrets.set(MAIL_SECRET, 'right');
		await sendIt(LETTER);
		expect(server.mails).toMatchObject([{ secure: true, user: 'me' }]);
	});

	test('S3 a wrong password is said in words that hold neither it nor the server’s own', async () => {
		const server = await mailServer({ security: 'tls', account: 'me:right' }, { user: 'me' });
		secrets.set(MAIL_SECRET, 'sk-wrong-password');
		const output = await sendIt(LETTER);
		expect(output).toMatchObject({ isError: true, text: expect.stringContaining('did not accept the sign-in (it answered 535)') });
		expect(JSON.stringify([output, records])).not.toMatch(/sk-wrong|dear sk/);
		expect(server.signIns).toEqual(['me:sk-wrong-password']);
		secrets.clear();
		expect((await sendIt(LETTER)).text).toContain('The password of the mail account is missing.');
	});

	test('S2 a certificate that nobody vouches for is refused, and the password stays here', async () => {
		const server = await mailServer({ security: 'tls', account: 'me:right' }, { user: 'me' });
		secrets.set(MAIL_SECRET, 'right');
		expect((await sendIt(LETTER, {}, toolFor([]))).text).toContain('Not sent: The certificate of');
		expect([server.signIns, server.mails]).toEqual([[], []]);
	});

	test('S2 a server that hides STARTTLS gets neither password nor mail', async () => {
		const server = await mailServer({ security: 'starttls', hideStartTls: true, account: 'me:right' }, { user: 'me' });
		secrets.set(MAIL_SECRET, 'right');
		expect((await sendIt(LETTER)).text).toContain('offers no connection that others can’t read');
		expect([server.signIns, server.mails]).toEqual([[], []]);
	});

	test('S2 without protection only to this machine, and never to metadata', async () => {
		await mailServer({}, { host: 'mail.example.org' });
		expect((await sendIt(LETTER)).text).toContain('unprotected');
		await mailServer({ security: 'tls' }, { host: '169.254.169.254' });
		expect((await sendIt(LETTER)).text).toContain('metadata service');
	});

	test.each([
		['a line break in the subject', { subject: 'a\r\nBcc: eve@evil.example' }],
		['a bare line feed in the subject', { subject: 'a\nBcc: eve@evil.example' }],
		['another kind of line break', { subject: 'a\u2028Bcc: eve@evil.example' }],
		['a line break in an address', { to: ['anna@example.org\r\nBcc: eve@evil.example'] }],
		['two addresses in one', { to: ['anna@example.org, eve@evil.example'] }],
		['a name with an address in it', { to: ['"eve@evil.example" <anna@example.org>'] }],
		['a comment', { to: ['anna@example.org(eve@evil.example)'] }],
		['a percent route', { to: ['anna%evil.example@[127.0.0.1]'] }],
		['a command of the server', { to: ['anna@example.org>\r\nDATA'] }],
	])('%s never gets as far as a mail', async (_, more) => {
		const server = await mailServer();
		expect(toolFor().schema.safeParse({ ...LETTER, ...more }).success).toBe(false);
		expect(server.mails).toEqual([]);
	});

	test('text that looks like headers, commands or files stays text', async () => {
		const server = await mailServer();
		const text = 'Bcc: eve@evil.example\r\n.\r\nMAIL FROM:<eve@evil.example>\nfile:///etc/passwd';
		await sendIt({ ...LETTER, subject: 'Bcc: eve@evil.example', text });
		expect(server.mails).toHaveLength(1);
		const raw = server.mails[0]?.raw ?? '';
		expect(server.mails[0]?.to).toEqual(['anna@example.org']);
		expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im);
		expect(plain(raw)).toContain('MAIL FROM:<eve@evil.example>');
	});

	test('recipients that the server does not take are named', async () => {
		const server = await mailServer();
		server.unknown.add('nobody@example.org');
		const output = await sendIt({ ...LETTER, to: ['anna@example.org', 'nobody@example.org'] });
		expect(output).toMatchObject({ summary: 'sent to some', text: expect.stringContaining('did not take it for nobody@example.org') });
		server.unknown.add('anna@example.org');
		expect((await sendIt(LETTER, { idempotencyKey: 'x' })).text).toContain('takes no mail for these addresses (it answered 550)');
	});

	test('S3 a mask of a secret is not sent', async () => {
		const server = await mailServer();
		expect(await sendIt({ ...LETTER, text: 'The key is [secret removed: 3f2a].' })).toMatchObject({
			isError: true,
			text: expect.stringContaining('Not sent'),
		});
		expect(server.mails).toEqual([]);
	});

	test('B3 what is sent goes where the owner said yes to, and nowhere else', async () => {
		const server = await mailServer();
		const touches = [{ sink: 'message' as const, via: 'mail (me@home.example)', to: ['anna@example.org'] }];
		expect(await sendIt({ ...LETTER, to: ['eve@evil.example'] }, { touches })).toMatchObject({ isError: true });
		outgoing = { ...outgoing, mail: outgoing.mail && { ...outgoing.mail, from: 'other@home.example' } };
		expect(await sendIt(LETTER, { touches })).toMatchObject({ isError: true });
		expect(server.mails).toEqual([]);
	});

	test('R2 once the server’s answer is written down, the tool knows that it happened, and never sends it again', async () => {
		const server = await mailServer();
		const saved: string[] = [];
		const context = toolContext();
		const state: ToolContext['state'] = { ...context.state, save: async () => void saved.push(JSON.stringify(context.state.entries())) };
		const tool = toolFor();
		const output = await sendIt(LETTER, { state }, tool);
		expect(saved).toHaveLength(1);
		const args = tool.schema.parse(LETTER);
		expect(await tool.verify?.(args, toolContext({ state }))).toMatchObject({ happened: 'yes', output: { text: output.text } });
		expect(await sendIt(LETTER, { state }, tool)).toMatchObject({ text: output.text });
		expect(server.mails).toHaveLength(1);
	});

	test('R2 where the connection dies before the answer, nobody claims to know', async () => {
		const server = await mailServer();
		server.beforeAnswer = () => new Promise<void>(() => undefined);
		const stop = new AbortController();
		const sending = sendIt(LETTER, { signal: stop.signal }).catch((caught: unknown) => caught);
		await expect.poll(() => server.mails.length).toBe(1);
		stop.abort();
		const error = await sending;
		expect(error).toMatchObject({ code: 'network_cut', message: expect.stringContaining('It may have been sent') });
		const tool = toolFor();
		expect(await tool.verify?.(tool.schema.parse(LETTER), toolContext())).toMatchObject({
			happened: 'unknown',
			found: expect.stringContaining('sent mail'),
		});
	});

	test('what is missing is said before anybody is asked', async () => {
		const tool = toolFor();
		const touches = (args: object) => tool.touches?.(tool.schema.parse({ text: 'x', ...args }), toolContext());
		expect(() => touches(LETTER)).toThrow('No mail account is set up');
		await mailServer();
		expect(() => touches({ via: 'mail', subject: 's' })).toThrow('at least one address');
		expect(() => touches({ via: 'mail', to: ['a@b.example'] })).toThrow('needs a subject');
		expect(() => touches({ via: 'pager' })).toThrow('There is: mail.');
	});
});

describe('send_message to a webhook', () => {
	function webhook(): void {
		outgoing = { ...outgoing, webhooks: [{ name: 'ops', host: web.host }] };
		secrets.set(webhookSecret('ops'), `${web.url}/hooks/T0KEN`);
	}

	test('posts the text as JSON, once, with a key of the call', async () => {
		webhook();
		web.on('/hooks/T0KEN', send('ok', 'text/plain'));
		const output = await sendIt({ via: 'ops', text: 'Done: "all" of it' });
		expect(output).toMatchObject({ isError: false, label: 'agent', text: `Sent by ops to ${web.host}. It answered 200.` });
		expect(web.asked).toEqual(['POST /hooks/T0KEN']);
		expect(JSON.parse(web.bodies[0] ?? '')).toEqual({ text: 'Done: "all" of it' });
		expect(web.requests[0]?.headers).toMatchObject({
			'content-type': 'application/json',
			'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		expect(records).toMatchObject([{ purpose: 'webhook', method: 'POST', status: 200 }]);
		expect(JSON.stringify([records, output])).not.toContain('T0KEN');
	});

	test('a refusal and a redirect are errors: nothing is posted anywhere else', async () => {
		webhook();
		for (const [status, headers] of [
			[500, {}],
			[302, { location: '/elsewhere' }],
			[307, { location: '/elsewhere' }],
		] as const) {
			web.asked.length = 0;
			web.on('/hooks/T0KEN', send('', 'text/plain', status, headers));
			expect((await sendIt({ via: 'ops', text: 'x' })).text).toContain(`it answered ${status}`);
			expect(web.asked).toEqual(['POST /hooks/T0KEN']);
		}
	});

	test('S2 not to metadata, whatever was set up; and only text', async () => {
		webhook();
		secrets.set(webhookSecret('ops'), 'http://169.254.169.254/latest');
		expect((await sendIt({ via: 'ops', text: 'x' })).text).toMatch(/^Not sent: .*metadata service/);
		secrets.set(webhookSecret('ops'), `${web.url}/hooks/cut`);
		web.on('/hooks/cut', (request) => void request.socket.destroy());
		await expect(sendIt({ via: 'ops', text: 'x' })).rejects.toThrow('It may have been sent.');
		const tool = toolFor();
		expect(() => tool.touches?.(tool.schema.parse({ via: 'ops', to: ['a@b.example'], text: 'x' }), toolContext())).toThrow(
			'takes only `text`',
		);
		secrets.clear();
		expect((await sendIt({ via: 'ops', text: 'x' })).text).toContain('The address of the webhook “ops” is missing.');
	});
});
