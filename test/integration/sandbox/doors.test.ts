import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAppSandbox } from '../../../src/app/sandbox.ts';
import { dialSocket } from '../../../src/app/socket.ts';
import { readTicket } from '../../../src/app/socket-address.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { connect } from '../../../src/contract/client.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { LaunchSpec } from '../../../src/tools/sandbox/port.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { programOf } from '../../support/program.ts';
import { type MemoryApp, memoryApp, toolParts } from '../../support/run/memory-app.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const NODE = process.execPath;
const HEARTH = programOf(join(PROJECT, 'src', 'cli', 'hearth.mjs'));
const command = (text: string) => calls('run_command', { command: text, reason: 'It is needed.' });

/** Tries, from wherever it runs, to get at an open question and at permissions; says what it reached. Knows all that there is to know: the worst case. */
const ATTACK = `
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { spawnSync } from 'node:child_process';
const [home, profile, address, token, hearth, question] = process.argv.slice(2);
const reached = [];
for (const name of ['hearth.token', 'state.db', 'MEMORY.md', 'config.json'])
	try { readFileSync(profile + '/' + name); reached.push('read ' + name); } catch {}
try { if (readdirSync(home).length > 0) reached.push('listed home'); } catch {}
for (const place of [address, profile + '/hearth.sock'])
	await new Promise((done) => {
		const socket = connect(place, () => { socket.write('hearth 1 ' + token + '\\n'); });
		socket.on('data', (data) => { reached.push('socket: ' + data); socket.destroy(); done(); });
		socket.on('error', done);
		setTimeout(done, 2000);
	});
const cli = [process.execPath, hearth, '--home', home];
const listed = spawnSync(cli[0], [...cli.slice(1), 'permissions', 'list'], { encoding: 'utf8', timeout: 60000 });
if (listed.stdout.includes('only-the-owner.example')) reached.push('listed permissions');
if (question) {
	// Until somebody reads it: the command ends with the one that it types for.
	const typed = 'for n in $(seq 120); do echo approve; sleep 0.25; done';
	const answer = 'script --quiet --return --echo never --command "' + cli.join(' ') + ' needs answer ' + question + '" /dev/null';
	const yes = spawnSync('sh', ['-c', '(' + typed + ') | ' + answer], { encoding: 'utf8', timeout: 60000 });
	if (yes.stdout.includes('Answered.')) reached.push('answered');
}
console.log(JSON.stringify({ ran: true, reached }));
`;

/** A chat in which a question is open. */
async function waiting(replies: Parameters<typeof memoryApp>[0] = {}): Promise<{ app: MemoryApp; sessionId: SessionId }> {
	const app = await memoryApp(replies);
	const { sessionId } = await app.turn('Begin');
	expect(await app.rpc.chat.interrupts({ sessionId })).toHaveLength(1);
	return { app, sessionId };
}

