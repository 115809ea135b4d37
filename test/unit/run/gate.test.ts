import { expect, test } from 'vitest';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import { LABELS } from '../../../src/domain/label.ts';
import { EffectClass } from '../../../src/domain/tool.ts';
import { Gate } from '../../../src/run/gate.ts';
import { decide, POLICY } from '../../../src/run/policy.ts';
import { askOwnerTool } from '../../../src/tools/ask-owner.ts';
import { ToolRegistry } from '../../../src/tools/registry.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { testTools } from '../../support/test-tools.ts';

const gate = (policy = POLICY) => new Gate(new ToolRegistry([...testTools(`${temporaryFolder()}/ledger`), askOwnerTool]), policy);
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

test('what no rule allows is denied', () => {
	expect(gate([]).judge(call('test_pure', '{}'), 'owner')).toMatchObject({ kind: 'refuse', why: 'denied' });
});

test.each([
	['as they are', '{"value": "x"}', false],
	['none at all', '', false],
	['with a trailing comma', '{"value": "x",}', true],
	['with single quotes', "{'value': 'x'}", true],
	['cut off', '{"value": "x"', true],
])('chat-7 arguments %s are read', (_, args, repaired) => {
	expect(gate().judge(call('test_pure', args), 'owner')).toMatchObject({ kind: 'allow', repaired, label: 'agent' });
});

test.each([
	['of the wrong type', '{"beforeMs": "soon"}', 'beforeMs'],
	['that are no object', '[1]', 'expected object'],
	['that are no JSON', '{"value" "x" : : }', ''],
])('chat-7 arguments %s are refused with what is wrong', (_, args, named) => {
	const judged = gate().judge(call('test_pure', args), 'owner');
	expect(judged).toMatchObject({ kind: 'refuse', why: 'unreadable', args });
	expect(judged.kind === 'refuse' && judged.result.text).toContain(named);
});

test('a tool that nobody knows is refused and the known ones are named', () => {
	expect(gate().judge(call('rm', '{}'), 'owner')).toMatchObject({ why: 'unknown', result: { text: expect.stringContaining('ask_owner') } });
});

test('a question to the owner is asked whatever the policy says', () => {
	expect(gate([]).judge(call('ask_owner', '{"question": "Which?", "choices": ["a", "b"]}'), 'external')).toMatchObject({
		kind: 'ask',
		detail: { kind: 'question', question: 'Which?', choices: ['a', 'b'] },
	});
});

test('a stop during a tool is told as such, whatever the tool makes of it', async () => {
	const abort = new AbortController();
	const context = { runId: 'r' as RunId, sessionId: 's' as SessionId, step: 1, idempotencyKey: 'r:1:c', signal: abort.signal };
	const running = gate().run({ tool: 'test_effectful', args: { value: '', beforeMs: 20_000 } }, context);
	abort.abort();
	expect(await running).toMatchObject({ stopped: true, result: { isError: true, text: expect.stringContaining('may have taken effect') } });
});
