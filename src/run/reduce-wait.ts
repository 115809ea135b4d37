import { outcomeFits } from '../approvals/machine.ts';
import { assertNever } from '../domain/assert-never.ts';
import { type ContextSource, joinSources } from '../domain/context-source.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import type { ToolPart } from '../domain/message.ts';
import { isOwners, type WaitOutcome } from '../domain/run.ts';
import type { ToolResult } from '../domain/tool.ts';
import type { RunEventOf } from './events.ts';
import { findTool, withTool } from './parts.ts';
import { nextCall } from './reduce-call.ts';
import type { JudgedCall, Progress, RunState, WaitKind } from './state.ts';
import { partOf } from './tool-parts.ts';

type At<Kind extends RunState['kind']> = Extract<RunState, { kind: Kind }>;

/** Transitions of runs that sleep: until a time, for an event, for another run (R3). */

export function isWait(kind: RunEventOf<'interrupt_opened'>['kind']): kind is WaitKind {
	return !isOwners(kind);
}

export function fallAsleep(progress: Progress, judged: JudgedCall, kind: WaitKind, event: RunEventOf<'interrupt_opened'>): RunState {
	const { interruptId, until, childRunId } = event;
	return {
		kind: 'sleeping',
		progress,
		judged,
		interruptId,
		interruptKind: kind,
		...(until !== undefined && { until }),
		...(childRunId !== undefined && { childRunId }),
	};
}

export function afterWait(state: At<'sleeping'>, { outcome, at }: RunEventOf<'wait_ended'>): RunState | undefined {
	if (!outcomeFits(state.interruptKind, outcome.type)) return undefined;
	const { result, ...read } = resultOf(outcome);
	return awake(state, result.isError ? 'failed' : 'done', result, read, at);
}

/** The owner does not want it to wait any longer. */
export function afterSkippedWait(state: At<'sleeping'>, at: number): RunState {
	return awake(state, 'skipped', { text: 'The owner ended the wait. Go on without it.', isError: false }, {}, at);
}

/** What a wait brought in. */
interface Read {
	readonly label?: Label | undefined;
	readonly sources?: readonly ContextSource[] | undefined;
}

function awake(state: At<'sleeping'>, status: ToolPart['status'], result: ToolResult, { label, sources }: Read, at: number): RunState {
	const { progress, judged } = state;
	const startedAt = findTool(progress.parts, judged.call.callId)?.startedAt;
	const part: ToolPart = {
		...partOf(judged),
		status,
		result,
		...(startedAt !== undefined && { startedAt }),
		finishedAt: at,
		...(label && { label }),
		...(sources && { sources: [...sources] }),
	};
	const seen = {
		label: label ? joinLabels(progress.label, label) : progress.label,
		...(sources && { sources: joinSources(progress.sources, sources) }),
	};
	return nextCall({ ...progress, ...seen, parts: withTool(progress.parts, part) }, judged);
}

function resultOf(outcome: WaitOutcome): Read & { result: ToolResult } {
	switch (outcome.type) {
		case 'time_came':
			return { result: { text: 'The time has come.', isError: false } };
		case 'event_came':
			return {
				result: { text: `It happened. What came with it: ${JSON.stringify(outcome.payload)}`, isError: false },
				label: outcome.label,
				sources: outcome.sources,
			};
		case 'timed_out':
			return { result: { text: 'It did not happen in time.', isError: true } };
		case 'child_ended':
			return { result: { text: outcome.text, isError: outcome.isError }, label: outcome.label, sources: outcome.sources };
		default:
			return assertNever(outcome);
	}
}
