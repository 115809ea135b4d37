import { expect, test } from 'vitest';
import { InterruptId, MessageId, ProviderId, SessionId } from '../../../src/domain/ids.ts';
import type { EffectClass } from '../../../src/domain/tool.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { timelineOf } from '../../../src/run/timeline.ts';

const TITLES: Record<string, string> = { write_file: 'Write a file', send_mail: 'Send a mail', look: 'Look around' };
const model = { providerId: ProviderId.parse('p'), modelId: 'm' };

/** Events a second apart, as the journal holds them. */
function told(...events: RunEvent[]) {
	const rows = events.map((event, index) => ({ seq: index + 1, at: (index + 1) * 1000, event }));
	return timelineOf(rows, { title: (tool) => TITLES[tool], checkpoints: new Set([1]), interrupts: new Map() });
}

const begun: RunEvent = {
	type: 'run_started',
	version: 1,
	sessionId: SessionId.parse('s'),
	messageId: MessageId.parse('m'),
	maxModelCalls: 9,
};
const modelStarts = (step: number): RunEvent => ({ type: 'model_started', step, model, modelName: 'M', label: 'owner', notices: [] });
const modelAsks = (step: number, tool: string): RunEvent => ({
	type: 'model_finished',
	step,
	parts: [],
	calls: [{ callId: `c${step}`, tool, args: '{}' }],
	reason: 'tool_calls',
	usage: { inputTokens: 5, outputTokens: 2 },
});
const starts = (step: number, effect: EffectClass, args = {}): RunEvent => ({
	type: 'tool_started',
	step,
	callId: `c${step - 1}`,
	args,
	effect,
	label: 'owner',
	repaired: false,
	at: step * 10_000,
});
const ends = (step: number, text = 'ok', isError = false): RunEvent => ({
	type: 'tool_finished',
	step,
	callId: `c${step - 1}`,
	result: { text, isError },
	label: 'workspace',
	at: step * 10_000 + 44,
});
const died: RunEvent = { type: 'process_died', parts: [] };
const interruptId = InterruptId.parse('i');
const opened = (step: number, kind: 'approval' | 'did_it_happen', effect: EffectClass = 'effectful'): RunEvent => ({
	type: 'interrupt_opened',
	step,
	callId: `c${step - 1}`,
	interruptId,
	kind,
	args: {},
	effect,
	label: 'owner',
	repaired: false,
});

test('a step has its title, times, label, tokens and checkpoint', () => {
	const { steps } = told(begun, modelStarts(1), modelAsks(1, 'write_file'), starts(2, 'idempotent', { path: 'bills/02.csv' }), ends(2));
	expect(steps.map(({ line }) => line)).toEqual([
		{
			step: 1,
			kind: 'model',
			title: 'Decide: Write a file',
			status: 'done',
			label: 'agent',
			startedAt: 2000,
			finishedAt: 3000,
			usage: { inputTokens: 5, outputTokens: 2 },
			tries: 1,
			checkpoint: true,
		},
		{
			step: 2,
			kind: 'tool',
			title: 'Write bills/02.csv',
			tool: 'write_file',
			effect: 'idempotent',
			status: 'done',
			label: 'workspace',
			startedAt: 20_000,
			finishedAt: 20_044,
			tries: 1,
			checkpoint: false,
		},
	]);
});

test('M4 what a model decides is labelled by all that the steps before it brought in', () => {
	const { steps } = told(begun, modelStarts(1), modelAsks(1, 'look'), starts(2, 'pure'), ends(2), modelStarts(3), modelAsks(3, 'look'));
	expect(steps.map(({ line }) => line.label)).toEqual(['agent', 'workspace', 'workspace']);
});

test.each<[EffectClass, string]>([
	['pure', 'It only reads'],
	['idempotent', 'Same key, same result'],
])('R2 a %s step that was cut off was done again, and why is said', (effect, why) => {
	const { steps, breaks } = told(begun, modelStarts(1), modelAsks(1, 'look'), starts(2, effect), died, starts(2, effect), ends(2));
	expect(steps[1]).toMatchObject({ line: { tries: 2, status: 'done' }, redone: [expect.stringContaining(why)] });
	expect(breaks).toEqual([{ step: 2, at: 4000, wentOnAt: 5000 }]);
});

