import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../support/apps.ts';
import { says } from '../../support/model-server/index.ts';
import { prompt, taskApp } from '../../support/task-app.ts';

test('R5 a profile that is restored beside its original runs nothing by itself, says why, and goes on when the owner says so', async () => {
	const app = await taskApp([says('Once.'), says('Twice.')]);
	const { id } = await app.add(
		prompt('Look.', {}, { when: { kind: 'trigger', trigger: { kind: 'signal', name: 'go' }, quietSeconds: 0 } }),
	);
	const made = await app.rpc.backup.create();
	const { profileFolder } = await app.rpc.backup.restore({ path: made.path, profile: 'second' });
	const second = await startApp(app.home, { profileFolder });
	onTestFinished(() => second.close());
	const { rpc } = second;
	expect(profileFolder).toBe(join(app.home, 'profiles', 'second'));
	expect(await rpc.work.status()).toMatchObject({ paused: true, restoredFrom: made.madeAt });
	expect((await app.rpc.work.status()).paused).toBe(false);
	await rpc.tasks.trigger({ name: 'go', payload: null, label: 'external' });
	await app.rpc.tasks.trigger({ name: 'go', payload: null, label: 'external' });
	await app.until({ id }, ({ state }) => state === 'done');
	expect((await rpc.tasks.history({ taskId: id })).occurrences.filter(({ runId }) => runId)).toEqual([]);
	const resumed = await rpc.work.resumeAll();
	expect(resumed).toMatchObject({ paused: false });
	expect(resumed.restoredFrom).toBeUndefined();
	for (let tries = 0; tries < 2_000; tries++) {
		if ((await rpc.tasks.history({ taskId: id })).occurrences.some(({ state }) => state === 'done')) return;
		await new Promise((done) => setTimeout(done, 10));
	}
	throw new Error('it did not go on');
});
