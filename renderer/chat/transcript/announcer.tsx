import { useEffect, useRef, useState } from 'react';
import { type Message, messageText } from '../../../src/domain/message.ts';
import { useSay } from '../../ui/strings.tsx';
import { useLastMessage } from './use-message.ts';

/** Characters of a finished reply that are read out; the transcript holds all of it. */
const READ_OUT = 4_000;
const ENDED = {
	complete: 'chat.statusDone',
	stopped: 'chat.statusStopped',
	interrupted: 'chat.statusInterrupted',
	failed: 'chat.statusFailed',
	waiting: 'chat.statusWaiting',
} as const;

/**
 * What a screen reader is told: one polite status while a reply is written, then the finished reply, once. The transcript
 * itself is no live region, so that no token and no row that scrolls into view is ever read out.
 */
export function Announcer({ sessionId }: { sessionId: string }) {
	const say = useSay();
	const last = useLastMessage(sessionId);
	const status = last?.role === 'assistant' ? last.status : undefined;
	const [since] = useState(() => Date.now());
	const watched = useRef<string | null>(null);
	const told = useRef(new Set<string>());
	const [finished, setFinished] = useState<Message | null>(null);
	useEffect(() => {
		if (!last || !status) return;
		if (status === 'streaming') {
			watched.current = last.id;
			return;
		}
		// A short reply may be there as a whole at once: it was never seen being written.
		const isNew = last.createdAt >= since && !told.current.has(last.id);
		if (watched.current !== last.id && !isNew) return;
		watched.current = null;
		told.current.add(last.id);
		setFinished(last);
	}, [last, status, since]);
	return (
		<>
			<div className="vh" role="status">
				{status === 'streaming'
					? say('chat.statusWriting')
					: finished && finished.status !== 'streaming'
						? say(ENDED[finished.status])
						: ''}
			</div>
			<div className="vh" role="log" aria-label={say('chat.finished')}>
				{finished ? <p key={finished.id}>{messageText(finished).slice(0, READ_OUT)}</p> : null}
			</div>
		</>
	);
}
