import { Link } from 'wouter';
import type { SendQuestion } from '../../../src/domain/heartbeat.ts';
import { shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { focusLater, LOOK_BUTTON, SOURCES } from './place.ts';
import { useBackgroundChange } from './queries.ts';

/** Before text of others first goes elsewhere: what exactly would go, and where. The answer names what was shown (B3). */
export function SendQuestionNote({ question }: { question: SendQuestion }) {
	const say = useSay();
	const { name, host, model, remote, costsMoney, sources, items, characters, shownHash } = question;
	const answer = useBackgroundChange(
		(client, allow: boolean) => client.heartbeat.answer({ shownHash, allow }),
		(_, allow) => {
			showToast(say('background.asksAnswered', { allow: String(allow) }));
			focusLater(LOOK_BUTTON);
		},
	);
	return (
		<Note tone="ask" title={say('background.asks', { name })}>
			<p>{say('background.asksWhat', { model, host })}</p>
			<ul className="bullets">
				<li>{say('background.asksItems', { count: items, characters, sources: sources.join(', ') })}</li>
				<li>{say('background.asksHeartbeat')}</li>
			</ul>
			<p>
				{[...(remote ? [say('background.asksRemote')] : []), ...(costsMoney ? [say('background.asksCosts')] : [])].join(' ')}{' '}
				{say('background.asksNothingElse')}
			</p>
			<div className="note-foot">
				<Link className="btn ghost" href={SOURCES}>
					{say('background.asksRead')}
				</Link>
				<Button busy={answer.isPending && !answer.variables} onClick={() => answer.mutate(false)}>
					{say('background.asksNo')}
				</Button>
				<Button kind="primary" busy={answer.isPending && answer.variables} onClick={() => answer.mutate(true)}>
					{say('background.asksYes')}
				</Button>
			</div>
			{answer.error ? <ErrorNote error={shapeOf(answer.error)} /> : null}
		</Note>
	);
}
