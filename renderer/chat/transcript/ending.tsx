import { type Message, messageText } from '../../../src/domain/message.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { answerAgain, continueReply, retryReply } from '../turn-actions.ts';

/** How a reply ended, where it did not end by itself. *Continue* and *Retry* stand at the newest reply only. */
export function Ending({ message, last }: { message: Message; last: boolean }) {
	const say = useSay();
	const { status } = message;
	if (status !== 'stopped' && status !== 'interrupted' && status !== 'failed') return null;
	const restored = status === 'stopped' && isRestored(message);
	const begun = restored || messageText(message).trim() !== '' || message.parts.some((part) => part.type === 'tool');
	// A reply that a branch copied has no run to go on with: only a new version of it can be made.
	const copied = message.runId === null;
	const again = (
		<Button kind={begun ? 'ghost' : 'secondary'} size="sm" onClick={() => void (copied ? answerAgain : retryReply)(message.id)}>
			{say('chat.retry')}
		</Button>
	);
	const actions = last ? (
		<span className="ending-acts">
			{again}
			{begun && !copied ? (
				<Button size="sm" onClick={() => void continueReply(message.id)}>
					{say('chat.continue')}
				</Button>
			) : null}
		</span>
	) : null;
	if (status === 'failed' && message.error) return <ErrorNote error={message.error} actions={actions} />;
	const words = restored
		? 'chat.cutRestored'
		: status === 'stopped'
			? begun
				? 'chat.cutStopped'
				: 'chat.cutStoppedEmpty'
			: begun
				? 'chat.cutInterrupted'
				: 'chat.cutInterruptedEmpty';
	return (
		<div className="cutoff">
			<Icon name={status === 'stopped' ? 'stop' : 'bolt'} size="s" />
			<span className="grow">
				{say(words)}
				{message.error && status === 'interrupted' ? <span className="dim"> {message.error.message}</span> : null}
			</span>
			{actions}
		</div>
	);
}

/** Nothing came after it was put back: it waits for the owner's Continue, whatever there is of it. */
function isRestored({ parts }: Message): boolean {
	const last = parts.at(-1);
	return last?.type === 'notice' && last.code === 'restored_here';
}
