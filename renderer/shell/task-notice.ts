import type { LiveEvent } from '../../src/contract/events.ts';

export type TaskTold = Extract<LiveEvent, { type: 'task_told' }>;

/** What is worth a word: what one task has to say, or that several missed a run. */
export type TaskNotice = { readonly kind: 'one'; readonly told: TaskTold } | { readonly kind: 'missed'; readonly count: number };

/** The words for a burst: a task that has stopped does not also say that it failed, and after a night away there is one word for all that was missed. */
export function noticesOf(burst: readonly TaskTold[]): TaskNotice[] {
	const stopped = new Set(burst.flatMap(({ what, occurrenceId }) => (what === 'blocked' ? [occurrenceId] : [])));
	const missed = burst.filter(isMissed);
	const others = burst.filter((told) => !isMissed(told) && !(told.what === 'failed' && stopped.has(told.occurrenceId)));
	const each = (missed.length > 1 ? others : burst.filter((told) => isMissed(told) || others.includes(told))).map(
		(told): TaskNotice => ({ kind: 'one', told }),
	);
	return missed.length > 1 ? [...each, { kind: 'missed', count: missed.length }] : each;
}

function isMissed({ what }: TaskTold): boolean {
	return what === 'missed' || what === 'asks';
}
