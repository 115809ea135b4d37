import type { TaskNeed } from '../domain/task.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { ToolResult } from '../domain/tool.ts';
import { touchName } from '../domain/touch-name.ts';
import type { Decision } from '../firewall/judge.ts';
import { offersFor } from '../firewall/offers.ts';
import type { Caller } from './gate-port.ts';
import type { Reading } from './reading.ts';

/** What a test run of a task does not do, and what it would need for that. Pure tools run where they may; all else is only written down. */

const MOST_WHAT = 500;
const TEST = 'this is a test run of a task, in which nothing is written, sent, changed or waited for';

export interface LeftOut {
	readonly result: ToolResult;
	readonly need?: TaskNeed;
}

/** Undefined: the call goes its usual way. It does where a rule forbids it, and where it is delegated, to a run that is a test, too. */
export function leftOutOfTest(reading: Reading, caller: Caller, decision: Decision, each: readonly Decision[]): LeftOut | undefined {
	const { tool, args } = reading;
	if (decision.verdict === 'deny') return undefined;
	const parsed = tool.schema.parse(args);
	if (tool.question) {
		const { question } = tool.question(parsed);
		return {
			...told(`The owner was not asked: ${TEST}. A real run would wait for the answer. Go on without it.`),
			need: needOf(reading, question),
		};
	}
	const wait = tool.wait?.(parsed, caller.now);
	if (wait?.kind === 'child') return undefined;
	if (wait) return told(`Not waited: ${TEST}. Go on as if it had come.`);
	const allowed = decision.verdict === 'allow';
	if (allowed && tool.effect === 'pure') return undefined;
	const need = needOf(reading, whatOf(reading), allowed);
	const terms = allowed ? undefined : standingTerms(reading, caller, each);
	const asks = allowed ? '' : ' A real run would ask the owner first, unless they allow it in advance.';
	const goOn = tool.effect === 'pure' ? 'Go on without it.' : 'Go on as if it had been done, and try no other way.';
	return { ...told(`Not done: ${TEST}.${asks} ${goOn}`), need: { ...need, ...(terms && { terms }) } };
}

function needOf({ tool }: Reading, what: string, allowed = false): TaskNeed {
	const { name, title } = tool;
	return { tool: name, title, what: what.length <= MOST_WHAT ? what : `${cutCodePoints(what, MOST_WHAT - 1)}…`, allowed };
}

function whatOf({ tool, touches }: Reading): string {
	const names = touches.map((touch) => (touch.sink === 'file' ? `${touch.access} ${touchName(touch)}` : touchName(touch)));
	return names.join('; ') || tool.title;
}

/** For the task, which may not exist yet: until the owner confirms it, this very run stands in its place. */
function standingTerms({ label }: Reading, { runId, sessionId, job }: Caller, each: readonly Decision[]): TaskNeed['terms'] {
	const offers = offersFor(each, { label, runId, sessionId, workflow: job.workflow, task: runId });
	return offers.find(({ reach }) => reach === 'standing')?.terms;
}

function told(text: string): { result: ToolResult } {
	return { result: { text, isError: false, summary: 'not done: a test' } };
}
