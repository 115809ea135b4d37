import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { HearthClient } from '../../src/contract/contract.ts';
import type { PermissionJob } from '../../src/domain/permission.ts';
import { type OccurrenceId, TaskDraft, TaskId, type TestId } from '../../src/domain/task.ts';
import { call } from '../connection/index.ts';
import { countOfParts } from './list-rows.ts';

const read = <T>(work: (client: HearthClient) => Promise<T>): (() => Promise<T>) => {
	return () => call(work, { repeatable: true });
};

/** How tasks stand as a whole: how many are on, which comes next. */
export function useTasksStatus() {
	return useQuery({ queryKey: ['tasks', 'status'], queryFn: read((client) => client.tasks.status()) });
}

/** The first of them in the order of the list, and as many more as are asked for; all of them where they are not very many. */
export function useTasks() {
	return useInfiniteQuery({
		queryKey: ['tasks', 'list'],
		queryFn: ({ pageParam }) => call((client) => client.tasks.list({ offset: pageParam }), { repeatable: true }),
		initialPageParam: 0,
		getNextPageParam: ({ tasks, parts }, _pages, offset) =>
			tasks.length > 0 && offset + tasks.length < countOfParts(parts) ? offset + tasks.length : undefined,
		staleTime: 0,
	});
}

/** One of them, with how it stands. */
export function useTask(taskId: TaskId | undefined) {
	return useQuery({
		queryKey: ['tasks', 'one', taskId],
		queryFn: () => call((client) => client.tasks.get({ taskId: taskId as TaskId }), { repeatable: true }),
		enabled: taskId !== undefined,
	});
}

/** The name of a task that something is for; undefined for any other work, and where it is gone. */
export function useTaskTitle(job: PermissionJob | undefined): string | undefined {
	return useTask(job?.kind === 'task' ? TaskId.parse(job.taskId) : undefined).data?.draft.title;
}

/** What comes between two moments, by time. `until`: exclusive. `eachMost`: of each task. */
export function useComing({
	from,
	until,
	...of
}: {
	from: number;
	until: number;
	taskId?: TaskId | undefined;
	limit: number;
	eachMost?: number | undefined;
}) {
	return useQuery({
		queryKey: ['tasks', 'coming', from, until, of],
		queryFn: read((client) => client.tasks.coming({ from, to: until - 1, ...of })),
		placeholderData: keepPreviousData,
		staleTime: 0,
	});
}

/** How much comes on each of these days. `starts`: with that of the day after the last one. */
export function useComingDays(starts: number[]) {
	return useQuery({
		queryKey: ['tasks', 'days', ...starts],
		queryFn: read((client) => client.tasks.comingDays({ starts })),
		placeholderData: keepPreviousData,
		staleTime: 0,
	});
}

/** Runs of one question to the runtime. */
const PAGE = 50;

/** What became of the runs of a task, or of all; newest first. */
export function useTaskHistory(taskId: TaskId | undefined) {
	return useInfiniteQuery({
		queryKey: ['tasks', 'history', taskId],
		queryFn: ({ pageParam }) =>
			call(
				(client) =>
					client.tasks.history({
						limit: PAGE,
						...(taskId !== undefined && { taskId }),
						...(pageParam !== undefined && { before: pageParam }),
					}),
				{ repeatable: true },
			),
		initialPageParam: undefined as OccurrenceId | undefined,
		getNextPageParam: ({ occurrences, hasMore }) => (hasMore ? occurrences.at(-1)?.id : undefined),
		staleTime: 0,
	});
}

/** A draft as the runtime would show it for the owner's yes. What can't be a draft is not asked about. */
export function usePreview(draft: TaskDraft | undefined) {
	return useQuery({
		// Apart from the others: nothing that tasks do changes it.
		queryKey: ['task-preview', JSON.stringify(draft)],
		queryFn: () => call((client) => client.tasks.preview({ draft: TaskDraft.parse(draft) }), { repeatable: true }),
		enabled: draft !== undefined && TaskDraft.safeParse(draft).success,
		placeholderData: keepPreviousData,
		staleTime: 0,
		gcTime: 60_000,
	});
}

/** Least time between two questions about a test run at work, in milliseconds: nothing is said of it by itself. */
const TEST_MS = 700;

export function useTestResult(testId: TestId | undefined) {
	return useQuery({
		queryKey: ['task-test', testId],
		queryFn: () => call((client) => client.tasks.testResult({ testId: testId as TestId }), { repeatable: true }),
		enabled: testId !== undefined,
		refetchInterval: ({ state }) => (state.data === undefined || state.data.state === 'running' ? TEST_MS : false),
		staleTime: 0,
	});
}

/** What a task can be limited to. */
export function useTaskTools() {
	return useQuery({ queryKey: ['tasks', 'tools'], queryFn: read((client) => client.tasks.tools()), staleTime: 0 });
}
