import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialSocket } from '../../../src/app/socket.ts';
import { connect } from '../../../src/contract/client.ts';
import type { Message } from '../../../src/domain/message.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cli, cliHere, startCli, startCliAtTerminal } from '../../support/cli.ts';
import { calls, type ModelServer, says, startModelServer } from '../../support/model-server/index.ts';
import { programOf } from '../../support/program.ts';

let home: ReturnType<typeof temporaryHome>;
let server: ModelServer | undefined;
const children: ChildProcess[] = [];

beforeEach(() => {
	home = temporaryHome();
});
afterEach(async () => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	await server?.close();
	server = undefined;
	home.remove();
});

/** What is looked at here needs no memory by meaning, and loading its model takes longer than most commands. */
const WITHOUT_MEANING = { version: 1, embedding: { kind: 'off' } };

/** A profile where nothing else is set up. */
function withoutMeaning(): void {
	mkdirSync(home.profileFolder, { recursive: true });
	writeFileSync(join(home.profileFolder, 'config.json'), JSON.stringify(WITHOUT_MEANING));
}

/** A profile whose chat model is the scripted server. */
async function withModel(): Promise<ModelServer> {
	server = await startModelServer();
	mkdirSync(home.profileFolder, { recursive: true });
	const provider = { id: 'scripted', kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl };
	const config = {
		...WITHOUT_MEANING,
		firstRunDone: true,
		providers: [provider],
		models: { chat: { providerId: 'scripted', modelId: 'scripted' } },
	};
	writeFileSync(join(home.profileFolder, 'config.json'), JSON.stringify(config));
	return server;
}

