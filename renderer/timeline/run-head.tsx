import { useLocation } from 'wouter';
import type { RunDetail } from '../../src/contract/methods/runs.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { jumpTo, useChatUi } from '../chat/chat-ui-store.ts';
import { copyText } from '../chat/copy.ts';
import { stopRun } from '../chat/turn-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusList } from './focus.ts';
import { RunState } from './marks.tsx';
import { instancePlace, runPlace, TIMELINE } from './place.ts';
import { refreshRun } from './queries.ts';
import { resumeRun } from './run-actions.ts';
import { ShowRuns } from './show-runs.tsx';
import { openDialog } from './timeline-ui-store.ts';

const UNDER_WAY: readonly RunSummary['status'][] = ['running', 'waiting', 'sleeping'];
const GOES_ON: readonly RunSummary['status'][] = ['interrupted', 'failed', 'stopped'];

/** It goes on, now or later, unless it is stopped. */
export function isUnderWay({ status }: RunSummary): boolean {
	return UNDER_WAY.includes(status);
}

/** It did not end by itself. */
export function isCutShort({ status }: RunSummary): boolean {
	return GOES_ON.includes(status);
}

/** What a workflow's state does is taken up again with the workflow itself, and a look goes on by itself; a version that was put away, where it is chosen in its chat. */
export function canResume({ run, putAway }: Pick<RunDetail, 'run' | 'putAway'>): boolean {
	return isCutShort(run) && run.kind !== 'workflow' && run.kind !== 'heartbeat' && run.kind !== 'task' && !putAway;
}

/** A look wrote nothing: there is nothing to put back. */
export function canRestore({ kind }: Pick<RunSummary, 'kind'>): boolean {
	return kind !== 'heartbeat';
}

/** Of a workflow only what a model does: all else would be the same again. What a look saw stays in its own session (B1). */
export function canFork({ run, steps }: Pick<RunDetail, 'run' | 'steps'>): boolean {
	if (run.kind === 'heartbeat') return false;
	return run.kind !== 'workflow' || steps.some(({ kind }) => kind === 'model');
}

export async function stopAndShow({ id }: RunSummary): Promise<void> {
	if (await stopRun(id)) await refreshRun(id);
}

/** Leads to the message that the run wrote. */
export function useOpenChat(): (run: RunSummary) => void {
	const [, navigate] = useLocation();
	return ({ sessionId, messageId }) => {
		useChatUi.setState({ listOpen: false });
		navigate(`/chat/${sessionId}`);
		jumpTo(sessionId, messageId);
	};
}

export function RunHead({ detail }: { detail: RunDetail }) {
	const { run } = detail;
	const say = useSay();
	const [, navigate] = useLocation();
	const openChat = useOpenChat();
	const back = (): void => {
		navigate(TIMELINE);
		focusList(run.id);
	};
	return (
		<div className="pane-head run-head">
			<IconButton icon="left" className="back" label={say('timeline.showRuns')} onClick={back} />
			<ShowRuns />
			<h2 className="cut" id="run-title" tabIndex={-1} dir="auto">
				{run.title || say('timeline.kindOf', { kind: run.kind })}
			</h2>
			{/* A change is heard where the owner is; the steps themselves never are. */}
			<span className="run-state" role="status">
				<RunState run={run} />
			</span>
			<span className="grow" />
			<IconButton
				icon="info"
				className="run-about-open"
				label={say('timeline.about')}
				onClick={() => navigate(runPlace(run.id, 'about'))}
			/>
			{isUnderWay(run) ? <IconButton icon="stop" label={say('timeline.stop')} onClick={() => void stopAndShow(run)} /> : null}
			<Menu trigger={<IconButton icon="more" label={say('timeline.more')} />}>
				{run.kind === 'chat' ? (
					<MenuItem icon="chat" onClick={() => openChat(run)}>
						{say('timeline.openChat')}
					</MenuItem>
				) : null}
				{run.parentRunId ? (
					<MenuItem icon="up" onClick={() => run.parentRunId && navigate(runPlace(run.parentRunId))}>
						{say('timeline.parent')}
					</MenuItem>
				) : null}
				{run.instanceId ? (
					<MenuItem icon="list" onClick={() => run.instanceId && navigate(instancePlace(run.instanceId))}>
						{say('timeline.openInstance')}
					</MenuItem>
				) : null}
				{canResume(detail) ? (
					<>
						<MenuLine />
						<MenuItem icon="play" onClick={() => void resumeRun(run.id, 'continue')}>
							{say('timeline.continue')}
						</MenuItem>
						<MenuItem icon="redo" onClick={() => void resumeRun(run.id, 'retry')}>
							{say('timeline.retry')}
						</MenuItem>
					</>
				) : null}
				<MenuLine />
				{isUnderWay(run) || !canRestore(run) ? null : (
					<MenuItem icon="history" onClick={() => later(() => openDialog({ kind: 'restore', place: { runId: run.id, step: 0 } }))}>
						{say('timeline.restoreStart')}
					</MenuItem>
				)}
				{canFork(detail) ? (
					<MenuItem icon="fork" onClick={() => later(() => openDialog({ kind: 'fork', place: { runId: run.id, step: 0 } }))}>
						{say('timeline.forkStart')}
					</MenuItem>
				) : null}
				<MenuLine />
				<MenuItem icon="copy" onClick={() => copyText(run.id)}>
					{say('timeline.copyId')}
				</MenuItem>
			</Menu>
		</div>
	);
}

/** After the menu has closed and given its focus back: the dialog then gives it back to the menu's button. */
function later(run: () => void): void {
	setTimeout(run, 0);
}
