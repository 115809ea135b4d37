import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { endedChildWaits, openInterrupts } from '../../src/approvals/approval-store.ts';
import { newId } from '../../src/base/ids.ts';
import { all, sql } from '../../src/db/sql.ts';
import { HearthError } from '../../src/domain/errors.ts';
import type { MessageStatus } from '../../src/domain/message.ts';
import type { InterruptAnswer, RunStatus } from '../../src/domain/run.ts';
import { readEvents } from '../../src/run/journal-store.ts';
import { orphans } from '../../src/run/recover.ts';
import { replay } from '../../src/run/reduce.ts';
import { messageOf, type RunState, runStatus } from '../../src/run/state.ts';
import { calls, fails, type Reply, says, startModelServer } from '../support/model-server/index.ts';
import { everyMessage, type Harness, openHarness } from '../support/run/harness.ts';
import { durableTools } from '../support/run/tools.ts';
import { temporaryFolder } from '../support/sessions.ts';
import { readLedger } from '../support/test-tools.ts';
import { tries } from '../support/thorough.ts';

/** What the owner and the model do to a real engine, in any order and without waiting for each other. */

const REPLIES: Reply[] = [
	says('A short answer.'),
	says('A longer answer that takes its time.', { delayMs: 15 }),
	calls('test_pure', { value: 'p' }),
	calls('test_idempotent', { value: 'i', afterMs: 20 }),
	calls('test_effectful', { value: 'e', afterMs: 20 }),
	calls('test_effectful', '{"value": 1'),
	calls('delegate', { task: 'Help' }),
	calls('delegate', { task: 'Help more', tools: ['delegate', 'test_effectful', 'wait_for_event'] }),
	calls('wait_for_event', { name: 'go' }),
	calls('wait_until', { in_minutes: 0.0005 }),
	{ steps: [{ type: 'text', text: 'Cut in the mid' }, { type: 'cut' }] },
	fails({ type: 'auth' }),
	{ ...says('To the limit'), finish: 'length' },
];
const ANSWERS: InterruptAnswer['type'][] = ['approve', 'approve', 'reject', 'happened', 'run_again', 'skip', 'stop'];

const action = fc.record({
	kind: fc.constantFrom(
		'send',
		'send',
		'stop',
		'continue',
		'retry',
		'regenerate',
		'answer',
		'answer',
		'answer',
		'signal',
		'restart',
		'wait',
	),
	session: fc.nat(1),
	reply: fc.nat(REPLIES.length - 1),
	answer: fc.constantFrom(...ANSWERS),
	which: fc.nat(5),
	waitMs: fc.nat(40),
});

const MESSAGE_STATUS: Record<RunStatus, MessageStatus> = {
	running: 'streaming',
	waiting: 'waiting',
	sleeping: 'waiting',
	interrupted: 'interrupted',
	failed: 'failed',
	stopped: 'stopped',
	done: 'complete',
};

function checkEverything(harness: Harness): void {
	const runs = all<{ id: string; status: RunStatus; message_id: string }>(harness.db.read, sql`SELECT id, status, message_id FROM runs`);
	for (const { id, status, message_id } of runs) {
		const seqs = all<{ seq: number }>(harness.db.read, sql`SELECT seq FROM journal WHERE run_id = ${id} ORDER BY seq`).map(
			({ seq }) => seq,
		);
		expect(seqs).toEqual(seqs.map((_, index) => index + 1));
		// The rows beside the journal say what the journal says.
		const state = replay(readEvents(harness.db.read, id as never)) as RunState;
		expect(runStatus(state)).toBe(status);
		const message = harness.message(message_id as never);
		expect(message.status).toBe(MESSAGE_STATUS[status]);
		expect(message.parts).toEqual(JSON.parse(JSON.stringify(messageOf(state).parts)));
		const open = all(harness.db.read, sql`SELECT 1 FROM interrupts WHERE run_id = ${id} AND status = 'open'`).length;
		expect(open).toBe(status === 'waiting' || status === 'sleeping' ? 1 : 0);
		const chunks = all(harness.db.read, sql`SELECT 1 FROM stream_chunks WHERE run_id = ${id}`).length;
		if (state.kind !== 'calling_model') expect(chunks).toBe(0);
	}
	// Each call that delegates has one child at most.
	const keys = all<{ key: string }>(harness.db.read, sql`SELECT begin_key AS key FROM runs WHERE begin_key IS NOT NULL`);
	expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
}

