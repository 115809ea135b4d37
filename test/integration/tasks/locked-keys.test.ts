import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { type Occurrence, TaskDraft, type TaskId } from '../../../src/domain/task.ts';
import { type RunningApp, startApp } from '../../support/apps.ts';
import { says } from '../../support/model-server/index.ts';
import { memoryApp } from '../../support/run/memory-app.ts';
import { prompt } from '../../support/task-app.ts';

const PASSPHRASE = 'words of the owner';

async function until({ rpc }: RunningApp, taskId: TaskId, what: string, holds: (newest: Occurrence) => boolean): Promise<Occurrence> {
	for (let tries = 0; tries < 2_000; tries++) {
		const [newest] = (await rpc.tasks.history({ taskId })).occurrences;
		if (newest && holds(newest)) return newest;
		await new Promise((done) => setTimeout(done, 10));
	}
	throw new Error(`${what}: ${JSON.stringify(await rpc.tasks.history({ taskId }))}`);
}

const isHeld = ({ state, error }: Occurrence): boolean => state === 'queued' && error?.code === 'secret_store_locked';
const isDone = ({ state }: Occurrence): boolean => state === 'done';

test('S3 a task that comes while stored keys are locked waits for them, is not stopped by it, and goes on when they are unlocked', async () => {
	const first = await memoryApp({ replies: [] });
	const provider = {
		id: ProviderId.parse('mine'),
		kind: 'openai-compatible' as const,
		name: 'Mine',
		baseUrl: first.server?.openaiUrl ?? '',
	};
	await first.rpc.secrets.choose({ store: 'passphrase', passphrase: PASSPHRASE });
	first.server?.script({ replies: [says('Ready.')] });
	await first.rpc.models.saveProvider({ provider, key: 'sk-canary-1234567890' });
	await first.rpc.models.choose({ work: 'chat', model: { providerId: provider.id, modelId: 'scripted' } });
	const draft = TaskDraft.parse(
		prompt('Look.', {}, { when: { kind: 'trigger', trigger: { kind: 'signal', name: 'go' }, quietSeconds: 0 } }),
	);
	const { shownHash } = await first.rpc.tasks.preview({ draft });
	const { id } = await first.rpc.tasks.add({ draft, shownHash, permissions: [], requestId: newId() });
	await first.close();

	const locked = await startApp(first.home);
	onTestFinished(() => locked.close());
	expect(await locked.rpc.secrets.status()).toMatchObject({ locked: true });
	await locked.rpc.tasks.trigger({ name: 'go', payload: null, label: 'external' });
	await until(locked, id, 'waits for the keys', isHeld);
	expect(await locked.rpc.tasks.get({ taskId: id })).toMatchObject({ failures: 0 });
	expect((await locked.rpc.tasks.get({ taskId: id })).state).not.toBe('blocked');
	first.server?.script({ replies: [says('Looked.'), says('Again.')] });
	await locked.rpc.secrets.unlock({ passphrase: PASSPHRASE });
	await until(locked, id, 'goes on', isDone);
	await locked.close();

	// So does one that is unlocked with its start.
	const again = await startApp(first.home);
	await again.rpc.tasks.trigger({ name: 'go', payload: null, label: 'external' });
	await until(again, id, 'waits anew', isHeld);
	await again.close();
	const unlocked = await startApp(first.home, { passphrase: PASSPHRASE });
	onTestFinished(() => unlocked.close());
	await until(unlocked, id, 'goes on after a start', isDone);
	expect((await unlocked.rpc.tasks.history({ taskId: id })).occurrences).toHaveLength(2);
});