test('R2 an effect under way is unknown until the owner has said; what they said is told', () => {
	const before = [begun, modelStarts(1), modelAsks(1, 'send_mail'), starts(2, 'effectful'), died];
	expect(told(...before).steps[1]?.line).toMatchObject({ status: 'unknown', tries: 1 });
	expect(told(...before, opened(2, 'did_it_happen')).steps[1]?.line).toMatchObject({ kind: 'did_it_happen', status: 'unknown' });
	const answered = (answer: Extract<RunEvent, { type: 'interrupt_answered' }>['answer'], ...after: RunEvent[]) =>
		told(...before, opened(2, 'did_it_happen'), { type: 'interrupt_answered', interruptId, answer, at: 9 }, ...after).steps[1];
	expect(answered({ type: 'happened', result: 'sent' })).toMatchObject({
		line: { kind: 'tool', status: 'done', tries: 1 },
		output: 'sent',
	});
	expect(answered({ type: 'skip' })?.line).toMatchObject({ kind: 'tool', status: 'skipped' });
	expect(answered({ type: 'stop' })?.line).toMatchObject({ status: 'unknown' });
	expect(answered({ type: 'run_again' }, starts(2, 'effectful'), ends(2))).toMatchObject({
		line: { kind: 'tool', status: 'done', tries: 2 },
		redone: [expect.stringContaining('may have happened'), 'You let it run again.'],
	});
});

test('an approval waits, and becomes the call that ran; a no is a no', () => {
	const before = [begun, modelStarts(1), modelAsks(1, 'send_mail'), opened(2, 'approval')];
	expect(told(...before).steps[1]?.line).toMatchObject({ kind: 'approval', title: 'Send a mail', status: 'waiting' });
	const yes: RunEvent = { type: 'interrupt_answered', interruptId, answer: { type: 'approve' }, at: 9 };
	expect(told(...before, yes, starts(2, 'effectful'), ends(2)).steps[1]).toMatchObject({
		line: { kind: 'tool', status: 'done', tries: 1, startedAt: 20_000 },
		redone: ['You approved it.'],
	});
	const no: RunEvent = { type: 'interrupt_answered', interruptId, answer: { type: 'reject', reason: 'Not now' }, at: 9 };
	expect(told(...before, no).steps[1]).toMatchObject({ line: { kind: 'approval', status: 'denied' }, output: 'Not now' });
	expect(told(...before, { type: 'stopped', parts: [], at: 9 }).steps[1]?.line).toMatchObject({ kind: 'approval', status: 'stopped' });
});

test('R2 an effect that was stopped under way may have happened', () => {
	const { steps } = told(begun, modelStarts(1), modelAsks(1, 'send_mail'), starts(2, 'effectful'), { type: 'stopped', parts: [], at: 9 });
	expect(steps[1]?.line).toMatchObject({ status: 'unknown', finishedAt: 9 });
});

test('a model call that died, failed and was tried again', () => {
	const error = { kind: 'retryable' as const, code: 'model_timeout' as const, message: 'Too slow.' };
	const failed: RunEvent = { type: 'model_failed', step: 1, parts: [{ type: 'text', text: 'Half' }], error };
	expect(told(begun, modelStarts(1), failed).steps[0]).toMatchObject({ line: { status: 'failed' }, error, output: 'Half' });
	const { steps, breaks } = told(begun, modelStarts(1), died, { type: 'retried' }, modelStarts(1), {
		type: 'model_finished',
		step: 1,
		parts: [{ type: 'text', text: 'The whole answer.\nAnd more.' }],
		calls: [],
		reason: 'stop',
	});
	expect(steps[0]).toMatchObject({
		line: { status: 'done', tries: 2, title: 'The whole answer. And more.' },
		redone: ['Hearth stopped while the model wrote.', 'You chose Retry.'],
	});
	expect(breaks).toHaveLength(1);
});

test('a step at which process after process died stands as the run does: cut off, and not under way', () => {
	const { steps } = told(
		begun,
		modelStarts(1),
		modelAsks(1, 'look'),
		starts(2, 'pure'),
		died,
		starts(2, 'pure'),
		died,
		starts(2, 'pure'),
		died,
	);
	expect(steps[1]?.line).toMatchObject({ status: 'stopped', tries: 3 });
	expect(steps[1]?.redone.at(-1)).toContain('3 times in a row');
});

test('what did not come in time, and a call that asks for what can’t be, failed, as in the chat', () => {
	const slept: RunEvent = { ...opened(2, 'approval', 'pure'), kind: 'event', until: 9 } as RunEvent;
	const { steps } = told(begun, modelStarts(1), modelAsks(1, 'look'), slept, {
		type: 'wait_ended',
		interruptId,
		outcome: { type: 'timed_out' },
		at: 9,
	});
	expect(steps[1]?.line).toMatchObject({ kind: 'event', status: 'failed' });
	const refused = {
		type: 'tool_refused',
		step: 2,
		callId: 'c1',
		args: {},
		why: 'impossible',
		result: { text: 'No.', isError: true },
	} as const;
	expect(told(begun, modelStarts(1), modelAsks(1, 'look'), refused).steps[1]?.line.status).toBe('failed');
});
