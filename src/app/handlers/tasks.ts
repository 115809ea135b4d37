import type { StateDb } from '../../db/open.ts';
import type { OccurrenceId, SentenceReading } from '../../domain/task.ts';
import { comingDays, comingRuns } from '../../tasks/coming.ts';
import { listOccurrences } from '../../tasks/history-store.ts';
import { shownOf } from '../../tasks/occurrence-row.ts';
import { getOccurrence } from '../../tasks/occurrence-store.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { TaskTests } from '../../tasks/tests.ts';
import type { Triggers } from '../../tasks/triggers/triggers.ts';
import { tasksStatus, type ViewDeps, viewTask, viewTasks } from '../../tasks/view.ts';
import type { UnattendedTool } from '../agent-tools.ts';
import type { Handlers } from '../router.ts';

export interface TasksHandlersDeps {
	readonly db: StateDb;
	readonly tasks: Tasks;
	readonly read: (sentence: string) => Promise<SentenceReading>;
	readonly tests: Pick<TaskTests, 'test' | 'result'>;
	/** What work without the owner may have. */
	readonly tools: () => UnattendedTool[];
	readonly triggers: Pick<Triggers, 'prepare' | 'signal'>;
	/** As things are now. */
	readonly view: () => ViewDeps;
	readonly liveSeq: () => number;
}

/** `tasks.*` of the contract: the owner's own word. Views learn of changes by `tasks_changed`. */
export function createTasksHandlers({ db, tasks, read, tests, tools, triggers, view, liveSeq }: TasksHandlersDeps): Handlers['tasks'] {
	const occurrence = (id: OccurrenceId) => shownOf(getOccurrence(db.read, id));
	return {
		list: async (page) => {
			const seq = liveSeq();
			const now = view();
			return { ...viewTasks(now, page), status: tasksStatus(now), seq };
		},
		get: async ({ taskId }) => viewTask(view(), taskId),
		status: async () => tasksStatus(view()),
		read: ({ sentence }) => read(sentence),
		tools: async () => ({ tools: tools() }),
		test: async ({ draft, permissions, requestId }) => tests.test(draft, permissions, requestId),
		testResult: async ({ testId }) => tests.result(testId),
		preview: async ({ draft }) => {
			const card = tasks.preview(draft);
			// A slip of the pen in a path is said before the card is confirmed.
			await triggers.prepare(draft.when);
			return card;
		},
		add: async (given) => viewTask(view(), await tasks.add(given)),
		update: async ({ taskId, ...given }) => {
			await tasks.update(taskId, given);
			return viewTask(view(), taskId);
		},
		remove: ({ taskId }) => tasks.remove(taskId),
		pause: async ({ taskId, until }) => {
			tasks.pause(taskId, until);
			return viewTask(view(), taskId);
		},
		resume: async ({ taskId }) => {
			await tasks.resume(taskId);
			return viewTask(view(), taskId);
		},
		run: async ({ taskId }) => occurrence(tasks.run(taskId)),
		decide: async ({ occurrenceId, how }) => occurrence(tasks.decide(occurrenceId, how)),
		stop: async ({ occurrenceId }) => {
			await tasks.stop(occurrenceId);
			return occurrence(occurrenceId);
		},
		history: async ({ taskId, before, limit }) => {
			const found = listOccurrences(db.read, { taskId, before, limit: limit + 1 });
			return { occurrences: found.slice(0, limit).map(shownOf), hasMore: found.length > limit };
		},
		coming: (range) => comingRuns(view(), range),
		comingDays: async ({ starts }) => ({ days: await comingDays(view(), starts) }),
		trigger: async ({ name, payload, label }) => ({ tasks: triggers.signal(name, payload, label) }),
	};
}
