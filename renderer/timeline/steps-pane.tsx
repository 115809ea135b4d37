import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { RunDetail } from '../../src/contract/methods/runs.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { Need } from '../chat/needs/needs-you.tsx';
import { shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusSteps } from './focus.ts';
import { TIMELINE } from './place.ts';
import { refreshRun } from './queries.ts';
import { RunHead } from './run-head.tsx';
import { RunNote } from './run-note.tsx';
import { ShowRuns } from './show-runs.tsx';
import { StepList } from './step-list.tsx';

interface StepsPaneProps {
	runId: RunId | undefined;
	asked: UseQueryResult<RunDetail>;
	/** The step that is shown beside it. */
	step: number | undefined;
	/** Whether there is anything to choose; undefined until that is known. */
	any: boolean | undefined;
	/** A step was opened by keyboard. */
	onKeyed: () => void;
}

/** One run: how it stands, what it waits for, and its steps. */
export function StepsPane({ runId, asked, step, any, onKeyed }: StepsPaneProps) {
	const say = useSay();
	const detail = asked.data;
	const failure = asked.error ? shapeOf(asked.error) : undefined;
	return (
		<section className="pane run-pane" aria-label={say('timeline.steps')}>
			{runId === undefined ? (
				<>
					<div className="pane-head unlined">
						<ShowRuns />
					</div>
					{any === undefined ? <div className="pane-body" aria-busy="true" /> : <Choose any={any} />}
				</>
			) : failure && !(detail && failure.code === 'disconnected') ? (
				<>
					<div className="pane-head unlined">
						<ShowRuns />
					</div>
					{failure.code === 'not_found' ? (
						<Missing />
					) : (
						<div className="detail-in">
							<ErrorNote error={failure} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
						</div>
					)}
				</>
			) : detail ? (
				<Run key={detail.run.id} detail={detail} step={step} onKeyed={onKeyed} />
			) : (
				<>
					<div className="pane-head">
						<ShowRuns />
					</div>
					<div className="pane-body" aria-busy="true" />
				</>
			)}
		</section>
	);
}

function Run({ detail, step, onKeyed }: { detail: RunDetail; step: number | undefined; onKeyed: () => void }) {
	const say = useSay();
	const { run, steps } = detail;
	const open = detail.interrupts.filter(({ status }) => status === 'open');
	return (
		<>
			<RunHead detail={detail} />
			<div className="pane-body run-body" data-run={run.id}>
				<RunNote detail={detail} />
				{open.map((interrupt) => (
					<div key={`${interrupt.id}:${interrupt.shownHash}`} className="run-need">
						<Need
							interrupt={interrupt}
							instanceId={run.instanceId}
							onAnswered={() => {
								void refreshRun(run.id);
								focusSteps();
							}}
						/>
					</div>
				))}
				{steps.length === 0 ? (
					<p className="list-empty">{say('timeline.noSteps')}</p>
				) : (
					<StepList detail={detail} current={step} onKeyed={onKeyed} />
				)}
			</div>
		</>
	);
}

function Choose({ any }: { any: boolean }) {
	const say = useSay();
	return (
		<div className="empty">
			<Icon name="timeline" />
			<h2>{say(any ? 'timeline.chooseTitle' : 'timeline.emptyTitle')}</h2>
			<p>{say(any ? 'timeline.chooseBody' : 'timeline.emptyBody')}</p>
		</div>
	);
}

function Missing() {
	const say = useSay();
	return (
		<div className="empty">
			<Icon name="timeline" />
			<h2 id="run-title" tabIndex={-1}>
				{say('timeline.missing')}
			</h2>
			<p>{say('timeline.missingBody')}</p>
			<p>
				<Link className="lnk" href={TIMELINE}>
					{say('timeline.chooseTitle')}
				</Link>
			</p>
		</div>
	);
}
