import { findInterrupt } from '../approvals/approval-store.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { MessageId, RunId } from '../domain/ids.ts';
import type { Interrupt } from '../domain/run.ts';
import type { ToolResult } from '../domain/tool.ts';
import type { ToolContext } from '../tools/port.ts';
import { type AskStepDeps, ask, askWhetherItHappened, writeDown } from './ask-step.ts';
import type { RunControl } from './control.ts';
import type { Caller, Crossings, GateOutcome, Judgement } from './gate-port.ts';
import type { Resources } from './resources.ts';
import { type Command, callKey, type JudgedCall, type Progress } from './state.ts';
import type { OpenToolState } from './tool-state.ts';
import { openWait, type WaitStepDeps } from './wait-step.ts';
import type { Witness, WitnessedEffect } from './witness.ts';

export interface ToolStepDeps extends WaitStepDeps, AskStepDeps {
	readonly db: ReadDb;
	/** Shows text of a call under way. */
	readonly output: (call: { runId: RunId; messageId: MessageId; callId: string }) => (text: string) => void;
	readonly resources: Resources;
	readonly witness?: Pick<Witness, 'effectBegins' | 'doubtful' | 'isKnown'> | undefined;
	/** A tool's durable notes within a run, as they are now. */
	readonly toolState: (runId: RunId, tool: string) => OpenToolState;
	/** Moves the text of a large result out of the journal's way. */
	readonly keepLarge: (result: ToolResult) => Promise<ToolResult>;
	readonly watchProgram?: WatchProgram | undefined;
}

/**
 * Holds what changes in memory files meanwhile, and Hearth did not write, against the tool (bg-2). Resolves as `work` does; until what
 * that gives to `lingers` has settled, the tool counts as running.
 */
export type WatchProgram = <T>(runId: RunId, tool: string, work: (lingers: (ended: Promise<unknown>) => void) => Promise<T>) => Promise<T>;

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

/** The gate's word on the call, written down: run, wait, ask, or refuse. */
export async function judgeTool(
	deps: ToolStepDeps,
	runId: RunId,
	{ progress, queue }: CommandOf<'judge_tool'>,
	control: RunControl,
): Promise<void> {
	const judgement = await deps.gate.judge(queue.call, callerOf(deps, runId, progress));
	await carryOut(deps, runId, progress, queue, judgement, control);
}

/**
 * A call that may run: the owner approved it, or recovery found that a repeat is harmless. A yes holds for the very call that was shown;
 * everything else is judged again, by the rules and permissions of now.
 */
export async function runApproved(
	deps: ToolStepDeps,
	runId: RunId,
	{ progress, judged }: CommandOf<'run_tool'>,
	control: RunControl,
): Promise<void> {
	const caller = callerOf(deps, runId, progress);
	const interrupt = judged.approvedBy && findInterrupt(deps.db, judged.approvedBy);
	if (!(await deps.gate.isApproved(judged, interrupt, caller))) {
		const judgement = await deps.gate.judge(judged.call, caller);
		return carryOut(deps, runId, progress, judged, judgement, control);
	}
	const wait = deps.gate.waitOf(judged, caller);
	if (wait?.kind === 'wait') await openWait(deps, runId, { progress, judged, repaired: false }, wait.request, control);
	else await runTool(deps, runId, progress, judged, { repaired: false }, control);
}

function callerOf(
	deps: Pick<ToolStepDeps, 'clock' | 'firewall'>,
	runId: RunId,
	{ terms, label, sources = [], sessionId, step }: Progress,
): Caller {
	const { job, addresses } = deps.firewall.jobOf(runId, sessionId);
	return { runId, sessionId, step, terms, seen: label, sources, now: deps.clock.now(), job, addresses };
}

async function carryOut(
	deps: ToolStepDeps,
	runId: RunId,
	progress: Progress,
	queue: CommandOf<'judge_tool'>['queue'],
	judgement: Judgement,
	control: RunControl,
): Promise<void> {
	const { step } = progress;
	const { callId } = queue.call;
	const { crossings } = judgement;
	switch (judgement.kind) {
		case 'allow': {
			const { args, effect, label, repaired, touches } = judgement;
			return runTool(deps, runId, progress, { ...queue, args, effect, label, touches }, { repaired, crossings }, control);
		}
		case 'wait': {
			const { args, effect, label, repaired, request, touches } = judgement;
			const judged = { ...queue, args, effect, label, touches };
			return openWait(deps, runId, { progress, judged, repaired, also: (tx) => writeDown(deps, tx, crossings) }, request, control);
		}
		case 'ask': {
			const { args, effect, label, repaired, detail, touches } = judgement;
			const opened = {
				type: 'interrupt_opened' as const,
				step,
				callId,
				kind: detail.kind,
				args,
				effect,
				label,
				repaired,
				touches: [...touches],
			};
			return ask(deps, runId, progress, opened, detail, control, crossings);
		}
		case 'refuse': {
			const { why, args, result, need } = judgement;
			const refused = { type: 'tool_refused' as const, step, callId, args, why, result, ...(need && { need }) };
			await deps.appender.append(runId, refused, control, (tx) => writeDown(deps, tx, crossings));
			return;
		}
		default:
			return assertNever(judgement);
	}
}

