import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import { localDay } from '../../src/domain/local-day.ts';
import type { Occurrence, TaskId } from '../../src/domain/task.ts';
import { useNow } from '../chat/use-now.ts';
import { shapeOf } from '../connection/index.ts';
import { instancePlace, runPlace } from '../timeline/place.ts';
import { duration } from '../timeline/words.ts';
import { Button } from '../ui/button.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { type Say, useSay, yearOf } from '../ui/strings.tsx';
import { taskPlace } from './place.ts';
import { useTaskHistory } from './queries.ts';
import { decide, stopRun } from './task-actions.ts';
import { CLOCK, nearDay } from './times.ts';
import { occurrenceState, reasonWords, resultPlace } from './words.ts';

/** What became of each run, newest first, by day: of one task, or of all. */
export function HistoryList({ taskId }: { taskId?: TaskId }) {
	const say = useSay();
	const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPending } = useTaskHistory(taskId);
	const days = useMemo(() => byDay(data?.pages.flatMap(({ occurrences }) => occurrences) ?? []), [data]);
	if (isPending) return <p className="meta">{say('common.loading')}</p>;
	return (
		<>
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			{days.length === 0 && !error ? <p className="meta">{say(taskId ? 'tasks.historyNone' : 'tasks.historyNoneAll')}</p> : null}
			{days.map(({ day, occurrences }) => (
				<Day key={day} at={occurrences[0]?.slot ?? 0} occurrences={occurrences} named={taskId === undefined} />
			))}
			{hasNextPage ? (
				<Button kind="ghost" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
					{say('tasks.historyMore')}
				</Button>
			) : null}
		</>
	);
}

function byDay(occurrences: readonly Occurrence[]): { day: string; occurrences: Occurrence[] }[] {
	const days = new Map<string, Occurrence[]>();
	for (const occurrence of occurrences) {
		const day = localDay(occurrence.slot);
		days.set(day, [...(days.get(day) ?? []), occurrence]);
	}
	return [...days].map(([day, of]) => ({ day, occurrences: of }));
}

function Day({ at, occurrences, named }: { at: number; occurrences: readonly Occurrence[]; named: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	const date = intl.formatDate(at, { weekday: 'long', day: 'numeric', month: 'long', ...yearOf(at) });
	return (
		<section>
			<h3 className="history-day">{nearDay(at, now) === 'today' ? say('timeline.today') : date}</h3>
			<ul className="tbl history">
				{occurrences.map((occurrence) => (
					<Row key={occurrence.id} occurrence={occurrence} named={named} />
				))}
			</ul>
		</section>
	);
}

function Row({ occurrence, named }: { occurrence: Occurrence; named: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const { id, slot, state, taskId, title, cause, by } = occurrence;
	const mark = occurrenceState(say, occurrence);
	const time = intl.formatDate(slot, CLOCK);
	const reason = reasonWords(say, occurrence);
	const figures = figureWords(say, occurrence);
	const again = state === 'missed' || state === 'asks' || state === 'failed';
	return (
		<li className="occ">
			<span className="num occ-time">{time}</span>
			<div className="occ-what">
				<p className="occ-head">
					{named ? (
						<Link className="lnk cut" href={taskPlace(taskId)} dir="auto">
							{title}
						</Link>
					) : null}
					<StateMark state={mark.state}>{mark.words}</StateMark>
					{by === 'owner' ? <span className="meta">{say('tasks.byYou')}</span> : null}
				</p>
				{reason === '' ? null : <p>{reason}</p>}
				{cause ? (
					<p className="meta occ-cause">
						<span dir="auto">{say('tasks.cause', { name: cause.name, count: cause.events })}</span>
						{cause.items?.map((item) => (
							<bdi key={item} className="break">
								{item}
							</bdi>
						))}
						<TrustLabel label={cause.label} quiet />
					</p>
				) : null}
				{figures === '' ? null : <p className="meta num">{figures}</p>}
			</div>
			<span className="occ-acts">
				<RunLink occurrence={occurrence} />
				<ResultLink occurrence={occurrence} />
				{state === 'asks' ? (
					<Button kind="ghost" size="sm" aria-label={say('tasks.skipOf', { time })} onClick={() => void decide(id, 'skip')}>
						{say('tasks.skip')}
					</Button>
				) : null}
				{state === 'running' || state === 'queued' ? (
					<Button size="sm" aria-label={say('tasks.stopOf', { time })} onClick={() => void stopRun(id)}>
						{say('tasks.stop')}
					</Button>
				) : null}
				{again ? (
					<Button
						size="sm"
						aria-label={say(state === 'failed' ? 'tasks.tryOf' : 'tasks.runOf', { time })}
						onClick={() => void decide(id, 'run')}
					>
						{say(state === 'failed' ? 'common.tryAgain' : 'tasks.runNow')}
					</Button>
				) : null}
			</span>
		</li>
	);
}

/** How long it took, how often it was tried, what it used. */
function figureWords(say: Say, { startedAt, endedAt, tokens, costUsd, attempt }: Occurrence): string {
	return [
		startedAt !== undefined && endedAt !== undefined ? duration(say, endedAt - startedAt) : '',
		attempt > 1 ? say('tasks.attempts', { count: attempt }) : '',
		tokens > 0 ? say('tasks.tokens', { count: tokens }) : '',
		costUsd > 0 ? say('tasks.cost', { cost: costUsd }) : '',
	]
		.filter((part) => part !== '')
		.join(' · ');
}

function RunLink({ occurrence: { runId, instanceId } }: { occurrence: Occurrence }) {
	const say = useSay();
	const to = runId !== undefined ? runPlace(runId) : instanceId !== undefined ? instancePlace(instanceId) : undefined;
	return to === undefined ? null : (
		<Link className="btn ghost sm" href={to}>
			{say('tasks.openRun')}
		</Link>
	);
}

function ResultLink({ occurrence }: { occurrence: Occurrence }) {
	const say = useSay();
	const place = resultPlace(occurrence);
	if (place) {
		return (
			<Link className="btn ghost sm" href={place.to}>
				{say(`tasks.result.${place.what}`)}
			</Link>
		);
	}
	const file = occurrence.result?.file;
	return file === undefined ? null : (
		<span className="meta break occ-file" dir="ltr">
			{file}
		</span>
	);
}