function startRuntime(): Promise<ChildProcess> {
	const child = spawn(
		process.execPath,
		[programOf(join(import.meta.dirname, '..', '..', 'support', 'app-child', 'main.ts')), home.profileFolder],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	children.push(child);
	return new Promise((resolve, reject) => {
		child.stdout?.on('data', (text: Buffer) => text.toString().includes('ready') && resolve(child));
		child.on('exit', (code) => reject(new Error(`ended with ${code}`)));
	});
}

const json = (text: string): unknown => JSON.parse(text);
const lines = (text: string): Record<string, unknown>[] =>
	text
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('chats from the command line', () => {
	test('a first message is answered with nothing set up, and the chat is kept', async () => {
		const first = await cli(home.home, ['chat', 'hello', 'there']);
		expect(first.code).toBe(0);
		expect(first.stdout.length).toBeGreaterThan(20);
		expect(first.stderr).toBe('');
		const list = await cli(home.home, ['sessions', 'list', '--json']);
		const [session] = json(list.stdout) as { id: string; messageCount: number; title: string }[];
		expect(session).toMatchObject({ messageCount: 2, title: 'hello there' });
		expect((await cli(home.home, ['chat', '--continue', 'help'])).code).toBe(0);
		const shown = await cli(home.home, ['sessions', 'show', session?.id ?? '', '--json']);
		expect((json(shown.stdout) as { messages: Message[] }).messages).toHaveLength(4);
		expect((await cli(home.home, ['sessions', 'show', 'last'])).stdout).toContain('You, ');
		const found = await cli(home.home, ['--json', 'sessions', 'search', 'there']);
		expect((json(found.stdout) as unknown[]).length).toBeGreaterThan(0);
		expect(existsSync(join(home.profileFolder, 'hearth.sock'))).toBe(false);
	});

	test('the reply streams as it is written; --json gives one value a line', async () => {
		const model = await withModel();
		model.reply(says('one two three four', { delayMs: 30 }));
		const result = await cli(home.home, ['chat', '--json', 'count']);
		expect(result.code).toBe(0);
		const values = lines(result.stdout);
		expect(values[0]).toMatchObject({ type: 'started' });
		expect(values.filter((value) => value.type === 'delta').length).toBeGreaterThan(1);
		expect(values.flatMap((value) => (value.type === 'delta' ? [value.text] : [])).join('')).toBe('one two three four');
		expect(values.at(-1)).toMatchObject({ type: 'message', message: { status: 'complete', modelName: expect.any(String) } });
	});

	test('a message comes from standard input, too; an empty one is refused', async () => {
		const model = await withModel();
		model.reply(says('read it'));
		expect((await cli(home.home, ['chat', '-'], 'from a pipe\nwith lines')).stdout).toBe('read it\n');
		expect(JSON.stringify(model.log.requests[0]?.body)).toContain('from a pipe\\nwith lines');
		const empty = await cli(home.home, ['chat', '-'], ' \n');
		expect(empty.code).toBe(2);
		expect(empty.stderr).toContain('nothing to send');
	});

	test('Ctrl-C stops the reply; what was written is kept', async () => {
		const model = await withModel();
		model.reply({
			steps: [
				{ type: 'text', text: 'The beginning.' },
				{ type: 'silence', ms: 60_000 },
			],
		});
		const running = startCli(home.home, ['chat', 'tell me']);
		await running.says('The beginning.');
		running.child.kill('SIGINT');
		const result = await running.ended;
		expect(result).toMatchObject({ code: 130, stdout: 'The beginning.\n' });
		expect(result.stderr).toContain('kept');
		const shown = json((await cli(home.home, ['--json', 'sessions', 'show', 'last'])).stdout) as { messages: Message[] };
		expect(shown.messages[1]).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: 'The beginning.' }] });
	});

	test('R1 after a kill -9 in mid-stream the next command shows what was written, as interrupted', async () => {
		const model = await withModel();
		model.script({ fallback: says('Words that come one after the other, for a long while.', { delayMs: 150 }) });
		const chat = startCli(home.home, ['chat', 'Go']);
		children.push(chat.child);
		await chat.says('come');
		chat.child.kill('SIGKILL');
		await chat.ended;
		const [session] = json((await cli(home.home, ['--json', 'sessions', 'list'])).stdout) as { activity: string }[];
		expect(session?.activity).toBe('interrupted');
		expect((await cli(home.home, ['sessions', 'show', 'last'])).stdout).toMatch(/\[interrupted\]\nWords that/);
		expect(model.log.requests).toHaveLength(1);
	});

	test('S4 a model’s escape sequences don’t reach the terminal', async () => {
		const model = await withModel();
		model.reply(says('plain \u001b[31mred\u001b]0;owned\u0007 end'));
		expect((await cli(home.home, ['chat', 'x'])).stdout).toBe('plain ␛[31mred␛]0;owned␇ end\n');
	});

	test('S5 a model that fails is said with what to do, and the exit code tells', async () => {
		await withModel();
		await server?.close();
		server = undefined;
		const result = await cli(home.home, ['chat', 'x']);
		expect(result.code).not.toBe(0);
		expect(result.stderr.split('\n').length).toBeGreaterThan(1);
	}, 60_000);

	test('export writes a new file only; delete asks, or is told not to', async () => {
		withoutMeaning();
		await cliHere(home.home, ['chat', 'keep this']);
		const target = join(home.home, 'chat.md');
		expect((await cliHere(home.home, ['sessions', 'export', 'last', '--output', target])).code).toBe(0);
		expect(readFileSync(target, 'utf8')).toContain('keep this');
		const again = await cliHere(home.home, ['sessions', 'export', 'last', '--output', target]);
		expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('exists already') });
		const asJson = await cliHere(home.home, ['sessions', 'export', 'last', '--format', 'json']);
		expect(asJson.stdout).toContain('keep this');
		expect(() => json(asJson.stdout)).not.toThrow();
		const unasked = await cliHere(home.home, ['sessions', 'delete', 'last']);
		expect(unasked).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
		expect((await cliHere(home.home, ['sessions', 'delete', 'last', '--yes'])).code).toBe(0);
		expect((await cliHere(home.home, ['sessions', 'list', '--json'])).stdout).toBe('[]\n');
	});
});