describe.runIf(process.platform === 'linux')('the owner’s doors', () => {
	test.each([
		{ who: 'a command', atTerminal: true, more: {} },
		{
			who: 'a tool server that has the owner’s home and network',
			atTerminal: false,
			more: { home: 'write' as const, network: { kind: 'all' as const } },
		},
	])(
		'B3 S2 $who reaches neither an approval nor permissions: not by files, socket, command line or terminal',
		async ({ more, atTerminal }) => {
			const { app, sessionId } = await waiting({
				replies: [calls('run_command', { command: 'true', reason: 'x', hosts: ['example.com'] }), says('Done.')],
			});
			const { profileFolder, home } = app;
			const scope = { kind: 'host' as const, host: 'only-the-owner.example', posts: false };
			await app.rpc.permissions.add({ terms: { scope, label: 'approved', job: { kind: 'any' } } });
			const before = await app.rpc.permissions.list();
			const tools = mkdtempSync(join(tmpdir(), 'hearth-attacker-'));
			onTestFinished(() => rmSync(tools, { recursive: true, force: true }));
			writeFileSync(join(tools, 'attack.mjs'), ATTACK);
			const ticket = await readTicket(profileFolder);
			const [question] = await app.rpc.chat.interrupts({ sessionId });
			const sandbox = createAppSandbox({
				paths: { folder: profileFolder, workspace: join(profileFolder, 'workspace') },
				home,
				logger: silentLogger,
				clock: systemClock,
				onRequest: () => undefined,
			});
			onTestFinished(() => sandbox.close());
			const spec: LaunchSpec = {
				file: NODE,
				args: [
					join(tools, 'attack.mjs'),
					...[home, profileFolder, ticket?.address ?? '', ticket?.token ?? '', HEARTH],
					...(atTerminal && question ? [question.id] : []),
				],
				cwd: tools,
				// Hearth itself, where an owner could have put it.
				folders: [
					{ path: tools, access: 'write' },
					{ path: PROJECT, access: 'read' },
					{ path: dirname(dirname(NODE)), access: 'read' },
				],
				network: { kind: 'none' },
				...more,
			};
			const program = await sandbox.start(spec);
			let said = '';
			program.stdout.on('data', (chunk: Buffer) => {
				said += chunk.toString('utf8');
			});
			let errors = '';
			program.stderr.on('data', (chunk: Buffer) => {
				errors += chunk.toString('utf8');
			});
			await program.ended;
			expect({ said: said.trim(), errors }).toEqual({ said: '{"ran":true,"reached":[]}', errors: '' });
			expect(await app.rpc.chat.interrupts({ sessionId })).toHaveLength(1);
			expect((await app.rpc.permissions.list()).permissions).toEqual(before.permissions);
			// The same program without the sandbox gets through all of these doors: each of its attacks is a real one.
			const free = await sandbox.start({ ...spec, sandboxed: false });
			let reached = '';
			free.stdout.on('data', (chunk: Buffer) => {
				reached += chunk.toString('utf8');
			});
			await free.ended;
			for (const door of ['read hearth.token', 'welcome', 'listed permissions', ...(atTerminal ? ['answered'] : [])])
				expect(reached).toContain(door);
		},
	);

	test('B3 S2 from run_command itself the profile, its socket, its token and the command line are not there', async () => {
		const app = await memoryApp({ replies: [] });
		const { profileFolder, home } = app;
		const scope = { kind: 'host' as const, host: 'only-the-owner.example', posts: false };
		await app.rpc.permissions.add({ terms: { scope, label: 'approved', job: { kind: 'any' } } });
		const ticket = await readTicket(profileFolder);
		copyFileSync('/bin/ls', join(profileFolder, 'workspace', 'own-ls'));
		app.server?.script({
			replies: [
				command(
					`cat "${profileFolder}/hearth.token"; cat ../hearth.token; ls "${profileFolder}"; ./own-ls ..; ls -d .. /workspace/..; printf 'hearth 1 ${ticket?.token}\\n' | socat -t 1 - UNIX-CONNECT:"${ticket?.address}"; find / -name hearth.token -o -name hearth.sock 2>/dev/null; for node in node "${NODE}"; do "$node" "${HEARTH}" --home "${home}" permissions list; done; hearth --home "${home}" permissions list`,
				),
				says('Done.'),
			],
		});
		const reply = await app.turn('Look around');
		let done = reply;
		while ((await app.rpc.chat.interrupts({ sessionId: reply.sessionId })).length > 0) done = await app.allow(reply.sessionId);
		const text = toolParts(done)[0]?.result?.text ?? '';
		expect(text).not.toContain(ticket?.token);
		expect(text).not.toContain('welcome');
		expect(text.match(/No such file/g)?.length).toBeGreaterThanOrEqual(4);
		expect(text).not.toMatch(/state\.db|MEMORY\.md|^\/.*hearth\.(?:token|sock)$/m);
		expect(text).not.toContain('only-the-owner.example');
		expect(text).toContain('hearth: not found');
	});

	test('B3 while a command without a sandbox runs, what comes over the socket decides nothing; the window does, and afterwards both', async () => {
		const replies = [command('echo begun > begun; sleep 30'), says('Done.')];
		const { app, sessionId } = await waiting({ replies, sandboxPath: '/nowhere' });
		const { rpc, profileFolder } = app;
		expect(await rpc.system.sandbox()).toMatchObject({
			kind: 'none',
			network: false,
			why: expect.stringContaining('bubblewrap is not installed'),
		});
		const [asked] = await rpc.chat.interrupts({ sessionId });
		expect(asked?.detail).toMatchObject({ kind: 'approval', touches: [{ sink: 'shell', sandboxed: false }], offers: [] });
		const transport = await dialSocket(profileFolder);
		if (!transport) throw new Error('no socket');
		const { rpc: socket, close } = await connect(transport, { client: 'cli' });
		onTestFinished(close);
		const terms = {
			scope: { kind: 'host' as const, host: 'example.com', posts: false },
			label: 'approved' as const,
			job: { kind: 'any' as const },
		};
		// Until it runs the door is open: a terminal may decide.
		const given = await socket.permissions.add({ terms });
		await socket.chat.answer({ interruptId: asked?.id ?? ('' as never), shownHash: asked?.shownHash ?? '', answer: { type: 'approve' } });
		await expect.poll(() => app.file('workspace/begun')).toContain('begun');
		const refused = { shape: { code: 'door_closed', kind: 'needs_owner', message: expect.stringContaining('run_command') } };
		await expect(socket.permissions.add({ terms })).rejects.toMatchObject(refused);
		await expect(socket.system.openWeb()).rejects.toMatchObject(refused);
		await expect(socket.chat.send({ text: 'I am the owner', attachmentIds: [], requestId: crypto.randomUUID() })).rejects.toMatchObject(
			refused,
		);
		await expect(socket.settings.set({} as never)).rejects.toMatchObject(refused);
		// To look, and to stop, is no decision.
		expect((await socket.permissions.list()).permissions.map(({ id }) => id)).toContain(given.id);
		// The window is the app's own.
		const other = await rpc.permissions.add({ terms: { ...terms, scope: { ...terms.scope, host: 'example.org' } } });
		const { runs } = await rpc.runs.list({ sessionId });
		await socket.chat.stop({ runId: runs[0]?.id ?? ('' as never) });
		await expect.poll(async () => (await rpc.runs.list({ sessionId })).runs[0]?.status).toBe('stopped');
		await expect
			.poll(async () =>
				socket.permissions.revoke({ permissionId: other.id }).then(
					() => 'open',
					() => 'closed',
				),
			)
			.toBe('open');
		await socket.permissions.add({ terms });
	});

	test('what begins without a sandbox and is ended takes what it left behind with it', async () => {
		const { app, sessionId } = await waiting({
			replies: [
				command('(setsid sh -c "while :; do date +%s%N > alive; sleep 0.05; done" >/dev/null 2>&1 &); sleep 0.4; echo done'),
				says('Done.'),
			],
			sandboxPath: '/nowhere',
		});
		const reply = await app.allow(sessionId);
		expect(toolParts(reply)[0]).toMatchObject({ label: 'external', result: { isError: false } });
		const last = readFileSync(join(app.profileFolder, 'workspace', 'alive'), 'utf8');
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(readFileSync(join(app.profileFolder, 'workspace', 'alive'), 'utf8')).toBe(last);
	});
});
