import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { findRun } from '../../../src/run/journal-store.ts';
import { countTimers } from '../../../src/timer/timer-store.ts';
import { delegateTool } from '../../../src/tools/delegate.ts';
import { waitForEventTool } from '../../../src/tools/wait-for-event.ts';
import { waitUntilTool } from '../../../src/tools/wait-until.ts';
import { budgetsWith } from '../../support/budgets.ts';
import { calls, says } from '../../support/model-server/index.ts';
import type { Harness, HarnessOptions } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger, testTools } from '../../support/test-tools.ts';
import { setClock } from '../../support/timers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = new Date(2026, 5, 1, 12).getTime();

const status = (harness: Harness, runId: RunId) => findRun(harness.db.read, runId)?.status;

async function timed(replies: Parameters<typeof scripted>[0], options: Partial<HarnessOptions> = {}) {
	const clock = setClock(NOON);
	const folder = temporaryFolder();
	const tools = [...testTools(`${folder}/ledger.jsonl`), waitUntilTool(clock), waitForEventTool, delegateTool] as HarnessOptions['tools'];
	const on = await scripted(replies, { folder, clock, tools, ...options });
	on.harness.work.start();
	const reopen = async (...given: Parameters<typeof on.reopen>) => {
		const harness = await on.reopen(...given);
		harness.work.start();
		return harness;
	};
	return { ...on, reopen, clock };
}

/** A run of a workflow that does these calls; `title` is its key. */
function beginScript(harness: Harness, title: string, script: { tool: string; args: object }[]): RunId {
	const { runId } = harness.db.write((tx) =>
		harness.engine.beginWork(tx, {
			kind: 'workflow',
			beginKey: title,
			title,
			task: title,
			label: 'owner',
			script: script.map(({ tool, args }, index) => ({ callId: `call_${index}`, tool, args: JSON.stringify(args) })),
		}),
	);
	harness.engine.start(runId);
	return runId;
}

test('R3 a chat waits for a time as a row: it outlives a restart, ends once at its time, and two more starts change nothing', async () => {
	const { harness, server, clock, reopen } = await timed([calls('wait_until', { in_minutes: 90, note: 'the oven' }), says('It is done.')]);
	const { runId, messageId } = await harness.send(harness.newSession(), 'Tell me in one and a half hours');
	expect(await harness.settled(runId)).toBe('sleeping');
	expect(findRun(harness.db.read, runId)).toMatchObject({ waitsFor: 'timer', waitsUntil: NOON + 90 * MINUTE });
	expect(harness.work.status()).toMatchObject({ timers: 1, nextDueAt: NOON + 90 * MINUTE });

	clock.at += HOUR;
	const second = await reopen();
	expect(status(second, runId)).toBe('sleeping');
	clock.at += HOUR;
	const third = await reopen();
	expect(await third.settled(runId)).toBe('done');
	expect(third.message(messageId).parts.at(-1)).toEqual({ type: 'text', text: 'It is done.' });
	const journal = third.journal(runId);
	expect(journal.filter((type) => type === 'wait_ended')).toHaveLength(1);
	// dur-6: the clock jumps back before the time it has waited for.
	clock.at = NOON;
	for (const _ of [1, 2]) {
		const again = await reopen();
		expect(again.journal(runId)).toEqual(journal);
		expect(countTimers(again.db.read)).toBe(0);
	}
	expect(server.log.requests).toHaveLength(2);
});

test('R3 a wait for an event ends by its time-out; one that came in time leaves no timer behind', async () => {
	const { harness, clock } = await timed([]);
	const wait = (name: string) => [
		{ tool: 'wait_for_event', args: { name, until: new Date(NOON + HOUR).toISOString() } },
		{ tool: 'test_effectful', args: { value: name } },
	];
	const late = beginScript(harness, 'late', wait('papers_signed'));
	const early = beginScript(harness, 'early', wait('laptop_there'));
	expect(await harness.settled(late)).toBe('sleeping');
	expect(await harness.settled(early)).toBe('sleeping');
	expect(harness.engine.signal('laptop_there', { by: 'post' }, 'owner')).toBe(1);
	expect(countTimers(harness.db.read)).toBe(1);
	clock.at += HOUR;
	harness.work.rulesChanged();
	for (const runId of [late, early]) expect(await harness.settled(runId)).not.toBe('sleeping');
	const ended = (runId: RunId) => harness.journal(runId).filter((type) => type === 'wait_ended').length;
	expect([ended(late), ended(early), countTimers(harness.db.read)]).toEqual([1, 1, 0]);
});

