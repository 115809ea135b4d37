import { useLayoutEffect } from 'react';
import { useIntl } from 'react-intl';
import { Link, useLocation } from 'wouter';
import type { RunDetail, RunStep, StepDetail } from '../../src/contract/methods/runs.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { shapeOf } from '../connection/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ContextSources } from '../ui/context-sources.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { formatBytes, useSay } from '../ui/strings.tsx';
import { AboutRun } from './about-pane.tsx';
import { focusStep, focusSteps, takeDetailFocus } from './focus.ts';
import { KeptText } from './kept-text.tsx';
import { useWhen } from './marks.tsx';
import { runPlace } from './place.ts';
import { useRunStep } from './queries.ts';
import { canFork, canRestore } from './run-head.tsx';
import { openDialog } from './timeline-ui-store.ts';
import { duration, stepMark, stepTitle } from './words.ts';

interface StepPaneProps {
	detail: RunDetail | undefined;
	/** Without a number: what is said of the run as a whole. */
	step: number | 'about' | undefined;
	/** Shows another step. */
	go: (step: number) => void;
}

/** One step, whole; or the run itself while no step is chosen. */
export function StepPane({ detail, step, go }: StepPaneProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	if (!detail) return <section className="pane detail-pane" aria-label={say('timeline.about')} />;
	const { run, steps } = detail;
	const back = (): void => {
		navigate(runPlace(run.id));
		if (typeof step === 'number') focusStep(step);
		else focusSteps();
	};
	if (typeof step !== 'number') {
		return (
			<section className="pane detail-pane" aria-label={say('timeline.about')}>
				<div className="pane-head">
					<IconButton icon="left" className="back" label={say('timeline.backToSteps')} onClick={back} />
					<h2 className="grow">{say('timeline.about')}</h2>
				</div>
				<AboutRun detail={detail} />
			</section>
		);
	}
	const at = steps.findIndex((each) => each.step === step);
	const line = steps[at];
	const near = (by: number): RunStep | undefined => steps[at + by];
	const turn = (by: number) => (): void => {
		const next = near(by);
		if (next) go(next.step);
	};
	return (
		<section className="pane detail-pane" aria-label={say('timeline.step', { step })}>
			<div className="pane-head">
				<IconButton icon="left" className="back" label={say('timeline.backToSteps')} onClick={back} />
				<h2 className="grow">{say('timeline.step', { step })}</h2>
				{line ? (
					<>
						<IconButton icon="up" keys="K" label={say('timeline.previousStep')} disabled={!near(-1)} onClick={turn(-1)} />
						<IconButton icon="down" keys="J" label={say('timeline.nextStep')} disabled={!near(1)} onClick={turn(1)} />
					</>
				) : null}
			</div>
			{line ? (
				<StepBody key={step} run={run} line={line} forkable={canFork(detail)} />
			) : (
				<div className="empty">
					<h2 id="step-title" tabIndex={-1}>
						{say('timeline.stepMissing')}
					</h2>
				</div>
			)}
		</section>
	);
}

function StepBody({ run, line, forkable }: { run: RunSummary; line: RunStep; forkable: boolean }) {
	const say = useSay();
	const { id: runId, kind: runKind } = run;
	const asked = useRunStep({ runId, step: line.step }, true);
	const detail = asked.data;
	const place = { runId, step: line.step };
	useLayoutEffect(takeDetailFocus, []);
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body sd" tabIndex={0} aria-busy={detail === undefined && !asked.error}>
				<div>
					<h3 className="d-title" id="step-title" tabIndex={-1} dir="auto">
						{stepTitle(say, runKind, line)}
					</h3>
					<div className="d-sub">
						<StateMark state={stepMark(line)}>{say(`chat.toolStatus.${line.status}`)}</StateMark>
						{line.label ? <TrustLabel label={line.label} /> : null}
						{line.tool ? <code className="meta">{line.tool}</code> : null}
					</div>
				</div>
				<Facts line={line} detail={detail} />
				{asked.error && !detail ? (
					<ErrorNote
						error={shapeOf(asked.error)}
						actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>}
					/>
				) : null}
				{detail ? <Texts runId={runId} detail={detail} /> : null}
			</div>
			<footer className="pane-foot step-foot">
				{line.checkpoint ? (
					<>
						<Button icon="search" onClick={() => openDialog({ kind: 'inspect', place })}>
							{say('timeline.inspect')}
						</Button>
						{canRestore(run) ? (
							<Button icon="history" onClick={() => openDialog({ kind: 'restore', place })}>
								{say('timeline.restore')}
							</Button>
						) : null}
						{forkable ? (
							<Button icon="fork" onClick={() => openDialog({ kind: 'fork', place })}>
								{say('timeline.fork')}
							</Button>
						) : null}
					</>
				) : (
					<p className="meta">{say('timeline.needsCheckpoint')}</p>
				)}
			</footer>
		</>
	);
}

