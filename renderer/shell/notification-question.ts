import type { NotificationQuestion } from '../../src/contract/shell.ts';
import type { Interrupt } from '../../src/domain/run.ts';

/** What a notification shows of each on the systems that have buttons: longer texts are cut, and nobody answers what they can't see. */
const MOST_CHOICES = 3;
const MOST_OF_A_CHOICE = 30;
const MOST_OF_A_QUESTION = 200;

/**
 * A question that can be answered in a notification, as it is shown there: the whole of it, and all its choices (B3). Undefined for everything
 * else: an approval, or whether something happened, shows more than fits, and is only answered where all of it stands.
 */
export function notificationQuestion(
	{ id, shownHash, detail }: Interrupt,
	placeholder: string,
): { body: string; question: NotificationQuestion } | undefined {
	if (detail.kind !== 'question' || detail.question.length > MOST_OF_A_QUESTION) return undefined;
	const choices = detail.choices ?? [];
	if (choices.length > MOST_CHOICES || choices.some((choice) => choice.length > MOST_OF_A_CHOICE)) return undefined;
	return { body: detail.question, question: { interruptId: id, shownHash, choices, placeholder } };
}
