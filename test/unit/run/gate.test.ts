import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RunId } from '../../../src/domain/ids.ts';
import { joinLabels, LABELS, type Label } from '../../../src/domain/label.ts';
import { MemoryPath, type ProposalId } from '../../../src/domain/memory.ts';
import { EffectClass } from '../../../src/domain/tool.ts';
import type { RunTerms } from '../../../src/run/events.ts';
import { Gate, type MemoryDoor } from '../../../src/run/gate.ts';
import { decide, POLICY } from '../../../src/run/policy.ts';
import { Toolbox } from '../../../src/run/toolbox.ts';
import { askOwnerTool } from '../../../src/tools/ask-owner.ts';
import type { MemoryLeave, Tool } from '../../../src/tools/port.ts';
import { ToolRegistry } from '../../../src/tools/registry.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { testTools } from '../../support/test-tools.ts';
import { toolContext } from '../../support/tool-context.ts';

const gate = (policy = POLICY) => new Gate(box([...testTools(`${temporaryFolder()}/ledger`), askOwnerTool]), policy);
const box = (tools: Tool[]) => new Toolbox(new ToolRegistry(tools));
const caller = (seen: Label, terms: RunTerms = {}, now = 0) => ({ runId: 'r' as RunId, terms, seen, now });
const call = (tool: string, args: string) => ({ callId: 'c', tool, args });

test.each(EffectClass.options.flatMap((effect) => LABELS.map((label) => [effect, label] as const)))(
	'policy: %s with text of %s',
	(effect, label) => {
		const { verdict, rule, reason } = decide(POLICY, { effect, label });
		expect(verdict).toBe(effect === 'effectful' ? 'ask' : 'allow');
		expect(rule).toBe(effect !== 'effectful' ? 'harmless' : label === 'external' ? 'effectful_from_outside' : 'effectful');
		expect(reason).not.toBe('');
	},
);

const MEMORY_LABELS: [Label, string, string][] = [
	['owner', 'allow', 'memory_by_agent'],
	['agent', 'allow', 'memory_by_agent'],
	['approved', 'allow', 'memory_by_agent'],
	['workspace', 'hold', 'memory_from_outside'],
	['external', 'hold', 'memory_from_outside'],
];
test.each(MEMORY_LABELS)('B2 B4 policy: a memory write of a step labelled %s: %s', (label, verdict, rule) => {
	expect(decide(POLICY, { effect: 'idempotent', sink: 'memory', label })).toMatchObject({ verdict, rule });
	expect(decide(POLICY, { effect: 'idempotent', sink: 'forget', label }).verdict).toBe('hold');
	// Whoever makes an effectful tool of it gets no leave by that.
	for (const effect of ['pure', 'effectful'] as const)
		for (const sink of ['memory', 'forget'] as const) expect(decide(POLICY, { effect, sink, label }).verdict).toBe('deny');
});

