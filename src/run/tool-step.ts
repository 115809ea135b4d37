import { getInterrupt, openInterrupt } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { InterruptId, RunId } from '../domain/ids.ts';
import type { Interrupt, InterruptDetail } from '../domain/run.ts';
import type { Appender } from './appender.ts';
import type { RunControl } from './control.ts';
import type { RunEventOf } from './events.ts';
import type { Gate, GateOutcome } from './gate.ts';
import type { Command, JudgedCall, Progress } from './state.ts';

export interface ToolStepDeps {
	readonly clock: Clock;
	readonly appender: Appender;
	readonly gate: Gate;
	readonly watchProgram?: WatchProgram | undefined;
}

/**
 * Holds what changes in memory files meanwhile, and Hearth did not write, against the tool (bg-2). Resolves as `work` does; until what
 * that gives to `lingers` has settled, the tool counts as running.
 */
export type WatchProgram = <T>(runId: RunId, tool: string, work: (lingers: (ended: Promise<unknown>) => void) => Promise<T>) => Promise<T>;

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** The gate's word on the call, written down: run, ask, or refuse. */
export async function judgeTool(
	deps: ToolStepDeps,
	runId: RunId,
	{ progress, queue }: CommandOf<'judge_tool'>,
	control: RunControl,
): Promise<void> {
	const { step } = progress;
	const { callId } = queue.call;
	const judgement = deps.gate.judge(queue.call, progress.label);
	switch (judgement.kind) {
		case 'allow': {
			const { args, effect, label, repaired } = judgement;
			await runTool(deps, runId, progress, { ...queue, args, effect, label }, repaired, control);
			return;
		}
		case 'ask': {
			const { args, effect, label, repaired, detail } = judgement;
			const opened = { type: 'interrupt_opened' as const, step, callId, kind: detail.kind, args, effect, label, repaired };
			await ask(deps, runId, progress, opened, detail, control);
			return;
		}
		case 'refuse': {
			const { why, args, result } = judgement;
			await deps.appender.append(runId, { type: 'tool_refused', step, callId, args, why, result }, control);
		}
	}
}

/** A call that may run: the owner approved it, or recovery found that a repeat is harmless. */
export async function runApproved(deps: ToolStepDeps, runId: RunId, command: CommandOf<'run_tool'>, control: RunControl): Promise<void> {
	await runTool(deps, runId, command.progress, command.judged, false, control);
}

/** R2: asks the owner about an effect that was under way when its process died. */
export async function askWhetherItHappened(
	deps: ToolStepDeps,
	runId: RunId,
	{ progress, judged, startedAt }: CommandOf<'ask_whether_it_happened'>,
	control: RunControl,
): Promise<void> {
	const { args, effect, label, call } = judged;
	const detail: InterruptDetail = { kind: 'did_it_happen', tool: call.tool, title: deps.gate.titleOf(call.tool), args, startedAt };
	const opened = {
		type: 'interrupt_opened' as const,
		step: progress.step,
		callId: call.callId,
		kind: detail.kind,
		args,
		effect,
		label,
		repaired: false,
		startedAt,
	};
	await ask(deps, runId, progress, opened, detail, control);
}

/** Journal before effect (R1), and its result after. */
async function runTool(
	deps: ToolStepDeps,
	runId: RunId,
	progress: Progress,
	judged: JudgedCall,
	repaired: boolean,
	control: RunControl,
): Promise<void> {
	const { step, sessionId } = progress;
	const { args, effect, label, call } = judged;
	const { callId, tool } = call;
	const started = { type: 'tool_started' as const, step, callId, args, effect, label, repaired, at: deps.clock.now() };
	if ((await deps.appender.append(runId, started, control)) === undefined) return;
	crashPoint('step.started');
	const context = { runId, sessionId, step, idempotencyKey: `${runId}:${step}:${callId}`, signal: control.toolSignal };
	const run = () => deps.gate.run({ tool, args, label, modelName: progress.modelName }, context);
	const watch = effect === 'effectful' ? deps.watchProgram : undefined;
	const outcome = watch ? await watch(runId, tool, (lingers) => run().then((done) => lingering(done, lingers))) : await run();
	crashPoint('effect.done');
	const at = deps.clock.now();
	if (!outcome.stopped) {
		await deps.appender.append(runId, { type: 'tool_finished', step, callId, result: outcome.result, label: outcome.label, at }, control);
		return;
	}
	// When the process is ending the journal stays as it is: the next one decides by the effect class (R2).
	if (control.reason === 'stopped') await deps.appender.append(runId, { type: 'stopped', parts: [], at }, control);
}

function lingering(outcome: GateOutcome, lingers: (ended: Promise<unknown>) => void): GateOutcome {
	if (outcome.ended !== undefined) lingers(outcome.ended);
	return outcome;
}

/** One transaction: the journal's event and the row that waits (R3). The driver returns after it. */
async function ask(
	deps: ToolStepDeps,
	runId: RunId,
	progress: Progress,
	opened: Omit<RunEventOf<'interrupt_opened'>, 'interruptId'>,
	detail: InterruptDetail,
	control: RunControl,
): Promise<void> {
	const id = newId<InterruptId>();
	const { step, callId } = opened;
	const openRow = (tx: WriteDb): Interrupt[] => {
		openInterrupt(tx, { id, runId, sessionId: progress.sessionId, step, callId, detail, createdAt: deps.clock.now() });
		return [getInterrupt(tx, id)];
	};
	await deps.appender.append(runId, { ...opened, interruptId: id }, control, openRow);
	crashPoint('interrupt.opened');
}
