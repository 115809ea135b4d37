// One life of the runtime, for crash tests: `node child.ts JSON`. Opens the harness on a folder, recovers, sends one message
// (always with the same request id, as a view does that lost its connection) and acts as the owner until the run is over.
// Dies by SIGKILL at the crash point that it was told. Prints one JSON line a step.
import { join } from 'node:path';
import { z } from 'zod';
import { openInterrupts } from '../../../src/approvals/approval-store.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { type Interrupt, isOwners } from '../../../src/domain/run.ts';
import { findRun } from '../../../src/run/journal-store.ts';
import { insertSession, listSessions } from '../../../src/sessions/session-store.ts';
import { Die, dieAt } from '../dying.ts';
import { readLedger } from '../test-tools.ts';
import { openHarness } from './harness.ts';
import { durableTools } from './tools.ts';

export const ChildOptions = z.object({
	folder: z.string(),
	modelUrl: z.string(),
	die: Die.optional(),
	/** What the owner does about an interrupted reply; `leave`: nothing, the process ends. */
	interrupted: z.enum(['retry', 'continue', 'leave']).default('retry'),
	/** `leave`: the process ends and the question stays. */
	questions: z.enum(['answer', 'leave']).default('answer'),
	/** Added to the wall clock. */
	clockOffsetMs: z.number().default(0),
});
export type ChildOptions = z.input<typeof ChildOptions>;

const REQUEST = '018f0000-0000-7000-8000-000000000001';
const SESSION = 'session-of-the-crash-test' as SessionId;

async function main(options: z.output<typeof ChildOptions>): Promise<void> {
	const say = (what: string, more: object = {}) => process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);
	say('up');
	// The scripted server waits for it.
	dieAt(options.die, (name) => name === 'stream.flushed' && say('flushed'));
	const clock = { now: () => Date.now() + options.clockOffsetMs, monotonic: () => performance.now() };
	const tools = durableTools(join(options.folder, 'ledger.jsonl'), new Set(), clock);
	const harness = openHarness({ ...options, clock, tools });
	const { db, chat, engine, ledger } = harness;
	if (listSessions(db.read).length === 0)
		db.write((tx) =>
			insertSession(tx, {
				id: SESSION,
				kind: 'chat',
				title: 'Crash test',
				titleBy: 'auto',
				pinned: false,
				headId: null,
				createdAt: 1,
				updatedAt: 1,
			}),
		);
	engine.recover({ goOn: true });
	harness.work.start();
	const sent = await chat.send({ sessionId: SESSION, text: 'Do the work', attachmentIds: [], requestId: REQUEST });
	say('sent', sent);
	for (;;) {
		const status = findRun(db.read, sent.runId)?.status;
		if (status === 'waiting' && options.questions === 'leave') break;
		if (status === 'interrupted' && options.interrupted !== 'leave') {
			say('interrupted');
			await chat[options.interrupted]({ messageId: sent.messageId });
		} else if (status !== 'running' && status !== 'waiting' && status !== 'sleeping') break;
		// Also for what the run delegated.
		for (const interrupt of openInterrupts(db.read)) {
			const { id, shownHash, detail } = interrupt;
			if (isOwners(detail.kind)) say('asked', { kind: detail.kind });
			if (detail.kind === 'event') engine.signal(detail.name, { from: 'outside' }, 'owner');
			else if (detail.kind === 'approval') await chat.answer({ interruptId: id, shownHash, answer: { type: 'approve' } });
			else if (detail.kind === 'question') await chat.answer({ interruptId: id, shownHash, answer: { type: 'reply', text: 'blue' } });
			else if (detail.kind === 'did_it_happen')
				await chat.answer({
					interruptId: id,
					shownHash,
					answer: happened(ledger, interrupt) ? { type: 'happened', result: 'it did' } : { type: 'run_again' },
				});
		}
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	say('over', { status: findRun(db.read, sent.runId)?.status });
	await harness.close();
}

/** The owner looks. */
function happened(ledger: string, { runId, step, callId }: Interrupt): boolean {
	return readLedger(ledger).some((line) => line.key === `${runId}:${step}:${callId}`);
}

await main(ChildOptions.parse(JSON.parse(process.argv[2] ?? '{}')));