test('R3 the end of a run or of its chat takes its timer along', async () => {
	const { harness } = await timed([calls('wait_until', { in_minutes: 5 }), calls('wait_until', { in_minutes: 5 })]);
	const first = harness.newSession();
	const stopped = await harness.send(first, 'Wait');
	await harness.settled(stopped.runId);
	await harness.chat.stop({ runId: stopped.runId });
	expect(countTimers(harness.db.read)).toBe(0);
	const second = harness.newSession();
	await harness.settled((await harness.send(second, 'Wait')).runId);
	expect(countTimers(harness.db.read)).toBe(1);
	harness.db.write((tx) => tx.prepare('DELETE FROM sessions WHERE id = ?').run(second));
	expect(countTimers(harness.db.read)).toBe(0);
});

test('Pause all holds a workflow’s run at the border of a step, also over a restart; chats go on, and Resume lets it go on where it was', async () => {
	const { harness, clock, reopen } = await timed([says('I am here.')]);
	const steps = [1, 2, 3].map((value) => ({ tool: 'test_idempotent', args: { value: String(value), afterMs: value === 1 ? 300 : 0 } }));
	const runId = beginScript(harness, 'steps', [...steps, { tool: 'wait_until', args: { in_minutes: 1 } }]);
	await harness.until(() => readLedger(harness.ledger).length > 0, 'the first step');
	harness.work.pauseAll();
	await harness.until(() => !harness.engine.isAtWork(), 'the border');
	expect([status(harness, runId), readLedger(harness.ledger).length]).toEqual(['running', 1]);
	// What is begun meanwhile is there, and does nothing.
	const later = beginScript(harness, 'later', [{ tool: 'test_idempotent', args: { value: 'later' } }]);
	const chat = await harness.send(harness.newSession(), 'Are you there?');
	expect(await harness.settled(chat.runId)).toBe('done');

	const second = await reopen();
	await second.until(() => !second.engine.isAtWork(), 'nothing to be at work');
	expect(second.work.status().paused).toBe(true);
	expect(readLedger(second.ledger)).toHaveLength(1);
	second.work.resumeAll();
	expect(await second.settled(later)).toBe('done');
	expect(await second.settled(runId)).toBe('sleeping');
	expect(readLedger(second.ledger).map(({ value }) => value)).toEqual(expect.arrayContaining(['1', '2', '3', 'later']));
	second.work.pauseAll();
	clock.at += HOUR;
	second.work.rulesChanged();
	expect(status(second, runId)).toBe('sleeping');
	second.work.resumeAll();
	expect(await second.settled(runId)).toBe('done');
});

test('what is used is counted by day and kind: a chat’s delegated work is the chat’s; over its budget a workflow waits for the next day', async () => {
	const spends = { usage: { inputTokens: 60, outputTokens: 40 } };
	const { harness, clock } = await timed(
		[
			{ ...calls('delegate', { task: 'Look it up' }), ...spends },
			{ ...says('Found it.'), ...spends },
			{ ...says('There it is.'), ...spends },
			{ ...calls('test_idempotent', { value: 'one' }), ...spends },
			{ ...says('Finished.'), ...spends },
		],
		{ settings: { budgets: budgetsWith({ unattended: { tokens: 100 } }) } },
	);
	const chat = await harness.send(harness.newSession(), 'Find it');
	await harness.until(() => status(harness, chat.runId) === 'done', 'the chat');
	const { runId } = harness.db.write((tx) =>
		harness.engine.beginWork(tx, { kind: 'workflow', beginKey: newId(), title: 'Agent', task: 'Do one thing', label: 'owner' }),
	);
	harness.engine.start(runId);
	await harness.until(() => harness.work.status().held !== undefined, 'the end of the budget');
	await harness.until(() => !harness.engine.isAtWork(), 'the border');
	expect(status(harness, runId)).toBe('running');
	const midnight = new Date(2026, 5, 2).getTime();
	expect(harness.work.status().held).toMatchObject({ why: 'budget_used', until: midnight });
	expect(harness.work.spending(1).days).toMatchObject([
		{
			day: '2026-06-01',
			kinds: [
				{ kind: 'chat', inputTokens: 180, outputTokens: 120 },
				{ kind: 'workflow', inputTokens: 60, outputTokens: 40 },
			],
		},
	]);
	clock.at = midnight;
	harness.work.rulesChanged();
	expect(await harness.settled(runId)).toBe('done');
	expect(harness.work.spending(1).days).toMatchObject([{ day: '2026-06-02', kinds: [{ kind: 'workflow', inputTokens: 60 }] }]);
});
