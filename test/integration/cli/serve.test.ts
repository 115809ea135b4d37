import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TaskDraft } from '../../../src/domain/task.ts';
import { temporaryHome } from '../../support/apps.ts';
import { cli, cliHere, startCli } from '../../support/cli.ts';
import { says, startModelServer } from '../../support/model-server/index.ts';
import { addSoon, askedWith, doorOf, outcomesOf } from '../../support/tasks-soon.ts';
import { prepareProfile } from '../../support/workflows.ts';

test('R5 dur-1 serve: killed over one task at work and one that is due, its next life lets each run exactly once, and ends when told', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const model = await startModelServer();
	onTestFinished(() => model.close());
	let held = false;
	model.script((request) => {
		if (held || askedWith([request], 'Count the bills') === 0) return says('Two bills are due.');
		held = true;
		return { steps: [{ type: 'silence', ms: 300_000 }] };
	});
	prepareProfile(profileFolder, model.openaiUrl);

	const first = startCli(home, ['serve', '--json']);
	onTestFinished(() => void first.child.kill('SIGKILL'));
	await first.says('"ready":true');
	expect(JSON.parse(first.stdout)).toEqual({ ready: true, profile: 'default', pid: first.child.pid });
	const before = await doorOf(profileFolder);
	const atWork = await addSoon(before.rpc, 'at-work', 'Count the bills', 2_000);
	await expect.poll(() => held).toBe(true);
	// It is a claimed slot now, and its run is a row.
	expect((await before.rpc.tasks.history({ taskId: atWork.id })).occurrences).toMatchObject([{ state: 'running', attempt: 1 }]);
	const due = await addSoon(before.rpc, 'due', 'Add them up', 4_000);
	first.child.kill('SIGKILL');
	await first.ended;
	before.close();
	await expect.poll(() => Date.now()).toBeGreaterThan(due.next?.at ?? Number.POSITIVE_INFINITY);
	expect(askedWith(model.log.requests, 'Add them up')).toBe(0);

	const second = startCli(home, ['serve']);
	onTestFinished(() => void second.child.kill('SIGKILL'));
	await second.says('Hearth runs for the profile “default”');
	const after = await doorOf(profileFolder);
	for (const task of [atWork, due]) {
		// The first after a start waits until its busiest seconds are over.
		await expect.poll(() => outcomesOf(after.rpc, task), { timeout: 60_000 }).toMatchObject([{ state: 'done', by: 'schedule', count: 1 }]);
		const result = join(profileFolder, 'workspace', `${task.draft.title}.txt`);
		await expect.poll(() => existsSync(result)).toBe(true);
		expect(readFileSync(result, 'utf8').match(/Two bills/g)).toHaveLength(1);
	}
	// The step that was under way is asked again; nothing else is.
	expect(askedWith(model.log.requests, 'Count the bills')).toBe(2);
	expect(askedWith(model.log.requests, 'Add them up')).toBe(1);
	after.close();

	const third = await cli(home, ['serve', '--json']);
	expect(third.code).toBe(3);
	expect(JSON.parse(third.stdout)).toMatchObject({
		error: { code: 'profile_locked', message: expect.stringContaining(`${second.child.pid}`) },
	});
	second.child.kill('SIGTERM');
	expect(await second.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Hearth ends') });
	expect(existsSync(join(profileFolder, 'hearth.sock'))).toBe(false);
	expect((await cliHere(home, ['tasks', 'history'])).stdout).toMatch(/done +its time +due/);
});

test('S3 serve unlocks stored keys before anything goes on, and does not start with another passphrase', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const passphrase = { HEARTH_PASSPHRASE: 'words of the owner' };
	const stored = startCli(home, ['models', 'key', 'openai'], passphrase);
	stored.child.stdin?.end('sk-serve-0123456789\n');
	expect((await stored.ended).code).toBe(0);
	const served = startCli(home, ['serve', '--json'], passphrase);
	onTestFinished(() => void served.child.kill('SIGKILL'));
	await served.says('"ready":true');
	const { rpc, close } = await doorOf(profileFolder);
	expect(await rpc.secrets.status()).toMatchObject({ store: 'passphrase', locked: false });
	close();
	served.child.kill('SIGTERM');
	expect((await served.ended).code).toBe(0);
	const refused = await startCli(home, ['serve', '--json'], { HEARTH_PASSPHRASE: 'other words' }).ended;
	expect(refused.code).not.toBe(0);
	expect(refused.stdout).toContain('not the passphrase');
});

test('serve says each reminder that comes and each task that failed or has a result, and no word of what a run said', async () => {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const model = await startModelServer();
	onTestFinished(() => model.close());
	model.script(() => says('Seven words of somebody else.'));
	prepareProfile(profileFolder, model.openaiUrl);
	const served = startCli(home, ['serve', '--json']);
	onTestFinished(() => void served.child.kill('SIGKILL'));
	await served.says('"ready":true');
	const { rpc, close } = await doorOf(profileFolder);
	const draft = TaskDraft.parse({
		title: 'Bread',
		when: { kind: 'schedule', schedule: { timing: { kind: 'moment', at: Date.now() + 5_000 } } },
		work: { kind: 'reminder', text: 'Take the bread out' },
	});
	await rpc.tasks.add({ draft, shownHash: (await rpc.tasks.preview({ draft })).shownHash, requestId: randomUUID() });
	const task = await addSoon(rpc, 'Words', 'Say seven words', 5_000, { kind: 'chat' });
	await served.says('"told":"reminder"');
	await served.says('"told":"result"');
	close();
	served.child.kill('SIGTERM');
	expect((await served.ended).code).toBe(0);
	const lines = served.stdout.trim().split('\n').slice(1);
	expect(lines.map((line) => JSON.parse(line)).toSorted((one, other) => one.told.localeCompare(other.told))).toEqual([
		{ told: 'reminder', reminderId: expect.any(String), text: 'Take the bread out' },
		{ told: 'result', taskId: task.id, occurrenceId: expect.any(String), title: 'Words' },
	]);
});
