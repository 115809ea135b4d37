import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useIntl } from 'react-intl';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link } from 'wouter';
import type { AuditRecord } from '../../src/domain/audit.ts';
import { localDay } from '../../src/domain/local-day.ts';
import { useNow } from '../chat/use-now.ts';
import { useConnection } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { useShown } from '../ui/use-shown.ts';
import { choose, logGrew, moreRecords, refreshLog, useLog } from './audit-store.ts';
import { EVERYTHING, isFiltered } from './filter.ts';
import { focusDetail } from './focus.ts';
import { recordPlace } from './place.ts';
import { type LogRow, logRows } from './rows.ts';
import { DECISION_MARKS, fromOf, toOf } from './words.ts';

/** Pixels from the end at which the next page is asked for. */
const AHEAD = 1_000;
/** Further down than this, what comes new must not push away what is read. */
const AT_TOP = 40;

/** Records by day, only those in view in the page. */
export function LogList({ current, list }: { current: number | undefined; list: RefObject<VirtualizerHandle | null> }) {
	const say = useSay();
	const { records, hasMore, loadingMore, error, chosen, newer } = useLog();
	const rows = useMemo(() => logRows(records ?? []), [records]);
	const scroller = useRef<HTMLElement>(null);
	const at = rows.findIndex(({ key }) => key === `${current}`);
	useGrowth(scroller);
	useShown(list, at);
	const onScroll = (): void => {
		const view = scroller.current;
		if (view && hasMore && view.scrollHeight - view.scrollTop - view.clientHeight < AHEAD) void moreRecords();
	};
	return (
		<>
			<div className="log-row cols" aria-hidden="true">
				<span>{say('audit.column.time')}</span>
				<span>{say('audit.column.label')}</span>
				<span>{say('audit.column.cross')}</span>
				<span>{say('audit.column.decision')}</span>
				<span className="log-opt">{say('audit.column.rule')}</span>
				<span className="log-opt">{say('audit.column.hash')}</span>
			</div>
			{newer ? (
				<div className="newer">
					<Button
						size="sm"
						icon="up"
						onClick={() => {
							scroller.current?.scrollTo({ top: 0 });
							void refreshLog();
						}}
					>
						{say('audit.newer')}
					</Button>
				</div>
			) : null}
			<nav className="pane-body log" aria-label={say('audit.records')} ref={scroller} onScroll={onScroll} aria-busy={records === undefined}>
				{error ? <ErrorNote error={error} actions={<Button onClick={() => void refreshLog()}>{say('common.tryAgain')}</Button>} /> : null}
				{records?.length === 0 ? <Empty filtered={isFiltered(chosen)} /> : null}
				<Virtualizer ref={list} data={rows} scrollRef={scroller} bufferSize={400} keepMounted={at >= 0 ? [at] : []}>
					{(row: LogRow) =>
						row.kind === 'day' ? (
							<Day key={row.key} at={row.at} />
						) : (
							<Row key={row.key} record={row.record} current={row.record.seq === current} />
						)
					}
				</Virtualizer>
				{loadingMore ? (
					<p className="list-empty" role="status">
						{say('audit.loadingMore')}
					</p>
				) : null}
			</nav>
		</>
	);
}

/** The newest at once where they are in view, else the owner is told that there are some. */
function useGrowth(scroller: RefObject<HTMLElement | null>): void {
	const grown = useConnection((state) => state.revision.audit);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each growth asks again
	useEffect(() => logGrew((scroller.current?.scrollTop ?? 0) > AT_TOP), [grown]);
}

function Empty({ filtered }: { filtered: boolean }) {
	const say = useSay();
	if (filtered) {
		return (
			<p className="list-empty">
				{say('audit.emptyFilter')}{' '}
				<Button kind="ghost" size="sm" onClick={() => choose(EVERYTHING)}>
					{say('common.filterClear')}
				</Button>
			</p>
		);
	}
	return (
		<div className="empty">
			<Icon name="audit" />
			<h2>{say('audit.empty')}</h2>
			<p>{say('audit.emptyHint')}</p>
		</div>
	);
}

function Day({ at }: { at: number }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	const today = new Date(now);
	const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime();
	const isToday = localDay(at) === localDay(now);
	const isYesterday = localDay(at) === localDay(yesterday);
	const date = intl.formatDate(at, { ...(!isToday && !isYesterday && { weekday: 'long' }), day: 'numeric', month: 'long', ...yearOf(at) });
	return <h3 className="log-day">{isToday ? say('audit.today', { date }) : isYesterday ? say('audit.yesterday', { date }) : date}</h3>;
}

function Row({ record, current }: { record: AuditRecord; current: boolean }) {
	const say = useSay();
	const intl = useIntl();
	const { state, icon } = DECISION_MARKS[record.decision];
	return (
		<Link
			className="log-row"
			href={recordPlace(record.seq)}
			data-seq={record.seq}
			aria-current={current || undefined}
			onClick={(event) => event.detail === 0 && focusDetail(record.seq)}
		>
			<time className="num dim" dateTime={new Date(record.at).toISOString()}>
				{intl.formatDate(record.at, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
			</time>
			<span className="log-label">
				<TrustLabel label={record.label} />
			</span>
			<span className="cross">
				<span className="cut" dir="auto">
					{fromOf(say, record)}
				</span>
				<Icon name="arrow" />
				<span className="vh">{say('audit.to')}</span>
				<span className="cut" dir="auto">
					{toOf(say, record)}
				</span>
			</span>
			<StateMark state={state} {...(icon && { icon })}>
				{say(`audit.decision.${record.decision}`)}
			</StateMark>
			<code className="dim cut log-opt">{record.rule}</code>
			<code className="dim log-opt" aria-hidden="true">
				{record.hash.slice(0, 4)}…
			</code>
		</Link>
	);
}
