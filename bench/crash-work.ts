import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Tool } from '../src/tools/port.ts';
import { calls, type Reply, says } from '../test/support/model-server/index.ts';
import { readLedger } from '../test/support/test-tools.ts';

/** The work of the benchmark `crash`: one run of twenty steps, and what the scripted model says at each of them. */

export interface Work {
	/** What the owner asks for. */
	readonly text: string;
	/** Model calls and tool calls of the run, each a step. */
	readonly steps: number;
	/** Number of the model call that ends it. */
	readonly lastCall: number;
	/** Tools that ran, as the reply must list them in the end. */
	readonly tools: readonly string[];
	/** Effects that there are once each in the end. */
	readonly effects: readonly string[];
	/** What the reply ends with. */
	readonly final: string;
}

export const CHILD_TASK = 'Count the receipts in receipts.txt.';
const FINAL = 'All of the work is done.';
const MEMORY = 'The receipts of November are filed.';

const both = (...replies: Reply[]): Reply => ({ steps: replies.flatMap((reply) => reply.steps ?? []) });

/** What the model says after so many results of tools: the number is the place in the work. */
export const REPLIES: ReadonlyMap<number, Reply> = new Map([
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
export const CHILD_REPLIES: ReadonlyMap<number, Reply> = new Map([
	[0, calls('read_file', { path: 'receipts.txt' })],
	[1, says('There are two receipts.')],
]);

export const TWENTY_STEPS: Work = {
	text: 'Do the work of twenty steps.',
	steps: 20,
	lastCall: REPLIES.size - 1,
	tools: [
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
	],
	effects: ['effect-1', 'idempotent-1', 'verified-1'],
	final: FINAL,
};

/** Beside the profile: it stands for the world outside, whose disk is never full. */
export const ledgerOf = (home: string): string => `${home}.effects.jsonl`;

/** In `workspace/`: a command in the sandbox can write down nowhere else that it ran. */
export const COMMANDS_FILE = 'commands.txt';

/** All effects there are, as often as they are there. */
export function effectsOf(home: string): string[] {
	const commands = join(home, 'profiles', 'default', 'workspace', COMMANDS_FILE);
	const lines = existsSync(commands) ? readFileSync(commands, 'utf8').split('\n') : [];
	return [...readLedger(ledgerOf(home)).map(({ value }) => value), ...lines.filter((line) => line !== '')];
}

/** The effect that a call is for, as it is named anywhere in its arguments; empty where it is for none. */
export function effectOf(args: unknown): string {
	return /\b[a-z]+-\d\b/.exec(JSON.stringify(args))?.[0] ?? '';
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
