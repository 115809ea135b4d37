import { expect, test } from 'vitest';
import type { BUDGET_NAMES } from '../../../src/domain/spending.ts';
import { budgetsWith } from '../../support/budgets.ts';
import { calls, fails, says } from '../../support/model-server/index.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { prompt, taskApp } from '../../support/task-app.ts';
import { readLedger } from '../../support/test-tools.ts';
import { setClock } from '../../support/timers.ts';

const NOON = new Date(2026, 5, 1, 12).getTime();
const spends = { usage: { inputTokens: 60, outputTokens: 40 } };

function usedBy(harness: Harness, budget: (typeof BUDGET_NAMES)[number]) {
	return harness.work.spending(1).budgets.find((each) => each.budget === budget);
}

test('a chat stops before its next model call once its budget is used up, and says so; raised, it goes on where it stopped', async () => {
	const budgets = budgetsWith({ chat: { tokens: 100 } });
	const { harness, server } = await scripted(
		[
			{ ...calls('test_idempotent', { value: 'one' }), ...spends },
			{ ...says('Done.'), ...spends },
		],
		{ clock: setClock(NOON), settings: { budgets } },
	);
	const sessionId = harness.newSession();
	const { runId, messageId } = await harness.send(sessionId, 'Do one thing');
	expect(await harness.settled(runId)).toBe('failed');
	expect(server.log.requests).toHaveLength(1);
	expect(readLedger(harness.ledger)).toHaveLength(1);
	expect(harness.message(messageId).error).toMatchObject({
		code: 'budget_used',
		kind: 'needs_owner',
		message: 'The budget of the day for chats is used up: 100 of 100 tokens are used. No model was called.',
		safe: expect.stringContaining('kept'),
		action: expect.stringContaining('Settings, Spending, or wait until 2026-06-02 00:00'),
	});
	budgets.chat.tokens = 101;
	harness.engine.resume(runId, 'retried');
	expect(await harness.settled(runId)).toBe('done');
	expect([server.log.requests.length, readLedger(harness.ledger).length]).toEqual([2, 1]);
	// The one call that was under way went beyond it, and no other is made.
	expect(usedBy(harness, 'chat')?.tokens).toBe(200);
	const next = await harness.send(sessionId, 'And another');
	expect(await harness.settled(next.runId)).toBe('failed');
	expect(harness.message(next.messageId).error?.code).toBe('budget_used');
	expect(server.log.requests).toHaveLength(2);
});

test('what a call used counts also where it was cut off, was stopped, or its provider counts nothing', async () => {
	const { harness } = await scripted([
		{ steps: [{ type: 'text', text: 'Half of it' }, { type: 'cut' }] },
		says('All of it.', { usage: null }),
		{
			steps: [
				{ type: 'text', text: 'It begins' },
				{ type: 'silence', ms: 60_000 },
			],
		},
		fails({ type: 'auth' }),
	]);
	const tokens: number[] = [];
	const sessionId = harness.newSession();
	const settle = async (text: string, stop = false) => {
		const { runId, messageId } = await harness.send(sessionId, text);
		if (stop) {
			await harness.until(
				() => harness.engine.withLiveText(harness.message(messageId)).parts.some((part) => part.type === 'text'),
				'some text',
			);
			await harness.engine.stop(runId);
		}
		await harness.settled(runId);
		const used = usedBy(harness, 'chat');
		// Nothing was counted by the server: all of it is estimated, and said to be.
		expect(used?.estimatedTokens).toBe(used?.tokens);
		tokens.push(used?.tokens ?? 0);
		return harness.message(messageId);
	};
	expect((await settle('One')).usage?.inputTokens).toBeGreaterThan(20);
	await settle('Two');
	expect((await settle('Three', true)).usage?.outputTokens).toBeGreaterThan(0);
	// Refused before it answered: it cost nothing.
	await settle('Four');
	const [one = 0, two = 0, three = 0, four = 0] = tokens;
	expect(one).toBeGreaterThan(0);
	expect(two).toBeGreaterThan(one);
	expect(three).toBeGreaterThan(two);
	expect(four).toBe(three);
});

test('runs and test runs of tasks draw on the budget for tasks; what it holds goes on as soon as it is raised', async () => {
	const app = await taskApp([says('It works.'), says('Two ferries.'), says('Three ferries.')]);
	const { rpc } = app;
	await app.test(prompt('How many ferries are there?'));
	const task = await app.add(prompt('How many ferries are there?'));
	expect(await app.run(task)).toMatchObject({ state: 'done' });
	const { days } = await rpc.work.spending({ days: 1 });
	expect(days.map(({ kinds }) => kinds.map(({ kind, inputTokens, outputTokens }) => [kind, inputTokens, outputTokens]))).toEqual([
		[
			// The test of the model when it was chosen.
			['chat', 7, 5],
			['task', 14, 10],
		],
	]);
	expect(await rpc.work.setBudget({ budget: 'task', tokens: 24 })).toMatchObject({ tokens: 24, until: expect.any(Number) });
	const { id } = await rpc.tasks.run({ taskId: task.id });
	await app.until(task, (occurrence) => occurrence.id === id && occurrence.state === 'queued');
	await rpc.work.setBudget({ budget: 'task', tokens: 25 });
	await app.until(task, (occurrence) => occurrence.id === id && occurrence.state === 'done');
	expect(app.server?.log.requests).toHaveLength(3);
});
