import type { ErrorShape } from '../domain/errors.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { ToolResult } from '../domain/tool.ts';
import { findTool } from './parts.ts';
import { nextModelStep } from './reduce-model.ts';
import type { Cut, Progress, RunState, ToolQueue } from './state.ts';
import { queueOf, withUnrun } from './tool-parts.ts';

/** What comes after a tool call, however it got its result. */

/** Of an error's text that is told in one line. */
const WHY_CHARS = 300;
/** What follows a call that has its result: the next one of the same reply or script, else the model. */
export function nextCall(given: Progress, queue: ToolQueue): RunState {
	const progress = { ...given, deaths: 0 };
	const [call, ...rest] = queue.rest;
	if (progress.terms.script) {
		const result = findTool(progress.parts, queue.call.callId)?.result;
		if (result?.isError) return scriptFailed(progress, queue, result, { at: 'tool', queue: queueOf(queue) });
		if (!call) return { kind: 'done', progress };
	}
	if (!call) return nextModelStep(progress);
	return { kind: 'tool_ready', progress: { ...progress, step: progress.step + 1 }, queue: { call, rest, fromPart: progress.parts.length } };
}

export function scriptFailed(progress: Progress, queue: ToolQueue, result: Pick<ToolResult, 'text' | 'hopeless'>, cut: Cut): RunState {
	return { kind: 'failed', progress: withUnrun(progress, queue), cut, error: callFailed(queue.call.tool, result) };
}

/** Only states of workflows have scripts. */
function callFailed(tool: string, { text: why, hopeless }: Pick<ToolResult, 'text' | 'hopeless'>): ErrorShape {
	return {
		kind: 'terminal',
		code: hopeless ? 'tool_impossible' : 'tool_failed',
		message: `“${tool}” did not succeed: ${cutCodePoints(why, WHY_CHARS)}`,
		safe: 'What was done before it is kept.',
		action: hopeless
			? 'Correct what it was given, or its file, and start it anew: this one keeps both as they were.'
			: '“Enter the state again” does this step again.',
	};
}
