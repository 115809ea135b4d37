import { Link } from 'wouter';
import { backgroundState } from '../../../src/contract/background-state.ts';
import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import { useConnection } from '../../connection/index.ts';
import { runCommand } from '../../shell/commands.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { SPENDING } from '../spending/place.ts';
import { EditHeartbeat } from './edit-heartbeat.tsx';
import { focusLater, LOOK_BUTTON, SOURCES } from './place.ts';
import { useBackgroundChange } from './queries.ts';
import { SendQuestionNote } from './send-question.tsx';
import { askToAddSource } from './sources/sources-ui-store.ts';

/** Why no look happens now, and what the owner can do about it. */
export function HeldNote({ status }: { status: HeartbeatStatus }) {
	const say = useSay();
	const when = useWhen();
	const work = useConnection((state) => state.work);
	const resume = (): void => {
		runCommand('pause_all');
		focusLater(LOOK_BUTTON);
	};
	if (!work) return null;
	// Also where looks are off: one that the owner asks for is held by it, too.
	const refused = { kind: 'refused' } as const;
	const found = backgroundState(work, status);
	const state = found.kind === 'off' && status.held === 'asks' ? refused : found;
	switch (state.kind) {
		case 'stopped':
			return <Stopped problem={state.problem} />;
		case 'asks':
			return <SendQuestionNote key={state.question.shownHash} question={state.question} />;
		case 'paused':
			return (
				<Note icon="waiting" title={say('background.held.paused')} actions={<Button onClick={resume}>{say('work.resume')}</Button>}>
					<p>{say('background.held.pausedBody')}</p>
				</Note>
			);
		case 'active_hours':
			return status.on ? (
				<Note icon="scheduled" title={say('background.held.active_hours')}>
					<p>{say('background.held.active_hoursBody', { at: when(state.at) })}</p>
				</Note>
			) : null;
		case 'budget_used':
			return status.on && (state.budget === 'heartbeat' || state.budget === 'unattended') ? (
				<Note
					icon="scheduled"
					title={say('background.held.budget_used', { budget: state.budget })}
					actions={
						<Link className="btn" href={SPENDING}>
							{say('background.budgetsShow')}
						</Link>
					}
				>
					<p>{say('background.held.budget_usedBody', { at: when(state.at) })}</p>
				</Note>
			) : null;
		case 'no_sources':
			return (
				<Note
					tone="ask"
					title={say('background.held.no_sources')}
					actions={
						<Link className="btn" href={SOURCES} onClick={askToAddSource}>
							{say('sources.add')}
						</Link>
					}
				>
					<p>{say('background.held.no_sourcesBody')}</p>
				</Note>
			);
		case 'refused':
			return (
				<Note
					tone="ask"
					title={say('background.held.refused', { name: status.model.name })}
					actions={
						<Link className="btn" href="/settings/models">
							{say('background.modelChange')}
						</Link>
					}
				>
					<p>{say('background.held.refusedBody')}</p>
				</Note>
			);
		case 'no_interests':
			return (
				<Note tone="ask" title={say('background.held.no_interests')} actions={<EditHeartbeat />}>
					<p>{say('background.held.no_interestsBody')}</p>
				</Note>
			);
		default:
			return null;
	}
}

/** An error that trying again would not mend: nothing is asked of a model until the owner says go on. */
function Stopped({ problem: { message, action, at } }: { problem: NonNullable<HeartbeatStatus['problem']> }) {
	const say = useSay();
	const when = useWhen();
	const goOn = useBackgroundChange(
		(client, _: undefined) => client.heartbeat.goOn(),
		() => {
			showToast(say('background.wentOn'));
			focusLater(LOOK_BUTTON);
		},
	);
	return (
		<Note
			tone="failed"
			title={say('background.stopped')}
			actions={
				<Button busy={goOn.isPending} onClick={() => goOn.mutate(undefined)}>
					{say('background.goOn')}
				</Button>
			}
		>
			<p>{message}</p>
			{action ? <p>{action}</p> : null}
			<p>{say('background.stoppedSince', { at: when(at) })}</p>
		</Note>
	);
}
