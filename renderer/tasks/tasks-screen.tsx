import { useEffect, useMemo, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { isOwners } from '../../src/domain/run.ts';
import type { Task } from '../../src/domain/task.ts';
import { shapeOf } from '../connection/index.ts';
import { useCommand } from '../shell/commands.ts';
import { useActionsWaiting } from '../shell/queries.ts';
import { useSay } from '../ui/strings.tsx';
import { DayPane } from './day-pane.tsx';
import { Dialogs } from './dialogs.tsx';
import { EditPane } from './edit-pane.tsx';
import { dropEditor, isChanged, NEW, useEditors } from './editor-store.ts';
import { focusList, focusPane, focusRow, focusSentence } from './focus.ts';
import { HistoryList } from './history-list.tsx';
import { ListPane } from './list-pane.tsx';
import { type Asking, taskRows } from './list-rows.ts';
import { NewTask } from './new-task.tsx';
import { PaneHead } from './pane-head.tsx';
import { NEW_TASK, parsePlace, TASKS, type TasksPlace, taskOf, taskPlace } from './place.ts';
import { useTask, useTasks } from './queries.ts';
import { pauseTask, resumeTask, runTask } from './task-actions.ts';
import { TaskPane } from './task-pane.tsx';
import { askFor, useTasksUi } from './tasks-ui-store.ts';
import { useTasksKeys } from './use-tasks-keys.ts';

/** What runs by itself: the tasks with how they stand, what comes, and what became of it. */
export default function TasksScreen() {
	const say = useSay();
	const [address] = useHashLocation();
	const [, navigate] = useLocation();
	const place = useMemo(() => parsePlace(address), [address]);
	const asked = useTasks();
	const tasks = useMemo(() => known(asked.data?.pages), [asked.data]);
	const first = asked.data?.pages[0];
	const asking = useAsking();
	const rows = useMemo(() => taskRows(tasks ?? [], asking, first?.parts), [tasks, asking, first]);
	const list = useRef<VirtualizerHandle>(null);
	const openId = taskOf(place);
	const rowId = useTasksUi((state) => state.rowId);
	const listed = tasks?.find(({ id }) => id === (openId ?? rowId));
	// An address may lead to one that is farther down than the list was read.
	const alone = useTask(openId !== undefined && tasks !== undefined && listed === undefined ? openId : undefined);
	const chosen = listed ?? (openId === undefined ? undefined : alone.data);
	useAskedFor();

	const create = (): void => {
		// What was only read, and nothing of it changed, is no draft of the owner's to come back to.
		const { [NEW]: begun } = useEditors.getState().byKey;
		if (begun && !isChanged(begun) && begun.test === null) dropEditor(NEW);
		navigate(NEW_TASK);
		askFor('sentence');
	};
	const step = (by: number): void => {
		const cards = rows.filter((row) => row.kind === 'task');
		const at = cards.findIndex(({ key }) => key === rowId);
		const next = cards[at < 0 ? 0 : Math.max(0, Math.min(cards.length - 1, at + by))];
		if (!next) return;
		useTasksUi.setState({ rowId: next.key });
		list.current?.scrollToIndex(
			rows.findIndex(({ key }) => key === next.key),
			{ align: 'nearest' },
		);
		focusRow(next.key);
	};
	const back = (): void => {
		// Out of a field first: what was typed there stays.
		if (document.activeElement instanceof HTMLElement && document.activeElement.closest('textarea, input')) focusPane();
		else if (place.kind !== 'list') {
			navigate(TASKS);
			focusList(openId ?? rowId);
		}
	};
	const go = (what: 'edit' | 'runs') => (): void => {
		if (!chosen) return;
		navigate(taskPlace(chosen.id, what));
		focusPane();
	};
	const run = (): void => void (chosen && runTask(chosen));
	const pause = (): void => void (chosen && togglePause(chosen));
	const onKeyDown = useTasksKeys({ step, back, create, run, pause, edit: go('edit'), history: go('runs') });
	const one = chosen !== undefined;
	useCommand('task_run', run, one);
	useCommand('task_pause', pause, one && chosen.state !== 'ended');
	useCommand('task_edit', go('edit'), one);
	useCommand('task_history', go('runs'), one);
	useCommand('task_remove', () => useTasksUi.setState({ removing: chosen?.id ?? null }), one);

	// In a narrow window an open card stands in the list: what else is open takes its place, and so does the first task while there is none.
	const empty = tasks?.length === 0;
	const listShown = (place.kind === 'list' && !empty) || (place.kind === 'open' && (listed !== undefined || tasks === undefined));
	return (
		<main className={listShown ? 'view v-tasks show-list' : 'view v-tasks'} id="main" onKeyDown={onKeyDown}>
			<h1 className="vh">{say('tasks.title')}</h1>
			<ListPane
				tasks={tasks}
				rows={rows}
				status={first?.status}
				error={asked.error ? shapeOf(asked.error) : undefined}
				asking={asking}
				openId={openId}
				day={place.kind === 'day' ? place.day : undefined}
				list={list}
				onNew={create}
				onRetry={() => void asked.refetch()}
				onMore={asked.fetchNextPage}
			/>
			<Beside
				place={place}
				task={openId === undefined ? undefined : chosen}
				known={tasks !== undefined && !alone.isFetching}
				empty={empty}
			/>
			<Dialogs tasks={listed || !chosen ? (tasks ?? []) : [chosen]} />
		</main>
	);
}

/** A task that moved meanwhile may have been answered twice. */
function known(pages: readonly { readonly tasks: readonly Task[] }[] | undefined): readonly Task[] | undefined {
	return pages && [...new Map(pages.flatMap(({ tasks }) => tasks.map((task) => [task.id, task]))).values()];
}

interface BesideProps {
	place: TasksPlace;
	task: Task | undefined;
	/** The list is there: a task that it lacks is none. */
	known: boolean;
	empty: boolean;
}

function Beside({ place, task, known, empty }: BesideProps) {
	switch (place.kind) {
		case 'list':
		case 'new':
			return <NewTask first={empty} closable={place.kind === 'new'} />;
		case 'runs':
			return <AllRuns />;
		case 'day':
			return <DayPane key={place.day} day={place.day} />;
		case 'open':
		case 'runs_of':
			return task ? <TaskPane key={task.id} task={task} /> : <Gone known={known} />;
		case 'edit':
			return task ? <EditPane key={task.id} task={task} /> : <Gone known={known} />;
	}
}

function AllRuns() {
	const say = useSay();
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={say('tasks.allRuns')} />
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body" tabIndex={0}>
				<div className="task-in">
					<HistoryList />
				</div>
			</div>
		</section>
	);
}

function Gone({ known }: { known: boolean }) {
	const say = useSay();
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={say(known ? 'tasks.gone' : 'common.loading')} />
			<div className="pane-body">{known ? <p className="task-in meta">{say('tasks.goneBody')}</p> : null}</div>
		</section>
	);
}

function togglePause(task: Task): Promise<boolean> {
	return task.state === 'paused' || task.state === 'blocked' ? resumeTask(task) : pauseTask(task);
}

/** Runs that wait for the owner's answer. */
function useAsking(): Asking {
	const waiting = useActionsWaiting().data;
	return useMemo(() => new Set(waiting?.filter(({ detail }) => isOwners(detail.kind)).map(({ runId }) => runId)), [waiting]);
}

/** The focus goes where a command leads. */
function useAskedFor(): void {
	const wanted = useTasksUi((state) => state.wanted);
	useEffect(() => {
		if (wanted === null) return;
		useTasksUi.setState({ wanted: null });
		if (wanted === 'list') focusList(useTasksUi.getState().rowId);
		else focusSentence();
	}, [wanted]);
}
