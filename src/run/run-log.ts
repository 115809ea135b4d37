import { expireInterrupts } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId } from '../domain/ids.ts';
import type { Usage } from '../domain/model.ts';
import type { Interrupt, RunSummary } from '../domain/run.ts';
import { endPermissionsOfRun } from '../firewall/permission-store.ts';
import type { Redactor } from '../firewall/ports.ts';
import { getMessage, getMessageHead, renewText, updateMessage } from '../sessions/message-store.ts';
import { changeParts, type PartsChange, partsChange } from '../sessions/part-store.ts';
import { getSession, summarise, touchSession } from '../sessions/session-store.ts';
import type { RunBeginning } from './begin.ts';
import { blobsIn, nameBlobs } from './blob-store.ts';
import type { Blobs } from './blobs.ts';
import { type Checkpoint, insertCheckpoint } from './checkpoint-store.ts';
import { type Copy, copyRun } from './copy-run.ts';
import { environmentNames } from './environment.ts';
import { JOURNAL_VERSION, type RunEvent } from './events.ts';
import { appendEvent, deleteChunks, findRun, getRun, insertRun, readEvents, setRunStatus } from './journal-store.ts';
import { lastTextIndex } from './parts.ts';
import { redactEvent } from './redact-event.ts';
import { reduce } from './reduce.ts';
import { messageOf, type RunState, runStatus, statusOf } from './state.ts';
import type { Witness } from './witness.ts';
import type { WorkPort } from './work-port.ts';

export interface RunRecord {
	readonly runId: RunId;
	/** Number of the newest event. */
	readonly seq: number;
	readonly state: RunState;
	/** Content hash of what the newest model call was given besides the conversation, where it is kept. */
	readonly prompt?: string | undefined;
}

export interface RunLogDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	/** Takes secrets out of whatever is written down. */
	readonly redactor: Redactor;
	/** Told of the texts that an event names, once it is committed. */
	readonly blobs: Pick<Blobs, 'named'>;
	/** Told of each event that is committed. */
	readonly witness?: Pick<Witness, 'journaled'> | undefined;
	/** Told of waits that are over, and of what a model call used. */
	readonly work?: Pick<WorkPort, 'clearTimer' | 'spend'> | undefined;
}

/**
 * The only writer of journals. One event is one transaction: the journal row, the run's status, what changed of its message, the checkpoint
 * where it finishes a step, and the interrupts it opens, answers or lets expire. Views are told after the commit. While a run is at work an
 * event costs the same however long the run is; what grows with its length is done when it comes to rest.
 */
export class RunLog {
	readonly #db: StateDb;
	readonly #clock: Clock;
	readonly #announce: Announce;
	readonly #blobs: RunLogDeps['blobs'];
	readonly #work: RunLogDeps['work'];
	readonly #witness: RunLogDeps['witness'];
	readonly #redactor: Redactor;
	readonly #environment = environmentNames(process.env);
	readonly #records = new Map<RunId, RunRecord>();

	constructor(deps: RunLogDeps) {
		this.#db = deps.db;
		this.#clock = deps.clock;
		this.#announce = deps.announce;
		this.#blobs = deps.blobs;
		this.#work = deps.work;
		this.#witness = deps.witness;
		this.#redactor = deps.redactor;
	}

