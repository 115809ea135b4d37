import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkStatus } from '../../../src/contract/methods/runs.ts';
import type { Interrupt, RunSummary } from '../../../src/domain/run.ts';
import type { WorkflowInstance, WorkflowSummary } from '../../../src/domain/workflow.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { prepareProfile } from '../../support/workflows.ts';

const TEA = `title: Tea
start: ASK
states:
  ASK:
    ask: {question: Which tea?, choices: [Green, Black]}
    transitions: [{to: BREW, on: Green}, {to: BREW, on: Black}]
  BREW:
    wait: 1 second
    transitions: [{to: POUR}]
  POUR:
    tool: {name: write_file, args: {path: tea.txt, content: Tea is ready}}
    transitions: [{to: DRUNK}]
  DRUNK: {final: true}
`;

function profile(workflows: Record<string, string> = { tea: TEA }) {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	prepareProfile(profileFolder, undefined, workflows);
	const hearth = (...words: string[]) => cliHere(home, words);
	const json = async <T>(...words: string[]) => JSON.parse((await hearth(...words, '--json')).stdout) as T;
	const answer = async (text: string) => {
		const [open] = await json<Interrupt[]>('needs', 'list');
		const terminal = startCliAtTerminal(home, ['needs', 'answer', open?.id ?? '']);
		await terminal.says('Your answer');
		terminal.child.stdin?.write(`${text}\n`);
		return terminal.ended;
	};
	return { home, profileFolder, hearth, json, answer };
}

test('R3 without the app an answer leads a workflow on until it rests, and says where; what is no answer is told; work resume does what is due', async () => {
	const { profileFolder, hearth, json, answer } = profile();
	expect((await hearth('workflows', 'start', 'tea')).code).toBe(3);
	const odd = await answer('Cocoa');
	expect(odd.stdout).toContain('asked again');
	expect(odd.stdout).toContain('It takes: Green, Black.');
	expect(odd.code).toBe(1);
	const told = await answer('green');
	expect(told.code).toBe(0);
	expect(told.stdout).toContain('Answered. “Tea” is in BREW: waits until');
	expect(told.stdout).toContain('Hearth does not run now');
	for (const words of [
		['workflows', 'list'],
		['workflows', 'show', (await json<{ instances: WorkflowInstance[] }>('workflows', 'list')).instances[0]?.id ?? ''],
		['runs', 'list'],
	]) {
		const shown = (await hearth(...words)).stdout;
		expect(shown).toContain('goes on by itself: start the app or `hearth web`');
		expect(shown).not.toContain('running');
	}
	expect(existsSync(join(profileFolder, 'workspace', 'tea.txt'))).toBe(false);
	for (let due: number | undefined; due === undefined || due > Date.now(); ) due = (await json<WorkStatus>('work', 'status')).nextDueAt;
	expect((await hearth('work', 'resume')).stdout).toContain('What was due is done');
	expect(existsSync(join(profileFolder, 'workspace', 'tea.txt'))).toBe(true);
	expect((await hearth('workflows', 'list')).stdout).toMatch(/DRUNK +done +Tea/);
}, 120_000);

test('with the app an answer says where it led, too, and what is no answer is told', async () => {
	const { home, hearth, answer } = profile();
	const app = await startApp(home);
	onTestFinished(() => app.close());
	await hearth('workflows', 'start', 'tea');
	await expect.poll(async () => (await hearth('workflows', 'list')).stdout).toMatch(/ASK +waits for you/);
	expect(await answer('Cocoa')).toMatchObject({ code: 1, stdout: expect.stringContaining('asked again') });
	const told = await answer('Black');
	expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/Answered. “Tea” is in (BREW|POUR|DRUNK)/) });
	expect(told.stdout).not.toContain('Hearth does not run now');
}, 120_000);

test('Pause all is told wherever work is shown, and can be set and taken back from the command line', async () => {
	const { hearth, json } = profile();
	expect((await hearth('work', 'status')).stdout).toContain('Nothing is paused');
	expect((await hearth('work', 'pause')).stdout).toContain('Pause all is on since');
	const started = await hearth('workflows', 'start', 'tea');
	expect(started.stdout).toContain('held by Pause all');
	expect(started.stderr).toContain('hearth work resume');
	for (const words of [
		['runs', 'list'],
		['workflows', 'list'],
		['needs', 'list'],
		['doctor', '--fast'],
	])
		expect((await hearth(...words)).stdout).toContain('Pause all is on since');
	expect(await json<WorkStatus>('work', 'status')).toMatchObject({ paused: true });
	await hearth('work', 'resume');
	expect(await json<WorkStatus>('work', 'status')).toMatchObject({ paused: false });
	expect((await hearth('workflows', 'list')).stdout).toMatch(/ASK +waits for you +Tea/);
}, 120_000);

