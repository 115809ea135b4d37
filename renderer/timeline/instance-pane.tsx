import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { WorkflowInstanceId } from '../../src/domain/ids.ts';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { Need } from '../chat/needs/needs-you.tsx';
import { shapeOf } from '../connection/index.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { AboutInstance } from './about-instance.tsx';
import { focusSteps } from './focus.ts';
import { RunState, useWhen } from './marks.tsx';
import { instancePlace, runPlace, WORKFLOWS } from './place.ts';
import { useRunDetail } from './queries.ts';
import { SignalForm } from './signal-form.tsx';
import { StateDiagram } from './state-diagram.tsx';
import { retryInstance, stopInstance } from './workflow-actions.ts';
import { useInstance } from './workflow-queries.ts';
import { flowOf, runLike, whereabouts } from './workflow-view.ts';

/** What was started of a workflow: where it is, what it waits for, how it came there. */
export function InstancePane({ instanceId, head }: { instanceId: WorkflowInstanceId; head: ReactNode }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const asked = useInstance(instanceId);
	const instance = asked.data;
	const failure = asked.error ? shapeOf(asked.error) : undefined;
	if (!instance) {
		return (
			<section className="pane run-pane" aria-label={say('workflow.show')} aria-busy={!failure}>
				<div className="pane-head unlined">{head}</div>
				{failure?.code === 'not_found' ? (
					<div className="empty">
						<h2 id="run-title" tabIndex={-1}>
							{say('workflow.instanceMissing')}
						</h2>
						<p>{say('workflow.missingBody')}</p>
						<p>
							<Link className="lnk" href={WORKFLOWS}>
								{say('workflow.chooseTitle')}
							</Link>
						</p>
					</div>
				) : failure ? (
					<div className="detail-in">
						<ErrorNote error={failure} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
					</div>
				) : (
					<div className="pane-body" />
				)}
			</section>
		);
	}
	return (
		<>
			<Instance instance={instance} head={head} />
			<section className="pane detail-pane" aria-label={say('workflow.about')}>
				<div className="pane-head">
					<IconButton icon="left" className="back" label={say('workflow.back')} onClick={() => navigate(instancePlace(instance.id))} />
					<h2 className="grow">{say('workflow.about')}</h2>
				</div>
				<AboutInstance instance={instance} />
			</section>
		</>
	);
}

function Instance({ instance, head }: { instance: WorkflowInstance; head: ReactNode }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const [stopping, setStopping] = useState(false);
	const where = useMemo(() => whereabouts(instance), [instance]);
	const over = instance.status === 'done' || instance.status === 'failed' || instance.status === 'stopped';
	return (
		<section className="pane run-pane" aria-label={say('workflow.show')}>
			<div className="pane-head run-head">
				{head}
				<h2 className="cut" id="run-title" tabIndex={-1} dir="auto">
					{instance.title}
				</h2>
				<span className="run-state" role="status">
					<RunState run={runLike(instance)} />
				</span>
				<span className="grow" />
				<IconButton
					icon="info"
					className="run-about-open"
					label={say('workflow.about')}
					onClick={() => navigate(instancePlace(instance.id, 'about'))}
				/>
				{over ? null : <IconButton icon="stop" label={say('workflow.stop')} onClick={() => setStopping(true)} />}
			</div>
			<Flow instance={instance} />
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body sd wide" tabIndex={0}>
				<Standing instance={instance} />
				<Needs instance={instance} />
				<section className="sec">
					<h3>{say('workflow.diagram')}</h3>
					<StateDiagram title={instance.title} diagram={instance.diagram} where={where} />
				</section>
				<History instance={instance} />
			</div>
			{stopping ? <StopDialog instance={instance} onClose={() => setStopping(false)} /> : null}
		</section>
	);
}

/** The way in one line: where it was, where it is, what comes as far as that is certain. */
function Flow({ instance }: { instance: WorkflowInstance }) {
	const say = useSay();
	const { nodes, earlier } = useMemo(() => flowOf(instance), [instance]);
	const strip = useRef<HTMLElement>(null);
	const now = `${instance.id}:${instance.history.length}`;
	// biome-ignore lint/correctness/useExhaustiveDependencies: wherever it moves, that is in view
	useEffect(() => {
		const node = strip.current?.querySelector<HTMLElement>('.node.now');
		if (strip.current && node) strip.current.scrollLeft = node.offsetLeft + node.offsetWidth / 2 - strip.current.clientWidth / 2;
	}, [now]);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<section ref={strip} className="strip" aria-label={say('workflow.path')} tabIndex={0}>
			<ol className="flow">
				{earlier > 0 ? <li className="meta">{say('workflow.earlier', { count: earlier })}</li> : null}
				{nodes.map(({ key, name, where }, index) => (
					<li key={key}>
						{index > 0 || earlier > 0 ? <span className={where === 'next' ? 'edge todo' : 'edge'} /> : null}
						<span
							className={`node ${where === 'now' ? `now ${instance.status}` : where}`}
							aria-current={where === 'now' ? 'step' : undefined}
						>
							{where === 'past' ? <Icon name="check" /> : null}
							{where === 'now' ? <Icon name={NOW_ICON[instance.status]} /> : null}
							{name}
						</span>
					</li>
				))}
			</ol>
		</section>
	);
}