function Facts({ line, detail }: { line: RunStep; detail: StepDetail | undefined }) {
	const say = useSay();
	const intl = useIntl();
	const when = useWhen();
	const { startedAt, finishedAt, usage } = line;
	return (
		<dl className="kv">
			{startedAt === undefined ? null : (
				<>
					<dt>{say('timeline.started')}</dt>
					<dd>{when(startedAt, { seconds: true })}</dd>
				</>
			)}
			{startedAt === undefined || finishedAt === undefined ? null : (
				<>
					<dt>{say('timeline.took')}</dt>
					<dd>{duration(say, finishedAt - startedAt)}</dd>
				</>
			)}
			{line.tries > 1 ? (
				<>
					<dt>{say('timeline.triesRow')}</dt>
					<dd>{line.tries}</dd>
				</>
			) : null}
			{detail?.redone ? (
				<>
					<dt>{say(line.tries > 1 ? 'timeline.redone' : 'timeline.happened')}</dt>
					<dd>{detail.redone}</dd>
				</>
			) : null}
			{usage && usage.inputTokens + usage.outputTokens > 0 ? (
				<>
					<dt>{say('timeline.tokensRow')}</dt>
					<dd className="num">{say('timeline.tokens', { input: usage.inputTokens, output: usage.outputTokens })}</dd>
				</>
			) : null}
			{usage?.costUsd === undefined ? null : (
				<>
					<dt>{say('timeline.cost')}</dt>
					<dd className="num">
						{intl.formatNumber(usage.costUsd, {
							style: 'currency',
							currency: 'USD',
							minimumFractionDigits: 2,
							maximumSignificantDigits: 3,
						})}
					</dd>
				</>
			)}
			{line.effect ? (
				<>
					<dt>{say('timeline.effect')}</dt>
					<dd>{say(`timeline.effect.${line.effect}`)}</dd>
				</>
			) : null}
			{detail?.key ? (
				<>
					<dt>{say('timeline.key')}</dt>
					<dd>
						<code>{detail.key}</code>
					</dd>
				</>
			) : null}
			{line.childRunId ? (
				<>
					<dt>{say('timeline.childRow')}</dt>
					<dd>
						<Link className="lnk" href={runPlace(line.childRunId)}>
							{say('timeline.childShow')}
						</Link>
					</dd>
				</>
			) : null}
			<dt>{say('timeline.checkpoint')}</dt>
			<dd>
				{line.checkpoint
					? say('timeline.checkpointAt', { step: line.step, time: finishedAt === undefined ? '' : when(finishedAt, { seconds: true }) })
					: say('timeline.noCheckpoint')}
			</dd>
		</dl>
	);
}

function Texts({ runId, detail }: { runId: RunId; detail: StepDetail }) {
	const say = useSay();
	const { step, input, inputRest, output, outputRest, files, memory, error, sources } = detail;
	const open = step.status === 'running' || step.status === 'waiting';
	return (
		<>
			{error ? <ErrorNote error={error} /> : null}
			{input === '' && inputRest === undefined && step.kind === 'model' ? null : (
				<section className="sec">
					<h3>{say('timeline.input')}</h3>
					<KeptText
						runId={runId}
						text={input}
						rest={inputRest}
						empty={say('timeline.nothing')}
						{...(step.kind === 'model' && { ask: say('timeline.promptShow') })}
					/>
				</section>
			)}
			<section className="sec">
				<h3>{say('timeline.output')}</h3>
				<KeptText runId={runId} text={output} rest={outputRest} empty={say(open ? 'timeline.notYet' : 'timeline.nothing')} />
			</section>
			{sources.length > 0 ? (
				<section className="sec">
					<h3>{say('timeline.sources', { kind: step.kind })}</h3>
					<ContextSources sources={sources} />
				</section>
			) : null}
			{files.length + memory.length > 0 ? (
				<section className="sec">
					<h3>{say('timeline.changed')}</h3>
					<ul className="changes">
						{files.map(({ path, change, bytes }) => (
							<li key={path}>
								<code>{path}</code>{' '}
								<span className="meta">
									{say('timeline.change', { change })}
									{change === 'deleted' ? '' : `, ${formatBytes(say, bytes)}`}
								</span>
							</li>
						))}
						{memory.map(({ changeId, file, text }) => (
							<li key={changeId}>
								<span dir="auto">{text}</span> <span className="meta">{say('timeline.changedMemory', { file })}</span>
							</li>
						))}
					</ul>
				</section>
			) : null}
		</>
	);
}