test('what was mistyped is told in words that help', async () => {
	const { hearth, json } = profile({ tea: TEA, broken: 'title: Broken\nstart: A\n' });
	expect((await hearth('runs', 'list')).stdout).toBe('There is no run yet.\n');
	expect(await hearth('runs', 'shwo')).toMatchObject({ code: 2, stderr: expect.stringContaining('See: hearth runs --help') });
	const missing = await hearth('workflows', 'start', 'onboarding', '--set', 'name=Ada');
	expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--set email=value') });
	const refused = await hearth('workflows', 'start', 'broken');
	expect(refused.stderr).toContain('hearth workflows validate workflows/broken.yaml');
	for (const given of ['workflows/broken.yaml', 'broken', 'broken.yaml']) {
		const told = await hearth('workflows', 'validate', given);
		expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('workflows/broken.yaml:') });
	}
	const { workflows } = await json<{ workflows: WorkflowSummary[] }>('workflows', 'list');
	const count = workflows.find(({ name }) => name === 'broken')?.problems.length ?? 0;
	expect((await hearth('workflows', 'list')).stdout).toContain(count === 1 ? '1 problem ' : `${count} problems`);
	await hearth('workflows', 'start', 'tea');
	const payload = await hearth('runs', 'signal', 'poured', '{"by": "Ada');
	expect(payload).toMatchObject({ code: 2, stderr: expect.stringContaining('begins like JSON') });
	expect(await hearth('runs', 'cancel', 'last')).toMatchObject({ code: 0 });
	expect(await hearth('runs', 'cancel', 'last')).toMatchObject({ code: 1, stdout: 'There was nothing to stop: it is stopped already.\n' });
}, 120_000);

const POST = `title: Post
start: WRITE
states:
  WRITE:
    tool: {name: write_file, args: {path: letter.txt, content: Dear}}
    transitions: [{to: ASK}]
  ASK:
    ask: {question: Send it?, choices: [Send, Leave]}
    transitions: [{to: SENT, on: Send}, {to: OVER, on: Leave}]
  SENT:
    event: answered
    transitions: [{to: OVER}]
  OVER: {final: true}
`;

test('R4 an event that came early is shown; a finished run of a workflow that waits names the workflow to stop; files that are not taken are named', async () => {
	const { home, profileFolder, hearth, json } = profile({ post: POST });
	writeFileSync(join(profileFolder, 'workflows', 'My Flow.yml'), POST);
	for (const words of [
		['workflows', 'list'],
		['doctor', '--fast'],
	])
		expect((await hearth(...words)).stdout).toContain(
			'Not taken: workflows/My Flow.yml. Its name may have small letters, digits and - only. Call it my-flow.yaml',
		);
	expect(await hearth('workflows', 'start', 'post')).toMatchObject({ code: 3 });
	const { instances } = await json<{ instances: WorkflowInstance[] }>('workflows', 'list');
	const id = instances[0]?.id ?? '';
	expect((await hearth('workflows', 'signal', id, 'answered')).stderr).toContain('Kept: “answered” came early');
	expect((await hearth('workflows', 'show', id)).stdout).toContain('Came early, and are kept: answered');
	const [done] = await json<RunSummary[]>('runs', 'list', '--status', 'done');
	expect(done?.step).toBe(1);
	const terminal = await startCliAtTerminal(home, ['runs', 'restore', done?.id ?? '', '--step', '0', '--files']).ended;
	expect(terminal.stdout).toContain('This run is of the workflow “Post”, which still waits for something.');
	expect(terminal.stdout).toContain(`hearth workflows stop ${id}`);
	expect(terminal.stdout).not.toContain('Back to');
	await hearth('workflows', 'stop', id);
	expect(await hearth('runs', 'restore', done?.id ?? '', '--step', '0', '--files', '--yes')).toMatchObject({ code: 0 });
}, 120_000);
