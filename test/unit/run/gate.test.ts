import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { terminal } from '../../../src/domain/errors.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import type { Json } from '../../../src/domain/json.ts';
import { joinLabels, LABELS, type Label } from '../../../src/domain/label.ts';
import { MemoryPath, type ProposalId } from '../../../src/domain/memory.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { SHIPPED_POLICY } from '../../../src/firewall/shipped-policy.ts';
import type { RunTerms } from '../../../src/run/events.ts';
import { Gate } from '../../../src/run/gate.ts';
import type { Caller, MemoryDoor } from '../../../src/run/gate-port.ts';
import { Toolbox } from '../../../src/run/toolbox.ts';
import { askOwnerTool } from '../../../src/tools/ask-owner.ts';
import type { MemoryLeave, Tool } from '../../../src/tools/port.ts';
import { ToolRegistry } from '../../../src/tools/registry.ts';
import { testFirewall } from '../../support/firewall.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { testTools } from '../../support/test-tools.ts';
import { toolContext } from '../../support/tool-context.ts';

const gate = (rules = SHIPPED_POLICY) => gateOf([...testTools(`${temporaryFolder()}/ledger`), askOwnerTool], { rules });
const box = (tools: Tool[]) => new Toolbox(new ToolRegistry(tools));
const gateOf = (tools: Tool[], law: Parameters<typeof testFirewall>[0] = {}, memory?: MemoryDoor) =>
	new Gate({ tools: box(tools), firewall: testFirewall(law), memory });
const caller = (seen: Label, terms: RunTerms = {}): Caller => {
	const [runId, sessionId] = ['r' as RunId, 's' as SessionId];
	const job = { runs: [runId], sessions: [sessionId] };
	return { runId, sessionId, step: 2, terms, seen, sources: [], now: 0, job, addresses: () => new Set() };
};
const run = (gate: Gate, tool: string, args: Json, label: Label, context = toolContext()) =>
	gate.run({ tool, callId: 'c', args, label }, caller(label), context);
const call = (tool: string, args: string) => ({ callId: 'c', tool, args });

test('B2 the join of labels is commutative, associative and idempotent, and never above what went in', () => {
	const label = fc.constantFrom(...LABELS);
	fc.assert(
		fc.property(label, label, label, (a, b, c) => {
			expect(joinLabels(a, b)).toBe(joinLabels(b, a));
			expect(joinLabels(a, joinLabels(b, c))).toBe(joinLabels(joinLabels(a, b), c));
			expect(joinLabels(a, a)).toBe(a);
			expect(LABELS.indexOf(joinLabels(a, b))).toBeGreaterThanOrEqual(Math.max(LABELS.indexOf(a), LABELS.indexOf(b)));
		}),
	);
});

describe('a tool with the sink memory', () => {
	const leaves: (MemoryLeave | undefined)[] = [];
	const writes: Tool = {
		name: 'test_writes',
		title: 'Test, writes memory',
		description: 'Writes memory.',
		schema: z.object({}),
		effect: 'idempotent',
		sinks: ['memory'],
		touches: () => [{ sink: 'memory' }],
		timeoutMs: 1_000,
		outputCap: 100,
		run: async (_, { memory }) => {
			leaves.push(memory);
			return { text: '', isError: false };
		},
	};
	const held: unknown[] = [];
	const door: MemoryDoor = {
		hold: (given) => {
			held.push(given);
			return { outcome: 'held', proposalId: 'p' as ProposalId, reason: given.reason };
		},
		provenance: ({ label }, { reason }) => ({ author: 'agent', label, origin: label, sources: [], reason, at: 1 }),
	};
	const context = toolContext({ step: 2, idempotencyKey: 'r:2:c', touches: [{ sink: 'memory' }] });

	test('gets a grant from the gate where the policy allows it, and none where it holds', async () => {
		const memoryGate = gateOf([writes], {}, door);
		expect(await memoryGate.judge(call('test_writes', '{}'), caller('owner'))).toMatchObject({ kind: 'allow', label: 'agent' });
		await run(memoryGate, 'test_writes', {}, 'agent', context);
		expect(leaves.pop()?.grant).toEqual({ by: 'gate', runId: 'r' });
		// What is held runs as well: the run goes on.
		expect(await memoryGate.judge(call('test_writes', '{}'), caller('external'))).toMatchObject({ kind: 'allow', label: 'external' });
		await run(memoryGate, 'test_writes', {}, 'external', context);
		const leave = leaves.pop();
		expect(leave?.grant).toBeUndefined();
		const operation = { kind: 'append' as const, file: MemoryPath.parse('MEMORY.md'), headingPath: [], text: 'x' };
		leave?.hold(operation, leave.provenance({ text: 'x', reason: 'why' }));
		expect(held).toMatchObject([
			{ operation, label: 'external', rule: 'memory_from_outside', runId: 'r', stepKey: 'r:2:c', provenance: { label: 'external' } },
		]);
	});

	test('is refused where there is no memory, and a tool without a sink never gets a leave', async () => {
		expect(await gateOf([writes]).judge(call('test_writes', '{}'), caller('owner'))).toMatchObject({ why: 'denied' });
		const { sinks: _, touches: __, ...plain } = writes;
		await run(gateOf([plain], {}, door), 'test_writes', {}, 'owner', toolContext());
		expect(leaves.pop()).toBeUndefined();
	});
});

