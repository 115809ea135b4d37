import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/domain/ids.ts';
import { messageText } from '../../../src/domain/message.ts';
import type { InterruptAnswer } from '../../../src/domain/run.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { type MemoryApp, memoryApp, toolParts } from '../../support/run/memory-app.ts';
import { taskApp } from '../../support/task-app.ts';

const DAILY = 'every weekday at 9:00 remind me to stand up';

async function asked({ rpc }: MemoryApp) {
	const [interrupt, ...more] = await rpc.chat.interrupts({});
	if (!interrupt || more.length > 0) throw new Error('not one question is asked');
	return interrupt;
}

/** The owner's answer, up to where the reply is over or waits again. */
async function answer(app: MemoryApp, given: InterruptAnswer) {
	const { id: interruptId, shownHash, sessionId } = await asked(app);
	await app.rpc.chat.answer({ interruptId, shownHash, answer: given });
	return settled(app, sessionId, interruptId);
}

async function settled({ rpc }: MemoryApp, sessionId: SessionId, done: string) {
	for (let tries = 0; tries < 2_000; tries++) {
		const reply = (await rpc.sessions.messages({ sessionId, limit: 100 })).messages.findLast(({ role }) => role === 'assistant');
		const open = (await rpc.chat.interrupts({ sessionId })).filter(({ id }) => id !== done);
		if (reply && (open.length > 0 || !['streaming', 'waiting'].includes(reply.status))) return reply;
		await new Promise((next) => setTimeout(next, 10));
	}
	throw new Error('the reply did not go on');
}

const tasksOf = async ({ rpc }: MemoryApp) => (await rpc.tasks.list()).tasks;

test('R5 B3 a task that is said in chat exists after the owner’s yes to exactly its card, and once', async () => {
	const app = await memoryApp();
	expect((await app.turn(DAILY)).status).toBe('waiting');
	const { detail, id, shownHash } = await asked(app);
	expect(detail).toMatchObject({
		kind: 'approval',
		tool: 'schedule_task',
		touches: [{ sink: 'task', title: 'Stand up' }],
		offers: [],
		card: { draft: { sentence: DAILY, work: { kind: 'reminder', text: 'Stand up' } }, next: { length: 5 } },
	});
	const card = detail.kind === 'approval' ? detail.card : undefined;
	expect(card?.restated).toMatch(/^Every weekday at 09:00: remind you: Stand up\./);
	expect(await tasksOf(app)).toEqual([]);
	const stale = app.rpc.chat.answer({ interruptId: id, shownHash: '0'.repeat(64), answer: { type: 'approve' } });
	await expect(stale).rejects.toMatchObject({ shape: { code: 'stale' } });
	expect(await tasksOf(app)).toEqual([]);
	expect(shownHash).not.toBe(card?.shownHash);
	const reply = await answer(app, { type: 'approve' });
	expect(messageText(reply)).toMatch(/^\*\*Scheduled\.\*\* Every weekday at 09:00/);
	expect(await tasksOf(app)).toMatchObject([
		{ draft: card?.draft, restated: 'Every weekday at 09:00', state: 'scheduled', sessionId: reply.sessionId },
	]);
	// S1: the question and the yes are on record.
	const { records } = await app.rpc.audit.list({ sinks: ['task'], limit: 50 });
	expect(records.map(({ decision }) => decision)).toEqual(expect.arrayContaining(['asked', 'approved']));
});

test('a no makes nothing, and is no thing to ask again', async () => {
	const app = await memoryApp();
	await app.turn(DAILY);
	expect(messageText(await answer(app, { type: 'reject' }))).toBe('**Nothing was scheduled.** You said no to it.');
	expect(await tasksOf(app)).toEqual([]);
});

test('the built-in responder asks where a sentence may mean two things, and proposes what was chosen', async () => {
	const app = await memoryApp();
	expect((await app.turn('next Friday at 9:00 check the news')).status).toBe('waiting');
	const question = (await asked(app)).detail;
	if (question.kind !== 'question') throw new Error('no question');
	expect(question.question).toContain('Friday');
	const [, later = ''] = question.choices ?? [];
	await answer(app, { type: 'reply', text: later });
	const proposed = (await asked(app)).detail;
	expect(proposed).toMatchObject({ kind: 'approval', tool: 'schedule_task', card: { next: { length: 1 } } });
	await answer(app, { type: 'approve' });
	expect(await tasksOf(app)).toMatchObject([{ draft: { work: { kind: 'prompt', text: 'check the news' } } }]);
});

test('one reminder at one time is set at once; what is no time at all is said', async () => {
	const app = await memoryApp();
	const reply = await app.turn('remind me in 3 hours to check the oven');
	expect(toolParts(reply).map(({ tool }) => tool)).toEqual(['remind']);
	expect(messageText(reply)).toMatch(/^\*\*Set\.\*\* You will be reminded on /);
	expect(await app.ask('remind me to buy milk')).toMatch(/^\*\*Nothing was scheduled\.\*\*/);
	expect(await tasksOf(app)).toEqual([]);
});

test('B2 S2 no policy and no permission lowers it, least of all after text from outside; the yes lifts its words to approved', async () => {
	const task = { sentence: 'when Hearth starts tell me when the ferry leaves', title: 'Ferry' };
	const app = await taskApp([calls('test_outside', {}), calls('schedule_task', task), says('It is scheduled.')]);
	const { path } = await app.rpc.permissions.policy();
	writeFileSync(path, 'rules:\n  - id: all\n    sinks: [task, none, file]\n    verdict: allow\n    reason: All of it.\n');
	await expect.poll(async () => (await app.rpc.permissions.policy()).rules.some(({ id }) => id === 'all')).toBe(true);
	expect((await app.turn('When does the ferry leave? Tell me at each start.')).status).toBe('waiting');
	const { detail } = await asked(app);
	expect(detail).toMatchObject({ kind: 'approval', label: 'external', rule: 'floor_task', card: { draft: { title: 'Ferry' }, next: [] } });
	await answer(app, { type: 'approve' });
	expect(await tasksOf(app)).toMatchObject([{ draft: { title: 'Ferry' }, label: 'approved' }]);
});

test('a model is handed the question back where its sentence is not clear, and may then say it clearly', async () => {
	const app = await taskApp([
		calls('schedule_task', { sentence: 'every weekday at 7 summarise my mail' }),
		calls('schedule_task', { sentence: 'every weekday at 07:00 summarise my mail' }),
		says('Done.'),
	]);
	const reply = await app.turn('Summarise my mail each weekday at seven in the morning.');
	const [first] = toolParts(reply);
	expect(first?.result?.text).toContain('every weekday at 07:00 summarise my mail');
	expect((await asked(app)).detail).toMatchObject({ card: { restated: expect.stringContaining('Every weekday at 07:00') } });
});