test('B2 more taint never loosens: property over all labels, effects and sinks', () => {
	const strictness = { allow: 0, hold: 1, ask: 1, deny: 2 };
	const label = fc.constantFrom(...LABELS);
	const call = fc.record({
		effect: fc.constantFrom(...EffectClass.options),
		sink: fc.constantFrom(undefined, 'memory' as const, 'forget' as const),
	});
	fc.assert(
		fc.property(call, fc.array(label, { minLength: 1, maxLength: 5 }), label, (given, seen, more) => {
			const before = decide(POLICY, { ...given, label: joinLabels(...seen) }).verdict;
			const after = decide(POLICY, { ...given, label: joinLabels(...seen, more) }).verdict;
			expect(strictness[after]).toBeGreaterThanOrEqual(strictness[before]);
		}),
	);
});

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
		sink: 'memory',
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
	const context = toolContext({ step: 2, idempotencyKey: 'r:2:c' });

	test('gets a grant from the gate where the policy allows it, and none where it holds', async () => {
		const memoryGate = new Gate(box([writes]), POLICY, door);
		expect(memoryGate.judge(call('test_writes', '{}'), caller('owner'))).toMatchObject({ kind: 'allow', label: 'agent' });
		await memoryGate.run({ tool: 'test_writes', args: {}, label: 'agent' }, context);
		expect(leaves.pop()?.grant).toEqual({ by: 'gate', runId: 'r' });
		// What is held runs as well: the run goes on.
		expect(memoryGate.judge(call('test_writes', '{}'), caller('external'))).toMatchObject({ kind: 'allow', label: 'external' });
		await memoryGate.run({ tool: 'test_writes', args: {}, label: 'external' }, context);
		const leave = leaves.pop();
		expect(leave?.grant).toBeUndefined();
		const operation = { kind: 'append' as const, file: MemoryPath.parse('MEMORY.md'), headingPath: [], text: 'x' };
		leave?.hold(operation, leave.provenance({ text: 'x', reason: 'why' }));
		expect(held).toMatchObject([
			{ operation, label: 'external', rule: 'memory_from_outside', runId: 'r', stepKey: 'r:2:c', provenance: { label: 'external' } },
		]);
	});

	test('is refused where there is no memory, and a tool without a sink never gets a leave', async () => {
		expect(new Gate(box([writes]), POLICY).judge(call('test_writes', '{}'), caller('owner'))).toMatchObject({ why: 'denied' });
		const { sink: _, ...plain } = writes;
		await new Gate(box([plain]), POLICY, door).run({ tool: 'test_writes', args: {}, label: 'owner' }, context);
		expect(leaves.pop()).toBeUndefined();
	});
});

test('what no rule allows is denied', () => {
	expect(gate([]).judge(call('test_pure', '{}'), caller('owner'))).toMatchObject({ kind: 'refuse', why: 'denied' });
});

test.each([
	['as they are', '{"value": "x"}', false],
	['none at all', '', false],
	['with a trailing comma', '{"value": "x",}', true],
	['with single quotes', "{'value': 'x'}", true],
	['cut off', '{"value": "x"', true],
])('chat-7 arguments %s are read', (_, args, repaired) => {
	expect(gate().judge(call('test_pure', args), caller('owner'))).toMatchObject({ kind: 'allow', repaired, label: 'agent' });
});

test.each([
	['of the wrong type', '{"beforeMs": "soon"}', 'beforeMs'],
	['that are no object', '[1]', 'expected object'],
	['that are no JSON', '{"value" "x" : : }', ''],
])('chat-7 arguments %s are refused with what is wrong', (_, args, named) => {
	const judged = gate().judge(call('test_pure', args), caller('owner'));
	expect(judged).toMatchObject({ kind: 'refuse', why: 'unreadable', args });
	expect(judged.kind === 'refuse' && judged.result.text).toContain(named);
});

test('a tool that nobody knows is refused and the known ones are named', () => {
	expect(gate().judge(call('rm', '{}'), caller('owner'))).toMatchObject({
		why: 'unknown',
		result: { text: expect.stringContaining('ask_owner') },
	});
});

test('a question to the owner is asked whatever the policy says', () => {
	expect(gate([]).judge(call('ask_owner', '{"question": "Which?", "choices": ["a", "b"]}'), caller('external'))).toMatchObject({
		kind: 'ask',
		detail: { kind: 'question', question: 'Which?', choices: ['a', 'b'] },
	});
});

test('a stop during a tool is told as such, whatever the tool makes of it', async () => {
	const abort = new AbortController();
	const context = toolContext({ signal: abort.signal });
	const running = gate().run({ tool: 'test_effectful', args: { value: '', beforeMs: 20_000 }, label: 'agent' }, context);
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
	const outcome = await new Gate(box([odd]), POLICY).run({ tool: odd.name, args: {}, label: 'agent' }, toolContext());
	expect(outcome).toMatchObject({ stopped: false, label: 'agent', result: { isError: true } });
	expect(outcome.result.text).toContain('It may have taken effect.');
});
