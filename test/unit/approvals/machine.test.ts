import { expect, test } from 'vitest';
import { answerFits, checkAnswer, outcomeFits, shownHashOf } from '../../../src/approvals/machine.ts';
import type { InterruptId, RunId, SessionId } from '../../../src/domain/ids.ts';
import { type Interrupt, type InterruptAnswer, type InterruptDetail, InterruptKind, WaitOutcome } from '../../../src/domain/run.ts';
import { approvalDetail } from '../../support/firewall.ts';

const APPROVAL = approvalDetail();

function interrupt(more: Partial<Interrupt> = {}): Interrupt {
	const ids = { id: 'i' as InterruptId, runId: 'r' as RunId, sessionId: 's' as SessionId };
	return { ...ids, step: 1, callId: 'c', detail: APPROVAL, shownHash: shownHashOf(APPROVAL), status: 'open', createdAt: 1, ...more };
}

test('B3 the hash covers everything that is shown, whatever the order of keys', () => {
	const same: InterruptDetail = { ...APPROVAL, args: { text: 'hi', to: 'ada' } };
	expect(shownHashOf(same)).toBe(shownHashOf(APPROVAL));
	const others: InterruptDetail[] = [
		{ ...APPROVAL, title: 'Something else' },
		{ ...APPROVAL, tool: 'send_all' },
		{ ...APPROVAL, args: { to: 'ada', text: 'hi ' } },
		{ ...APPROVAL, label: 'external' },
		{ ...APPROVAL, reason: 'It changes nothing.' },
		{ ...APPROVAL, touches: [{ sink: 'memory' }] },
		{ ...APPROVAL, sources: [{ kind: 'page', name: 'example.com', label: 'external' }] },
		{ ...APPROVAL, flags: [{ kind: 'secret', start: 0, end: 1 }] },
		{ ...APPROVAL, risk: 'high' },
		{
			...APPROVAL,
			offers: [{ reach: 'run', terms: { scope: { kind: 'workspace' }, label: 'external', job: { kind: 'run', runId: 'r' as RunId } } }],
		},
	];
	for (const other of others) expect(shownHashOf(other)).not.toBe(shownHashOf(APPROVAL));
	expect(shownHashOf(APPROVAL)).toMatch(/^[0-9a-f]{64}$/);
});

const ANSWERS: InterruptAnswer[] = [
	{ type: 'approve' },
	{ type: 'reject' },
	{ type: 'reply', text: 'x' },
	{ type: 'happened', result: '' },
	{ type: 'run_again' },
	{ type: 'skip' },
	{ type: 'stop' },
];

test.each<[InterruptKind, string]>([
	['approval', 'approve reject stop'],
	['question', 'reply skip stop'],
	['did_it_happen', 'happened run_again skip stop'],
	['timer', 'skip stop'],
	['event', 'skip stop'],
	['child', 'skip stop'],
])('which answers fit: %s', (kind, fitting) => {
	expect(
		ANSWERS.filter((answer) => answerFits(kind, answer.type))
			.map((answer) => answer.type)
			.join(' '),
	).toBe(fitting);
});

test('R3 what runs sleep for is no owner’s to answer, and nothing else ends what is asked of the owner', () => {
	const outcomes = WaitOutcome.options.map((option) => option.shape.type.value);
	const fitting = InterruptKind.options.map((kind) => [kind, outcomes.filter((outcome) => outcomeFits(kind, outcome)).join(' ')]);
	expect(Object.fromEntries(fitting)).toEqual({
		approval: '',
		question: '',
		did_it_happen: '',
		timer: 'time_came',
		event: 'event_came timed_out',
		child: 'child_ended',
	});
});

test('B3 an answer to something else than what is asked is stale; a second one is a conflict', () => {
	const approve: InterruptAnswer = { type: 'approve' };
	const { shownHash } = interrupt();
	expect(() => checkAnswer(interrupt(), shownHash, approve)).not.toThrow();
	expect(() => checkAnswer(interrupt(), '0'.repeat(64), approve)).toThrow(expect.objectContaining({ code: 'stale' }));
	expect(() => checkAnswer(interrupt({ status: 'answered' }), shownHash, approve)).toThrow(expect.objectContaining({ code: 'conflict' }));
	expect(() => checkAnswer(interrupt({ status: 'expired' }), shownHash, approve)).toThrow(expect.objectContaining({ code: 'conflict' }));
	expect(() => checkAnswer(interrupt(), shownHash, { type: 'run_again' })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});