test('what no rule allows is denied', async () => {
	expect(await gate([]).judge(call('test_pure', '{}'), caller('owner'))).toMatchObject({ kind: 'refuse', why: 'denied' });
});

test.each([
	['as they are', '{"value": "x"}', false],
	['none at all', '', false],
	['with a trailing comma', '{"value": "x",}', true],
	['with single quotes', "{'value': 'x'}", true],
	['cut off', '{"value": "x"', true],
])('chat-7 arguments %s are read', async (_, args, repaired) => {
	expect(await gate().judge(call('test_pure', args), caller('owner'))).toMatchObject({ kind: 'allow', repaired, label: 'agent' });
});

test.each([
	['of the wrong type', '{"beforeMs": "soon"}', 'beforeMs'],
	['that are no object', '[1]', 'expected object'],
	['that are no JSON', '{"value" "x" : : }', ''],
])('chat-7 arguments %s are refused with what is wrong', async (_, args, named) => {
	const judged = await gate().judge(call('test_pure', args), caller('owner'));
	expect(judged).toMatchObject({ kind: 'refuse', why: 'unreadable', args });
	expect(judged.kind === 'refuse' && judged.result.text).toContain(named);
});

test('a tool that nobody knows is refused and the known ones are named', async () => {
	expect(await gate().judge(call('rm', '{}'), caller('owner'))).toMatchObject({
		why: 'unknown',
		result: { text: expect.stringContaining('ask_owner') },
	});
});

test('S2 arguments that are nested without end are refused, and never run anything out of its stack', async () => {
	const any: Tool = {
		name: 'test_any',
		title: 'Test',
		description: 'Takes anything.',
		schema: z.object({ a: z.json() }),
		effect: 'pure',
		timeoutMs: 1_000,
		outputCap: 100,
		run: async () => ({ text: '', isError: false }),
	};
	for (const depth of [100, 3_000, 100_000]) {
		const args = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
		expect(await gateOf([any]).judge(call('test_any', args), caller('owner'))).toMatchObject({ kind: 'refuse', why: 'unreadable' });
	}
});

test('a question to the owner is asked whatever the policy says', async () => {
	expect(await gate([]).judge(call('ask_owner', '{"question": "Which?", "choices": ["a", "b"]}'), caller('external'))).toMatchObject({
		kind: 'ask',
		detail: { kind: 'question', question: 'Which?', choices: ['a', 'b'] },
	});
});

test('a stop during a tool is told as such, whatever the tool makes of it', async () => {
	const abort = new AbortController();
	const context = toolContext({ signal: abort.signal });
	const running = run(gate(), 'test_effectful', { value: '', beforeMs: 20_000 }, 'agent', context);
	abort.abort();
	expect(await running).toMatchObject({ stopped: true, result: { isError: true, text: expect.stringContaining('may have taken effect') } });
});

test.each([
	['nothing', undefined],
	['a text that is none', { text: 5, isError: false }],
	['a label that is none', { text: 'x', isError: false, label: 'trusted' }],
	['a plan that is none', { text: 'x', isError: false, plan: { steps: [{ id: '1', text: 'a', state: 'odd' }] } }],
	['a resource that is none', { text: 'x', isError: false, opened: [{ id: '' }] }],
])('what a tool gives back and the journal can’t hold fails the call, and leaves no run at its step: %s', async (_what, output) => {
	const odd = { ...testTools(`${temporaryFolder()}/ledger`)[2], run: async () => output } as unknown as Tool;
	const outcome = await run(gateOf([odd]), odd.name, {}, 'agent');
	expect(outcome).toMatchObject({ stopped: false, label: 'agent', result: { isError: true } });
	expect(outcome.result.text).toContain('It may have taken effect.');
});

