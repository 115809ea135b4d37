import { describe, expect, test } from 'vitest';
import { notificationQuestion } from '../../../renderer/shell/notification-question.ts';
import { NotificationQuestion } from '../../../src/contract/shell.ts';
import { Interrupt, type InterruptDetail } from '../../../src/domain/run.ts';
import { approvalDetail } from '../../support/firewall.ts';

function asked(detail: InterruptDetail): Interrupt {
	return Interrupt.parse({
		...{ id: 'i1', runId: 'r1', sessionId: 's1', step: 3, callId: 'c1', status: 'open', createdAt: 1 },
		detail,
		shownHash: 'a'.repeat(64),
	});
}
const questionOf = (question: string, choices?: string[]) =>
	notificationQuestion(asked({ kind: 'question', question, ...(choices && { choices }) }), 'Your answer');

describe('B3 only what a notification shows whole is answered in it', () => {
	test('a question goes with the hash of what is shown, its choices as buttons', () => {
		const told = questionOf('Which oven?', ['The big one', 'The small one']);
		expect(told).toEqual({
			body: 'Which oven?',
			question: { interruptId: 'i1', shownHash: 'a'.repeat(64), choices: ['The big one', 'The small one'], placeholder: 'Your answer' },
		});
		expect(NotificationQuestion.safeParse(told?.question).success).toBe(true);
	});

	test('without choices it is answered in words', () => {
		expect(questionOf('Which oven?')?.question.choices).toEqual([]);
	});

	test.each([
		['a long question', 'x'.repeat(201), undefined],
		['more choices than buttons', 'Which?', ['1', '2', '3', '4']],
		['a choice that would be cut', 'Which?', ['The one that stands in the corner of the kitchen', 'The other']],
	])('%s is opened instead', (_name, question, choices) => {
		expect(questionOf(question, choices)).toBeUndefined();
	});

	test('so is an approval, and whether something happened', () => {
		expect(notificationQuestion(asked(approvalDetail()), '')).toBeUndefined();
		expect(notificationQuestion(asked({ kind: 'did_it_happen', tool: 'send', args: {}, startedAt: 1 }), '')).toBeUndefined();
	});
});