const NOW_ICON = { running: 'running', waiting: 'alert', sleeping: 'waiting', done: 'done', failed: 'failed', stopped: 'stale' } as const;

/** What it waits for, or why it does not go on. */
function Standing({ instance }: { instance: WorkflowInstance }) {
	const say = useSay();
	const [busy, setBusy] = useState(false);
	const when = useWhen();
	const { status, state, error, waitsFor, dueAt } = instance;
	const retry = async (): Promise<void> => {
		setBusy(true);
		if (await retryInstance(instance)) focusSteps();
		setBusy(false);
	};
	const again = (
		<Button onClick={() => void retry()} busy={busy} icon="redo">
			{say('workflow.retry')}
		</Button>
	);
	if (status === 'failed') {
		return (
			<Note tone="failed" title={say('workflow.failedTitle', { state })} actions={again} role="status">
				<p>{[error?.message, error?.safe, error?.action].filter(Boolean).join(' ')}</p>
			</Note>
		);
	}
	if (status === 'sleeping' && error && dueAt !== undefined) {
		return (
			<Note icon="alert" title={say('workflow.restingTitle', { state })} actions={again} role="status">
				<p>{[error.message, error.action].filter(Boolean).join(' ')}</p>
				<p>{say('workflow.restingBody', { time: when(dueAt) })}</p>
			</Note>
		);
	}
	if (status === 'stopped') {
		return (
			<Note icon="stop" title={say('workflow.stoppedTitle', { state })} actions={again}>
				<p>{say('workflow.stoppedBody')}</p>
			</Note>
		);
	}
	return waitsFor !== undefined && status !== 'done' ? (
		<SignalForm key={`${waitsFor}:${state}`} instance={instance} name={waitsFor} />
	) : null;
}

/** What the run of this state asks the owner, or waits for: answered right here. */
function Needs({ instance }: { instance: WorkflowInstance }) {
	// What it waits for as a workflow is said above it.
	const asks =
		instance.status === 'waiting' || (instance.status === 'sleeping' && instance.waitsFor === undefined) ? instance.runId : undefined;
	const interrupts = useRunDetail(asks).data?.interrupts ?? [];
	return interrupts
		.filter((interrupt) => asks !== undefined && interrupt.status === 'open')
		.map((interrupt) => <Need key={`${interrupt.id}:${interrupt.shownHash}`} interrupt={interrupt} onAnswered={focusSteps} />);
}

function History({ instance: { history } }: { instance: WorkflowInstance }) {
	const say = useSay();
	const when = useWhen();
	return (
		<section className="sec">
			<h3>{say('workflow.history')}</h3>
			<ol className="moves">
				{history.toReversed().map(({ seq, at, from, to, why, stayed, runId }) => (
					<li key={seq}>
						<time className="meta num" dateTime={new Date(at).toISOString()}>
							{when(at, { seconds: true })}
						</time>
						<span className="grow">
							<b>
								{stayed
									? say('workflow.stayed', { how: stayed, to })
									: from === null
										? say('workflow.began', { to })
										: say('workflow.move', { from, to })}
							</b>{' '}
							{stayed ? null : (
								<span className="dim" dir="auto">
									{why}
								</span>
							)}
						</span>
						{runId ? (
							<Link className="lnk" href={runPlace(runId)}>
								{say('workflow.showRun')}
								<span className="vh"> {to}</span>
							</Link>
						) : null}
					</li>
				))}
			</ol>
		</section>
	);
}

function StopDialog({ instance, onClose }: { instance: WorkflowInstance; onClose: () => void }) {
	const say = useSay();
	const [busy, setBusy] = useState(false);
	const stop = async (): Promise<void> => {
		setBusy(true);
		if (await stopInstance(instance)) {
			onClose();
			focusSteps();
		} else setBusy(false);
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('workflow.stopTitle', { title: instance.title })}
			lead={say('workflow.stopBody', { state: instance.state })}
			footer={
				<>
					<Button onClick={onClose}>{say('common.cancel')}</Button>
					<Button kind="danger" busy={busy} onClick={() => void stop()}>
						{say('workflow.stopAction')}
					</Button>
				</>
			}
		/>
	);
}
