import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/db/driver.ts';
import { type TaskDraft, type TaskId, TriggerName } from '../../../src/domain/task.ts';
import { WorkflowName } from '../../../src/domain/workflow.ts';
import { cliHere } from '../../support/cli.ts';
import { BINS, finds, type LookApp, lookApp, MINUTE } from '../../support/heartbeat/look-app.ts';
import { temporaryFolder } from '../../support/sessions.ts';

const WORKFLOW = `title: Sign
start: ASK
states:
  ASK:
    title: Asking
    event: signed
    transitions:
      - to: SIGNED
  SIGNED:
    title: Signed
    final: true
`;

async function task({ rpc }: LookApp, title: string, trigger: unknown, quietSeconds = 0): Promise<TaskId> {
	const draft = { title, when: { kind: 'trigger', trigger, quietSeconds }, work: { kind: 'reminder', text: `It is time: ${title}.` } };
	const card = await rpc.tasks.preview({ draft: draft as unknown as TaskDraft });
	return (await rpc.tasks.add({ draft: card.draft, shownHash: card.shownHash, requestId: randomUUID() })).id;
}

test('R5 B1 findings, a workflow’s state, a file, a wake, an owner who comes back and a script each fire their task, once', async () => {
	const on = await lookApp({ answer: () => finds('The bins are emptied on Tuesdays from May on.', 'the bins are emptied on Tuesdays') });
	// Hearth's own folder is shut.
	const inbox = realpathSync(temporaryFolder());
	const ran = async () => {
		const { occurrences } = await on.rpc.tasks.history({ limit: 50 });
		return occurrences.map(({ title, state, cause }) => `${title} ${state}: ${cause?.name}`).toSorted();
	};
	mkdirSync(join(on.profileFolder, 'workflows'), { recursive: true });
	writeFileSync(join(on.profileFolder, 'workflows', 'sign.yaml'), WORKFLOW);
	await task(on, 'Findings', { kind: 'finding' });
	await task(on, 'Signed', { kind: 'workflow', workflow: 'sign', state: 'SIGNED' });
	await task(on, 'Files', { kind: 'files', path: inbox });
	await task(on, 'Wake', { kind: 'wake' });
	await task(on, 'Back', { kind: 'unlock', idleMinutes: 30 });
	await task(on, 'Start', { kind: 'app_start' });
	await task(on, 'Script', { kind: 'signal', name: 'scan_done' });
	// What never happens is said before it is waited for.
	for (const [never, words] of [
		[{ kind: 'workflow', workflow: 'sing', state: 'SIGNED' }, /sing/],
		[{ kind: 'workflow', workflow: 'sign', state: 'SIGNET' }, /no state “SIGNET”\. Did you mean “SIGNED”\?/],
		[{ kind: 'finding', sourceId: 'bogus' }, /no such source/],
	] as const)
		await expect(task(on, 'Never', never)).rejects.toMatchObject({ code: 'not_found', message: expect.stringMatching(words) });
	await expect(task(on, 'Slip', { kind: 'files', path: join(inbox, 'Nowhere') })).rejects.toMatchObject({ code: 'source_missing' });

	on.serve(BINS);
	await on.rpc.heartbeat.run({});
	expect(await on.over()).toMatchObject({ findings: 1 });
	const { id } = await on.rpc.workflows.start({ name: WorkflowName.parse('sign'), data: {}, requestId: randomUUID() });
	await on.until(async () => (await on.rpc.workflows.instance({ instanceId: id })).status === 'sleeping', 'the instance to wait');
	await on.rpc.workflows.signal({ instanceId: id, name: 'signed', payload: null, label: 'owner' });
	writeFileSync(join(inbox, 'scan.pdf'), 'x');
	await on.rpc.work.noticed({ what: 'woke' });
	await on.rpc.work.noticed({ what: 'unlocked', idleMinutes: 29 });
	await on.rpc.work.noticed({ what: 'unlocked', idleMinutes: 31 });
	expect(await cliHere(on.home, ['trigger', 'scan_done', '{"pages": 3}', '--mine'])).toMatchObject({
		code: 0,
		stdout: 'Told: one task that waits for it.\n',
	});
	expect(await cliHere(on.home, ['trigger', 'scan_dome'])).toMatchObject({ code: 1, stdout: 'No task waits for that.\n' });
	const causes = [
		'Back done: You came back',
		`Files done: Files in ${inbox}`,
		'Findings done: New findings of “The village paper”',
		'Script done: hearth trigger scan_done',
		'Signed done: Workflow sign reached SIGNED',
		'Wake done: The machine woke',
	];
	await expect
		.poll(
			async () => {
				// Runs after a start come with some seconds between them.
				await on.pass(10_000);
				return ran();
			},
			{ timeout: 30_000 },
		)
		.toEqual(causes);
	await on.restart();
	await expect
		.poll(
			async () => {
				await on.pass(10_000);
				return ran();
			},
			{ timeout: 30_000 },
		)
		.toEqual([...causes, 'Start done: Hearth started'].toSorted());
});

test('R5 a trigger that is paused until a time listens again from then on, also where Hearth was closed at that time', async () => {
	const on = await lookApp();
	const inbox = realpathSync(temporaryFolder());
	const db = connect(join(on.profileFolder, 'state.db'), { readonly: true });
	onTestFinished(() => void db.close());
	const ran = async () => (await on.rpc.tasks.history({ limit: 50 })).occurrences.map(({ title, state }) => `${title} ${state}`).toSorted();
	const script = await task(on, 'Script', { kind: 'signal', name: 'scan_done' });
	const files = await task(on, 'Files', { kind: 'files', path: inbox });
	const start = await task(on, 'Start', { kind: 'app_start' });
	const tell = () => on.rpc.tasks.trigger({ name: TriggerName.parse('scan_done'), payload: null, label: 'owner' });
	const pause = (taskId: TaskId, ms: number) => on.rpc.tasks.pause({ taskId, until: on.clock.now() + ms });
	await pause(script, MINUTE);
	await pause(files, MINUTE);
	await pause(start, 5 * MINUTE);
	expect(await tell()).toEqual({ tasks: 0 });
	writeFileSync(join(inbox, 'while.pdf'), 'x');
	await on.pass(MINUTE);
	await on.until(async () => (await tell()).tasks === 1, 'the end of the pause');
	const looks = db.prepare("SELECT count(*) FROM task_files WHERE path_hash = ''").pluck();
	await on.until(() => looks.get() === 1, 'the look at what lies there');
	writeFileSync(join(inbox, 'after.pdf'), 'xy');
	const eventually = (all: string[]) =>
		expect
			.poll(
				async () => {
					await on.pass(10_000);
					return ran();
				},
				{ timeout: 30_000 },
			)
			.toEqual(all);
	await eventually(['Files done', 'Script done']);
	expect((await on.rpc.tasks.history({ taskId: files, limit: 50 })).occurrences).toMatchObject([{ cause: { events: 1 } }]);
	await on.close();
	on.clock.at += 10 * MINUTE;
	await on.restart();
	await eventually(['Files done', 'Script done', 'Start done']);
});
