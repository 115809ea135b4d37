import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import { useNow } from '../chat/use-now.ts';
import { shapeOf } from '../connection/index.ts';
import { ErrorNote } from '../ui/note.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { dayOf } from './days.ts';
import { PaneHead } from './pane-head.tsx';
import { taskPlace } from './place.ts';
import { useComing } from './queries.ts';
import { CLOCK, clockWords } from './times.ts';

/** Runs of a day that are listed; beyond them only that there are more. */
const MOST = 500;

/** And of each task: one each minute leaves room for what others do. */
const MOST_OF_TASK = 24;

/** What runs on one day, by the owner's clock. */
export function DayPane({ day }: { day: string }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	const span = dayOf(day);
	const { data, error } = useComing({ from: span?.from ?? 0, until: span?.to ?? 1, limit: MOST, eachMost: MOST_OF_TASK });
	const runs = data?.runs.filter(({ slot }) => span && slot.dueAt >= span.from && slot.dueAt < span.to) ?? [];
	const title = span
		? intl.formatDate(span.from, { weekday: 'long', day: 'numeric', month: 'long', ...yearOf(span.from) })
		: say('tasks.noDay');
	return (
		<section className="pane" aria-labelledby="task-title">
			<PaneHead title={title} />
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body" tabIndex={0}>
				<div className="task-in">
					{error ? <ErrorNote error={shapeOf(error)} /> : null}
					{data && runs.length === 0 ? <p className="meta">{say(span && span.to < now ? 'tasks.dayPast' : 'tasks.dayNone')}</p> : null}
					{runs.length > 0 ? (
						<ul className="tbl day-runs">
							{runs.map(({ taskId, title: name, slot, goesOn }) => {
								const clock = clockWords(say, slot);
								return (
									<li key={`${taskId}:${slot.at}`} className="tr">
										<span className="num day-time">{intl.formatDate(slot.dueAt, CLOCK)}</span>
										<Link className="grow lnk cut" href={taskPlace(taskId)} dir="auto">
											{name}
										</Link>
										{goesOn ? <span className="meta">{say('tasks.dayGoesOn')}</span> : null}
										{clock ? <span className="meta">{clock}</span> : null}
									</li>
								);
							})}
						</ul>
					) : null}
					{data?.more ? <p className="meta">{say('tasks.dayMore', { count: runs.length })}</p> : null}
				</div>
			</div>
		</section>
	);
}
