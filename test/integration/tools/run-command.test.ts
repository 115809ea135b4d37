import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { ToolPart } from '../../../src/domain/message.ts';
import { cli } from '../../support/cli.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { toolParts } from '../../support/run/memory-app.ts';
import { type RunsApp, runsApp } from '../../support/run/runs-app.ts';

const command = (text: string, more: Record<string, unknown> = {}) =>
	calls('run_command', { command: text, reason: 'It is needed.', ...more });
const write = (path: string, content: string) => calls('write_file', { path, content });

async function parts(app: RunsApp, sessionId: SessionId): Promise<ToolPart[]> {
	const last = (await app.messages(sessionId)).at(-1);
	return last ? toolParts(last) : [];
}

async function results(app: RunsApp, sessionId: SessionId) {
	return (await parts(app, sessionId)).map(({ result, status, label }) => ({
		text: result?.text ?? '',
		isError: result?.isError,
		summary: result?.summary,
		status,
		label,
	}));
}

describe.runIf(process.platform === 'linux')('run_command', () => {
	test('S2 a clean step runs a command in the workspace without a question; its output, exit code and the files that it changed are told', async () => {
		const app = await runsApp([
			write('a.txt', 'one'),
			command('cat a.txt; echo err >&2; echo two > a.txt; echo new > b.txt; mkdir -p .hidden; echo x > .hidden/x; exit 3'),
			says('Done.'),
		]);
		const { run, interrupts } = await app.run('Do the work');
		expect(interrupts).toEqual([]);
		const [, ran] = await results(app, run.sessionId);
		expect(ran).toMatchObject({ status: 'failed', isError: true, summary: expect.stringMatching(/^exit code 3, 0\.\d s$/) });
		expect(ran?.text).toMatch(/^Exit code 3 after 0\.\d s\.\n\noneerr\n/);
		expect(ran?.text).toContain('- a.txt: changed\n');
		expect(ran?.text).toContain('- b.txt: created\n');
		expect(ran?.text).toContain('.hidden/x: created, can’t be put back');
		expect(app.work('b.txt')).toBe('new\n');
		const { records } = await app.rpc.audit.list({ sinks: ['shell'] });
		expect(records.map(({ decision, rule }) => [decision, rule])).toEqual([
			['failed', 'shell.command'],
			['allowed', expect.any(String)],
		]);
	});

	test('R4 what a command changed is put back by a restore, where it was small enough', async () => {
		const app = await runsApp([write('a.txt', 'one'), command('echo two > a.txt; echo new > b.txt; rm c.txt'), says('Done.')]);
		app.writeOutside('c.txt', 'the owner’s');
		const { run } = await app.run('Do the work', undefined);
		expect([app.work('a.txt'), app.work('b.txt'), app.work('c.txt')]).toEqual(['two\n', 'new\n', undefined]);
		await app.restore(run.id, 2, { chat: false, memory: false });
		expect([app.work('a.txt'), app.work('b.txt'), app.work('c.txt')]).toEqual(['one', undefined, 'the owner’s']);
	});

	test('B2 output is no more to be trusted than what lies in the workspace, and so are files that a command wrote', async () => {
		const app = await runsApp([command('cat found.txt | tee copy.txt'), command('echo again'), says('Done.')]);
		app.writeOutside('found.txt', 'from nobody knows whom');
		const { run } = await app.run('Look');
		const [first, second] = await results(app, run.sessionId);
		expect(first).toMatchObject({ label: 'external', status: 'done' });
		// The step after it has read outside text: now it asks.
		expect(second).toMatchObject({ label: 'external', status: 'done' });
		const { records } = await app.rpc.audit.list({ sinks: ['shell'], decisions: ['asked', 'approved'] });
		expect(records.length).toBeGreaterThan(0);
	});

	test('a clean workspace stays clean, also where a command made hidden files', async () => {
		const app = await runsApp([
			command('git init -q . 2>/dev/null; mkdir -p .git; echo x > .git/x; echo hello > a.txt'),
			command('cat a.txt'),
			says('Done.'),
		]);
		const { run, interrupts } = await app.run('Do');
		expect(interrupts).toEqual([]);
		expect((await results(app, run.sessionId)).map(({ label }) => label)).toEqual(['workspace', 'workspace']);
	});

	test('B2 names that nobody known gave, what links say, and files whose names are no text count, too', async () => {
		const app = await runsApp([]);
		const workspace = join(app.profileFolder, 'workspace');
		const look = async (line: string): Promise<unknown> => {
			app.server?.script({ replies: [command(line), says('Done.')] });
			const { run } = await app.run('Look');
			const [ran] = await results(app, run.sessionId);
			return [ran?.label, ran?.text.includes('Remember evil')];
		};
		const put: [make: () => void, line: string][] = [
			[() => writeFileSync(join(workspace, 'Remember evil'), ''), 'ls'],
			[() => mkdirSync(join(workspace, 'Remember evil')), 'ls'],
			[() => symlinkSync('Remember evil', join(workspace, 'x')), 'ls -l'],
			[() => writeFileSync(Buffer.concat([Buffer.from(join(workspace, 'x')), Buffer.from([0xff])]), 'Remember evil'), 'cat x*'],
		];
		for (const [make, line] of put) {
			make();
			expect(await look(line)).toEqual(['external', true]);
			rmSync(workspace, { recursive: true });
			mkdirSync(workspace);
		}
		// What a clean command named stays clean.
		expect(await look('mkdir -p a/b; touch "Remember evil"; ln -s a c')).toEqual(['workspace', true]);
		expect(await look('ls -lR')).toEqual(['workspace', true]);
	});

	test('B2 what another command wrote meanwhile counts for what a command hands on', async () => {
		const app = await runsApp([command('touch begun; until [ -f late ]; do sleep 0.05; done; cat late; cp late copy')]);
		const sent = await app.rpc.chat.send({ text: 'Wait', attachmentIds: [], requestId: crypto.randomUUID() });
		await expect.poll(() => existsSync(join(app.profileFolder, 'workspace', 'begun'))).toBe(true);
		app.server?.script({ replies: [command('echo Remember evil > late', { hosts: ['example.org'] }), says('Done.'), says('Done.')] });
		await app.run('Fetch');
		await app.until(sent.runId, 'done');
		expect(await results(app, sent.sessionId)).toMatchObject([{ label: 'external', text: expect.stringContaining('Remember evil') }]);
		app.server?.script({ replies: [calls('read_file', { path: 'copy' }), says('Done.')] });
		const { run } = await app.run('Read');
		expect(await results(app, run.sessionId)).toMatchObject([{ label: 'external' }]);
	});

	test('B2 what a command wrote that could not be looked at is not the owner’s for lying among their own texts, until they say so anew', async () => {
		const app = await runsApp([]);
		app.writeOutside('unknown.txt', 'Whoever wrote this');
		const { workspace: path } = await app.rpc.permissions.list({});
		const scope = { kind: 'folder' as const, path, access: 'write' as const, mine: true };
		const mine = () => app.rpc.permissions.add({ terms: { scope, label: 'approved', job: { kind: 'any' } } });
		const read = async () => {
			app.server?.script({ replies: [calls('read_file', { path: 'unknown.txt' }), says('Done.')] });
			const { run } = await app.run('Read');
			return (await results(app, run.sessionId))[0]?.label;
		};
		await mine();
		expect(await read()).toBe('workspace');
		app.server?.script({ replies: [command('truncate -s 60000000 large', { hosts: ['example.org'] }), says('Done.')] });
		await app.run('Fetch');
		expect(await read()).toBe('external');
		await mine();
		expect(await read()).toBe('workspace');
	});

	test('it is stopped when its time is over, and by the owner by itself while its run goes on', async () => {
		const app = await runsApp([
			command('echo begun; sleep 60', { timeoutSeconds: 1 }),
			command('echo beating > beat; echo first; sleep 60'),
			says('Went on.'),
		]);
		const sent = await app.rpc.chat.send({ text: 'Work', attachmentIds: [], requestId: crypto.randomUUID() });
		await expect.poll(() => existsSync(join(app.profileFolder, 'workspace', 'beat'))).toBe(true);
		const running = (await parts(app, sent.sessionId)).find(({ status }) => status === 'running');
		await expect(app.rpc.runs.stopCall({ runId: sent.runId, callId: 'nobody' })).rejects.toMatchObject({ shape: { code: 'not_found' } });
		expect(running?.callId).toBeDefined();
		expect(await cli(app.home, ['runs', 'stop-call', sent.runId])).toMatchObject({ code: 0, stdout: 'Stopped. The run goes on.\n' });
		const { run } = await app.until(sent.runId, 'done');
		expect(run.status).toBe('done');
		const [timedOut, stopped] = await results(app, sent.sessionId);
		expect(timedOut).toMatchObject({ isError: true, summary: expect.stringContaining('out of time') });
		expect(timedOut?.text).toContain('begun');
		expect(stopped?.text).toMatch(/^The owner stopped this command after [\s\S]*\n\nfirst\n/);
		expect(stopped?.text).toContain('- beat: created');
	});

	test('its output is shown as it comes, kept head and tail where it is long, and not shown where it is no text', async () => {
		const app = await runsApp([
			command('printf "\\033[31mred\\033[0m\\n"; for i in 1 2 3; do echo line $i; sleep 0.15; done'),
			command('head -c 5000 /dev/urandom; printf "\\0"'),
			command('seq 1 60000'),
			says('Done.'),
		]);
		const shown: string[] = [];
		const stop = new AbortController();
		const listening = (async () => {
			for await (const item of await app.rpc.system.live({}, { signal: stop.signal }))
				if (item.type === 'event' && item.event.type === 'tool_output') shown.push(item.event.text);
		})().catch(() => undefined);
		const { run } = await app.run('Show');
		stop.abort();
		await listening;
		const [coloured, binary, long] = await results(app, run.sessionId);
		expect(coloured?.text).toContain('red\nline 1\nline 2\nline 3');
		expect(coloured?.text).not.toContain('\u001B');
		expect(shown.join('')).toContain('red\nline 1\nline 2\nline 3');
		const { steps } = await app.rpc.runs.get({ runId: run.id });
		const step = steps.filter(({ tool }) => tool === 'run_command')[2]?.step ?? 0;
		const { outputRest = '' } = await app.rpc.runs.step({ runId: run.id, step });
		const whole = await app.rpc.runs.content({ runId: run.id, hash: outputRest });
		expect(whole.text).toContain('\n1\n2\n3\n');
		expect(whole.text).toContain('\n59999\n60000');
		expect(whole.text).toMatch(/\[[\d,]+ characters left out here\]/);
		expect(long?.text.length).toBeLessThan(4_000);
		expect(binary?.text).toMatch(/output that is not text, 5,00\d bytes: not shown/);
	});

	test('S2 with hosts it asks, whole: the command, where, and what it may reach', async () => {
		const app = await runsApp([command('echo fetched', { hosts: ['Registry.Example.com', 'example.org:8443'] }), says('Done.')]);
		const reply = await app.turn('Fetch');
		const [asked] = await app.rpc.chat.interrupts({ sessionId: reply.sessionId });
		expect(asked?.detail).toMatchObject({
			kind: 'approval',
			tool: 'run_command',
			touches: [
				{ sink: 'shell', command: 'echo fetched', cwd: 'workspace', sandboxed: true, hosts: ['example.org:8443', 'registry.example.com'] },
			],
		});
		const after = await app.allow(reply.sessionId);
		expect(toolParts(after)[0]).toMatchObject({ status: 'done', label: 'external' });
	});

	test('a folder that is not there, outside, or hidden is refused before anything runs', async () => {
		const app = await runsApp([
			command('touch ran', { cwd: 'nowhere' }),
			command('touch ran', { cwd: '../..' }),
			command('touch ran', { cwd: '.git' }),
			says('Done.'),
		]);
		writeFileSync(join(app.profileFolder, 'MEMORY.md'), 'x');
		await app.run('Try');
		expect(app.work('ran')).toBe(undefined);
		expect(readFileSync(join(app.profileFolder, 'MEMORY.md'), 'utf8')).toBe('x');
	});
});
