import { memo, useId, useMemo, useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { RunBreak, RunDetail } from '../../src/contract/methods/runs.ts';
import type { RunKind } from '../../src/domain/run.ts';
import { Icon } from '../ui/icon.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { useSay } from '../ui/strings.tsx';
import { stepIcon, useWhen } from './marks.tsx';
import { runPlace } from './place.ts';
import { type StepRow, stepRows } from './step-rows.ts';
import { duration, stepMark, stepTitle } from './words.ts';

interface StepListProps {
	detail: RunDetail;
	/** The step that is shown beside it. */
	current: number | undefined;
	/** A step was opened by keyboard. */
	onKeyed: () => void;
}

/** The steps of a run, and what lies between them. One stop for the Tab key: the arrows move within. */
export function StepList({ detail, current, onKeyed }: StepListProps) {
	const say = useSay();
	const { steps, breaks } = detail;
	const rows = useMemo(() => stepRows({ steps, breaks }), [steps, breaks]);
	const stop = steps.some(({ step }) => step === current) ? current : steps[0]?.step;
	return (
		<>
			<div className="step cols" aria-hidden="true">
				<span />
				<span />
				<span>{say('timeline.col.step')}</span>
				<span>{say('timeline.col.label')}</span>
				<span className="num">{say('timeline.col.time')}</span>
				<span className="num">{say('timeline.col.tokens')}</span>
			</div>
			<ol className="steps" aria-label={say('timeline.steps')}>
				{rows.map((row) => {
					switch (row.kind) {
						case 'step':
							return (
								<Step
									key={row.key}
									row={row}
									runId={detail.run.id}
									runKind={detail.run.kind}
									current={row.step.step === current}
									stop={row.step.step === stop}
									onKeyed={onKeyed}
								/>
							);
						case 'gap':
							return <Gap key={row.key} row={row} />;
						case 'break':
							return <Break key={row.key} at={row.at} />;
						default:
							return row satisfies never;
					}
				})}
			</ol>
		</>
	);
}

interface StepProps {
	row: Extract<StepRow, { kind: 'step' }>;
	runId: string;
	runKind: RunKind;
	current: boolean;
	/** The Tab key comes here. */
	stop: boolean;
	onKeyed: () => void;
}

const Step = memo(
	function Step({ row: { step, quiet, took }, runId, runKind, current, stop, onKeyed }: StepProps) {
		const say = useSay();
		const intl = useIntl();
		const when = useWhen();
		const mark = stepMark(step);
		const since = step.status === 'waiting' || step.status === 'running' ? step.startedAt : undefined;
		const tokens = step.usage ? step.usage.inputTokens + step.usage.outputTokens : 0;
		return (
			<li>
				<Link
					className="step"
					href={runPlace(runId, step.step)}
					replace={current}
					data-step={step.step}
					aria-current={current ? 'step' : undefined}
					tabIndex={stop ? 0 : -1}
					onClick={(event) => (event.detail === 0 ? onKeyed() : undefined)}
				>
					<span className="n num meta">{step.step}</span>
					<Icon name={stepIcon(step)} />
					<span className="step-title">
						<span className={step.status === 'done' ? 'cut' : `cut ${mark}`} dir="auto">
							{stepTitle(say, runKind, step)}
						</span>
						{step.status === 'done' ? null : since === undefined ? (
							<StateMark state={mark}>{say('timeline.stepStatus', { status: step.status })}</StateMark>
						) : (
							<StateMark state={mark}>
								<span className="vh">{say('timeline.stepStatus', { status: step.status })}</span>{' '}
								{say('timeline.since', { time: when(since) })}
							</StateMark>
						)}
						{step.tries > 1 ? <span className="dim">{say('timeline.tries', { count: step.tries })}</span> : null}
					</span>
					<span className="step-label">{step.label ? <TrustLabel label={step.label} quiet={quiet} /> : null}</span>
					<span className="num meta">{took === undefined ? null : duration(say, took)}</span>
					<span className="num meta">{tokens > 0 ? intl.formatNumber(tokens) : null}</span>
				</Link>
			</li>
		);
	},
	// The row is made anew with each change of the run, its step only where it changed.
	(before, after) =>
		before.row.step === after.row.step &&
		before.row.quiet === after.row.quiet &&
		before.runId === after.runId &&
		before.current === after.current &&
		before.stop === after.stop,
);

function Gap({ row: { why, from, to } }: { row: Extract<StepRow, { kind: 'gap' }> }) {
	const say = useSay();
	const when = useWhen();
	const id = useId();
	const [open, setOpen] = useState(false);
	return (
		<li>
			<button type="button" className="gap" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
				<Icon name="hourglass" />
				<span>{say(`timeline.gap.${why}`, { time: duration(say, to - from) })}</span>
				<span id={id} hidden={!open}>
					{open ? say('timeline.gap.range', { from: when(from, { seconds: true }), to: when(to, { seconds: true }) }) : null}
				</span>
			</button>
		</li>
	);
}

function Break({ at: { at, wentOnAt, step } }: { at: RunBreak }) {
	const say = useSay();
	const when = useWhen();
	return (
		<li className="crash">
			<Icon name="bolt" />
			<span className="grow">
				<b>{say('timeline.crash', { known: at === undefined ? 'no' : 'yes', at: at === undefined ? '' : when(at, { seconds: true }) })}</b>{' '}
				{say('timeline.crashOn', { at: when(wentOnAt, { seconds: true }), step })}{' '}
				{step > 1 ? say('timeline.crashKept', { count: step - 1 }) : null}
			</span>
		</li>
	);
}
