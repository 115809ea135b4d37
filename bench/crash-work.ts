import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Tool } from '../src/tools/port.ts';
import type { RecordedRequest, Reply } from '../test/support/model-server/index.ts';
import { calls, says } from '../test/support/model-server/index.ts';
import { readLedger } from '../test/support/test-tools.ts';
import { CHORE_TEXT } from './crash-chores.ts';

/** The work of the benchmark `crash`: one run of twenty steps, and what the scripted model says at each of them. */

export const REQUEST_TEXT = 'Do the work of twenty steps.';
const CHILD_TASK = 'Count the receipts in receipts.txt.';
export const FINAL = 'All of the work is done.';
const MEMORY = 'The receipts of November are filed.';

/** Model calls and tool calls of the run, each a step. */
export const STEPS = 20;

const both = (...replies: Reply[]): Reply => ({ steps: replies.flatMap((reply) => reply.steps ?? []) });

/** What the model says after so many results of tools: the number is the place in the work. */
const REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('plan', { add: [{ text: 'Collect' }, { text: 'File' }, { text: 'Report' }] })],
	[1, both(calls('test_pure', { value: 'pure-1', beforeMs: 5 }), calls('write_file', { path: 'receipts.txt', content: 'one\ntwo\n' }))],
	[3, calls('test_effectful', { value: 'effect-1', beforeMs: 5, afterMs: 5 })],
	[4, calls('test_idempotent', { value: 'idempotent-1', afterMs: 5 })],
	[5, calls('wait_until', { in_minutes: 0.001, note: 'a short while' })],
	[6, calls('ask_owner', { question: 'Which colour?' })],
	[7, calls('test_verified', { value: 'verified-1' })],
	[8, calls('memory_write', { text: MEMORY, reason: 'so that it is known' })],
	[9, calls('delegate', { task: CHILD_TASK })],
	// Slow enough that its text is saved while it comes.
	[10, says(FINAL, { delayMs: 60 })],
]);
/** Number of the model call that ends the work. */
export const LAST_CALL = REPLIES.size - 1;
const CHILD_REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('read_file', { path: 'receipts.txt' })],
	[1, says('There are two receipts.')],
]);

/** Of the chores. */
const CHORE_REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('memory_write', { text: 'The key is under the mat.', reason: 'the letter says so' })],
	[1, calls('write_file', { path: 'draft.txt', content: 'a draft' })],
	[2, calls('delete_file', { path: 'draft.txt' })],
	[3, says('Kept, and cleared up.')],
]);

/** Tools that ran, as the reply must list them in the end. */
export const TOOLS = [
	'plan',
	'test_pure',
	'write_file',
	'test_effectful',
	'test_idempotent',
	'wait_until',
	'ask_owner',
	'test_verified',
	'memory_write',
	'delegate',
];
/** Beside the profile: it stands for the world outside, whose disk is never full. */
export const ledgerOf = (home: string): string => `${home}.effects.jsonl`;

/** Values that the ledger of effects holds once each in the end. */
export const EFFECTS = ['effect-1', 'idempotent-1', 'verified-1'];

interface Body {
	messages: { role: string; content?: unknown }[];
}

/** Which run asked, and which of its model calls this is, from 0. */
export function placeOf(request: RecordedRequest): { run: 'work' | 'child' | 'chore'; call: number; reply: Reply } {
	const { messages } = request.body as Body;
	const own = messages.findLastIndex((message) => message.role === 'user');
	const asked = JSON.stringify(messages[own]?.content ?? '');
	const run = asked.includes(CHILD_TASK) ? 'child' : asked.includes(CHORE_TEXT) ? 'chore' : 'work';
	const results = messages.slice(own).filter((message) => message.role === 'tool').length;
	const replies = { work: REPLIES, child: CHILD_REPLIES, chore: CHORE_REPLIES }[run];
	const reply = replies.get(results) ?? says('There is nothing more to do.');
	return { run, call: [...replies.keys()].indexOf(results), reply };
}

const Arguments = z.object({ value: z.string() });

/** An effectful tool that can find out itself whether it happened: it looks into the ledger, as a program would into a bank's books. */
export function verifiedTool(ledger: string): Tool<z.infer<typeof Arguments>> {
	const line = (value: string) => readLedger(ledger).find((entry) => entry.value === value);
	return {
		name: 'test_verified',
		title: 'Test, finds out itself',
		description: 'A test tool with an effect that it can find out about.',
		schema: Arguments,
		effect: 'effectful',
		timeoutMs: 20_000,
		outputCap: 1_000,
		run: async ({ value }, context) => {
			await sleep(5);
			appendFileSync(ledger, `${JSON.stringify({ tool: 'test_verified', key: context.idempotencyKey, value, pid: process.pid })}\n`);
			return { text: `did ${value}`, isError: false };
		},
		verify: async ({ value }) => (line(value) ? { happened: 'yes', output: { text: `did ${value}`, isError: false } } : { happened: 'no' }),
	};
}
