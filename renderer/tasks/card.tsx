import { Link, useLocation } from 'wouter';
import type { Task } from '../../src/domain/task.ts';
import { useNow } from '../chat/use-now.ts';
import { useRunDetail } from '../timeline/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { CardNotes } from './card-notes.tsx';
import { focusPane } from './focus.ts';
import { PauseButton } from './pause-button.tsx';
import { TASKS, taskPlace } from './place.ts';
import { useComing } from './queries.ts';
import { Slots, useMoment } from './slots.tsx';
import { runTask } from './task-actions.ts';
import { useTasksUi } from './tasks-ui-store.ts';
import { taskState } from './words.ts';

interface CardProps {
	task: Task;
	open: boolean;
	/** Its run waits for the owner's answer. */
	asks: boolean;
}

/** A task of the list: how it stands and what comes next; opened, its next five runs and what can be done with it. */
export function Card({ task, open, asks }: CardProps) {
	const off = task.state === 'paused' || task.state === 'ended';
	return (
		<article className={open ? 'card open' : 'card'} aria-label={task.draft.title}>
			<CardLink task={task} open={open} asks={asks} dim={off} />
			<CardNotes task={task} asks={asks} />
			{open ? <Opened task={task} /> : null}
		</article>
	);
}

function CardLink({ task, open, asks, dim }: CardProps & { dim: boolean }) {
	const say = useSay();
	const run = useRunDetail(task.state === 'running' ? task.current?.runId : undefined).data?.run;
	const state = taskState(say, task, { asks, step: run?.step });
	return (
		<Link
			className="card-open"
			href={open ? TASKS : taskPlace(task.id)}
			data-row-id={task.id}
			aria-expanded={open}
			onFocus={() => useTasksUi.setState({ rowId: task.id })}
		>
			<span className="card-h">
				<b className={dim ? 'grow cut dim' : 'grow cut'} dir="auto">
					{task.draft.title}
				</b>
				<StateMark state={state.state} {...(state.icon && { icon: state.icon })}>
					{state.words}
				</StateMark>
			</span>
			<span className="card-s">
				<span className={dim ? 'cut dim' : 'cut'} dir="auto">
					{task.restated}
				</span>
				<Aside task={task} open={open} />
			</span>
		</Link>
	);
}

/** Beside the schedule: what comes next, or since when; of an open card, whose next runs stand below it, the zone. */
function Aside({ task, open }: { task: Task; open: boolean }) {
	const say = useSay();
	const moment = useMoment();
	const now = useNow();
	const { state, next, current, pausedUntil } = task;
	if (state === 'running' && current?.startedAt !== undefined) {
		return <span className="meta">{say('tasks.since', { time: moment(current.startedAt) })}</span>;
	}
	if (state === 'paused') {
		return pausedUntil === undefined ? null : <span className="meta">{say('tasks.until', { time: moment(pausedUntil) })}</span>;
	}
	if (open && next) return <span className="meta">{next.zone}</span>;
	// A past time is never shown as what comes next.
	return next && next.dueAt > now ? <span className="meta">{moment(next.dueAt)}</span> : null;
}

const NEXT = 5;
/** How far ahead they are looked for: the 29th of February may be eight years away. */
const AHEAD = 9 * 366 * 86_400_000;

function Opened({ task }: { task: Task }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const go = (what: 'edit' | 'runs'): void => {
		navigate(taskPlace(task.id, what));
		focusPane();
	};
	return (
		<>
			{task.draft.when.kind === 'schedule' && task.next ? (
				<NextFive task={task} />
			) : (
				<p className="meta card-none">{noneWords(say, task)}</p>
			)}
			<div className="card-f">
				<Button kind="ghost" size="sm" icon="play" onClick={() => void runTask(task)}>
					{say('tasks.runNow')}
				</Button>
				<Button kind="ghost" size="sm" icon="edit" onClick={() => go('edit')}>
					{say('common.edit')}
				</Button>
				<Button kind="ghost" size="sm" icon="history" onClick={() => go('runs')}>
					{say('tasks.runCount', { count: task.occurrences })}
				</Button>
				<PauseButton task={task} />
				<Menu trigger={<IconButton icon="more" size="sm" label={say('tasks.more', { title: task.draft.title })} />}>
					<MenuItem icon="trash" danger onClick={() => useTasksUi.setState({ removing: task.id })}>
						{say('tasks.remove')}
					</MenuItem>
				</Menu>
			</div>
		</>
	);
}

function noneWords(say: ReturnType<typeof useSay>, task: Task): string {
	if (task.state === 'paused') return say('tasks.nonePaused');
	if (task.draft.when.kind === 'trigger') return say('tasks.noneEvent');
	return task.state === 'ended' ? say('tasks.noneEnded') : say('tasks.noneNow');
}

function NextFive({ task }: { task: Task }) {
	const say = useSay();
	// The next run begins the list: the same question for as long as that is it.
	const from = (task.next?.at ?? 0) - 1;
	const coming = useComing({ from, until: from + AHEAD, taskId: task.id, limit: NEXT }).data;
	const slots = coming?.runs.filter(({ taskId }) => taskId === task.id).map(({ slot }) => slot);
	return <Slots slots={slots ?? (task.next ? [task.next] : [])} label={say('tasks.nextFive')} />;
}