/** R2: the tool itself may know what became of an effect that was under way. Asked once; where it can't tell, the owner is asked. */
export async function verifyEffect(
	deps: ToolStepDeps,
	runId: RunId,
	{ progress, judged, startedAt }: CommandOf<'verify_effect'>,
	control: RunControl,
): Promise<void> {
	const { step } = progress;
	const { call, args, label } = judged;
	const notes = deps.toolState(runId, call.tool);
	const context = contextOf(deps, runId, progress, judged, notes, control);
	const verdict = await deps.gate.verify({ tool: call.tool, callId: call.callId, args, label, modelName: progress.modelName }, context);
	if (control.reason === 'closing') return;
	if (!verdict) return askWhetherItHappened(deps, runId, { kind: 'ask_whether_it_happened', progress, judged, startedAt }, control);
	crashPoint('effect.verified');
	const kept = verdict.happened === 'yes' ? { ...verdict, result: await deps.keepLarge(verdict.result) } : verdict;
	const event = { type: 'effect_verified' as const, step, callId: call.callId, at: deps.clock.now(), verdict: kept };
	await deps.appender.append(runId, event, control, written(notes));
	if (verdict.happened === 'yes' && verdict.opened) deps.resources.opened(runId);
}

/** Journal before effect (R1), and its result after. */
async function runTool(
	deps: ToolStepDeps,
	runId: RunId,
	progress: Progress,
	judged: JudgedCall,
	{ repaired, crossings }: { repaired: boolean; crossings?: Crossings },
	control: RunControl,
): Promise<void> {
	const { step } = progress;
	const { args, effect, label, call, touches } = judged;
	const { callId, tool } = call;
	const doubtful = effect === 'effectful' ? deps.witness?.doubtful(runId, tool) : undefined;
	const startedAt = doubtful?.at ?? deps.clock.now();
	const started = {
		type: 'tool_started' as const,
		step,
		callId,
		args,
		effect,
		label,
		repaired,
		...(touches && { touches: [...touches] }),
		at: startedAt,
	};
	const also = crossings && ((tx: WriteDb) => writeDown(deps, tx, crossings));
	if ((await deps.appender.append(runId, started, control, also)) === undefined) return;
	if (crossings && crossings.permissionIds.length > 0) deps.firewall.changed();
	crashPoint('step.started');
	if (doubtful) {
		deps.witness?.isKnown(doubtful);
		// The database lost its word of a call like this one: it may have happened, so it counts as one that was cut off.
		await deps.appender.append(runId, { type: 'process_died', parts: [] }, control);
		return;
	}
	if (effect === 'effectful' && !(await witnessed(deps, { runId, step, tool, at: startedAt }, control))) return;
	const notes = deps.toolState(runId, tool);
	const context = contextOf(deps, runId, progress, judged, notes, control);
	const caller = callerOf(deps, runId, progress);
	const approvedTouches = judged.approvedBy === undefined ? undefined : touches;
	const gateCall = { tool, callId, args, label, modelName: progress.modelName, approvedTouches };
	const since = performance.now();
	const run = () => deps.gate.run(gateCall, caller, context);
	// In the sandbox a command reaches no memory file: what changes there meanwhile is the owner's.
	const isConfined = touches?.some((touch) => touch.sink === 'shell' && touch.sandboxed) === true;
	const watch = effect === 'effectful' && !isConfined ? deps.watchProgram : undefined;
	const outcome = watch ? await watch(runId, tool, (lingers) => run().then((done) => lingering(done, lingers))) : await run();
	const ms = Math.round(performance.now() - since);
	crashPoint('effect.done');
	const at = deps.clock.now();
	if (!outcome.stopped) {
		const { label: read, sources, plan, opened, closed } = outcome;
		const result = await deps.keepLarge(outcome.result);
		const finished = { type: 'tool_finished' as const, step, callId, result, label: read, sources, at, plan, opened, closed, ms };
		await deps.appender.append(runId, finished, control, written(notes));
		if (opened) deps.resources.opened(runId);
		return;
	}
	// When the process is ending the journal stays as it is: the next one decides by the effect class (R2).
	if (control.reason === 'stopped') await deps.appender.append(runId, { type: 'stopped', parts: [], at }, control);
}

/** Named in the second record, on the disk, before it begins. False where the run has to end first. */
async function witnessed(
	{ witness, appender, clock }: ToolStepDeps,
	effect: Omit<WitnessedEffect, 'what'>,
	control: RunControl,
): Promise<boolean> {
	if (!witness || (await appender.whenRoom(effect.runId, control, () => witness.effectBegins(effect)))) return true;
	if (control.reason === 'stopped') await appender.append(effect.runId, { type: 'stopped', parts: [], at: clock.now() }, control);
	return false;
}

function contextOf(
	deps: ToolStepDeps,
	runId: RunId,
	{ step, sessionId, messageId, plan, terms }: Progress,
	{ call, label, sources, touches = [] }: JudgedCall,
	notes: OpenToolState,
	control: RunControl,
): ToolContext {
	const { callId } = call;
	const idempotencyKey = callKey(runId, step, callId);
	const place = { runId, sessionId, step, idempotencyKey, signal: control.toolSignal };
	const output = deps.output({ runId, messageId, callId });
	// What more it may touch is for the gate to say.
	const mayTouch = () => false;
	const namedBy = () => undefined;
	return { ...place, label, sources, state: notes.state, plan, touches, mayTouch, namedBy, output, unattended: terms.unattended === true };
}

/** What a tool noted down is written with the outcome of its call. */
function written(notes: OpenToolState): (tx: WriteDb, seq: number) => Interrupt[] {
	return (tx, seq) => {
		notes.write(tx, seq);
		return [];
	};
}

function lingering(outcome: GateOutcome, lingers: (ended: Promise<unknown>) => void): GateOutcome {
	if (outcome.ended !== undefined) lingers(outcome.ended);
	return outcome;
}
