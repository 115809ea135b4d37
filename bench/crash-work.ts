import type { RecordedRequest, Reply } from '../test/support/model-server/index.ts';
import { calls, says } from '../test/support/model-server/index.ts';

/** The work of the benchmark `crash`: one run of twenty steps, and what the scripted model says at each of them. */

export const REQUEST_TEXT = 'Do the work of twenty steps.';
export const CHILD_TASK = 'Count the receipts in receipts.txt.';
export const FINAL = 'All of the work is done.';
export const CHILD_FINAL = 'There are two receipts.';

/** What the model says after so many results. Each reply but the last makes calls; a call is a step, a reply is one too. */
const REPLIES: readonly Reply[] = [
	calls('plan', { add: [{ text: 'Collect' }, { text: 'File' }, { text: 'Report' }] }),
	calls('test_pure', { value: 'pure-1', beforeMs: 5 }),
	calls('write_file', { path: 'receipts.txt', text: 'one\ntwo\n' }),
	calls('test_effectful', { value: 'effect-1', beforeMs: 5, afterMs: 5 }),
	calls('test_idempotent', { value: 'idempotent-1', afterMs: 5 }),
	calls('wait_until', { in_minutes: 0.002, note: 'a short while' }),
	calls('ask_owner', { question: 'Which colour?' }),
	calls('test_effectful', { value: 'effect-2', beforeMs: 5, afterMs: 5 }),
	calls('delegate', { task: CHILD_TASK }),
	says(FINAL),
];
const CHILD_REPLIES: readonly Reply[] = [calls('read_file', { path: 'receipts.txt' }), says(CHILD_FINAL)];

/** Steps of the whole run: a model call and a tool each, and the last model call. */
export const STEPS = 2 * (REPLIES.length - 1) + 1;

interface Body {
	messages: { role: string; content?: unknown }[];
}

/** Which run asked, and how many results it has: the place in the work. */
export function placeOf(request: RecordedRequest): { run: 'work' | 'child'; results: number } {
	const { messages } = request.body as Body;
	const lastOwn = messages.findLastIndex((message) => message.role === 'user');
	const run = JSON.stringify(messages[lastOwn]?.content ?? '').includes(CHILD_TASK) ? 'child' : 'work';
	return { run, results: messages.slice(lastOwn).filter((message) => message.role === 'tool').length };
}

export function answer(request: RecordedRequest): Reply {
	const { run, results } = placeOf(request);
	return (run === 'child' ? CHILD_REPLIES : REPLIES)[results] ?? says('There is nothing more to do.');
}

/** Tools that ran, as the reply must list them in the end. */
export const TOOLS = [
	'plan',
	'test_pure',
	'write_file',
	'test_effectful',
	'test_idempotent',
	'wait_until',
	'ask_owner',
	'test_effectful',
	'delegate',
];
