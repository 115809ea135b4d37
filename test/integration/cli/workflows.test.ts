import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkflowInstance, WorkflowSummary } from '../../../src/domain/workflow.ts';
import { temporaryHome } from '../../support/apps.ts';
import { cliHere } from '../../support/cli.ts';
import { prepareProfile } from '../../support/workflows.ts';

function profile() {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	prepareProfile(profileFolder, undefined);
	const hearth = (...words: string[]) => cliHere(home, words);
	return { home, hearth, json: async <T>(...words: string[]) => JSON.parse((await hearth(...words, '--json')).stdout) as T };
}

test('workflows validate prints file, line and column of each problem and fails; what is right is said so', async () => {
	const { home, hearth, json } = profile();
	const file = join(home, 'mine.yaml');
	writeFileSync(file, 'title: Mine\nstart: A\nstates:\n  A:\n    waite: 3 days\n    transitions: [{to: C}]\n  B: {final: true}\n');
	const told = await hearth('workflows', 'validate', file);
	expect(told.code).toBe(1);
	expect(told.stdout.split('\n')).toContain(`${file}:5:5: There is no “waite” here. Did you mean “wait”?`);
	const problems = await json<{ problems: unknown[] }>('workflows', 'validate', file);
	expect(problems.problems).toContainEqual({ line: 5, column: 5, message: 'There is no “waite” here. Did you mean “wait”?' });
	expect(await hearth('workflows', 'validate', 'onboarding')).toMatchObject({
		code: 0,
		stdout: 'workflows/onboarding.yaml: no problems.\n',
	});
	expect(await hearth('workflows', 'validate', join(home, 'none.yaml'))).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('can’t be read'),
	});
}, 120_000);

test('workflows are listed, shown, started, signalled, stopped and taken up again from the command line', async () => {
	const { hearth, json } = profile();
	const missing = await hearth('workflows', 'start', 'onboarding', '--set', 'name=Ada');
	expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('Not given: email') });
	const inputs = ['--set', 'name=Ada', '--set', 'email=a@example.org', '--set', 'starts_on=May'];
	const started = await hearth('workflows', 'start', 'onboarding', '--title', 'Ada comes', ...inputs);
	// Something waits for the owner now.
	expect(started.code).toBe(3);
	expect(started.stdout).toMatch(/^Ada comes +\[[0-9a-f-]{36}, onboarding\]/);
	expect(started.stdout).toContain('LETTER_READY (Send the letter): waits for you');
	const { workflows, instances } = await json<{ workflows: WorkflowSummary[]; instances: WorkflowInstance[] }>('workflows', 'list');
	expect(workflows.map(({ name }) => name)).toEqual(['invoice-dispute', 'onboarding', 'read-document']);
	expect(instances).toMatchObject([{ title: 'Ada comes', state: 'LETTER_READY', status: 'waiting' }]);
	const id = instances[0]?.id ?? '';
	expect((await hearth('workflows', 'list')).stdout).toMatch(/LETTER_READY +waits for you +Ada comes/);
	expect((await hearth('workflows', 'show', 'onboarding')).stdout).toContain('→ REMIND_DOCUMENTS (after 3 days)');
	expect((await hearth('workflows', 'show', id.slice(0, 30))).stdout).toContain('START → LETTER_READY  (done)');
	expect(await hearth('workflows', 'signal', id, 'documents_signd')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('Did you mean “documents_signed”?'),
	});
	// It comes before it is waited for, and is kept.
	expect((await hearth('workflows', 'signal', id, 'documents_signed', '{"by": "post"}')).code).toBe(3);
	expect((await hearth('workflows', 'stop', id)).stdout).toContain('LETTER_READY (Send the letter): stopped');
	expect((await hearth('workflows', 'retry', id)).stdout).toContain('LETTER_READY (Send the letter): waits for you');
	const needs = (await hearth('needs', 'list')).stdout;
	expect(needs).toMatch(/ {2}Workflow: .+ · /);
	expect(needs).toContain('The letter for Ada is in workspace/onboarding/Ada/welcome.md.');
	expect(await hearth('workflows', 'show', 'ffff')).toMatchObject({ code: 1 });
	expect(await hearth('workflows', 'start', 'No such')).toMatchObject({ code: 2 });
}, 120_000);
