import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import type { LiveEvent } from '../../src/contract/events.ts';
import { ProviderId } from '../../src/domain/ids.ts';
import { temporaryHome } from '../support/apps.ts';
import { heardEvents } from '../support/heard-events.ts';
import { liveChild } from '../support/live-child.ts';
import { calls, says, startModelServer } from '../support/model-server/index.ts';

const due = (events: readonly LiveEvent[]): number => events.filter(({ type }) => type === 'reminder_due').length;

test('R2 R3 R5 a reminder killed while it is set, claimed and told is set once and told once', async () => {
	const { profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const model = await startModelServer();
	onTestFinished(() => model.close());
	mkdirSync(profileFolder, { recursive: true });
	const config = {
		version: 1,
		embedding: { kind: 'off' },
		providers: [{ id: ProviderId.parse('scripted'), kind: 'openai-compatible', name: 'Scripted', baseUrl: model.openaiUrl }],
		models: { chat: { providerId: 'scripted', modelId: 'scripted' } },
	};
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify(config));

	// It is set, and the journal has no word of that: setting it is repeated, and it is the same one.
	model.script({ replies: [calls('remind', { text: 'Call Ada.', in_minutes: 600 }), says('I will.')] });
	let life = await liveChild(profileFolder, 'effect.done');
	const request = { text: 'Remind me to call Ada.', attachmentIds: [], requestId: crypto.randomUUID() };
	const { runId } = await life.rpc.chat.send(request);
	await life.dead;
	life = await liveChild(profileFolder);
	await expect.poll(async () => (await life.rpc.runs.get({ runId })).run.status, { timeout: 20_000 }).toBe('done');
	const { reminders } = await life.rpc.reminders.list({});
	expect(reminders).toMatchObject([{ text: 'Call Ada.' }]);
	const reminderId = reminders[0]?.id ?? ('' as never);

	const told = async () => (await life.rpc.reminders.list({})).reminders.map(({ toldAt }) => toldAt);
	let earlier: number | undefined;
	for (const [point, announcedLater] of [
		['timer.claimed', 1],
		['timer.told', 0],
	] satisfies [CrashPointName, number][]) {
		await life.arm(point);
		void life.rpc.reminders.snooze({ reminderId, until: Date.now() + 200 }).catch(() => undefined);
		await life.dead;
		life = await liveChild(profileFolder);
		const events = heardEvents(life);
		await expect.poll(told, { timeout: 20_000 }).toEqual([expect.any(Number)]);
		expect(await told()).not.toEqual([earlier]);
		[earlier] = await told();
		await expect.poll(() => due(events), { timeout: 20_000 }).toBe(announcedLater);
	}
	// Not again.
	const [at] = await told();
	life.child.kill('SIGKILL');
	await life.dead;
	life = await liveChild(profileFolder);
	const again = heardEvents(life);
	expect(await told()).toEqual([at]);
	expect(due(again)).toBe(0);
});
