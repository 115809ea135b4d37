import { Tabs } from '@base-ui/react/tabs';
import type { RefObject } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuHeading, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusSteps } from './focus.ts';
import { TIMELINE, type TimelinePlace, WORKFLOWS } from './place.ts';
import { RunList } from './run-list.tsx';
import { ALL_RUNS, KIND_FILTERS, type KindFilter, STATUS_FILTERS, type StatusFilter } from './run-rows.ts';
import { showRuns, useRuns } from './runs-store.ts';
import { useTimelineUi } from './timeline-ui-store.ts';
import { WorkflowList } from './workflow-list.tsx';

interface ListPaneProps {
	place: TimelinePlace;
	list: RefObject<VirtualizerHandle | null>;
	/** A row was opened by keyboard. */
	onKeyed: () => void;
}

/** All runs, or all workflows. */
export function ListPane({ place, list, onKeyed }: ListPaneProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	const show = (kind: TimelinePlace['kind']): void => {
		useTimelineUi.setState({ rowId: null });
		navigate(kind === 'runs' ? TIMELINE : WORKFLOWS);
	};
	return (
		<Tabs.Root
			className="pane side"
			value={place.kind}
			onValueChange={(next: TimelinePlace['kind']) => show(next)}
			render={<section aria-label={say('timeline.list')} />}
		>
			<div className="pane-head">
				<h2 className="grow">{say('timeline.title')}</h2>
				{place.kind === 'runs' ? <FilterMenu /> : null}
				<IconButton
					icon="x"
					className="runs-close"
					label={say('common.close')}
					onClick={() => {
						useTimelineUi.setState({ listOpen: false });
						focusSteps();
					}}
				/>
			</div>
			<Tabs.List className="tabs">
				<Tabs.Tab value="runs">{say('timeline.runs')}</Tabs.Tab>
				<Tabs.Tab value="workflows">{say('timeline.workflows')}</Tabs.Tab>
			</Tabs.List>
			<Tabs.Panel value="runs" className="timeline-list" tabIndex={-1}>
				<Filtered />
				<RunList current={place.kind === 'runs' ? place.runId : undefined} list={list} onKeyed={onKeyed} />
			</Tabs.Panel>
			<Tabs.Panel value="workflows" className="timeline-list" tabIndex={-1}>
				<WorkflowList place={place} onKeyed={onKeyed} />
			</Tabs.Panel>
		</Tabs.Root>
	);
}

function FilterMenu() {
	const say = useSay();
	const filter = useRuns((state) => state.filter);
	return (
		<Menu trigger={<IconButton icon="filter" label={say('timeline.filter')} />}>
			<MenuHeading>{say('timeline.filterStatus')}</MenuHeading>
			<MenuChoice
				value={filter.status}
				onChange={(status) => void showRuns({ ...filter, status: status as StatusFilter })}
				options={STATUS_FILTERS.map((value) => ({ value, label: say(`timeline.filter.${value}`) }))}
			/>
			<MenuLine />
			<MenuHeading>{say('timeline.filterKind')}</MenuHeading>
			<MenuChoice
				value={filter.kind}
				onChange={(kind) => void showRuns({ ...filter, kind: kind as KindFilter })}
				options={KIND_FILTERS.map((value) => ({ value, label: say(`timeline.kind.${value}`) }))}
			/>
		</Menu>
	);
}

/** What is left out, and the way back to all. */
function Filtered() {
	const say = useSay();
	const { status, kind } = useRuns((state) => state.filter);
	if (status === ALL_RUNS.status && kind === ALL_RUNS.kind) return null;
	const words = [
		...(status === 'all' ? [] : [say(`timeline.filter.${status}`)]),
		...(kind === ALL_RUNS.kind ? [] : [say(`timeline.kind.${kind}`)]),
	];
	return (
		<p className="filtered meta">
			<span className="grow">{words.join(' · ')}</span>
			<Button kind="ghost" size="sm" onClick={() => void showRuns(ALL_RUNS)}>
				{say('timeline.clearFilter')}
			</Button>
		</p>
	);
}
