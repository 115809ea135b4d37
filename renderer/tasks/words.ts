import type { Occurrence, Task, TaskState } from '../../src/domain/task.ts';
import type { IconName } from '../ui/icon.tsx';
import type { State } from '../ui/marks.tsx';
import type { Say } from '../ui/strings.tsx';

const MARKS: Record<TaskState, { readonly state: State; readonly icon?: IconName }> = {
	scheduled: { state: 'scheduled' },
	overdue: { state: 'scheduled' },
	running: { state: 'running' },
	waiting: { state: 'waiting' },
	missed: { state: 'missed' },
	failed: { state: 'failed' },
	blocked: { state: 'pending' },
	paused: { state: 'scheduled', icon: 'pause' },
	ended: { state: 'scheduled', icon: 'check' },
};

export interface StateWords {
	readonly state: State;
	readonly icon?: IconName;
	readonly words: string;
}

/** How a task stands, as its card says it. `asks`: its run waits for the owner's answer. `step`: that its run is at. */
export function taskState(say: Say, task: Task, { asks, step }: { asks: boolean; step: number | undefined }): StateWords {
	if (asks) return { state: 'pending', words: say('tasks.state.asks') };
	const mark = MARKS[task.state];
	if (task.state === 'scheduled' && task.draft.when.kind === 'trigger')
		return { ...mark, icon: 'bolt', words: say('tasks.state.watching') };
	if (task.state === 'running' && step !== undefined && step > 0) return { ...mark, words: say('tasks.state.runningAt', { step }) };
	return { ...mark, words: say(`tasks.state.${task.state}`) };
}

const OCCURRENCE_MARKS: Record<Occurrence['state'], State> = {
	queued: 'scheduled',
	running: 'running',
	done: 'done',
	failed: 'failed',
	missed: 'missed',
	asks: 'missed',
	skipped: 'stale',
	stopped: 'stale',
};

export function occurrenceState(say: Say, occurrence: Occurrence): StateWords {
	const { state, nextTryAt, count } = occurrence;
	const id = state === 'queued' && nextTryAt !== undefined ? 'tasks.run.retry' : (`tasks.run.${state}` as const);
	return { state: OCCURRENCE_MARKS[state], words: say(id, { count }) };
}

/** Why nothing ran, or what else is to be said of it: a sentence, or nothing. */
export function reasonWords(say: Say, { why, note, error, state }: Occurrence): string {
	if (error && (state === 'failed' || state === 'queued')) return error.message;
	if (note) return note;
	return why ? say(`tasks.why.${why}`) : '';
}

/** `8 March, 09:00 was missed: the computer was asleep.` `when`: formats a moment. */
export function missedWords(say: Say, occurrence: Occurrence, when: (at: number, options?: { begins?: boolean }) => string): string {
	const { slot, lastSlot, count, why, state } = occurrence;
	const reason = why ? say(`tasks.because.${why}`) : '';
	const values = {
		count,
		time: when(slot, { begins: count === 1 }),
		last: when(lastSlot ?? slot),
		why: reason === '' ? 'none' : 'some',
		reason,
	};
	return say(state === 'asks' ? 'tasks.missedAsks' : 'tasks.missedOne', values);
}

/** A result leads there. */
export function resultPlace({
	result,
	sessionId,
}: Pick<Occurrence, 'result' | 'sessionId'>): { to: string; what: 'chat' | 'inbox' } | undefined {
	if (result?.proposalId) return { to: `/inbox/${encodeURIComponent(result.proposalId)}`, what: 'inbox' };
	const chat = result?.sessionId ?? undefined;
	if (chat === undefined || (chat === sessionId && result?.messageId === undefined)) return undefined;
	return { to: `/chat/${chat}${result?.messageId ? `/${result.messageId}` : ''}`, what: 'chat' };
}
