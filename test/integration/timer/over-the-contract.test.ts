import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkStatus } from '../../../src/contract/methods/runs.ts';
import { WorkflowName } from '../../../src/domain/workflow.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { setClock } from '../../support/timers.ts';

const HOUR = 3_600_000;
const NOON = new Date(2026, 5, 1, 12).getTime();
const WORKFLOW = `title: Wait an hour, then write
start: WAIT
states:
  WAIT:
    title: Waiting
    wait: 1 hour
    transitions:
      - to: WRITE
  WRITE:
    title: Writing
    tool:
      name: write_file
      args:
        path: waited.txt
        content: It has waited.
    transitions:
      - to: COMPLETED
  COMPLETED:
    title: Done
    final: true
`;

async function started() {
	const home = temporaryHome();
	onTestFinished(home.remove);
	const clock = setClock(NOON);
	let app: RunningApp = await startApp(home.home, { clock });
	onTestFinished(() => app.close());
	writeFileSync(join(home.profileFolder, 'workflows', 'wait-hour.yaml'), WORKFLOW);
	const begin = () => app.rpc.workflows.start({ name: WorkflowName.parse('wait-hour'), data: {}, requestId: randomUUID() });
	const restart = async () => {
		await app.close();
		app = await startApp(home.home, { clock });
	};
	return { clock, begin, restart, rpc: () => app.rpc };
}

const state = async (
	{ rpc }: Awaited<ReturnType<typeof started>>,
	instanceId: Awaited<ReturnType<RunningApp['rpc']['workflows']['start']>>['id'],
) => {
	const { status, state } = await rpc().workflows.instance({ instanceId });
	return `${status} ${state}`;
};

test('R3 dur-6 a workflow waits over restarts and a clock that jumps; the machine’s waking is enough for it to go on', async () => {
	const on = await started();
	const { id } = await on.begin();
	await expect.poll(() => state(on, id)).toBe('sleeping WAIT');
	expect(await on.rpc().work.status()).toMatchObject({ paused: false, timers: 1, nextDueAt: NOON + HOUR });
	on.clock.at -= 2 * HOUR;
	await on.restart();
	await on.rpc().work.noticed({ what: 'clock' });
	expect(await state(on, id)).toBe('sleeping WAIT');
	on.clock.at = NOON + 2 * HOUR;
	await on.rpc().work.noticed({ what: 'clock' });
	await expect.poll(() => state(on, id)).toBe('done COMPLETED');
	expect(await on.rpc().work.status()).toMatchObject({ timers: 0 });
});

test('R3 Pause all is told to every view, and holds workflows over a restart until it is taken back', async () => {
	const on = await started();
	const { id } = await on.begin();
	await expect.poll(() => state(on, id)).toBe('sleeping WAIT');
	const told: WorkStatus[] = [];
	const stop = new AbortController();
	const follow = async (): Promise<void> => {
		for await (const item of await on.rpc().system.live({}, { signal: stop.signal }))
			if (item.type === 'event' && item.event.type === 'work_changed') told.push(item.event.work);
	};
	const following = follow().catch(() => undefined);
	expect(await on.rpc().work.pauseAll()).toMatchObject({ paused: true, pausedAt: NOON });
	await expect.poll(() => told.at(-1)).toMatchObject({ paused: true, timers: 1 });
	stop.abort();
	await following;
	on.clock.at += 2 * HOUR;
	await on.restart();
	await on.rpc().work.noticed({ what: 'clock' });
	const second = await on.begin();
	expect([await state(on, id), await state(on, second.id)]).toEqual(['sleeping WAIT', 'running WAIT']);
	await on.rpc().work.resumeAll();
	await expect.poll(() => state(on, id)).toBe('done COMPLETED');
	await expect.poll(() => state(on, second.id)).toBe('sleeping WAIT');
});

test('outside the active hours a workflow waits, and goes on as soon as the owner widens them', async () => {
	const on = await started();
	await on.rpc().settings.set({ activeHours: { from: '08:00', to: '12:30' } });
	const { id } = await on.begin();
	await expect.poll(() => state(on, id)).toBe('sleeping WAIT');
	on.clock.at += 2 * HOUR;
	await on.rpc().work.noticed({ what: 'clock' });
	expect(await on.rpc().work.status()).toMatchObject({ held: { why: 'active_hours', until: new Date(2026, 5, 2, 8).getTime() } });
	expect(await state(on, id)).toBe('sleeping WAIT');
	await on.rpc().settings.set({ activeHours: { from: '08:00', to: '20:00' } });
	await expect.poll(() => state(on, id)).toBe('done COMPLETED');
});
