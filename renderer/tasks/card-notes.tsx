import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Occurrence, Task } from '../../src/domain/task.ts';
import { focusNeed } from '../timeline/focus.ts';
import { instancePlace, runPlace } from '../timeline/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { useMoment } from './slots.tsx';
import { decide, decideAll, resumeTask, stopRun } from './task-actions.ts';
import { missedWords } from './words.ts';

/** What of a task needs the owner, each with what to do about it. */
export function CardNotes({ task, asks }: { task: Task; asks: boolean }) {
	return (
		<>
			{task.state === 'blocked' ? <Blocked task={task} /> : null}
			{task.missed.length > 0 ? <Missed task={task} /> : null}
			{task.state === 'failed' && task.current ? <Failed occurrence={task.current} /> : null}
			{asks && task.current ? <Asks occurrence={task.current} /> : null}
			{!asks && task.state === 'waiting' && task.current ? <Waits occurrence={task.current} /> : null}
		</>
	);
}

function CardNote({ tone, icon, children, actions }: { tone: string; icon: IconName; children: ReactNode; actions: ReactNode }) {
	return (
		<div className={`note ${tone}`}>
			<Icon name={icon} size="m" />
			<div className="grow">{children}</div>
			<span className="acts">{actions}</span>
		</div>
	);
}

/** The newest missed run in words; older ones by their number, and all of them in the history. */
function Missed({ task }: { task: Task }) {
	const say = useSay();
	const moment = useMoment();
	const newest = task.missed.reduce((one, other) => (other.slot > one.slot ? other : one));
	const others = task.missed.reduce((sum, { count }) => sum + count, 0) - newest.count;
	return (
		<CardNote
			tone="missed"
			icon="missed"
			actions={
				<>
					<Button size="sm" onClick={() => void runNewest(task.missed, newest)}>
						{say('tasks.runNow')}
					</Button>
					<Button kind="ghost" size="sm" onClick={() => void decideAll(task.missed, 'skip')}>
						{say(others > 0 ? 'tasks.skipAll' : 'tasks.skip')}
					</Button>
				</>
			}
		>
			{missedWords(say, newest, moment)}
			{others > 0 ? <span className="meta block">{say('tasks.missedMore', { count: others })}</span> : null}
		</CardNote>
	);
}

/** One run stands for all that were missed: the others are done with. */
async function runNewest(missed: readonly Occurrence[], newest: Occurrence): Promise<void> {
	if (!(await decide(newest.id, 'run'))) return;
	await decideAll(
		missed.filter(({ id }) => id !== newest.id),
		'skip',
	);
}

function OpenRun({ occurrence }: { occurrence: Occurrence }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const { runId, instanceId } = occurrence;
	const to = runId !== undefined ? runPlace(runId) : instanceId !== undefined ? instancePlace(instanceId) : undefined;
	if (to === undefined) return null;
	return (
		<Button kind="ghost" size="sm" onClick={() => navigate(to)}>
			{say('tasks.openRun')}
		</Button>
	);
}

function Failed({ occurrence }: { occurrence: Occurrence }) {
	const say = useSay();
	const { error } = occurrence;
	return (
		<CardNote
			tone="failed"
			icon="failed"
			actions={
				<>
					<Button size="sm" onClick={() => void decide(occurrence.id, 'run')}>
						{say('common.tryAgain')}
					</Button>
					<OpenRun occurrence={occurrence} />
				</>
			}
		>
			{[error?.message, error?.safe].filter(Boolean).join(' ') || say('tasks.failedPlain')}
		</CardNote>
	);
}

/** It stopped by itself: why, and that it goes on when the owner says so. */
function Blocked({ task }: { task: Task }) {
	const say = useSay();
	const { problem, current, failures } = task;
	const error = problem ?? current?.error;
	return (
		<CardNote
			tone="ask"
			icon="alert"
			actions={
				<>
					<Button size="sm" onClick={() => void resumeTask(task)}>
						{say('tasks.goOn')}
					</Button>
					{current ? <OpenRun occurrence={current} /> : null}
				</>
			}
		>
			{say('tasks.blocked', { count: failures })} {[error?.message, error?.action].filter(Boolean).join(' ')}
		</CardNote>
	);
}

function Asks({ occurrence }: { occurrence: Occurrence }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const { runId } = occurrence;
	if (runId === undefined) return null;
	const answer = (): void => {
		navigate(runPlace(runId));
		focusNeed(runId);
	};
	return (
		<CardNote
			tone="ask"
			icon="alert"
			actions={
				<Button size="sm" onClick={answer}>
					{say('tasks.answer')}
				</Button>
			}
		>
			{say('tasks.asksYou')}
		</CardNote>
	);
}

function Waits({ occurrence }: { occurrence: Occurrence }) {
	const say = useSay();
	const moment = useMoment();
	const { nextTryAt } = occurrence;
	return (
		<CardNote
			tone="plain"
			icon="waiting"
			actions={
				<>
					<Button kind="ghost" size="sm" onClick={() => void stopRun(occurrence.id)}>
						{say('tasks.stop')}
					</Button>
					<OpenRun occurrence={occurrence} />
				</>
			}
		>
			{nextTryAt === undefined ? say('tasks.waits') : say('tasks.waitsRetry', { time: moment(nextTryAt) })}
		</CardNote>
	);
}
