import { type RefObject, useEffect, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link, useLocation } from 'wouter';
import type { TasksStatus } from '../../src/contract/methods/tasks.ts';
import { usedBudgetOf } from '../../src/contract/used-budget.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { Task } from '../../src/domain/task.ts';
import { call, useConnection } from '../connection/index.ts';
import { DueReminders } from '../reminders/due-reminders.tsx';
import { SPENDING } from '../settings/spending/place.ts';
import { useWhen } from '../timeline/marks.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { useShown } from '../ui/use-shown.ts';
import { Card } from './card.tsx';
import { focusPane } from './focus.ts';
import { type Asking, countsOf, needsOwner, type TaskRow } from './list-rows.ts';
import { ALL_TASK_RUNS } from './place.ts';
import { Strip } from './strip.tsx';
import { useTasksUi } from './tasks-ui-store.ts';

interface ListPaneProps {
	/** Undefined until they are known. */
	tasks: readonly Task[] | undefined;
	rows: readonly TaskRow[];
	status: TasksStatus | undefined;
	error: ErrorShape | undefined;
	asking: Asking;
	openId: string | undefined;
	day: string | undefined;
	list: RefObject<VirtualizerHandle | null>;
	onNew: () => void;
	onRetry: () => void;
	/** The list is looked at to where it was read. */
	onMore: () => void;
}

export function ListPane({ tasks, rows, status, error, asking, openId, day, list, onNew, onRetry, onMore }: ListPaneProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	const scroller = useRef<HTMLDivElement>(null);
	const rowId = useTasksUi((state) => state.rowId);
	const at = rows.findIndex(({ key }) => key === openId);
	const focused = rows.findIndex(({ key }) => key === rowId);
	useShown(list, at);
	const empty = tasks?.length === 0;
	return (
		<section className="pane side" aria-label={say('tasks.list')}>
			<div className="pane-head">
				<h2 className="grow">{say('tasks.title')}</h2>
				{status && !empty ? (
					<span className="meta">
						{countsOf(status)
							.map(({ kind, count }) => say(`tasks.counts.${kind}`, { count }))
							.join(', ')}
					</span>
				) : null}
				{empty ? null : (
					<IconButton
						icon="history"
						label={say('tasks.allRuns')}
						onClick={() => {
							navigate(ALL_TASK_RUNS);
							focusPane();
						}}
					/>
				)}
				<Button icon="plus" className="new-task" onClick={onNew}>
					{say('tasks.new')}
				</Button>
			</div>
			<DueReminders />
			{status?.next || day !== undefined ? <Strip day={day} /> : null}
			<div className="pane-body" ref={scroller} aria-busy={tasks === undefined}>
				<AllPaused />
				<OverBudget />
				{error ? <ErrorNote error={error} actions={<Button onClick={onRetry}>{say('common.tryAgain')}</Button>} /> : null}
				{empty ? <p className="list-empty">{say('tasks.emptyList')}</p> : null}
				<div className="cards">
					<Virtualizer
						ref={list}
						data={rows}
						scrollRef={scroller}
						bufferSize={600}
						keepMounted={[...new Set([at, focused])].filter((index) => index >= 0)}
					>
						{(row: TaskRow) => {
							switch (row.kind) {
								case 'group':
									return (
										<h3 key={row.key} className="group-h">
											<span>{say(`tasks.group.${row.group}`)}</span>
											<span className="count">{row.count}</span>
										</h3>
									);
								case 'task':
									return (
										<Card
											key={row.key}
											task={row.task}
											open={row.key === openId}
											asks={needsOwner(row.task, asking) && asking.has(row.task.current?.runId ?? '')}
										/>
									);
								case 'more':
									return <More key={row.key} known={rows.length} onMore={onMore} />;
							}
						}}
					</Virtualizer>
				</div>
			</div>
		</section>
	);
}

/** Stands below the last that is known; it is there only while that is near to what is looked at. */
function More({ known, onMore }: { known: number; onMore: () => void }) {
	const say = useSay();
	// biome-ignore lint/correctness/useExhaustiveDependencies: once more where it is still looked at after more are known
	useEffect(() => {
		onMore();
	}, [known]);
	return <p className="meta card-none">{say('common.loading')}</p>;
}

/** They are due, and wait: reminders alone come. */
function OverBudget() {
	const say = useSay();
	const when = useWhen();
	const work = useConnection((state) => state.work);
	const used = work && !work.paused ? usedBudgetOf(work, 'task') : undefined;
	if (!used) return null;
	return (
		<div className="all-paused">
			<Note
				icon="scheduled"
				role="status"
				actions={
					<Link className="btn sm" href={SPENDING}>
						{say('compose.budgetRaise')}
					</Link>
				}
			>
				{say('spending.tasksHeld', { budget: used.budget, at: when(used.until) })}
			</Note>
		</div>
	);
}

/** Nothing runs by itself: said where one looks for what comes next. */
function AllPaused() {
	const say = useSay();
	const work = useConnection((state) => state.work);
	if (!work?.paused) return null;
	const resume = async (): Promise<void> =>
		useConnection.setState({ work: await call((client) => client.work.resumeAll(), { repeatable: true }) });
	return (
		<div className="all-paused">
			<Note
				icon="pause"
				role="status"
				actions={
					<Button size="sm" onClick={() => void resume()}>
						{say('work.resume')}
					</Button>
				}
			>
				{work.restoredFrom === undefined ? say('tasks.allPaused') : say('work.restoredFrom', { at: work.restoredFrom })}
			</Note>
		</div>
	);
}
