import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { RestoreRecord, RunDetail } from '../../src/contract/methods/runs.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { modelName } from '../settings/provider-values.ts';
import { useProviders } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { RunState, useWhen } from './marks.tsx';
import { instancePlace, runPlace } from './place.ts';
import { PlanSection } from './plan-list.tsx';
import { undoRestore } from './run-actions.ts';
import { useOpenChat } from './run-head.tsx';
import { totalsOf } from './step-rows.ts';
import { duration } from './words.ts';

/** What can be said of a run as a whole: its plan, what it took, what it led to. */
export function AboutRun({ detail }: { detail: RunDetail }) {
	const say = useSay();
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<div className="pane-body sd" tabIndex={0}>
			<Facts detail={detail} />
			{detail.plan && detail.plan.steps.length > 0 ? <PlanSection plan={detail.plan} /> : null}
			<RunLinks title={say('timeline.childrenTitle')} runs={detail.children} />
			<RunLinks title={say('timeline.branchesTitle')} runs={detail.branches} />
			<Restores restores={detail.restores} />
		</div>
	);
}

function Facts({ detail: { run, steps, model } }: { detail: RunDetail }) {
	const say = useSay();
	const intl = useIntl();
	const when = useWhen();
	const openChat = useOpenChat();
	const providers = useProviders().data ?? [];
	const { input, output, costUsd } = totalsOf(steps);
	return (
		<div>
			<h3 className="d-title" id="step-title" tabIndex={-1} dir="auto">
				{run.title || say('timeline.kindOf', { kind: run.kind })}
			</h3>
			<div className="d-sub">
				<RunState run={run} />
			</div>
			<dl className="kv">
				<dt>{say('timeline.kindRow')}</dt>
				<dd>
					{say('timeline.kindOf', { kind: run.kind })}
					{run.kind === 'chat' ? (
						<>
							{', '}
							<button type="button" className="lnk" onClick={() => openChat(run)}>
								{say('timeline.openChat')}
							</button>
						</>
					) : null}
					{run.parentRunId ? (
						<>
							{', '}
							<Link className="lnk" href={runPlace(run.parentRunId)}>
								{say('timeline.parent')}
							</Link>
						</>
					) : null}
					{run.instanceId ? (
						<>
							{', '}
							<Link className="lnk" href={instancePlace(run.instanceId)}>
								{say('timeline.openInstance')}
							</Link>
						</>
					) : null}
				</dd>
				{run.from ? (
					<>
						<dt>{say('timeline.fromRow', { how: run.from.how })}</dt>
						<dd>
							<Link className="lnk" href={run.from.step > 0 ? runPlace(run.from.runId, run.from.step) : runPlace(run.from.runId)}>
								{say('timeline.fromStep', { step: run.from.step })}
							</Link>
						</dd>
					</>
				) : null}
				<dt>{say('timeline.began')}</dt>
				<dd>{when(run.createdAt, { seconds: true })}</dd>
				<dt>{say('timeline.ended')}</dt>
				<dd>{when(run.updatedAt, { seconds: true })}</dd>
				<dt>{say('timeline.lasted')}</dt>
				<dd>{duration(say, run.updatedAt - run.createdAt)}</dd>
				{model ? (
					<>
						<dt>{say('timeline.model')}</dt>
						<dd>{modelName(model, providers)}</dd>
					</>
				) : null}
				{input + output > 0 ? (
					<>
						<dt>{say('timeline.tokensRow')}</dt>
						<dd className="num">{say('timeline.tokens', { input, output })}</dd>
					</>
				) : null}
				{costUsd === undefined ? null : (
					<>
						<dt>{say('timeline.cost')}</dt>
						<dd className="num">
							{intl.formatNumber(costUsd, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumSignificantDigits: 3 })}
						</dd>
					</>
				)}
			</dl>
		</div>
	);
}

function RunLinks({ title, runs }: { title: string; runs: readonly RunSummary[] }) {
	const say = useSay();
	if (runs.length === 0) return null;
	return (
		<section className="sec">
			<h3>{title}</h3>
			<ul className="run-links">
				{runs.map((run) => (
					<li key={run.id}>
						<Link className="lnk cut" href={runPlace(run.id)} dir="auto">
							{run.title || say('timeline.kindOf', { kind: run.kind })}
						</Link>
						<RunState run={run} short />
					</li>
				))}
			</ul>
		</section>
	);
}

function Restores({ restores }: { restores: readonly RestoreRecord[] }) {
	const say = useSay();
	const when = useWhen();
	if (restores.length === 0) return null;
	return (
		<section className="sec">
			<h3>{say('timeline.restoresTitle')}</h3>
			<ul className="run-links">
				{restores.map((restore) => {
					const what = [
						...(restore.chat ? [say('timeline.restoreChat')] : []),
						...(restore.files ? [say('timeline.restoreFiles')] : []),
						...(restore.memory ? [say('timeline.restoreMemory')] : []),
					];
					return (
						<li key={restore.id}>
							<span className="grow">
								{say('timeline.restoreLine', { step: restore.place.step, date: when(restore.at), what: what.join(', ') })}
								{restore.left.map((left) => (
									<span key={left.what} className="meta block">
										{say('timeline.restoreLeft', { what: left.what, why: left.why })}
									</span>
								))}
							</span>
							{restore.undoneAt === undefined ? (
								<Button size="sm" icon="undo" onClick={() => void undoRestore(restore)}>
									{say('timeline.undo')}
								</Button>
							) : (
								<span className="meta">{say('timeline.restoreUndone', { date: when(restore.undoneAt) })}</span>
							)}
						</li>
					);
				})}
			</ul>
		</section>
	);
}
