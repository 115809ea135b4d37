import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../../../src/base/ids.ts';
import { PROTOCOL_VERSION } from '../../../src/contract/protocol.ts';
import { ProviderId, type SessionId } from '../../../src/domain/ids.ts';
import { messageText } from '../../../src/domain/message.ts';
import { ToolServerConfig } from '../../../src/domain/tool-server.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { stdioFixture } from '../../support/mcp-fixture.ts';
import { calls, type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../../support/model-server/index.ts';
import { toolParts } from '../../support/run/memory-app.ts';

/**
 * S3: secrets planted wherever a program or an owner may have them. A scripted model asks the tools for all of them, repeats whatever it sees,
 * and says those that it can't have seen as well. Then every byte that Hearth wrote, and every request that left, is looked through.
 */

/** Only a random key looks like one, and none of these is anybody's. */
const signs = (length: number, step: number, of = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'): string =>
	[...Array(length).keys()].map((index) => of[(index * step + step) % of.length]).join('');

/** Known by their value: whatever they look like. */
const KNOWN = {
	environment: `env "quoted" & ${signs(12, 7)}`,
	config: `conf-${signs(14, 11)}`,
	policy: `pol-${signs(14, 13)}`,
	keychain: `key/${signs(18, 17)}+x`,
	passphrase: `phrase ${signs(12, 19)}`,
	server: `srv.${signs(16, 23)}`,
};
/** Known by their shape alone: nobody told Hearth of them. */
const SHAPED = {
	file: `ghp_${signs(36, 29)}`,
	password: `${signs(5, 31)}!${signs(7, 37)}`,
	page: `sk-ant-api03-${signs(40, 41)}`,
	block: `-----BEGIN PRIVATE KEY-----\n${signs(64, 43)}\n${signs(64, 47)}\n-----END PRIVATE KEY-----`,
};
const PLANTED_FILE = `notes of the owner\ntoken ${SHAPED.file}\npassword = ${SHAPED.password}\n${SHAPED.block}\nand the key ${KNOWN.environment}\n`;
const ENCODE = 'cat notes.txt; base64 -w0 notes.txt; echo; base64 notes.txt; od -An -v -tx1 notes.txt | tr -d " \\n"';

const page: Tool<Record<string, never>> = {
	name: 'test_page',
	title: 'A page',
	description: 'Gives a page.',
	schema: z.object({}).strict(),
	effect: 'pure',
	sources: ['page'],
	timeoutMs: 5_000,
	outputCap: 100_000,
	run: async () => ({
		text: `Welcome. Use ${SHAPED.page} or ${KNOWN.keychain}. ${'More of it. '.repeat(2_000)} ${Buffer.from(KNOWN.config).toString('base64')}`,
		isError: false,
		sources: [{ kind: 'page', name: 'a.example', label: 'external', url: `https://a.example/?token=${encodeURIComponent(KNOWN.server)}` }],
	}),
};
const broken: Tool<Record<string, never>> = {
	...page,
	name: 'test_broken',
	run: async () => {
		throw new Error(`refused for ${KNOWN.passphrase} and password="${SHAPED.password}"`);
	},
};

interface Body {
	messages: { role: string; content: unknown }[];
}
const all = { ...KNOWN, ...SHAPED };
/** A model that tells everything, in small pieces. */
function script(request: RecordedRequest): Reply {
	const { messages } = request.body as Body;
	const at = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(({ role }) => role === 'tool').length;
	const wanted: Reply[] = [
		calls('read_file', { path: 'notes.txt' }),
		calls('test_page', {}),
		calls('test_broken', {}),
		calls('mcp_scan_environment', {}),
		calls('run_command', { command: ENCODE, reason: 'To look.' }),
		calls('write_file', { path: 'stolen.txt', content: `${KNOWN.keychain} ${SHAPED.page}` }),
		calls('memory_write', { text: `The key is ${KNOWN.keychain}.`, reason: 'x', file: 'MEMORY.md' }),
		calls('ask_owner', { question: `Is it ${KNOWN.environment}?` }),
		calls('no_such_tool', { key: KNOWN.server }),
	];
	const next = wanted[at];
	if (next) return next;
	const told = `${JSON.stringify(messages).slice(0, 20_000)} ${Object.values(KNOWN).join(' ')}`;
	return {
		steps: [
			{ type: 'reasoning', text: `I think of ${KNOWN.config}` },
			{ type: 'stream', text: told, perSecond: 1_000_000, size: 7 },
		],
	};
}

/** Each secret in the forms in which programs write it down. */
function forms(secret: string): string[] {
	const bytes = Buffer.from(secret);
	const inner = [0, 1, 2].map((before) => {
		const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		return text.slice(before === 0 ? 0 : 4, -4);
	});
	const lines = secret.split('\n').filter((line) => line.length > 30 && !line.startsWith('-----'));
	return [secret, ...lines, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex'), ...inner];
}

function leaks(name: string, content: Buffer | string): string[] {
	const text = typeof content === 'string' ? content : content.toString('latin1');
	return Object.entries(all).flatMap(([secret, value]) =>
		forms(value).some((form) => text.includes(typeof content === 'string' ? form : Buffer.from(form).toString('latin1')))
			? [`${secret} in ${name}`]
			: [],
	);
}

/** Where the owner put them, and the copies of their own files that Hearth keeps beside it. */
const PLANTED = /^profiles\/[^/]+\/workspace\/notes\.txt$|^profiles\/(?:default|crashed)\/(?:config\.json(?:\.bak)?|policy\.yaml)$/;

function leaksBelow(folder: string, root = folder): string[] {
	return readdirSync(folder).flatMap((name) => {
		const path = join(folder, name);
		const at = relative(root, path);
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory()) return leaksBelow(path, root);
		return found?.isFile() && !PLANTED.test(at) ? leaks(at, readFileSync(path)) : [];
	});
}

let app: RunningApp;
let server: ModelServer;
let home: ReturnType<typeof temporaryHome>;
let elsewhere: string;

beforeAll(async () => {
	process.env.HEARTH_SCAN_API_KEY = KNOWN.environment;
	home = temporaryHome();
	elsewhere = mkdtempSync(join(tmpdir(), 'hearth-scan-'));
	server = await startModelServer();
	server.script(script);
	const { profileFolder } = home;
	execFileSync('mkdir', ['-p', join(profileFolder, 'workspace')]);
	writeFileSync(
		join(profileFolder, 'config.json'),
		JSON.stringify({ version: 1, firstRunDone: true, embedding: { kind: 'off' }, otherProgram: { apiToken: KNOWN.config } }),
	);
	writeFileSync(join(profileFolder, 'policy.yaml'), `# api_key: ${KNOWN.policy}\napi_key: ${KNOWN.policy}\nrules: []\n`);
	writeFileSync(join(profileFolder, 'workspace', 'notes.txt'), PLANTED_FILE);
	app = await startApp(home.home, { tools: [page, broken] });
});
afterAll(async () => {
	delete process.env.HEARTH_SCAN_API_KEY;
	await app?.close();
	await server?.close();
	home?.remove();
	rmSync(elsewhere, { recursive: true, force: true });
});

async function settle(sessionId: SessionId): Promise<void> {
	const { rpc } = app;
	for (let tries = 0; tries < 4_000; tries += 1) {
		for (const { id, shownHash, detail } of await rpc.chat.interrupts({ sessionId })) {
			const answer =
				detail.kind === 'question' ? { type: 'reply' as const, text: `No, it is ${KNOWN.environment}` } : { type: 'approve' as const };
			await rpc.chat.answer({ interruptId: id, shownHash, answer });
		}
		const { messages } = await rpc.sessions.messages({ sessionId, limit: 100 });
		if (['complete', 'failed', 'interrupted', 'stopped'].includes(messages.at(-1)?.status ?? '')) return;
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	throw new Error('the reply did not end');
}

test('S3 secrets of the environment, settings, keychain, a tool server, a file, a page and a command are in no prompt, journal, checkpoint, log, audit, export or back-up', async () => {
	const { rpc } = app;
	await rpc.secrets.choose({ store: 'passphrase', passphrase: KNOWN.passphrase });
	const id = ProviderId.parse('scripted');
	const provider = { id, kind: 'openai-compatible' as const, name: 'Scripted', baseUrl: server.openaiUrl, contextTokens: 60_000 };
	await rpc.models.saveProvider({ provider, key: KNOWN.keychain });
	await rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
	const { command, args, reads } = stdioFixture();
	const tools = ToolServerConfig.parse({
		id: 'scan',
		title: 'Scan',
		transport: { kind: 'stdio', command, args, env: ['SCAN_TOKEN'] },
		access: { folders: reads.map((path) => ({ path, access: 'read' as const })) },
	});
	await rpc.servers.add({ server: tools, values: { SCAN_TOKEN: KNOWN.server } });
	await rpc.servers.connect({ server: 'scan' });
	const offered = (await rpc.servers.tools({ server: 'scan' })).tools;
	await rpc.servers.approveTools({ server: 'scan', tools: offered.map(({ tool, shownHash = '' }) => ({ tool, shownHash })) });
	server.log.requests.length = 0;

	const { id: sessionId } = await rpc.sessions.create({});
	await rpc.sessions.saveDraft({ sessionId, text: `about ${KNOWN.keychain}`, attachmentIds: [] });
	const content = Buffer.from(PLANTED_FILE).toString('base64');
	const attached = await rpc.chat.attach({ sessionId, name: `letter.txt`, mime: 'text/plain', content });
	// Attached files are the owner's own, and kept as they gave them: this one is taken away again below.
	const sent = await rpc.chat.send({
		sessionId,
		text: `My key is ${KNOWN.keychain}, and ${KNOWN.environment}: read notes.txt`,
		attachmentIds: [],
		requestId: newId<string>(),
	});
	await settle(sessionId);
	// As a crash would leave the folder now.
	cpSync(home.profileFolder, join(home.home, 'profiles', 'crashed'), { recursive: true, filter: (path) => !path.endsWith('.sock') });

	const { messages } = await rpc.sessions.messages({ sessionId, limit: 100 });
	const reply = messages.at(-1);
	if (!reply) throw new Error('no reply');
	// The tools did hand it over, and the owner is told that it was removed.
	const results = toolParts(reply).map(({ tool, status, result }) => [
		tool,
		status,
		/\[secret removed: [0-9a-f]{4}\]/.test(result?.text ?? ''),
	]);
	expect(results).toEqual([
		['read_file', 'done', true],
		['test_page', 'done', true],
		['test_broken', 'failed', true],
		['mcp_scan_environment', 'done', true],
		['run_command', 'done', true],
		['write_file', 'denied', false],
		['memory_write', 'denied', false],
		['ask_owner', 'done', true],
		['no_such_tool', 'denied', false],
	]);
	expect(reply.parts).toContainEqual({ type: 'notice', code: 'secrets_removed', values: {} });
	expect(messageText(reply)).toContain('[secret removed: ');
	const { runId } = sent;
	const { steps } = await rpc.runs.get({ runId });
	const views = {
		messages,
		run: await rpc.runs.get({ runId }),
		steps: await Promise.all(steps.map(({ step }) => rpc.runs.step({ runId, step }))),
		state: await rpc.runs.state({ runId, step: steps.filter(({ checkpoint }) => checkpoint).at(-1)?.step ?? 0 }),
		draft: await rpc.sessions.draft({ sessionId }),
		audit: await rpc.audit.export({}),
		diagnostics: await rpc.system.diagnostics(),
		doctor: await rpc.system.doctor({}),
		markdown: await rpc.sessions.export({ sessionId, format: 'markdown' }),
		json: await rpc.sessions.export({ sessionId, format: 'json' }),
		servers: await rpc.servers.list(),
		settings: await rpc.settings.get(),
		policy: await rpc.permissions.policy(),
		permissions: await rpc.permissions.list(),
		health: await rpc.system.hello({ protocol: PROTOCOL_VERSION, client: 'test' }),
		attachment: (await rpc.chat.attachment({ attachmentId: attached.id })).text,
	};
	for (const [name, view] of Object.entries(views)) expect(leaks(name, JSON.stringify(view))).toEqual([]);
	for (const request of server.log.requests) expect(leaks(`request ${request.n}`, JSON.stringify(request.body))).toEqual([]);
	expect(server.log.requests.length).toBeGreaterThan(8);

	await rpc.sessions.delete({ sessionId: (await rpc.sessions.create({})).id });
	const { path } = await rpc.backup.create();
	await rpc.backup.export({ path: join(elsewhere, 'export.zip') });
	await rpc.backup.restore({ path, profile: 'from-backup' });
	await rpc.backup.restore({ path: join(elsewhere, 'export.zip'), profile: 'from-export' });
	await app.close();
	// The file that the owner attached is theirs: no other copy of it may be there.
	const attachments = leaksBelow(home.home).filter((found) => /\/attachments\//.test(found));
	expect(leaksBelow(home.home).filter((found) => !attachments.includes(found))).toEqual([]);
	app = await startApp(home.home, { tools: [page, broken] });
	expect(leaksBelow(home.home).filter((found) => !attachments.includes(found))).toEqual([]);
});