describe('S1 what a call would touch', () => {
	const tool = (more: Partial<Tool>): Tool => ({
		name: 'test_touch',
		title: 'Test, touches',
		description: 'Touches things.',
		schema: z.object({ text: z.string().default('') }),
		effect: 'effectful',
		timeoutMs: 1_000,
		outputCap: 100,
		run: async () => ({ text: '', isError: false }),
		...more,
	});
	const FILE: Touch = { sink: 'file', access: 'write', path: 'workspace/a.md', root: 'workspace' };
	const judged = (more: Partial<Tool>, law: Parameters<typeof testFirewall>[0] = {}, args = '{}') =>
		gateOf([tool(more)], law).judge(call('test_touch', args), caller('agent'));

	test.each<[string, Partial<Tool>, string]>([
		['is not said although sinks are declared', { sinks: ['file'] }, 'undeclared'],
		['is of a sink that is not declared', { sinks: ['network'], touches: () => [FILE] }, 'undeclared'],
		[
			'can’t be: the model is told why',
			{
				sinks: ['file'],
				touches: () => {
					throw terminal('tool_denied', 'That leads out of the folder.');
				},
			},
			'impossible',
		],
	])('%s: refused, with a record', async (_what, more, rule) => {
		const refused = await judged(more);
		expect(refused).toMatchObject({ kind: 'refuse', crossings: { audit: [{ decision: 'refused', rule, label: 'agent' }] } });
		if (rule === 'impossible') expect(refused).toMatchObject({ why: 'impossible', result: { text: 'That leads out of the folder.' } });
	});

	test('each thing has its record: hashes and names, where it came from, never the text', async () => {
		const page = { kind: 'page', name: 'example.com/a', label: 'external' } as const;
		const touches: Touch[] = [FILE, { sink: 'network', url: 'https://example.com/x?token=abc', host: 'example.com', method: 'GET' }];
		const gate = gateOf([tool({ sinks: ['file', 'network'], touches: () => touches })]);
		const asked = await gate.judge(call('test_touch', '{"text": "a word of mine"}'), { ...caller('external'), sources: [page] });
		expect(asked).toMatchObject({ kind: 'ask', detail: { touches, sources: [page], label: 'external', offers: [] } });
		expect(asked.crossings.audit).toMatchObject([
			{ sink: 'file', decision: 'asked', label: 'external', detail: { from: 'example.com/a', to: 'workspace/a.md', tool: 'test_touch' } },
			{ sink: 'network', decision: 'asked', detail: { to: 'GET https://example.com/x' } },
		]);
		for (const { textHash, latencyMs, runId, callId } of asked.crossings.audit)
			expect({ textHash, runId, callId, isTime: latencyMs >= 0 }).toEqual({
				textHash: expect.any(String),
				runId: 'r',
				callId: 'c',
				isTime: true,
			});
		expect(JSON.stringify(asked.crossings.audit)).not.toMatch(/a word of mine|token=abc/);
	});

	test('S3 a mask in place of a secret is written nowhere, and reading is not held up by one', async () => {
		const law = { hasMask: (text: string) => text.includes('[secret removed: 3f2a]') };
		const args = '{"text": "key: [secret removed: 3f2a]"}';
		expect(await judged({ sinks: ['file'], touches: () => [FILE] }, law, args)).toMatchObject({
			why: 'denied',
			result: { text: expect.stringContaining('mask') },
			crossings: { audit: [{ rule: 'holds_mask' }] },
		});
		const reads: Touch = { ...FILE, access: 'read' };
		expect(await judged({ sinks: ['file'], touches: () => [reads] }, law, args)).toMatchObject({
			kind: 'ask',
			detail: { rule: 'read_elsewhere' },
		});
	});

	test('S2 a rule of the owner’s comes first, and names what it is for', async () => {
		const rules = [
			{ id: 'own', sinks: ['file' as const], tools: ['test_*'], verdict: 'deny' as const, reason: 'Not these.' },
			...SHIPPED_POLICY,
		];
		expect(await judged({ sinks: ['file'], touches: () => [FILE] }, { rules })).toMatchObject({
			why: 'denied',
			result: { text: 'Not allowed: Not these.' },
			crossings: { audit: [{ rule: 'own', decision: 'refused' }] },
		});
	});
});
