import { answerInterrupt, endedChildWaits, endWait, findInterrupt, getInterrupt, waitsForEvent } from '../approvals/approval-store.ts';
import { checkAnswer, outcomeFits } from '../approvals/machine.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { WriteDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { InterruptId, MessageId, RunId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { Message } from '../domain/message.ts';
import type { EventName, Interrupt, InterruptAnswer, RunSummary, WaitOutcome } from '../domain/run.ts';
import { Appender } from './appender.ts';
import { type BegunWork, beginWork, type RunBeginning, titleOfReply, type WorkBeginning } from './begin.ts';
import { type Children, isAtRest, openBelow } from './children.ts';
import { createCompactor } from './compact/compactor.ts';
import { Driver } from './driver.ts';
import { Endings } from './endings.ts';
import { type EngineDeps, memoryDoor } from './engine-deps.ts';
import { Gate } from './gate.ts';
import { findRun, findRunByKey, openRun } from './journal-store.ts';
import { Later } from './later.ts';
import type { LiveText } from './live-text.ts';
import type { PromptSources } from './prompt.ts';
import { orphans, recoverRuns, savedText } from './recover.ts';
import { checkPayload, stillBusy } from './refusals.ts';
import { Resources } from './resources.ts';
import { refuseWhileRestoring } from './restore-store.ts';
import { refuseToResume } from './resume.ts';
import { budgetUsedBy } from './run-budget.ts';
import { RunLog } from './run-log.ts';
import { shownOutput } from './shown-output.ts';
import { type RunState, runStatus } from './state.ts';
import { openToolState } from './tool-state.ts';
import { Toolbox } from './toolbox.ts';

/** The durable run engine: runs are begun, recovered, answered, woken and ended here; `Driver` carries out what their states ask for. */
export class RunEngine {
	readonly log: RunLog;
	readonly promptSources: PromptSources;
	readonly #deps: EngineDeps;
	readonly #driver: Driver;
	readonly #toolbox: Toolbox;
	readonly #streaming = new Map<MessageId, LiveText>();
	readonly #later: Later;
	readonly #endings: Endings;

	constructor(deps: EngineDeps) {
		const { db, clock, logger, work, blobs, witness } = deps;
		this.#deps = deps;
		this.#later = new Later(logger);
		this.#endings = new Endings({ db: db.read, logger, later: this.#later, settle: (id, outcome) => this.settleWait(id, outcome) });
		this.log = new RunLog(deps);
		this.#toolbox = new Toolbox(deps.tools, deps.ownTools);
		const compact = createCompactor({ ...deps, audit: deps.firewall.audit, silenceMs: () => deps.limits().silenceMs });
		this.promptSources = {
			...deps.prompt,
			db: db.read,
			clock,
			tools: () => deps.tools.forModel(),
			blobs,
			compact,
			redactor: deps.redactor,
		};
		const appender = new Appender(this.log, logger);
		const gate = new Gate({ tools: this.#toolbox, firewall: deps.firewall, memory: memoryDoor(deps) });
		const resources = new Resources(gate, appender);
		this.#driver = new Driver({
			log: this.log,
			appender,
			resources,
			clock,
			logger,
			work,
			modelStep: {
				audit: deps.firewall.audit,
				...deps,
				appender,
				prompt: this.promptSources,
				toolbox: this.#toolbox,
				silenceMs: () => deps.limits().silenceMs,
				streaming: this.#streaming,
			},
			toolStep: {
				db: db.read,
				clock,
				firewall: deps.firewall,
				output: shownOutput(deps.announce, deps.redactor),
				appender,
				gate,
				resources,
				witness,
				work,
				children: this.#children(),
				toolState: (runId, tool) =>
					openToolState(db, runId, tool, {
						seqNow: () => this.log.load(runId).seq,
						clean: (json) => deps.redactor.redactKeys(json).text,
					}),
				keepLarge: (result) => blobs.keepLarge(result),
				watchProgram: deps.watchProgram,
			},
			budgetUsed: (runId) => budgetUsedBy({ db: db.read, log: this.log, ofInstance: deps.budgetOfInstance }, runId),
			onAtRest: (runId, state) => this.#atRest(runId, state),
		});
	}

