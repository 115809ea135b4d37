import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MessageId, SessionId } from '../../src/domain/ids.ts';
import { call, shapeOf } from '../connection/index.ts';
import { IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { jumpTo, useChatUi } from './chat-ui-store.ts';

const WAIT_MS = 200;

/** Find in this chat: goes from message to message, newest first, and marks the words. */
export function FindBar({ sessionId }: { sessionId: SessionId }) {
	const say = useSay();
	const [text, setText] = useState('');
	const [hits, setHits] = useState<MessageId[] | null>(null);
	const [problem, setProblem] = useState('');
	const [at, setAt] = useState(0);
	const field = useRef<HTMLInputElement>(null);
	const query = text.trim();
	useEffect(() => field.current?.focus(), []);
	useEffect(() => {
		setHits(null);
		setProblem('');
		if (query === '') return;
		let current = true;
		const timer = setTimeout(() => {
			call((client) => client.sessions.search({ query, sessionId, limit: 200 }), { repeatable: true }).then(
				(found) => {
					if (!current) return;
					const ids = [...found].sort((a, b) => b.createdAt - a.createdAt).flatMap((hit) => hit.messageId ?? []);
					setHits(ids);
					setAt(0);
					useChatUi.setState({ words: query });
					if (ids[0]) jumpTo(sessionId, ids[0]);
				},
				(error) => current && setProblem(shapeOf(error).message),
			);
		}, WAIT_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [query, sessionId]);
	const step = (by: number): void => {
		if (!hits || hits.length === 0) return;
		const next = (at + by + hits.length) % hits.length;
		setAt(next);
		const hit = hits[next];
		if (hit) jumpTo(sessionId, hit);
	};
	const close = (): void => {
		useChatUi.setState({ finding: false, target: null, words: '' });
		document.getElementById('find-in-chat')?.focus();
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter') {
			event.preventDefault();
			step(event.shiftKey ? -1 : 1);
		} else if (event.key === 'Escape') {
			event.preventDefault();
			close();
		}
	};
	return (
		<search className="find-bar">
			<div className="searchbox grow">
				<Icon name="search" size="s" />
				<input
					ref={field}
					type="search"
					className="field"
					value={text}
					maxLength={500}
					placeholder={say('chat.findPlaceholder')}
					aria-label={say('chat.findPlaceholder')}
					onChange={(event) => setText(event.target.value)}
					onKeyDown={onKeyDown}
				/>
			</div>
			<span className="meta num" role="status">
				{problem ||
					(hits === null ? '' : hits.length === 0 ? say('chat.findNone') : say('chat.findCount', { at: at + 1, count: hits.length }))}
			</span>
			<IconButton icon="up" label={say('chat.findNext')} disabled={!hits?.length} onClick={() => step(1)} />
			<IconButton icon="down" label={say('chat.findPrevious')} disabled={!hits?.length} onClick={() => step(-1)} />
			<IconButton icon="x" label={say('chat.findClose')} onClick={close} />
		</search>
	);
}
