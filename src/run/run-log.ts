import { expireInterrupts } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import type { MessageId, RunId, SessionId } from '../domain/ids.ts';
import type { Interrupt } from '../domain/run.ts';
import { getMessage, updateMessage } from '../sessions/message-store.ts';
import { summarise, touchSession } from '../sessions/session-store.ts';
import { JOURNAL_VERSION, type RunEvent } from './events.ts';
import { appendEvent, deleteChunks, findRun, getRun, insertRun, readEvents, setRunStatus } from './journal-store.ts';
import { reduce } from './reduce.ts';
import { messageOf, type RunState, runStatus } from './state.ts';

export interface RunRecord {
	readonly runId: RunId;
	/** Number of the newest event. */
	readonly seq: number;
	readonly state: RunState;
}

export interface RunLogDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
}

/**
 * The only writer of journals. One event is one transaction: the journal row, the run's status, the message that follows
 * from the new state, and the interrupts it opens, answers or lets expire. Views are told after the commit.
 */
export class RunLog {
	readonly #db: StateDb;
	readonly #clock: Clock;
	readonly #announce: Announce;
	readonly #records = new Map<RunId, RunRecord>();

	constructor(deps: RunLogDeps) {
		this.#db = deps.db;
		this.#clock = deps.clock;
		this.#announce = deps.announce;
	}

	/** Adds a run to a transaction of the caller's, which has already added its message. */
	begin(tx: WriteDb, run: { id: RunId; sessionId: SessionId; messageId: MessageId; maxModelCalls: number }): void {
		const { id, sessionId, messageId, maxModelCalls } = run;
		const now = this.#clock.now();
		const event: RunEvent = { type: 'run_started', version: JOURNAL_VERSION, sessionId, messageId, maxModelCalls };
		insertRun(tx, { id, sessionId, messageId, kind: 'chat', title: '', createdAt: now });
		appendEvent(tx, id, 1, event, now);
	}

	/** Throws `not_found`. */
	load(runId: RunId): RunRecord {
		const kept = this.#records.get(runId);
		if (kept) return kept;
		getRun(this.#db.read, runId);
		let record: RunRecord | undefined;
		for (const event of readEvents(this.#db.read, runId))
			record = { runId, seq: (record?.seq ?? 0) + 1, state: reduce(record?.state, event).state };
		if (!record) throw new Error(`run ${runId} has no journal`);
		this.#records.set(runId, record);
		return record;
	}

	/** The run was deleted with its session. */
	isGone(runId: RunId): boolean {
		return findRun(this.#db.read, runId) === undefined;
	}

	/** Frees the memory of a run that nobody is at work on; its next use replays the journal. */
	release(runId: RunId): void {
		this.#records.delete(runId);
	}

	/**
	 * Throws IllegalEvent, what `also` throws, or a storage error; then nothing changed. `also` runs inside the transaction, is
	 * given the event's number, and returns the interrupts it changed.
	 */
	append(runId: RunId, event: RunEvent, also?: (tx: WriteDb, seq: number) => Interrupt[], how?: { makesRoom: boolean }): RunState {
		const before = this.load(runId);
		const { state } = reduce(before.state, event);
		const seq = before.seq + 1;
		const now = this.#clock.now();
		crashPoint('journal.before_append');
		const interrupts = this.#db.write((tx) => {
			appendEvent(tx, runId, seq, event, now);
			setRunStatus(tx, runId, { status: runStatus(state), step: state.progress.step, updatedAt: now });
			const { parts, status, error, label, usage, model, modelName } = messageOf(state);
			updateMessage(tx, state.progress.messageId, { parts, status, error: error ?? null, label, usage, model, modelName });
			touchSession(tx, state.progress.sessionId, now);
			if (state.kind !== 'calling_model') deleteChunks(tx, runId);
			const changed = also?.(tx, seq) ?? [];
			return state.kind === 'awaiting_owner' ? changed : [...changed, ...expireInterrupts(tx, runId, now)];
		}, how);
		this.#records.set(runId, { runId, seq, state });
		crashPoint('journal.appended');
		this.announce(runId);
		for (const interrupt of interrupts) this.#announce({ type: 'interrupt_changed', interrupt });
		return state;
	}

	/** Tells every view how a run, its message and its session stand. */
	announce(runId: RunId): void {
		const run = getRun(this.#db.read, runId);
		this.#announce({ type: 'message_changed', message: getMessage(this.#db.read, run.messageId), headChanged: false });
		this.#announce({ type: 'run_changed', run });
		this.#announce({ type: 'session_changed', session: summarise(this.#db.read, run.sessionId) });
	}
}