describe('doors', () => {
	test('dur-1 while the app runs, commands go through its socket, and leave it running', async () => {
		withoutMeaning();
		const runtime = await startRuntime();
		const result = await cli(home.home, ['chat', 'hello']);
		expect(result.code).toBe(0);
		expect(existsSync(join(home.profileFolder, 'hearth.sock'))).toBe(true);
		const transport = await dialSocket(home.profileFolder);
		if (!transport) throw new Error('the app is gone');
		const connection = await connect(transport, { client: 'test' });
		expect((await connection.rpc.sessions.list()).sessions).toHaveLength(1);
		connection.close();
		expect((await cli(home.home, ['config', 'set', 'theme', 'dark'])).stdout).toContain('dark');
		expect(runtime.exitCode).toBeNull();
	});

	test('dur-1 two commands at once on a profile where nothing runs both do their work', async () => {
		withoutMeaning();
		const results = await Promise.all([cli(home.home, ['chat', 'first']), cli(home.home, ['chat', 'second'])]);
		expect(results.map((result) => [result.code, result.stderr])).toEqual([
			[0, ''],
			[0, ''],
		]);
		expect(json((await cli(home.home, ['sessions', 'list', '--json'])).stdout) as unknown[]).toHaveLength(2);
	});

	test('profiles share nothing', async () => {
		await cliHere(home.home, ['chat', 'in default']);
		const made = await cliHere(home.home, ['--profile', 'work', 'config', 'set', 'theme', 'dark']);
		expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Made a new profile “work” in .*work\.\n$/) });
		const other = await cliHere(home.home, ['--profile', 'work', 'sessions', 'list', '--json']);
		expect(other).toMatchObject({ stdout: '[]\n', stderr: '' });
		const bad = await cliHere(home.home, ['--profile', '../evil', 'sessions', 'list']);
		expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('small letters') });
	});

	test.each([[['sessions', 'list']], [['models', 'list']], [['config', 'get']], [['needs', 'list']], [['doctor', '--fast']]])(
		'%j makes no profile of a mistyped name',
		async (words) => {
			const refused = await cliHere(home.home, ['--profile', 'wrok', ...words]);
			expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is no profile “wrok”') });
			expect(refused.stderr).toContain('hearth --profile wrok chat');
			expect(existsSync(join(home.home, 'profiles', 'wrok'))).toBe(false);
		},
	);

	test('the help of web says its port’s default once', async () => {
		const { stdout } = await cliHere(home.home, ['web', '--help']);
		expect(stdout.match(/default/g)).toHaveLength(1);
	});

	test('web prints a one-time address, serves the view, and stops when told', async () => {
		const running = startCli(home.home, ['--json', 'web']);
		await running.says('"url"');
		const { url } = json(running.stdout) as { url: string };
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
		const { get } = await import('node:http');
		const page = await new Promise<string>((resolve, reject) => {
			get(url, (response) => {
				let body = '';
				response.setEncoding('utf8').on('data', (chunk: string) => {
					body += chunk;
				});
				response.on('end', () => resolve(body));
			}).on('error', reject);
		});
		expect(page).toContain('<html');
		const second = await cli(home.home, ['web', '--port', '1']);
		expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(new URL(url).origin) });
		expect(second.stderr).toContain('already running');
		expect(second.stderr).toContain('Port 1 is not used');
		running.child.kill('SIGTERM');
		expect((await running.ended).code).toBe(0);
	}, 120_000);
});

