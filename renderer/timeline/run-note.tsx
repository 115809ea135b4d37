import { useState } from 'react';
import { Link } from 'wouter';
import type { RunDetail } from '../../src/contract/methods/runs.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusSteps } from './focus.ts';
import { instancePlace } from './place.ts';
import { resumeRun } from './run-actions.ts';
import { canResume, isCutShort, useOpenChat } from './run-head.tsx';

/** What happened to a run that did not end by itself, what of it is safe, and the ways on. */
export function RunNote({ detail }: { detail: RunDetail }) {
	const { run, steps, error, putAway } = detail;
	const say = useSay();
	const openChat = useOpenChat();
	const [busy, setBusy] = useState(false);
	const [dismissed, setDismissed] = useState<string>();
	const turn = `${run.status}:${run.step}:${run.updatedAt}`;
	if (!isCutShort(run) || dismissed === turn) return null;
	const goOn = async (how: 'continue' | 'retry'): Promise<void> => {
		setBusy(true);
		if (await resumeRun(run.id, how)) focusSteps();
		setBusy(false);
	};
	const dismiss = (
		<Button kind="ghost" onClick={() => setDismissed(turn)}>
			{say('common.dismiss')}
		</Button>
	);
	const retry = (
		<Button onClick={() => void goOn('retry')} busy={busy}>
			{say('timeline.retry')}
		</Button>
	);
	const goesOn = (
		<Button kind={run.status === 'interrupted' ? 'primary' : 'secondary'} onClick={() => void goOn('continue')} busy={busy}>
			{say('timeline.continue')}
		</Button>
	);
	const actions = (
		<>
			{dismiss}
			{canResume(detail) ? (
				<>
					{run.status === 'stopped' ? null : retry}
					{goesOn}
				</>
			) : putAway ? (
				<Button onClick={() => openChat(run)}>{say('timeline.openChat')}</Button>
			) : run.instanceId ? (
				<Link className="btn" href={instancePlace(run.instanceId)}>
					{say('timeline.openInstance')}
				</Link>
			) : null}
		</>
	);
	if (putAway) {
		return (
			<div className="run-note">
				<Note icon="history" title={say('timeline.putAwayTitle')} actions={actions}>
					<p>{say('timeline.putAwayBody')}</p>
				</Note>
			</div>
		);
	}
	if (run.status === 'failed') {
		return <div className="run-note">{error ? <ErrorNote error={error} actions={actions} /> : null}</div>;
	}
	// What was under way when it was cut off; a run that was stopped between two steps was at none.
	const under = steps.findLast(({ status }) => status === 'running' || status === 'unknown' || status === 'stopped');
	const finished = steps.filter(({ checkpoint }) => checkpoint).length;
	if (run.status === 'interrupted') {
		const step = under?.step ?? run.step;
		return (
			<div className="run-note">
				<Note icon="bolt" title={say('timeline.cutTitle', { step })} actions={actions} role="status">
					{error ? <p>{error.message}</p> : null}
					<p>{say('timeline.cutBody', { title: under?.title ?? run.title, done: finished })}</p>
				</Note>
			</div>
		);
	}
	return (
		<div className="run-note">
			<Note icon="stop" title={say('timeline.stoppedTitle', { step: finished })} actions={actions}>
				{canResume(detail) ? <p>{say('timeline.stoppedBody')}</p> : null}
			</Note>
		</div>
	);
}
