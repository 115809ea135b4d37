import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { AuditRecordView } from '../../src/contract/methods/firewall.ts';
import type { AuditRecord } from '../../src/domain/audit.ts';
import { copyText } from '../chat/copy.ts';
import { shapeOf } from '../connection/index.ts';
import { runPlace } from '../timeline/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { choose, useLog } from './audit-store.ts';
import { useRecord } from './queries.ts';
import { DECISION_MARKS, fromOf, reasonOf, shortHash, titleOf, toOf } from './words.ts';

interface RecordPaneProps {
	seq: number;
	/** Shows the record after, or before, this one of the list; undefined where there is none. */
	turn: (by: number) => (() => void) | undefined;
	back: () => void;
}

/** One record, whole. */
export function RecordPane({ seq, turn, back }: RecordPaneProps) {
	const say = useSay();
	const total = useLog((state) => state.total);
	const asked = useRecord(seq, total);
	const view = asked.data?.record.seq === seq ? asked.data : undefined;
	const error = asked.error && shapeOf(asked.error);
	const [newer, older] = [turn(-1), turn(1)];
	return (
		<section className="pane detail-pane" aria-label={say('audit.record', { seq })}>
			<div className="pane-head">
				<IconButton icon="left" className="back" label={say('audit.back')} onClick={back} />
				<h2 className="grow">{say('audit.record', { seq })}</h2>
				<IconButton icon="up" keys="K" label={say('audit.previous')} disabled={!newer} onClick={newer} />
				<IconButton icon="down" keys="J" label={say('audit.next')} disabled={!older} onClick={older} />
				<IconButton icon="x" className="close" label={say('common.close')} onClick={back} />
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body sd" tabIndex={0} aria-busy={!view && !error}>
				{error && !view ? (
					error.code === 'not_found' ? (
						<p className="list-empty">{say('audit.missing')}</p>
					) : (
						<ErrorNote error={error} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
					)
				) : null}
				{view ? <Body view={view} /> : null}
			</div>
			<footer className="pane-foot">
				<Button icon="copy" disabled={!view} onClick={() => view && copyText(JSON.stringify(view.record, null, 2))}>
					{say('audit.copy')}
				</Button>
			</footer>
		</section>
	);
}

function Body({ view }: { view: AuditRecordView }) {
	const say = useSay();
	const intl = useIntl();
	const { record } = view;
	const { state, icon } = DECISION_MARKS[record.decision];
	return (
		<>
			<div>
				<h3 className="d-title" id="record-title" tabIndex={-1} data-record={record.seq}>
					{titleOf(say, record)}
				</h3>
				<div className="d-sub">
					<StateMark state={state} {...(icon && { icon })}>
						{say(`audit.decision.${record.decision}`)}
					</StateMark>
					<time className="meta num" dateTime={new Date(record.at).toISOString()}>
						{intl.formatDate(record.at, {
							day: 'numeric',
							month: 'long',
							...yearOf(record.at),
							hour: '2-digit',
							minute: '2-digit',
							second: '2-digit',
						})}
					</time>
				</div>
			</div>
			<p className="reason" dir="auto">
				{reasonOf(say, record)}
			</p>
			<Facts view={view} />
			{record.detail && record.detail.sources.length > 0 ? (
				<section className="sec">
					<h3>{say('audit.seen')}</h3>
					<ul className="seen">
						{record.detail.sources.map((source, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: they never change
							<li key={index}>
								<TrustLabel label={source.label} />
								<span dir="auto">{source.name}</span>
							</li>
						))}
					</ul>
				</section>
			) : null}
			<section className="sec">
				<h3>{say('audit.chain')}</h3>
				<dl className="well io chain-well">
					<dt>{say('audit.before')}</dt>
					<dd title={record.previousHash}>{shortHash(record.previousHash)}</dd>
					<dt>{say('audit.this')}</dt>
					<dd title={record.hash}>{shortHash(record.hash)}</dd>
					<dt>{say('audit.after')}</dt>
					<dd title={view.nextHash ?? undefined}>{view.nextHash === null ? say('audit.newest') : shortHash(view.nextHash)}</dd>
				</dl>
			</section>
		</>
	);
}

function Facts({ view }: { view: AuditRecordView }) {
	const say = useSay();
	const { record } = view;
	const { detail } = record;
	return (
		<dl className="kv">
			<dt>{say('audit.from')}</dt>
			<dd>
				<p dir="auto">{fromOf(say, record)}</p>
				<TrustLabel label={record.label} />
			</dd>
			<dt>{say('audit.toWhat')}</dt>
			<dd dir="auto">{toOf(say, record)}</dd>
			<dt>{say('audit.rule')}</dt>
			<dd>
				<code>{record.rule}</code>
			</dd>
			{detail?.tool === undefined ? null : (
				<>
					<dt>{say('audit.tool')}</dt>
					<dd>
						<code>{detail.tool}</code>
					</dd>
				</>
			)}
			{detail?.outcome === undefined ? null : (
				<>
					<dt>{say('audit.outcome')}</dt>
					<dd>{detail.outcome}</dd>
				</>
			)}
			<Run view={view} />
			{view.proposal ? (
				<>
					<dt>{say('audit.proposal')}</dt>
					<dd>
						<Link className="lnk" href={`/inbox/${encodeURIComponent(view.proposal.proposalId)}`}>
							{say(PROPOSALS[view.proposal.status])}
						</Link>
					</dd>
				</>
			) : null}
			<Inspected record={record} />
			{record.textHash === null ? null : (
				<>
					<dt>{say('audit.text')}</dt>
					<dd>
						<code title={record.textHash}>{shortHash(record.textHash)}</code>
					</dd>
				</>
			)}
		</dl>
	);
}

const PROPOSALS = { pending: 'audit.proposalPending', approved: 'audit.proposalApproved', rejected: 'audit.proposalRejected' } as const;

function Run({ view: { record, run } }: { view: AuditRecordView }) {
	const say = useSay();
	const { runId, step } = record;
	if (runId === undefined) return null;
	const title = run?.title || say('timeline.kindOf', { kind: 'chat' });
	return (
		<>
			<dt>{say('audit.run')}</dt>
			<dd>
				{run ? (
					<Link className="lnk" href={runPlace(runId, step)}>
						{step === undefined ? title : say('audit.runStep', { title, step })}
					</Link>
				) : (
					say('audit.runGone')
				)}
				<p>
					<Button kind="ghost" size="sm" icon="filter" onClick={() => choose({ runId })}>
						{say('audit.onlyRun')}
					</Button>
				</p>
			</dd>
		</>
	);
}

function Inspected({ record: { risk, flags, latencyMs } }: { record: AuditRecord }) {
	const say = useSay();
	const intl = useIntl();
	const kinds = [...new Set(flags.map(({ kind }) => kind))].map((kind) => say(`flag.${kind}`));
	return (
		<>
			{risk === 'none' ? null : (
				<>
					<dt>{say('audit.risk')}</dt>
					<dd>{say('audit.riskOf', { risk, kinds: intl.formatList(kinds, { type: 'unit' }) })}</dd>
				</>
			)}
			{latencyMs === 0 ? null : (
				<>
					<dt>{say('audit.took')}</dt>
					<dd>{say('audit.tookMs', { ms: latencyMs })}</dd>
				</>
			)}
		</>
	);
}
