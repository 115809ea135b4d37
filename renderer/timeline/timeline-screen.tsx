import { useEffect, useMemo, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { LinkQuestion } from '../chat/open-link.tsx';
import { shapeOf, useConnection } from '../connection/index.ts';
import { useCommand } from '../shell/commands.ts';
import { useSay } from '../ui/strings.tsx';
import { Dialogs } from './dialogs.tsx';
import { type Area, focusDetail, focusedArea, focusList, focusRow, focusStep, focusSteps, focusStepsOf, isShown } from './focus.ts';
import { ListPane } from './list-pane.tsx';
import { parsePlace, runPlace, TIMELINE, type TimelinePlace } from './place.ts';
import { useRunDetail } from './queries.ts';
import { resumeRun } from './run-actions.ts';
import { canFork, canRestore, canResume, isUnderWay, stopAndShow, useOpenChat } from './run-head.tsx';
import { refreshRuns, useRuns } from './runs-store.ts';
import { StepPane } from './step-pane.tsx';
import { StepsPane } from './steps-pane.tsx';
import { openDialog, useTimelineUi } from './timeline-ui-store.ts';
import { useTimelineKeys } from './use-timeline-keys.ts';
import { WorkflowScreen } from './workflow-screen.tsx';

/** Runs and their steps; workflows and how far each of them is. */
export default function TimelineScreen() {
	const [address] = useHashLocation();
	const place = useMemo(() => parsePlace(address), [address]);
	useFreshRuns();
	useAskedFor();
	return (
		<>
			{place.kind === 'runs' ? <Runs place={place} /> : <WorkflowScreen place={place} />}
			<Dialogs />
			<LinkQuestion />
		</>
	);
}

/** The list as it is now: when the screen opens, and when what was said meanwhile was missed. */
function useFreshRuns(): void {
	const snapshots = useConnection((state) => state.revision.runs);
	// biome-ignore lint/correctness/useExhaustiveDependencies: each snapshot asks for the list again
	useEffect(() => void refreshRuns(), [snapshots]);
}

/** The focus goes to the list when a command asks for it. */
function useAskedFor(): void {
	const turn = useTimelineUi((state) => state.focusTurn);
	const shown = useRef(0);
	useEffect(() => {
		if (turn === shown.current) return;
		shown.current = turn;
		focusList(useTimelineUi.getState().rowId);
	}, [turn]);
}

/** A link to another run goes with the run it stood in: the focus goes to the one that took its place. */
function useFocusKept(runId: string | undefined): void {
	const before = useRef(runId);
	useEffect(() => {
		if (before.current !== undefined && runId !== undefined && before.current !== runId && document.activeElement === document.body)
			focusStepsOf(runId);
		before.current = runId;
	}, [runId]);
}

function Runs({ place: { runId, step } }: { place: Extract<TimelinePlace, { kind: 'runs' }> }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const list = useRef<VirtualizerHandle>(null);
	const listOpen = useTimelineUi((state) => state.listOpen);
	const any = useRuns((state) => (state.runs === undefined ? undefined : state.runs.length > 0));
	const asked = useRunDetail(runId);
	const gone = asked.error !== null && shapeOf(asked.error).code === 'not_found';
	const detail = asked.data?.run.id === runId && !gone ? asked.data : undefined;
	const shown = typeof step === 'number' ? detail?.steps.find((each) => each.step === step) : undefined;

	useFocusKept(runId);

	const goTo = (next: number): void => {
		if (runId) navigate(runPlace(runId, next), { replace: step !== undefined });
	};
	const move = (area: Area | undefined, by: number): void => {
		if (area === 'list' || runId === undefined) moveInList(by);
		else moveInSteps(area, by);
	};
	const moveInList = (by: number): void => {
		const runs = useRuns.getState().runs ?? [];
		const { rowId } = useTimelineUi.getState();
		const at = runs.findIndex(({ id }) => id === (focusedArea() === 'list' ? rowId : runId));
		const next = runs[at < 0 ? 0 : Math.max(0, Math.min(runs.length - 1, at + by))];
		if (!next) return;
		// Where the steps stand beside the list, they follow.
		if (isShown('.v-timeline > .run-pane') && isShown('.v-timeline > .side')) navigate(runPlace(next.id), { replace: runId !== undefined });
		useTimelineUi.setState({ rowId: next.id });
		focusRow(next.id);
	};
	const moveInSteps = (area: Area | undefined, by: number): void => {
		const steps = detail?.steps ?? [];
		const focused = Number(document.activeElement?.getAttribute('data-step') ?? Number.NaN);
		const from = area === 'steps' && !Number.isNaN(focused) ? focused : step;
		const at = steps.findIndex((each) => each.step === from);
		const next = steps[at < 0 ? 0 : Math.max(0, Math.min(steps.length - 1, at + by))];
		if (!next) return;
		if (step !== undefined || isShown('.v-timeline > .detail-pane')) goTo(next.step);
		if (area === 'detail') focusDetail();
		else focusStep(next.step);
	};
	const back = (area: Area | undefined): void => {
		if (listOpen) {
			useTimelineUi.setState({ listOpen: false });
			focusSteps();
		} else if (area === 'detail' && runId) {
			if (!isShown('.v-timeline > .run-pane')) navigate(runPlace(runId));
			if (typeof step === 'number') focusStep(step);
			else focusSteps();
		} else if (area === 'steps' && runId) {
			if (!isShown('.v-timeline > .side')) navigate(TIMELINE);
			focusList(runId);
		}
	};
	const ask = (kind: 'inspect' | 'restore' | 'fork') => (): void => {
		if (kind === 'fork' && !(detail && canFork(detail))) return;
		if (kind === 'restore' && !(detail && canRestore(detail.run))) return;
		if (runId && shown?.checkpoint) openDialog({ kind, place: { runId, step: shown.step } });
	};
	const onKeyDown = useTimelineKeys({ step: move, back, inspect: ask('inspect'), restore: ask('restore'), fork: ask('fork') });

	const run = detail?.run;
	const openChat = useOpenChat();
	const checkpoint = shown?.checkpoint ?? false;
	useCommand('timeline_inspect', ask('inspect'), checkpoint);
	useCommand('timeline_restore', ask('restore'), checkpoint && detail !== undefined && canRestore(detail.run));
	useCommand('timeline_fork', ask('fork'), checkpoint && detail !== undefined && canFork(detail));
	useCommand('timeline_stop', () => run && void stopAndShow(run), run !== undefined && isUnderWay(run));
	useCommand('timeline_resume', () => run && void resumeRun(run.id, 'continue'), detail !== undefined && canResume(detail));
	useCommand('timeline_chat', () => run && openChat(run), run?.kind === 'chat');
	const classes = ['view v-timeline', runId ? 'has-run' : '', step === undefined ? '' : 'has-step', listOpen ? 'list-open' : ''];
	return (
		<main className={classes.filter(Boolean).join(' ')} id="main" onKeyDown={onKeyDown}>
			<h1 className="vh">{say('timeline.title')}</h1>
			<ListPane place={{ kind: 'runs', ...(runId && { runId }) }} list={list} onKeyed={focusSteps} />
			<StepsPane runId={runId} asked={asked} step={typeof step === 'number' ? step : undefined} any={any} onKeyed={focusDetail} />
			{runId ? (
				<StepPane
					detail={detail}
					step={step}
					go={(next) => {
						goTo(next);
						focusDetail();
					}}
				/>
			) : null}
		</main>
	);
}
