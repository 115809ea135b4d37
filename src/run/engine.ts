import { answerInterrupt, getInterrupt } from '../approvals/approval-store.ts';
import { checkAnswer } from '../approvals/machine.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { assertNever } from '../domain/assert-never.ts';
import { terminal, toErrorShape } from '../domain/errors.ts';
import type { InterruptId, MessageId, RunId, SessionId } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import type { Interrupt, InterruptAnswer } from '../domain/run.ts';
import type { HoldMemoryWrite } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { Appender } from './appender.ts';
import type { Blobs } from './blobs.ts';
import { RunControl } from './control.ts';
import { Gate, type MemoryDoor } from './gate.ts';
import { openRun } from './journal-store.ts';
import type { LiveText } from './live-text.ts';
import { callModel, type ModelStepDeps } from './model-step.ts';
import type { ModelSource } from './models.ts';
import { POLICY } from './policy.ts';
import type { PromptSources } from './prompt.ts';
import { recoverRuns, savedText } from './recover.ts';
import { stillBusy, stoppedUnsaved } from './refusals.ts';
import { RunLog } from './run-log.ts';
import { type Command, commandFor, type RunState, runStatus } from './state.ts';
import { askWhetherItHappened, judgeTool, runApproved, type ToolStepDeps, type WatchProgram } from './tool-step.ts';
import { writeProvenance } from './write-provenance.ts';

export interface EngineDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly models: ModelSource;
	readonly tools: ToolRegistry;
	readonly blobs: Blobs;
	readonly prompt: Omit<PromptSources, 'db' | 'clock' | 'tools' | 'blobs'>;
	/** Read anew for each step. */
	readonly limits: () => { silenceMs: number; maxModelCalls: number };
	/** Where memory writes go that are held; absent where there is no memory. */
	readonly hold?: HoldMemoryWrite | undefined;
	/** What a tool with side effects runs within; absent where there is no memory to guard. */
	readonly watchProgram?: WatchProgram | undefined;
}

/** How soon to look again at runs whose end the disk had no room for. */
const RECOVER_AGAIN_MS = 1_000;

interface Drive {
	readonly control: RunControl;
	readonly done: Promise<void>;
}

/**
 * The durable run engine. `drive` is the only loop: it asks the state for a command, carries it out, and returns as soon
 * as the run waits or is over. Whatever it holds in memory can be lost at any moment.
 */
export class RunEngine {
	readonly log: RunLog;
	readonly promptSources: PromptSources;
	readonly #deps: EngineDeps;
	readonly #appender: Appender;
	readonly #modelStep: ModelStepDeps;
	readonly #toolStep: ToolStepDeps;
	readonly #drives = new Map<RunId, Drive>();
	readonly #streaming = new Map<MessageId, LiveText>();
	#closing = false;
	#recoveryTimer: NodeJS.Timeout | undefined;

