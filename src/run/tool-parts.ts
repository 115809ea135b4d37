import type { MessagePart, ToolPart } from '../domain/message.ts';
import type { RunEventOf } from './events.ts';
import { findTool, withTool } from './parts.ts';
import type { JudgedCall, Progress, ToolQueue } from './state.ts';

/** What a reply says of its tool calls. */

export const NOT_RUN = 'Not run: the owner stopped this reply.';

export function partOf(judged: JudgedCall): Omit<ToolPart, 'status'> {
	return { type: 'tool', callId: judged.call.callId, tool: judged.call.tool, args: judged.args };
}

export function queueOf({ call, rest, fromPart }: ToolQueue): ToolQueue {
	return { call, rest, fromPart };
}

export function withStatus(progress: Progress, judged: JudgedCall, status: ToolPart['status']): Progress {
	const told = findTool(progress.parts, judged.call.callId) ?? partOf(judged);
	return { ...progress, parts: withTool(progress.parts, { ...told, status, result: undefined }) };
}

/** Every call of the queue that has no result yet says that it did not run: a call without one would break the next request. */
export function withUnrun(progress: Progress, queue: ToolQueue): Progress {
	let parts: readonly MessagePart[] = progress.parts;
	for (const call of [queue.call, ...queue.rest]) {
		const told = findTool(parts, call.callId);
		if (told?.result) continue;
		const part = told ?? { type: 'tool' as const, callId: call.callId, tool: call.tool, args: call.args };
		parts = withTool(parts, { ...part, status: 'stopped', result: { text: NOT_RUN, isError: true } });
	}
	return { ...progress, parts };
}

/** Of a call that the gate did not let run. */
export function refusedAs(why: RunEventOf<'tool_refused'>['why']): 'failed' | 'denied' | 'skipped' {
	if (why === 'test') return 'skipped';
	return why === 'unreadable' || why === 'impossible' ? 'failed' : 'denied';
}
