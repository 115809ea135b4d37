import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Tool, ToolContext } from '../../src/tools/port.ts';

/**
 * One tool of each effect class. Each writes what it did to a ledger, a file of JSON lines that outlives any process, so that
 * a test can count effects from outside. The idempotent one does nothing for a key that the ledger holds already.
 */
export interface LedgerLine {
	tool: string;
	key: string;
	value: string;
	pid: number;
}

const Arguments = z.object({
	value: z.string().default(''),
	/** Milliseconds before the effect, and after it. */
	beforeMs: z.number().int().nonnegative().default(0),
	afterMs: z.number().int().nonnegative().default(0),
	fail: z.boolean().default(false),
	/** Length of the result's text. */
	length: z.number().int().nonnegative().optional(),
});
type Arguments = z.infer<typeof Arguments>;

export function readLedger(file: string): LedgerLine[] {
	if (!existsSync(file)) return [];
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as LedgerLine);
}

export function testTools(ledger: string, more: { timeoutMs?: number; outputCap?: number; label?: 'external' } = {}): Tool<Arguments>[] {
	const tool = (name: string, effect: Tool['effect']): Tool<Arguments> => ({
		name,
		title: `Test, ${effect}`,
		description: `A test tool that is ${effect}.`,
		schema: Arguments,
		effect,
		timeoutMs: more.timeoutMs ?? 20_000,
		outputCap: more.outputCap ?? 10_000,
		run: (args, context) => run(name, effect, args, context),
	});
	async function run(name: string, effect: Tool['effect'], args: Arguments, context: ToolContext) {
		await sleep(args.beforeMs, undefined, { signal: context.signal });
		if (args.fail) throw new Error('it was told to fail');
		const done = readLedger(ledger).some((line) => line.key === context.idempotencyKey);
		const line: LedgerLine = { tool: name, key: context.idempotencyKey, value: args.value, pid: process.pid };
		if (effect !== 'idempotent' || !done) appendFileSync(ledger, `${JSON.stringify(line)}\n`);
		await sleep(args.afterMs, undefined, { signal: context.signal });
		const text = args.length === undefined ? `${name} did ${args.value}` : '😀'.repeat(args.length).slice(0, args.length);
		return { text, isError: false, summary: 'done', ...(more.label && { label: more.label }) };
	}
	return [tool('test_pure', 'pure'), tool('test_idempotent', 'idempotent'), tool('test_effectful', 'effectful')];
}
