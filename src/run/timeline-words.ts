import type { RunStep } from '../contract/methods/runs.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { InterruptAnswer, WaitOutcome } from '../domain/run.ts';
import type { ToolResult } from '../domain/tool.ts';
import type { Details } from './timeline-step.ts';

/** What ended a step, in words for people. Pure. */

export const ONLY_READS = 'Hearth stopped while it was under way. It only reads, so it was done again.';
export const SAME_KEY = 'Hearth stopped while it was under way. Same key, same result: doing it again changes nothing.';

export function outcomeOf(answer: InterruptAnswer, kind: RunStep['kind']): { status: RunStep['status']; output?: string; why?: string } {
	switch (answer.type) {
		case 'approve':
			return { status: 'running', why: 'You approved it.' };
		case 'reject':
			return { status: 'denied', output: answer.reason ?? '', why: 'You said no.' };
		case 'reply':
			return { status: 'done', output: answer.text };
		case 'happened':
			return { status: 'done', output: answer.result, why: 'You said that it happened.' };
		case 'run_again':
			return { status: 'running', why: 'You let it run again.' };
		case 'skip':
			return { status: 'skipped', why: 'You skipped it.' };
		case 'stop':
			return { status: kind === 'did_it_happen' ? 'unknown' : 'stopped', why: 'You stopped it.' };
		default:
			return assertNever(answer);
	}
}

export function endOfWait(outcome: WaitOutcome): string | undefined {
	switch (outcome.type) {
		case 'time_came':
			return undefined;
		case 'event_came':
			return JSON.stringify(outcome.payload);
		case 'timed_out':
			return 'It did not come in time.';
		case 'child_ended':
			return outcome.text;
		default:
			return assertNever(outcome);
	}
}

export function resultOf(result: ToolResult): Details {
	return { output: result.text, ...(result.whole && { whole: result.whole }) };
}