	/** Adds a run to a transaction of the caller's, which has already added its message. */
	begin(tx: WriteDb, run: RunBeginning & { readonly maxModelCalls: number; readonly title: string }): void {
		const { id, sessionId, messageId, maxModelCalls, title, kind, script, label, sources, tools, model } = run;
		const { unattended, isolated, depth, budget, test, beginKey, parentRunId, instanceId, from } = run;
		const now = this.#clock.now();
		const terms = {
			kind,
			script,
			label,
			...(sources && { sources: [...sources] }),
			tools,
			model,
			unattended,
			isolated,
			depth,
			budget,
			test,
		};
		const given: RunEvent = { type: 'run_started', version: JOURNAL_VERSION, sessionId, messageId, maxModelCalls, ...terms };
		const event = redactEvent(given, this.#redactor);
		insertRun(tx, { id, sessionId, messageId, kind: kind ?? 'chat', title, beginKey, parentRunId, instanceId, from, createdAt: now });
		appendEvent(tx, id, 1, event, now);
		insertCheckpoint(tx, { runId: id, step: 0, seq: 1, environment: this.#environment, at: now });
	}

	/** Adds a run whose past is a copy of another one's up to a checkpoint (R4). Throws IllegalEvent where there is nothing to go on with. */
	beginCopy(tx: WriteDb, source: RunSummary, checkpoint: Checkpoint, copy: Copy): void {
		const now = this.#clock.now();
		copyRun(tx, source, checkpoint, copy, now, (runId, seq, event) => appendEvent(tx, runId, seq, event, now));
	}

	/** A run that was begun is committed now. */
	begun(runId: RunId): void {
		this.#witness?.journaled(runId, this.load(runId).seq, this.#clock.now());
	}

	/** Throws `not_found`. */
	load(runId: RunId): RunRecord {
		const kept = this.#records.get(runId);
		if (kept) return kept;
		getRun(this.#db.read, runId);
		let record: RunRecord | undefined;
		for (const event of readEvents(this.#db.read, runId)) record = following(runId, record, event);
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
	append(runId: RunId, given: RunEvent, also?: (tx: WriteDb, seq: number) => Interrupt[], how?: { makesRoom: boolean }): RunState {
		const event = redactEvent(given, this.#redactor);
		const before = this.load(runId);
		const after = following(runId, before, event);
		const { seq, state } = after;
		const parts = partsChange(before.state.progress.parts, state.progress.parts);
		const blobs = blobsIn(event);
		const now = this.#clock.now();
		crashPoint('journal.before_append');
		let ended = 0;
		const interrupts = this.#db.write((tx) => {
			appendEvent(tx, runId, seq, event, now);
			nameBlobs(tx, runId, blobs);
			setRunStatus(tx, runId, { ...statusOf(state), updatedAt: now });
			writeMessage(tx, state, parts);
			touchSession(tx, state.progress.sessionId, now);
			if (state.kind !== 'calling_model') deleteChunks(tx, runId);
			const changed = also?.(tx, seq) ?? [];
			const step = finishedStep(before.state, event, state);
			if (step !== undefined) {
				const prompt = event.type === 'model_finished' ? before.prompt : undefined;
				insertCheckpoint(tx, { runId, step, seq, prompt, environment: this.#environment, at: now });
			}
			const spent = spentBy(event);
			if (spent) this.#work?.spend(tx, runId, spent, now);
			const waits = state.kind === 'awaiting_owner' || state.kind === 'sleeping';
			if (isFinal(state)) ended = endPermissionsOfRun(tx, runId, now);
			const all = waits ? changed : [...changed, ...expireInterrupts(tx, runId, now)];
			for (const { id, status } of all) if (status !== 'open') this.#work?.clearTimer(tx, id);
			return all;
		}, how);
		this.#records.set(runId, after);
		this.#witness?.journaled(runId, seq, now);
		this.#blobs.named(blobs);
		crashPoint('journal.appended');
		this.#announceAppended(runId, before.state, state, parts);
		for (const interrupt of interrupts) this.#announce({ type: 'interrupt_changed', interrupt });
		if (ended > 0) this.#announce({ type: 'permissions_changed' });
		return state;
	}

	#announceAppended(runId: RunId, before: RunState, after: RunState, change: PartsChange): void {
		if (runStatus(after) !== 'running') {
			this.announce(runId);
			return;
		}
		const { messageId, parts } = after.progress;
		const from = Math.min(change.changed[0]?.[0] ?? change.length, firstStreamed(before));
		const message = getMessageHead(this.#db.read, messageId);
		this.#announce({ type: 'message_grew', message, from, parts: parts.slice(from) });
		this.#announceRun(runId);
	}

	/** Tells every view how a run, its message and its session stand. */
	announce(runId: RunId): void {
		const run = getRun(this.#db.read, runId);
		this.#announce({ type: 'message_changed', message: getMessage(this.#db.read, run.messageId), headChanged: false });
		this.#announceRun(runId);
	}

	#announceRun(runId: RunId): void {
		const run = getRun(this.#db.read, runId);
		this.#announce({ type: 'run_changed', run });
		// Sessions of work are in no list of chats.
		if (getSession(this.#db.read, run.sessionId).kind === 'chat')
			this.#announce({ type: 'session_changed', session: summarise(this.#db.read, run.sessionId) });
	}
}

/** Throws IllegalEvent. */
function following(runId: RunId, before: RunRecord | undefined, event: RunEvent): RunRecord {
	const { state } = reduce(before?.state, event);
	return { runId, seq: (before?.seq ?? 0) + 1, state, prompt: event.type === 'model_started' ? event.prompt : before?.prompt };
}

/** The step that the event finishes, if it does: the next one is at hand, or none is. What was only cut off can still be done. */
function finishedStep(before: RunState, event: RunEvent, after: RunState): number | undefined {
	const { step } = before.progress;
	return after.progress.step > step || after.kind === 'done' || event.type === 'model_finished' ? step : undefined;
}

/** Over, as far as a run can be: what was permitted for it ends. */
function isFinal({ kind }: RunState): boolean {
	return kind === 'done' || kind === 'failed' || kind === 'stopped';
}

/** What full-text search sees of it, and what it was made from, is renewed once it rests: that costs its length. */
function writeMessage(tx: WriteDb, state: RunState, change: PartsChange): void {
	const { messageId } = state.progress;
	const { parts, status, error, label, sources, usage, model, modelName } = messageOf(state);
	const rests = runStatus(state) !== 'running';
	changeParts(tx, messageId, change);
	updateMessage(tx, messageId, { status, error: error ?? null, label, ...(rests && { sources }), usage, model, modelName });
	if (rests) renewText(tx, messageId, parts);
}

/** The first part that views may hold more of than the state: the text that streamed, which goes on inside the last text where it continues that. */
function firstStreamed(state: RunState): number {
	const { parts } = state.progress;
	if (state.kind !== 'calling_model' || !state.plan.continues) return parts.length;
	const continued = lastTextIndex(parts, state.plan.fromPart);
	return continued < 0 ? parts.length : continued;
}

/** What the model call used that it ends. */
function spentBy(event: RunEvent): Usage | undefined {
	switch (event.type) {
		case 'model_finished':
		case 'model_failed':
		case 'stopped':
		case 'run_failed':
			return event.usage;
		default:
			return undefined;
	}
}
