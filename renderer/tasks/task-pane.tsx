import { Link, useLocation } from 'wouter';
import type { Task } from '../../src/domain/task.ts';
import { Button } from '../ui/button.tsx';
import { TrustLabel } from '../ui/marks.tsx';
import { useSay } from '../ui/strings.tsx';
import { CardTerms } from './card-terms.tsx';
import { focusPane } from './focus.ts';
import { HistoryList } from './history-list.tsx';
import { PaneHead } from './pane-head.tsx';
import { PauseButton } from './pause-button.tsx';
import { taskPlace } from './place.ts';
import { useMoment } from './slots.tsx';
import { runTask } from './task-actions.ts';

/** One task: what it does, and what became of its runs. */
export function TaskPane({ task }: { task: Task }) {
	const say = useSay();
	const [, navigate] = useLocation();
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={task.draft.title} rowId={task.id}>
				<PauseButton task={task} size="md" kind="secondary" />
				<Button
					icon="edit"
					onClick={() => {
						navigate(taskPlace(task.id, 'edit'));
						focusPane();
					}}
				>
					{say('common.edit')}
				</Button>
				<Button icon="play" onClick={() => void runTask(task)}>
					{say('tasks.runNow')}
				</Button>
			</PaneHead>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body" tabIndex={0}>
				<div className="task-in">
					<About task={task} />
					<h3 className="part-title">{say('tasks.history')}</h3>
					<HistoryList taskId={task.id} />
				</div>
			</div>
		</section>
	);
}

function About({ task }: { task: Task }) {
	const say = useSay();
	const moment = useMoment();
	const { draft, restated, label, sessionId, createdAt } = task;
	const { work, sentence } = draft;
	return (
		<section className="task-about" aria-label={say('tasks.about')}>
			<p className="task-when" dir="auto">
				{restated}
			</p>
			{work.kind === 'workflow' ? <p>{say('tasks.startsWorkflow', { name: work.name })}</p> : null}
			{work.kind === 'workflow' ? null : (
				<blockquote className="task-words" dir="auto">
					{work.text}
				</blockquote>
			)}
			<details className="advanced task-terms">
				<summary>{say('tasks.terms')}</summary>
				<dl className="form">
					<CardTerms draft={draft} />
				</dl>
			</details>
			<p className="meta task-origin">
				<span>{say('tasks.made', { time: moment(createdAt) })}</span>
				{sentence ? <span dir="auto">{say('tasks.fromSentence', { sentence })}</span> : null}
				{sessionId ? (
					<Link className="lnk" href={`/chat/${sessionId}`}>
						{say('tasks.fromChat')}
					</Link>
				) : null}
				<TrustLabel label={label} quiet />
			</p>
		</section>
	);
}
