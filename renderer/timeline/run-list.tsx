import { type RefObject, useMemo, useRef } from 'react';
import { useIntl } from 'react-intl';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link } from 'wouter';
import type { RunKind, RunSummary } from '../../src/domain/run.ts';
import { useNow } from '../chat/use-now.ts';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { useShown } from '../ui/use-shown.ts';
import { RunState } from './marks.tsx';
import { runPlace } from './place.ts';
import { ALL_RUNS, type RunRow, runRows } from './run-rows.ts';
import { moreRuns, refreshRuns, showRuns, useRuns } from './runs-store.ts';
import { useTimelineUi } from './timeline-ui-store.ts';

/** Pixels from the end at which the next page is asked for. */
const AHEAD = 600;

interface RunListProps {
	current: string | undefined;
	list: RefObject<VirtualizerHandle | null>;
	/** A row was opened by keyboard. */
	onKeyed: () => void;
}

/** Runs by day, only those in view in the page. */
export function RunList({ current, list, onKeyed }: RunListProps) {
	const say = useSay();
	const { runs, hasMore, loadingMore, error, filter } = useRuns();
	const now = useNow();
	const rows = useMemo(() => runRows(runs ?? [], now), [runs, now]);
	const scroller = useRef<HTMLElement>(null);
	const at = rows.findIndex(({ key }) => key === current);
	const rowId = useTimelineUi((state) => state.rowId);
	const focused = rows.findIndex(({ key }) => key === rowId);
	useShown(list, at);
	const onScroll = (): void => {
		const view = scroller.current;
		if (view && hasMore && view.scrollHeight - view.scrollTop - view.clientHeight < AHEAD) void moreRuns();
	};
	const filtered = filter.status !== ALL_RUNS.status || filter.kind !== ALL_RUNS.kind;
	return (
		<nav className="pane-body runs" aria-label={say('timeline.runList')} ref={scroller} onScroll={onScroll} aria-busy={runs === undefined}>
			{error ? <ErrorNote error={error} actions={<Button onClick={() => void refreshRuns()}>{say('common.tryAgain')}</Button>} /> : null}
			{runs?.length === 0 ? (
				<p className="list-empty">
					{say(filtered ? 'timeline.emptyFilter' : 'timeline.emptyList')}{' '}
					{filtered ? (
						<Button kind="ghost" size="sm" onClick={() => void showRuns(ALL_RUNS)}>
							{say('timeline.clearFilter')}
						</Button>
					) : null}
				</p>
			) : null}
			<Virtualizer
				ref={list}
				data={rows}
				scrollRef={scroller}
				bufferSize={400}
				keepMounted={[...new Set([at, focused])].filter((index) => index >= 0)}
			>
				{(row: RunRow) =>
					row.kind === 'day' ? (
						<Day key={row.key} row={row} />
					) : (
						<Row key={row.key} run={row.run} current={row.key === current} onKeyed={onKeyed} />
					)
				}
			</Virtualizer>
			{loadingMore ? (
				<p className="list-empty" role="status">
					{say('timeline.loadingMore')}
				</p>
			) : null}
		</nav>
	);
}

function Day({ row }: { row: Extract<RunRow, { kind: 'day' }> }) {
	const say = useSay();
	const intl = useIntl();
	const date = (): string => intl.formatDate(row.at, { weekday: 'long', day: 'numeric', month: 'long', ...yearOf(row.at) });
	return <h3 className="group-h">{row.name === 'date' ? date() : say(`timeline.${row.name}`)}</h3>;
}

const KIND_SIGNS = { child: 'agent', workflow: 'list', heartbeat: 'feed', task: 'tasks' } as const satisfies Record<
	Exclude<RunKind, 'chat'>,
	IconName
>;

/** What kind of run it is, in little room. */
function Sign({ icon, words }: { icon: IconName; words: string }) {
	return (
		<span className="sign" title={words}>
			<Icon name={icon} />
			<span className="vh">{words}</span>
		</span>
	);
}

function Row({ run, current, onKeyed }: { run: RunSummary; current: boolean; onKeyed: () => void }) {
	const say = useSay();
	const intl = useIntl();
	const open = (event: React.MouseEvent): void => {
		useTimelineUi.setState({ listOpen: false });
		if (event.detail === 0) onKeyed();
	};
	return (
		<Link
			className="row"
			href={runPlace(run.id)}
			data-row-id={run.id}
			aria-current={current || undefined}
			onFocus={() => useTimelineUi.setState({ rowId: run.id })}
			onClick={open}
		>
			<div>
				<span className="t cut" dir="auto">
					{run.title || say('timeline.kindOf', { kind: run.kind })}
				</span>
				<time className="meta num" dateTime={new Date(run.createdAt).toISOString()}>
					{intl.formatDate(run.createdAt, { hour: '2-digit', minute: '2-digit' })}
				</time>
			</div>
			<div>
				<RunState run={run} short />
				{run.from ? (
					<Sign icon={run.from.how === 'fork' ? 'fork' : 'history'} words={say('timeline.fromShort', { how: run.from.how })} />
				) : null}
				{run.kind === 'chat' ? null : <Sign icon={KIND_SIGNS[run.kind]} words={say('timeline.part', { kind: run.kind })} />}
				{run.status === 'failed' ? null : (
					<span className="meta num">
						{run.status === 'done'
							? say('timeline.stepCount', { count: run.step })
							: say('timeline.atStep', { step: Math.max(1, run.step) })}
					</span>
				)}
			</div>
		</Link>
	);
}