	/** Adds a run to the caller's transaction. Call `start` after the commit. Throws `conflict` while the session has another one open. */
	begin(tx: WriteDb, run: RunBeginning): void {
		const open = openRun(tx, run.sessionId);
		if (open) throw stillBusy(open);
		refuseWhileRestoring(tx, run.sessionId);
		const { maxModelCalls = this.#deps.limits().maxModelCalls, title = titleOfReply(tx, run.messageId) } = run;
		this.log.begin(tx, { ...run, maxModelCalls, title });
	}

	/** Adds a run that is no chat turn, with its messages and, where it is given none, a session of its own. Call `start` after the commit. */
	beginWork(tx: WriteDb, work: WorkBeginning): BegunWork {
		return beginWork(tx, work, this.#deps.clock.now(), (run) => this.begin(tx, run));
	}

	start(runId: RunId): void {
		this.log.begun(runId);
		this.log.announce(runId);
		this.#driver.drive(runId);
	}

	/** Told of each run that is done, failed, stopped or interrupted, also of those that recovery finds so. May be told twice. */
	onRunEnded(listener: (run: RunSummary) => void): void {
		this.#endings.listen(listener);
	}

	/**
	 * Writes down where the last process died, asks the owner what only the owner can know, and goes on with every run that is
	 * unfinished, unless it is told to leave them to a later start. Call once, before any other run starts. On a full disk it waits
	 * for room, run by run, and nothing else waits for it.
	 */
	recover(options: { goOn: boolean }): void {
		this.#recover(options);
		if (options.goOn) this.#recoverTrees();
	}

	#recover(options: { goOn: boolean }, only?: ReadonlySet<RunId>): void {
		const { recovered, later } = recoverRuns({ ...this.#deps, log: this.log, toolNames: (runId) => this.#toolbox.names(runId) }, only);
		for (const { runId, outcome } of recovered) {
			if (outcome === 'interrupted') this.#endings.tell(runId);
			else if (options.goOn || (outcome === 'asked' && !this.#canFindOut(runId))) this.#driver.drive(runId);
		}
		if (!only || recovered.length > 0) this.#deps.announce({ type: 'recovered', runs: recovered });
		if (later.length > 0) this.#later.again('recovery_ended', () => this.#recover(options, new Set(later)));
	}

	/** Its tool may know what became of the effect: with that word the run would go on, and not only ask. */
	#canFindOut(runId: RunId): boolean {
		const { state } = this.log.load(runId);
		if (state.kind !== 'effect_unknown' || state.verified) return false;
		return this.#toolbox.find(runId, state.judged.call.tool)?.verify !== undefined;
	}

	/** What a process did not come to: the end of a child that nobody told its parent, and the stop of a parent that its children did not hear of. */
	#recoverTrees(): void {
		for (const childRunId of endedChildWaits(this.#deps.db.read)) this.#endings.tell(childRunId);
		for (const runId of orphans(this.#deps.db.read)) this.#stopLater(runId);
	}

	/** The owner's answer, the journal and the row in one transaction; then the run goes on. Throws `not_found`, `conflict`, `stale`, `invalid_input`. */
	answer(interruptId: InterruptId, shownHash: string, answer: InterruptAnswer): Interrupt {
		const open = getInterrupt(this.#deps.db.read, interruptId);
		checkAnswer(open, shownHash, answer);
		const now = this.#deps.clock.now();
		this.log.append(open.runId, { type: 'interrupt_answered', interruptId, answer, at: now }, (tx) => {
			const answered = answerInterrupt(tx, interruptId, shownHash, answer, now);
			this.#deps.firewall.answered(tx, answered, answer, now);
			return [answered];
		});
		crashPoint('interrupt.answered');
		if (answer.type === 'approve' && answer.offer !== undefined) this.#deps.firewall.changed();
		this.#driver.drive(open.runId);
		if (answer.type === 'stop') this.#stopBelow(open.runId);
		else if (open.detail.kind === 'child') this.#stopLater(open.detail.childRunId);
		return getInterrupt(this.#deps.db.read, interruptId);
	}

	/**
	 * What an interrupt that is not the owner's waited for came, or will not come. Does nothing, and says so, where it is gone, no longer
	 * open, or waits for something else: it may be told any number of times. Throws a storage error; then it still waits.
	 */
	settleWait(interruptId: InterruptId, outcome: WaitOutcome): boolean {
		const { db, clock } = this.#deps;
		const open = findInterrupt(db.read, interruptId);
		if (open?.status !== 'open' || !outcomeFits(open.detail.kind, outcome.type)) return false;
		const at = clock.now();
		this.log.append(open.runId, { type: 'wait_ended', interruptId, outcome, at }, (tx) => [endWait(tx, interruptId, outcome, at)]);
		crashPoint('wait.ended');
		this.#driver.drive(open.runId);
		return true;
	}

	/** Wakes every run that waits for this event now, and says how many. `label`: of the payload. Throws `invalid_input`. */
	signal(name: EventName, payload: Json, label: Label): number {
		checkPayload(payload);
		const came: WaitOutcome = { type: 'event_came', payload, label, sources: [{ kind: 'event', name, label }] };
		return waitsForEvent(this.#deps.db.read, name).filter((id) => this.settleWait(id, came)).length;
	}

	/**
	 * Keeps what there is of the reply, and stops what it delegated. Resolves when nothing of the run is under way any more; does nothing where
	 * it is over. Rejects with `disk_full` or `read_only` where the end cannot be written down now: then it is kept in memory until it can be.
	 */
	async stop(runId: RunId): Promise<void> {
		await this.#driver.stop(runId);
		const { state } = this.log.load(runId);
		const makesRoom = true;
		// A drive that got stuck left what it had received among the saved pieces.
		const names = this.#toolbox.names(runId);
		const parts = state.kind === 'calling_model' ? savedText(this.#deps.db.read, names, runId, state.progress.step) : [];
		if (!isAtRest(runStatus(state)))
			this.log.append(runId, { type: 'stopped', parts, at: this.#deps.clock.now() }, undefined, { makesRoom });
		this.log.release(runId);
		this.#endings.tell(runId);
		for (const below of openBelow(this.#deps.db.read, runId)) await this.stop(below);
	}

	#stopBelow(runId: RunId): void {
		for (const below of openBelow(this.#deps.db.read, runId)) this.#stopLater(below);
	}

	#stopLater(runId: RunId): void {
		this.stop(runId).catch((error: unknown) => this.#deps.logger.warn('child_not_stopped', { runId, error }));
	}

	/** Ends what is still under way of runs that were deleted with their session, and writes nothing down of them. Who waits for one is told. */
	async endDeleted(): Promise<void> {
		await this.#driver.endDeleted();
		for (const childRunId of endedChildWaits(this.#deps.db.read)) this.#endings.tell(childRunId);
	}

	/** Runs that were held at the border of a step may go on now. */
	goOn(): void {
		this.#driver.goOn();
	}

	/** The owner's Continue and Retry on a reply. Throws `conflict` where there is nothing to go on with, or another run is open. */
	resume(runId: RunId, how: 'continued' | 'retried'): void {
		const { state } = this.log.load(runId);
		refuseToResume(this.#deps.db.read, state.progress.sessionId);
		if (state.kind === 'done')
			throw terminal('conflict', 'This reply is complete.', { action: 'Use Regenerate for another version of it.' });
		this.log.append(runId, { type: how });
		this.#driver.drive(runId);
	}

	/** Some run is being driven, and holds in memory what it read and wrote. */
	isAtWork(): boolean {
		return this.#driver.isAtWork();
	}

	/** The message with the text that was announced of it so far: what a snapshot at the current live position must hold. */
	withLiveText(message: Message): Message {
		const live = this.#streaming.get(message.id);
		return live ? { ...message, parts: live.announcedParts() } : message;
	}

	/** Ends every drive. What is cut off is in the state that a crash would leave, and the next start recovers it. */
	async close(): Promise<void> {
		this.#later.close();
		await this.#driver.close();
	}

	#children(): Children {
		return {
			find: (beginKey) => findRunByKey(this.#deps.db.read, beginKey)?.id,
			begin: (tx, child) => void this.beginWork(tx, child),
			start: (runId) => this.#startChild(runId),
		};
	}

	/** A child whose step is done again after the owner's Retry was begun before: it goes on, or has its outcome already. */
	#startChild(runId: RunId): void {
		const status = findRun(this.#deps.db.read, runId)?.status;
		if (status === undefined || !isAtRest(status)) {
			this.start(runId);
			return;
		}
		try {
			if (status !== 'done') this.resume(runId, 'retried');
		} catch (error) {
			this.#deps.logger.warn('child_not_resumed', { runId, error });
		}
		this.#endings.tell(runId);
	}

	#atRest(runId: RunId, state: RunState): void {
		// A test leaves nothing behind.
		if (state.kind === 'done' && !state.progress.terms.test) {
			const used = state.progress.parts.flatMap((part) => (part.type === 'memory' ? part.entryIds : []));
			if (used.length > 0) this.promptSources.memory?.used(used);
		}
		this.#endings.tell(runId);
	}
}