describe('what waits for the owner', () => {
	test('R3 a question outlives the command; a script can’t answer it, a person at a terminal can', async () => {
		const model = await withModel();
		model.reply(calls('ask_owner', { question: 'Which colour?' }), says('Painted it green.'));
		const asked = await cli(home.home, ['chat', 'paint it']);
		expect(asked.code).toBe(3);
		expect(asked.stderr).toContain('needs answer');
		const [open] = json((await cli(home.home, ['needs', 'list', '--json'])).stdout) as { id: string }[];
		const id = open?.id ?? '';
		expect((await cli(home.home, ['needs', 'list'])).stdout).toContain('Which colour?');

		const scripted = await cli(home.home, ['needs', 'answer', id], 'green\n');
		expect(scripted).toMatchObject({ code: 3, stderr: expect.stringContaining('terminal') });
		expect(json((await cli(home.home, ['needs', 'list', '--json'])).stdout)).toHaveLength(1);

		const terminal = startCliAtTerminal(home.home, ['needs', 'answer', id]);
		await terminal.says('Your answer');
		terminal.child.stdin?.write('green\n');
		await terminal.says('Painted it green.');
		expect((await terminal.ended).code).toBe(0);
		expect((await cli(home.home, ['needs', 'list', '--json'])).stdout).toBe('[]\n');
		expect(model.log.requests).toHaveLength(2);
	}, 60_000);

	test('at a terminal the chat itself asks, and goes on', async () => {
		const model = await withModel();
		model.reply(calls('ask_owner', { question: 'Which colour?' }), says('Painted it blue.'));
		const terminal = startCliAtTerminal(home.home, ['chat', 'paint it']);
		await terminal.says('Your answer');
		terminal.child.stdin?.write('blue\n');
		await terminal.says('Painted it blue.');
		expect((await terminal.ended).code).toBe(0);
	}, 60_000);
});