	constructor(deps: EngineDeps) {
		this.#deps = deps;
		this.log = new RunLog(deps);
		this.#appender = new Appender(this.log, deps.logger);
		this.promptSources = { ...deps.prompt, db: deps.db.read, clock: deps.clock, tools: () => deps.tools.forModel(), blobs: deps.blobs };
		this.#toolStep = {
			clock: deps.clock,
			appender: this.#appender,
			gate: new Gate(deps.tools, POLICY, memoryDoor(deps)),
			watchProgram: deps.watchProgram,
		};
		this.#modelStep = {
			...deps,
			appender: this.#appender,
			prompt: this.promptSources,
			silenceMs: () => deps.limits().silenceMs,
			streaming: this.#streaming,
		};
	}

	/** Adds a run to the caller's transaction. Call `start` after the commit. Throws `conflict` while the session has another one open. */
	begin(tx: WriteDb, run: { id: RunId; sessionId: SessionId; messageId: MessageId }): void {
		const open = openRun(tx, run.sessionId);
		if (open) throw stillBusy(open);
		this.log.begin(tx, { ...run, maxModelCalls: this.#deps.limits().maxModelCalls });
	}

	start(runId: RunId): void {
		this.log.announce(runId);
		this.#drive(runId);
	}

	/**
	 * Writes down where the last process died, asks the owner what only the owner can know, and goes on with every run that is
	 * unfinished, unless it is told to leave them to a later start. Call once, before any other run starts. On a full disk it waits
	 * for room, run by run, and nothing else waits for it.
	 */
	recover(options: { goOn: boolean }): void {
		this.#recover(options);
	}

	#recover(options: { goOn: boolean }, only?: ReadonlySet<RunId>): void {
		const { recovered, later } = recoverRuns({ ...this.#deps, log: this.log }, only);
		for (const { runId, outcome } of recovered) if (options.goOn || outcome === 'asked') this.#drive(runId);
		if (!only || recovered.length > 0) this.#deps.announce({ type: 'recovered', runs: recovered });
		if (later.length === 0) return;
		const again = () => {
			try {
				this.#recover(options, new Set(later));
			} catch (error) {
				this.#deps.logger.error('recovery_ended', { error });
			}
		};
		this.#recoveryTimer = setTimeout(again, RECOVER_AGAIN_MS).unref();
	}

	/** The owner's answer, the journal and the row in one transaction; then the run goes on. Throws `not_found`, `conflict`, `stale`, `invalid_input`. */
	answer(interruptId: InterruptId, shownHash: string, answer: InterruptAnswer): Interrupt {
		const open = getInterrupt(this.#deps.db.read, interruptId);
		checkAnswer(open, shownHash, answer);
		const now = this.#deps.clock.now();
		this.log.append(open.runId, { type: 'interrupt_answered', interruptId, answer, at: now }, (tx) => [
			answerInterrupt(tx, interruptId, shownHash, answer, now),
		]);
		crashPoint('interrupt.answered');
		this.#drive(open.runId);
		return getInterrupt(this.#deps.db.read, interruptId);
	}

	/**
	 * Keeps what there is of the reply. Resolves when nothing of the run is under way any more; does nothing where it is over.
	 * Rejects with `disk_full` or `read_only` where the end cannot be written down now: then it is kept in memory until it can be.
	 */
	async stop(runId: RunId): Promise<void> {
		for (let drive = this.#drives.get(runId); drive; drive = this.#drives.get(runId)) {
			drive.control.end('stopped');
			const unsaved = await Promise.race([drive.done, drive.control.unsaved]);
			if (unsaved) throw stoppedUnsaved(unsaved);
		}
		const { state } = this.log.load(runId);
		const makesRoom = true;
		// A drive that got stuck left what it had received among the saved pieces.
		const parts = state.kind === 'calling_model' ? savedText(this.#deps, runId, state.progress.step) : [];
		if (isOpen(state)) this.log.append(runId, { type: 'stopped', parts, at: this.#deps.clock.now() }, undefined, { makesRoom });
		this.log.release(runId);
	}

	/** Ends what is still under way of runs that were deleted with their session, and writes nothing down. */
	async endDeleted(): Promise<void> {
		const gone = [...this.#drives].filter(([runId]) => this.log.isGone(runId)).map(([, drive]) => drive);
		for (const { control } of gone) control.end('stopped');
		await Promise.all(gone.map(({ done }) => done));
	}

	/** The owner's Continue and Retry on a reply. Throws `conflict` where there is nothing to go on with, or another run is open. */
	resume(runId: RunId, how: 'continued' | 'retried'): void {
		const { state } = this.log.load(runId);
		const open = openRun(this.#deps.db.read, state.progress.sessionId);
		if (open) throw stillBusy(open);
		if (state.kind === 'done')
			throw terminal('conflict', 'This reply is complete.', { action: 'Use Regenerate for another version of it.' });
		this.log.append(runId, { type: how });
		this.#drive(runId);
	}

	/** Some run is being driven, and holds in memory what it read and wrote. */
	isAtWork(): boolean {
		return this.#drives.size > 0;
	}

	/** The message with the text that was announced of it so far: what a snapshot at the current live position must hold. */
	withLiveText(message: Message): Message {
		const live = this.#streaming.get(message.id);
		return live ? { ...message, parts: live.announcedParts() } : message;
	}

	/**
	 * Ends every drive: streams at once, tools within a few seconds. What is cut off is in the state that a crash would leave,
	 * and the next start recovers it.
	 */
	async close(): Promise<void> {
		this.#closing = true;
		clearTimeout(this.#recoveryTimer);
		const drives = [...this.#drives.values()];
		for (const { control } of drives) control.end('closing');
		await Promise.all(drives.map(({ done }) => done));
	}

	#drive(runId: RunId): void {
		if (this.#closing || this.#drives.has(runId)) return;
		const control = new RunControl();
		const done = this.#loop(runId, control).then((outcome) => {
			this.#drives.delete(runId);
			this.#afterDrive(runId, outcome);
		});
		this.#drives.set(runId, { control, done });
	}

	/** Never rejects. `stuck`: not even the failure could be written down; another drive would fail the same way. */
	async #loop(runId: RunId, control: RunControl): Promise<'ended' | 'stuck'> {
		try {
			for (;;) {
				const command = commandFor(this.log.load(runId).state);
				if (command.kind === 'none' || control.reason === 'closing') return 'ended';
				if (control.reason === 'stopped') {
					await this.#appender.append(runId, { type: 'stopped', parts: [], at: this.#deps.clock.now() }, control);
					return 'ended';
				}
				await this.#carryOut(runId, command, control);
			}
		} catch (error) {
			return this.#fail(runId, error, control);
		}
	}

	async #carryOut(runId: RunId, command: Command, control: RunControl): Promise<void> {
		switch (command.kind) {
			case 'call_model':
				return callModel(this.#modelStep, runId, command, control);
			case 'judge_tool':
				return judgeTool(this.#toolStep, runId, command, control);
			case 'run_tool':
				return runApproved(this.#toolStep, runId, command, control);
			case 'ask_whether_it_happened':
				return askWhetherItHappened(this.#toolStep, runId, command, control);
			case 'none':
				return;
			default:
				return assertNever(command);
		}
	}

	/** Something that no step foresaw. Where the state has no place for it, the run stays as it is and the next start recovers it. */
	async #fail(runId: RunId, error: unknown, control: RunControl): Promise<'ended' | 'stuck'> {
		try {
			if (this.log.isGone(runId)) return 'ended';
			this.#deps.logger.error('run_failed', { runId, error });
			await this.#appender.append(runId, { type: 'run_failed', parts: [], error: toErrorShape(error) }, control);
			return 'ended';
		} catch (second) {
			this.#deps.logger.error('run_stuck', { runId, error: second, after: error });
			return 'stuck';
		}
	}

	/** An answer may have come while the last drive was on its way out. Never throws, as nobody would hear of it. */
	#afterDrive(runId: RunId, outcome: 'ended' | 'stuck'): void {
		const state = this.#closing || outcome === 'stuck' ? undefined : this.#stateAfter(runId);
		if (state && commandFor(state).kind !== 'none') {
			this.#drive(runId);
			return;
		}
		if (state?.kind === 'done') {
			crashPoint('run.finished');
			const used = state.progress.parts.flatMap((part) => (part.type === 'memory' ? part.entryIds : []));
			if (used.length > 0) this.promptSources.memory?.used(used);
		}
		this.log.release(runId);
	}

	/** Undefined where the run was deleted, or the database no longer tells. */
	#stateAfter(runId: RunId): RunState | undefined {
		try {
			return this.log.isGone(runId) ? undefined : this.log.load(runId).state;
		} catch (error) {
			this.#deps.logger.error('run_stuck', { runId, error });
			return undefined;
		}
	}
}

function memoryDoor({ hold, db, clock }: EngineDeps): MemoryDoor | undefined {
	return hold && { hold, provenance: writeProvenance(db.read, clock) };
}

function isOpen(state: RunState): boolean {
	const status = runStatus(state);
	return status === 'running' || status === 'waiting';
}
