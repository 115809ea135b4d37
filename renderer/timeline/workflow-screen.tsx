import { useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { type Area, focusedArea, focusList, focusRow, focusSteps, isShown } from './focus.ts';
import { InstancePane } from './instance-pane.tsx';
import { ListPane } from './list-pane.tsx';
import { instancePlace, type TimelinePlace, WORKFLOWS, workflowPlace } from './place.ts';
import { ShowRuns } from './show-runs.tsx';
import { useTimelineUi } from './timeline-ui-store.ts';
import { useTimelineKeys } from './use-timeline-keys.ts';
import { WorkflowFilePane } from './workflow-file-pane.tsx';
import { useInstances, useWorkflows } from './workflow-queries.ts';

/** Workflows: what was started and how far it is, and the files that it was started from. */
export function WorkflowScreen({ place }: { place: Extract<TimelinePlace, { kind: 'workflows' }> }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const list = useRef<VirtualizerHandle>(null);
	const listOpen = useTimelineUi((state) => state.listOpen);
	const instances = useInstances().data ?? [];
	const files = useWorkflows().data ?? [];
	const openId = place.instanceId ?? place.name;
	const rows = [
		...instances.map(({ id }) => ({ id: String(id), to: instancePlace(id) })),
		...files.map(({ name }) => ({ id: String(name), to: workflowPlace(name) })),
	];
	const move = (area: Area | undefined, by: number): void => {
		if (area !== 'list' && openId !== undefined) return;
		const at = rows.findIndex(({ id }) => id === (focusedArea() === 'list' ? useTimelineUi.getState().rowId : openId));
		const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
		if (!next) return;
		if (isShown('.v-timeline > .run-pane') && isShown('.v-timeline > .side')) navigate(next.to, { replace: openId !== undefined });
		useTimelineUi.setState({ rowId: next.id });
		focusRow(next.id);
	};
	const leave = (): void => {
		if (place.instanceId && place.about) navigate(instancePlace(place.instanceId));
		else if (!isShown('.v-timeline > .side')) navigate(WORKFLOWS);
		focusList(openId ?? null);
	};
	const back = (area: Area | undefined): void => {
		if (listOpen) {
			useTimelineUi.setState({ listOpen: false });
			focusSteps();
		} else if (area !== 'list' && openId !== undefined) leave();
	};
	const none = (): void => undefined;
	const onKeyDown = useTimelineKeys({ step: move, back, inspect: none, restore: none, fork: none });
	const classes = ['view v-timeline'];
	if (openId !== undefined) classes.push('has-run');
	if (place.name) classes.push('no-detail');
	if (place.about) classes.push('has-step');
	if (listOpen) classes.push('list-open');
	const head = (
		<>
			<IconButton
				icon="left"
				className="back"
				label={say('timeline.showRuns')}
				onClick={() => {
					navigate(WORKFLOWS);
					focusList(openId ?? null);
				}}
			/>
			<ShowRuns />
		</>
	);
	return (
		<main className={classes.join(' ')} id="main" onKeyDown={onKeyDown}>
			<h1 className="vh">{say('timeline.workflows')}</h1>
			<ListPane place={place} list={list} onKeyed={focusSteps} />
			{place.instanceId ? (
				<InstancePane key={place.instanceId} instanceId={place.instanceId} head={head} />
			) : place.name ? (
				<WorkflowFilePane key={place.name} name={place.name} head={head} />
			) : (
				<section className="pane run-pane" aria-label={say('workflow.show')}>
					<div className="pane-head unlined" />
					<div className="empty">
						<Icon name="list" />
						<h2>{say('workflow.chooseTitle')}</h2>
						<p>{say('workflow.chooseBody')}</p>
					</div>
				</section>
			)}
		</main>
	);
}