describe('settings, models, health', () => {
	test('config get and set speak the setting’s own type, and refuse what does not fit', async () => {
		// Beside a running app, which the commands talk to.
		const app = await startApp(home.home);
		try {
			expect(json((await cliHere(home.home, ['config', 'get', '--json'])).stdout)).toMatchObject({ theme: 'system', notifications: true });
			expect((await cliHere(home.home, ['config', 'set', 'notifications', 'false', '--json'])).stdout).toBe('false\n');
			expect((await cliHere(home.home, ['config', 'set', 'logDays', '7'])).code).toBe(0);
			expect((await cliHere(home.home, ['config', 'get', 'logDays'])).stdout).toBe('7\n');
			const bad = await cliHere(home.home, ['config', 'set', 'logDays', 'many', '--json']);
			expect(bad.code).toBe(2);
			expect(json(bad.stdout)).toMatchObject({ error: { code: 'invalid_input', message: expect.stringContaining('logDays') } });
			expect((await cliHere(home.home, ['config', 'set', 'activeHours', '08:00-22:30'])).stdout).toBe('activeHours is now 08:00-22:30\n');
			expect(json((await cliHere(home.home, ['config', 'get', 'activeHours', '--json'])).stdout)).toEqual({ from: '08:00', to: '22:30' });
			expect((await cliHere(home.home, ['config', 'set', 'activeHours', '08:00-08:00'])).stderr).toContain(
				'activeHours: The two times must differ.',
			);
			expect((await cliHere(home.home, ['config', 'set', 'activeHours', 'none'])).stdout).toBe('activeHours is now none\n');
			expect((await cliHere(home.home, ['work', 'budget', 'task', '--tokens', '20,000', '--usd', '2.5'])).stdout).toBe(
				'The budget of a day for tasks is now: 20,000 tokens, $2.50.\n',
			);
			expect((await cliHere(home.home, ['work', 'budget', 'task', '--usd', 'none'])).stdout).toContain('now: 20,000 tokens.');
			expect(await cliHere(home.home, ['work', 'budget', '--tokens', '1'])).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('Name the budget'),
			});
			expect((await cliHere(home.home, ['work', 'budget', 'chat', '--tokens', '0'])).stderr).toContain('above 0');
			expect(json((await cliHere(home.home, ['work', 'spending', '--days', '3', '--json'])).stdout)).toMatchObject({
				days: [],
				budgets: expect.arrayContaining([expect.objectContaining({ budget: 'task', limit: { tokens: 20_000, costUsd: null }, tokens: 0 })]),
			});
			expect((await cliHere(home.home, ['work', 'spending'])).stdout).toMatch(/task +0 of 20,000/);
			const unknown = await cliHere(home.home, ['config', 'get', 'colour']);
			expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('theme') });
		} finally {
			await app.close();
		}
	});

	test('dur-2 config get says that config.json is broken, and shows what is in force', async () => {
		expect((await cliHere(home.home, ['config', 'set', 'theme', 'dark'])).code).toBe(0);
		expect((await cliHere(home.home, ['config', 'get', 'theme'])).stderr).toBe('');
		writeFileSync(join(home.profileFolder, 'config.json'), '{"theme": ');
		const got = await cliHere(home.home, ['config', 'get', 'theme']);
		expect(got).toMatchObject({ code: 0, stdout: 'dark\n', stderr: expect.stringMatching(/^Warning: .*config\.json.*last good settings/) });
		expect(json((await cliHere(home.home, ['config', 'get', '--json'])).stdout)).toMatchObject({ theme: 'dark' });
	});

	test('S5 a working folder that was deleted is a readable error where the home is relative to it', async () => {
		const gone = join(home.home, 'gone');
		mkdirSync(gone, { recursive: true });
		const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
		const words = [process.execPath, join(import.meta.dirname, '../../../src/cli/hearth.mjs'), '--home', 'here', 'sessions', 'list'];
		const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', gone, ...words], { encoding: 'utf8' });
		expect(status).toBe(2);
		expect(stderr).toMatch(/no longer exists.*“here”[\s\S]*give the whole path/);
	});

	test('models list, test and choose', async () => {
		const model = await withModel();
		model.reply(says('It works.'), says('It works.'));
		const listed = json((await cliHere(home.home, ['models', 'list', '--json'])).stdout) as {
			providers: unknown[];
			choices: { chat: unknown };
		};
		expect(listed.choices.chat).toEqual({ providerId: 'scripted', modelId: 'scripted' });
		expect((await cliHere(home.home, ['models', 'list'])).stdout).toContain('scripted/scripted');
		expect((await cliHere(home.home, ['models', 'test'])).stdout).toContain('It works.');
		expect((await cliHere(home.home, ['models', 'choose', 'scripted/scripted', '--for', 'summarise'])).code).toBe(0);
		expect((await cliHere(home.home, ['models', 'choose', 'nonsense'])).code).toBe(2);
		expect((await cliHere(home.home, ['models', 'choose', 'scripted/scripted', '--for', 'dancing'])).code).toBe(2);
	});

	test('S3 a key is piped in, kept behind a passphrase, used with it, and asked for without it', async () => {
		const model = await withModel();
		model.script({ key: 'sk-cli-canary-0123456789', fallback: says('Let in.') });
		const refused = await cli(home.home, ['models', 'key', 'scripted'], 'sk-cli-canary-0123456789\n');
		expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('passphrase') });
		const passphrase = { HEARTH_PASSPHRASE: 'canary words of the owner' };
		const stored = startCli(home.home, ['models', 'key', 'scripted', '--json'], passphrase);
		stored.child.stdin?.end('sk-cli-canary-0123456789\n');
		expect(json((await stored.ended).stdout)).toEqual({ provider: 'scripted', store: 'passphrase' });
		expect((await startCli(home.home, ['models', 'test'], passphrase).ended).stdout).toContain('Let in.');
		const locked = await cli(home.home, ['models', 'test', '--json']);
		expect(locked.code).toBe(3);
		expect(json(locked.stdout)).toMatchObject({
			error: { code: 'secret_store_locked', action: expect.stringContaining('HEARTH_PASSPHRASE') },
		});
		const files = readdirSync(home.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
		const leaks = files.filter((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').includes('canary'));
		expect(leaks.map((entry) => entry.name)).toEqual([]);
	});

	test('dur-4 doctor says all is well with 0, and names what is not with another code', async () => {
		const well = await cli(home.home, ['doctor']);
		expect(well).toMatchObject({ code: 0, stderr: '' });
		expect(well.stdout).toContain('The defaults are in force');
		// Where there is no keychain that is worth a look.
		const warnings = well.stdout.match(/^warning /gm)?.length ?? 0;
		expect(well.stdout.trimEnd().split('\n').at(-1)).toMatch(warnings === 0 ? /^All is well\.$/ : new RegExp(`^Works; ${warnings} thing`));
		writeFileSync(join(home.profileFolder, 'state.db'), 'not a database at all');
		const broken = await cli(home.home, ['doctor', '--json']);
		expect(broken.code).toBe(1);
		expect(json(broken.stdout)).toMatchObject({
			ok: false,
			checks: expect.arrayContaining([expect.objectContaining({ id: 'state_db', state: 'failed' })]),
		});
		const refused = await cli(home.home, ['chat', 'x', '--json']);
		expect(refused.code).toBe(3);
		expect(json(refused.stdout)).toMatchObject({ error: { code: 'database_corrupt' } });
		expect(readFileSync(join(home.profileFolder, 'state.db'), 'utf8')).toBe('not a database at all');
	});

	test('mistakes in the words are said in one line, as JSON where asked for', async () => {
		const unknown = await cliHere(home.home, ['frobnicate']);
		expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Unknown command') });
		const asJson = await cliHere(home.home, ['--json', 'sessions', 'show']);
		expect(asJson.code).toBe(2);
		expect(json(asJson.stdout)).toMatchObject({ error: { code: 'invalid_input', message: expect.stringContaining("'id'") } });
		const help = await cliHere(home.home, ['--help']);
		expect(help.code).toBe(0);
		expect(help.stdout).toContain('Exit codes:');
		expect((await cliHere(home.home, ['sessions', '--help'])).stdout).toContain('export');
		expect(await cliHere(home.home, ['--home', '', 'sessions', 'list'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('It is empty'),
		});
		expect(json((await cliHere(home.home, ['--json', '--version'])).stdout)).toMatch(/^\d/);
		expect(await cliHere(home.home, ['--json', 'web', '--port', '70000'])).toMatchObject({
			code: 2,
			stdout: expect.stringContaining('65535'),
		});
	});

	test.each([[[]], [['sessions']]])('without a command (%j) the help is shown, as a mistake', async (words) => {
		const shown = await cliHere(home.home, words);
		expect(shown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Commands:') });
		const asJson = await cliHere(home.home, ['--json', ...words]);
		expect(asJson.code).toBe(2);
		expect(json(asJson.stdout)).toMatchObject({ error: { code: 'invalid_input', message: 'A command is missing.' } });
	});

	test('S5 an empty id, as of an unset variable, fits no chat, not even an only one', async () => {
		withoutMeaning();
		await cliHere(home.home, ['chat', 'Hello']);
		expect(await cliHere(home.home, ['sessions', 'delete', '', '--yes'])).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('no chat'),
		});
		expect(json((await cliHere(home.home, ['--json', 'sessions', 'list'])).stdout)).toHaveLength(1);
	});

	test('a reader that goes away does not end the work', async () => {
		withoutMeaning();
		const chat = startCli(home.home, ['--json', 'chat', 'Hello']);
		chat.child.stdout?.destroy();
		expect(await chat.ended).toMatchObject({ code: 0, stderr: '' });
		const [session] = json((await cli(home.home, ['--json', 'sessions', 'list'])).stdout) as { messageCount: number; activity: string }[];
		expect(session).toMatchObject({ messageCount: 2, activity: 'idle' });
	});

	test('“--json” after “--” is the owner’s text', async () => {
		withoutMeaning();
		const said = await cli(home.home, ['chat', '--', '--json']);
		expect(said.code).toBe(0);
		expect(said.stdout).not.toContain('{"type"');
	});
});
