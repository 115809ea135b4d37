import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { assertNever } from '../domain/assert-never.ts';
import { toErrorShape } from '../domain/errors.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import type { Appender } from './appender.ts';
import { askWhetherItHappened } from './ask-step.ts';
import { RunControl } from './control.ts';
import type { RunEventOf } from './events.ts';
import { callModel, type ModelStepDeps } from './model-step.ts';
import { stoppedUnsaved } from './refusals.ts';
import type { Resources } from './resources.ts';
import type { RunLog } from './run-log.ts';
import { type Command, commandFor, type RunState } from './state.ts';
import { judgeTool, runApproved, type ToolStepDeps, verifyEffect } from './tool-step.ts';
import type { WorkPort } from './work-port.ts';

export interface DriverDeps {
	readonly log: RunLog;
	readonly appender: Appender;
	readonly modelStep: ModelStepDeps;
	readonly toolStep: ToolStepDeps;
	readonly resources: Resources;
	readonly clock: { now(): Timestamp };
	readonly logger: Logger;
	readonly work?: Pick<WorkPort, 'mayGoOn'> | undefined;
	/** That nothing is left of what the run may use; asked before each step. */
	readonly budgetUsed: (runId: RunId) => Omit<RunEventOf<'budget_used'>, 'type'> | undefined;
	/** Told of each run that no longer goes on by itself. Must not throw. */
	readonly onAtRest: (runId: RunId, state: RunState) => void;
}

interface Drive {
	readonly control: RunControl;
	readonly done: Promise<void>;
}

/** What begins a step. What the owner said yes to, and what is to be found out, is no new one. */
const STEPS: readonly Command['kind'][] = ['call_model', 'judge_tool'];

/** `stuck`: not even the failure could be written down; another drive would fail the same way. `held`: it may not go on now. */
type Ended = 'ended' | 'held' | 'stuck';

/**
 * The only loop: it asks the state for a command, carries it out, and returns as soon as the run waits or is over. Whatever it holds in
 * memory can be lost at any moment.
 */
export class Driver {
	readonly #deps: DriverDeps;
	readonly #drives = new Map<RunId, Drive>();
	readonly #held = new Set<RunId>();
	#closing = false;

	constructor(deps: DriverDeps) {
		this.#deps = deps;
	}

	isAtWork(): boolean {
		return this.#drives.size > 0;
	}

	drive(runId: RunId): void {
		if (this.#closing || this.#drives.has(runId)) return;
		this.#held.delete(runId);
		const control = new RunControl();
		const done = this.#loop(runId, control).then((outcome) => {
			this.#drives.delete(runId);
			this.#afterDrive(runId, outcome);
		});
		this.#drives.set(runId, { control, done });
	}

	/** Every run that was held at a step border asks again. */
	goOn(): void {
		for (const runId of [...this.#held]) this.drive(runId);
	}

	/** Resolves when nothing of the run is under way any more. Rejects where its end can't be written down now. */
	async stop(runId: RunId): Promise<void> {
		this.#held.delete(runId);
		for (let drive = this.#drives.get(runId); drive; drive = this.#drives.get(runId)) {
			drive.control.end('stopped');
			const unsaved = await Promise.race([drive.done, drive.control.unsaved]);
			if (unsaved) throw stoppedUnsaved(unsaved);
		}
	}

	/** Ends what is still under way of runs that were deleted with their session, and writes nothing down. */
	async endDeleted(): Promise<void> {
		const gone = [...this.#drives].filter(([runId]) => this.#deps.log.isGone(runId)).map(([, drive]) => drive);
		for (const { control } of gone) control.end('stopped');
		await Promise.all(gone.map(({ done }) => done));
	}

	/** Ends every drive: streams at once, tools within a few seconds. */
	async close(): Promise<void> {
		this.#closing = true;
		const drives = [...this.#drives.values()];
		for (const { control } of drives) control.end('closing');
		await Promise.all(drives.map(({ done }) => done));
	}

	/** Never rejects. */
	async #loop(runId: RunId, control: RunControl): Promise<Ended> {
		const { log, appender, resources, clock, work } = this.#deps;
		try {
			for (;;) {
				const command = commandFor(log.load(runId).state);
				if (command.kind === 'none' || control.reason === 'closing') return 'ended';
				if (control.reason === 'stopped') {
					await appender.append(runId, { type: 'stopped', parts: [], at: clock.now() }, control);
					return 'ended';
				}
				if (work && !work.mayGoOn(runId)) return 'held';
				if (await resources.restore(runId, log.load(runId).state, control)) continue;
				const used = STEPS.includes(command.kind) ? this.#deps.budgetUsed(runId) : undefined;
				if (used) {
					await appender.append(runId, { type: 'budget_used', ...used }, control);
					continue;
				}
				await this.#carryOut(runId, command, control);
			}
		} catch (error) {
			return this.#fail(runId, error, control);
		}
	}

	async #carryOut(runId: RunId, command: Command, control: RunControl): Promise<void> {
		const { modelStep, toolStep } = this.#deps;
		switch (command.kind) {
			case 'call_model':
				return callModel(modelStep, runId, command, control);
			case 'judge_tool':
				return judgeTool(toolStep, runId, command, control);
			case 'run_tool':
				return runApproved(toolStep, runId, command, control);
			case 'verify_effect':
				return verifyEffect(toolStep, runId, command, control);
			case 'ask_whether_it_happened':
				return askWhetherItHappened(toolStep, runId, command, control);
			case 'none':
				return;
			default:
				return assertNever(command);
		}
	}

	/** Something that no step foresaw. Where the state has no place for it, the run stays as it is and the next start recovers it. */
	async #fail(runId: RunId, error: unknown, control: RunControl): Promise<Ended> {
		const { log, appender, logger } = this.#deps;
		try {
			if (log.isGone(runId)) return 'ended';
			logger.error('run_failed', { runId, error });
			await appender.append(runId, { type: 'run_failed', parts: [], error: toErrorShape(error) }, control);
			return 'ended';
		} catch (second) {
			logger.error('run_stuck', { runId, error: second, after: error });
			return 'stuck';
		}
	}

	/** An answer may have come while the last drive was on its way out. Never throws, as nobody would hear of it. */
	#afterDrive(runId: RunId, outcome: Ended): void {
		const state = this.#closing || outcome === 'stuck' ? undefined : this.#stateAfter(runId);
		if (state && commandFor(state).kind !== 'none') {
			if (outcome === 'held' && this.#deps.work?.mayGoOn(runId) === false) this.#held.add(runId);
			else {
				this.drive(runId);
				return;
			}
		}
		if (state?.kind === 'done') crashPoint('run.finished');
		this.#deps.log.release(runId);
		if (state) this.#deps.onAtRest(runId, state);
	}

	/** Undefined where the run was deleted, or the database no longer tells. */
	#stateAfter(runId: RunId): RunState | undefined {
		try {
			return this.#deps.log.isGone(runId) ? undefined : this.#deps.log.load(runId).state;
		} catch (error) {
			this.#deps.logger.error('run_stuck', { runId, error });
			return undefined;
		}
	}
}
