import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'wouter';
import type { SearchHit } from '../../src/contract/methods/sessions.ts';
import { call, shapeOf } from '../connection/index.ts';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay, yearOf } from '../ui/strings.tsx';
import { jumpTo, useChatUi } from './chat-ui-store.ts';
import { Snippet } from './snippet.tsx';

const WAIT_MS = 150;

/** Words of one letter would be found everywhere; in Chinese, Japanese and Korean one sign is half a word. */
function longEnough(query: string): boolean {
	return query.length >= 3 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(query);
}

type Found = { query: string; hits: SearchHit[] } | { query: string; problem: string };

/** Search over all chats: titles and messages, with the place of each match. */
export function SearchBox() {
	const say = useSay();
	const intl = useIntl();
	const [, navigate] = useLocation();
	const [text, setText] = useState('');
	const [found, setFound] = useState<Found | null>(null);
	const field = useRef<HTMLInputElement>(null);
	const query = text.trim();
	useEffect(() => field.current?.focus(), []);
	useEffect(() => {
		if (!longEnough(query)) {
			setFound(null);
			return;
		}
		let current = true;
		const timer = setTimeout(() => {
			call((client) => client.sessions.search({ query, limit: 60 }), { repeatable: true }).then(
				(hits) => current && setFound({ query, hits }),
				(error) => current && setFound({ query, problem: shapeOf(error).message }),
			);
		}, WAIT_MS);
		return () => {
			current = false;
			clearTimeout(timer);
		};
	}, [query]);

	const open = (hit: SearchHit): void => {
		useChatUi.setState({ listOpen: false, words: query });
		navigate(`/chat/${hit.sessionId}`);
		if (hit.messageId) jumpTo(hit.sessionId, hit.messageId);
	};
	const hits = found && 'hits' in found ? found.hits : [];
	return (
		<>
			<search className="chats-search">
				<div className="searchbox">
					<Icon name="search" size="s" />
					<input
						ref={field}
						type="search"
						className="field"
						value={text}
						placeholder={say('chat.searchPlaceholder')}
						aria-label={say('chat.searchPlaceholder')}
						maxLength={500}
						onChange={(event) => setText(event.target.value)}
						onKeyDown={(event) => {
							if (event.key !== 'Escape' || isComposing(event)) return;
							event.preventDefault();
							useChatUi.setState({ searching: false });
						}}
					/>
				</div>
				<p className="meta" role="status">
					{found && 'problem' in found
						? say('chat.searchFailed', { problem: found.problem })
						: found && hits.length > 0
							? say('chat.searchCount', { count: hits.length })
							: found
								? say('chat.searchNone', { query: found.query })
								: query !== ''
									? say('chat.searchShort')
									: ''}
				</p>
			</search>
			<nav className="pane-body chats" aria-label={say('chat.searchPlaceholder')}>
				{hits.map((hit, index) => (
					<button key={`${hit.sessionId}:${hit.messageId ?? index}`} type="button" className="row hit" onClick={() => open(hit)}>
						<span className="hit-top">
							<b className="cut grow" dir="auto">
								{hit.sessionTitle || say('chat.untitled')}
							</b>
							<span className="meta num">
								{intl.formatDate(hit.createdAt, { day: 'numeric', month: 'short', ...yearOf(hit.createdAt) })}
							</span>
						</span>
						<span className="hit-text" dir="auto">
							{hit.role ? <span className="dim">{say('chat.searchBy', { role: hit.role })}: </span> : null}
							<Snippet text={hit.snippet} />
						</span>
					</button>
				))}
			</nav>
		</>
	);
}
