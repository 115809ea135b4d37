import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LiveResource } from '../../../src/domain/tool.ts';
import { askOwnerTool } from '../../../src/tools/ask-owner.ts';
import { delegateTool } from '../../../src/tools/delegate.ts';
import { planTool } from '../../../src/tools/plan.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { waitForEventTool } from '../../../src/tools/wait-for-event.ts';
import { waitUntilTool } from '../../../src/tools/wait-until.ts';
import { readLedger, testTools } from '../test-tools.ts';

const Arguments = z.object({ value: z.string().default(''), afterMs: z.number().default(0) });
const LOOSE = { timeoutMs: 20_000, outputCap: 10_000 };

/** An effectful tool that can look whether a call took effect: its ledger says so, by key. */
export function findingTool(ledger: string): Tool<z.infer<typeof Arguments>> {
	const done = (key: string) => readLedger(ledger).some((line) => line.key === key);
	return {
		name: 'test_finding',
		title: 'Test, finds out',
		description: 'Effectful, and can find out what happened.',
		schema: Arguments,
		effect: 'effectful',
		// Named by the permission that every profile has: it needs no yes.
		sinks: ['file'],
		touches: () => [{ sink: 'file', access: 'write', path: 'workspace/found', root: 'workspace' }],
		...LOOSE,
		verify: async ({ value }, { idempotencyKey }) => {
			if (value === 'unsure') return { happened: 'unknown', found: 'The log was rotated.' };
			return done(idempotencyKey) ? { happened: 'yes', output: { text: `found ${value}`, isError: false } } : { happened: 'no' };
		},
		run: async ({ value, afterMs }, { idempotencyKey, signal }) => {
			appendFileSync(ledger, `${JSON.stringify({ tool: 'test_finding', key: idempotencyKey, value, pid: process.pid })}\n`);
			await sleep(afterMs, undefined, { signal });
			return { text: `did ${value}`, isError: false };
		},
	};
}

/** Leaves something open that lives as long as `alive` does; `reopens` as its argument says. */
export function openingTool(alive: Set<string>): Tool<{ what: string; reopens: boolean; close: boolean }> {
	return {
		name: 'test_open',
		title: 'Test, opens',
		description: 'Leaves something open.',
		schema: z.object({ what: z.string(), reopens: z.boolean().default(false), close: z.boolean().default(false) }),
		effect: 'idempotent',
		...LOOSE,
		reopen: async ({ id }: LiveResource) => {
			alive.add(id);
			return true;
		},
		run: async ({ what, reopens, close }) => {
			if (close) alive.delete(what);
			else alive.add(what);
			const text = close ? `closed ${what}` : `opened ${what}`;
			if (close) return { text, isError: false, closed: [what] };
			return { text, isError: false, opened: [{ id: what, tool: 'test_open', what, reopens }] };
		},
	};
}

/** What runs can be given in tests: one of each effect class, and all that wait. */
export function durableTools(ledger: string, alive: Set<string> = new Set(), clock: { now(): number } = { now: () => Date.now() }): Tool[] {
	return [
		...testTools(ledger),
		findingTool(ledger),
		openingTool(alive),
		askOwnerTool,
		planTool,
		waitUntilTool(clock),
		waitForEventTool,
		delegateTool,
	] as Tool[];
}