/** Something is under way, or a tree of runs is not told yet of an end in it. */
function isUnsettled(harness: Harness): boolean {
	const { db, engine } = harness;
	const running = all(db.read, sql`SELECT 1 FROM runs WHERE status = 'running' OR waits_for = 'timer'`).length;
	return running > 0 || engine.isAtWork() || endedChildWaits(db.read).length > 0 || orphans(db.read).length > 0;
}

test('R1 R2 R3 whatever owner and model do, in any order: rows agree with journals and nothing happens without a word', async () => {
	const server = await startModelServer();
	onTestFinished(() => server.close());
	let acted = 0;
	let refused = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }), async (actions) => {
			let next = 0;
			server.script(() => REPLIES[(actions[next++ % actions.length]?.reply ?? 0) % REPLIES.length] ?? says('x'));
			const folder = temporaryFolder();
			const options = { folder, modelUrl: server.openaiUrl, maxModelCalls: 4, tools: durableTools(`${folder}/ledger.jsonl`) };
			let harness = openHarness(options);
			harness.work.start();
			const sessions = [harness.newSession(), harness.newSession()] as const;
			let approvals = 0;
			const act = async (given: (typeof actions)[number]): Promise<unknown> => {
				const sessionId = sessions[given.session] ?? sessions[0];
				const reply = everyMessage(harness.db)
					.filter((message) => message.sessionId === sessionId && message.role === 'assistant')
					.at(-1);
				switch (given.kind) {
					case 'send':
						return harness.send(sessionId, 'Go on');
					case 'stop':
						return reply?.runId && harness.chat.stop({ runId: reply.runId });
					case 'continue':
					case 'retry':
						return reply && harness.chat[given.kind]({ messageId: reply.id });
					case 'regenerate':
						return reply && harness.chat.regenerate({ messageId: reply.id, requestId: newId<string>() });
					case 'answer': {
						// Also of what they delegated, and of what is no owner's to answer.
						const interrupts = openInterrupts(harness.db.read);
						const open = interrupts[given.which % Math.max(1, interrupts.length)];
						if (!open) return undefined;
						const answer: InterruptAnswer =
							given.answer === 'happened' ? { type: given.answer, result: '' } : { type: given.answer as 'approve' };
						await harness.chat.answer({ interruptId: open.id, shownHash: open.shownHash, answer });
						if (given.answer === 'approve' || given.answer === 'run_again') approvals += 1;
						return undefined;
					}
					case 'signal':
						return harness.engine.signal('go' as never, { at: given.waitMs }, 'external');
					case 'restart':
						await harness.close();
						harness = openHarness(options);
						harness.engine.recover({ goOn: true });
						harness.work.start();
						return undefined;
					case 'wait':
						return new Promise((resolve) => setTimeout(resolve, given.waitMs));
				}
			};
			try {
				for (const given of actions) {
					try {
						await act(given);
						acted += 1;
					} catch (error) {
						// A refusal has a reason that the owner can read; anything else is a defect.
						if (!(error instanceof HearthError) || error.code === 'internal') throw error;
						refused += 1;
					}
				}
				await harness.until(() => !isUnsettled(harness), 'all runs to settle');
				checkEverything(harness);
				const effects = readLedger(harness.ledger).filter((line) => line.tool === 'test_effectful').length;
				expect(effects).toBeLessThanOrEqual(approvals);
			} finally {
				await harness.close();
			}
		}),
		{ numRuns: tries(12) },
	);
	expect(acted).toBeGreaterThan(50);
	expect(refused).toBeGreaterThan(5);
});
