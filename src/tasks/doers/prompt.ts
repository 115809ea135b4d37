import type { ReadDb } from '../../db/brands.ts';
import { terminal } from '../../domain/errors.ts';
import type { RunId } from '../../domain/ids.ts';
import type { ModelRef } from '../../domain/model.ts';
import type { TaskDraft, TaskWork } from '../../domain/task.ts';
import { finalWords } from '../../run/children.ts';
import type { RunEngine } from '../../run/engine.ts';
import { findRun } from '../../run/journal-store.ts';
import { usedByRun } from '../../run/run-use.ts';
import { findMessage } from '../../sessions/message-store.ts';
import { insertOutsideChat } from '../../sessions/outside-chat-store.ts';
import type { Standing, TaskDoer } from '../ports.ts';
import { isLimit } from './failures.ts';
import { type TaskMessage, taskMessage } from './message.ts';

/** A task that a model does: each of its runs is a run of the engine, checkpointed, resumable, in the timeline. */

type PromptWork = Extract<TaskWork, { kind: 'prompt' }>;

export interface PromptDoerDeps {
	readonly db: ReadDb;
	readonly engine: Pick<RunEngine, 'beginWork' | 'start' | 'stop' | 'resume'>;
	/** What does background work where the task names no model; undefined: what does chats. */
	readonly model: () => ModelRef | undefined;
	/** The owner's zone. */
	readonly zone: () => string;
}

export function createPromptDoer({ db, engine, model, zone }: PromptDoerDeps): TaskDoer {
	return {
		begin: (tx, task, occurrence) => {
			const { draft, label } = task;
			const work = promptOf(draft.work);
			const message = taskMessage({ draft, prompt: work.text, label, occurrence, zone: zone() });
			const { runId, sessionId, fresh } = engine.beginWork(tx, {
				...runOf(draft, work, message, model),
				beginKey: `task:${occurrence.id}`,
				title: draft.title,
				...(work.session === 'one' && task.sessionId !== undefined && { sessionId: task.sessionId }),
			});
			// What it reads is spoken of in the task's own chats only, also where the owner forks it (B1).
			if (fresh) insertOutsideChat(tx, { sessionId, taskId: task.id });
			return { runId, sessionId };
		},
		start: ({ runId }) => {
			if (runId !== undefined && findRun(db, runId)) engine.start(runId);
		},
		retry: (_task, { runId }) => {
			const standing = standingOf(db, runId);
			if (runId === undefined || standing.kind === 'done' || standing.kind === 'going_on' || standing.kind === 'waiting') return;
			// What was used up is given anew: the owner says so, nobody else goes on after that.
			engine.resume(runId, standing.kind === 'failed' && isLimit(standing.error) ? 'continued' : 'retried');
		},
		stop: async ({ runId }) => {
			if (runId !== undefined && findRun(db, runId)) await engine.stop(runId);
		},
		standing: ({ runId }) => standingOf(db, runId),
		used: ({ runId }) => (runId === undefined ? { tokens: 0, costUsd: 0 } : usedByRun(db, runId)),
	};
}

/** What the run of a task, and the one of a test of it, are begun with. */
export function runOf(
	{ budget }: Pick<TaskDraft, 'budget'>,
	{ model, tools }: PromptWork,
	{ text, label, sources }: TaskMessage,
	chosen: PromptDoerDeps['model'],
) {
	return { kind: 'task', task: text, label, sources, model: model ?? chosen(), tools, budget } as const;
}

function promptOf(work: TaskWork): PromptWork {
	if (work.kind === 'prompt') return work;
	throw terminal('internal', 'A task of another kind was given to what does prompts.');
}

const NO_END = terminal('run_interrupted', 'It did not come to its end.').shape;

/** How a run stands, for whoever waits for its end. */
export function standingOf(db: ReadDb, runId: RunId | undefined): Standing {
	const run = runId === undefined ? undefined : findRun(db, runId);
	// Its chat was deleted, and it with that.
	if (!run) return { kind: 'stopped' };
	switch (run.status) {
		case 'running':
			return { kind: 'going_on' };
		case 'waiting':
		case 'sleeping':
			return { kind: 'waiting' };
		case 'stopped':
			return { kind: 'stopped' };
		case 'done':
		case 'failed':
		case 'interrupted': {
			const message = findMessage(db, run.messageId);
			if (!message) return { kind: 'stopped' };
			const said = { text: finalWords(message), label: message.label };
			if (run.status === 'done') return { kind: 'done', ...said };
			return { kind: 'failed', error: message.error ?? NO_END, ...said };
		}
	}
}
