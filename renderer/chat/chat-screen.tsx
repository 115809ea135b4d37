import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import { useConnection, useSessions } from '../connection/index.ts';
import { useCommand } from '../shell/commands.ts';
import { Button } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { jumpTo, useChatUi } from './chat-ui-store.ts';
import { EarlyComposer } from './composer/composer.tsx';
import { Conversation, loadTranscript } from './conversation.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { LinkQuestion } from './open-link.tsx';
import { exportSession, newSession, pinSession, sayProblem } from './session-actions.ts';
import { groupSessions } from './session-groups.ts';
import { SessionList } from './session-list.tsx';
import { Summaries } from './summary/summary-notice.tsx';

interface ChatScreenProps {
	/** From the address; without it the newest chat opens, or a new one where there is none. */
	sessionId: string | undefined;
	/** The message to go to. */
	messageId?: string;
}

export function ChatScreen({ sessionId, messageId }: ChatScreenProps) {
	const listOpen = useChatUi((state) => state.listOpen);
	const listHidden = useChatUi((state) => state.listHidden);
	const session = useSessions((state) => (sessionId ? state.byId[sessionId] : undefined));
	const loaded = useSessions((state) => state.loaded);
	useFirstChat(sessionId);
	useChatCommands(session);
	useEffect(() => {
		if (sessionId && messageId) jumpTo(sessionId, messageId);
	}, [sessionId, messageId]);
	const narrow = listOpen ? ' show-list' : '';
	return (
		<main className={`view v-chat${narrow}${listHidden ? ' list-hidden' : ''}`} id="main">
			<SessionList current={sessionId} />
			{session ? (
				<Summaries key={session.id}>
					<Conversation session={session} />
				</Summaries>
			) : loaded && sessionId ? (
				<Gone />
			) : (
				<Opening />
			)}
			<DeleteDialog current={sessionId} />
			<LinkQuestion />
		</main>
	);
}

/** An address without a chat leads to the newest one; where there is none, a new one is made. */
function useFirstChat(sessionId: string | undefined): void {
	const [location, navigate] = useLocation();
	const loaded = useSessions((state) => state.loaded);
	const online = useConnection((state) => state.link.state === 'online');
	const open = useEffectEvent(() => {
		// The window's own address: it changes before the view hears of it.
		const isStillHere = (): boolean => window.location.hash.replace(/^#?\/?/, '/') === location;
		if (!isStillHere()) return;
		const newest = Object.values(useSessions.getState().byId).sort((a, b) => b.updatedAt - a.updatedAt)[0];
		if (newest) navigate(`/chat/${newest.id}`, { replace: true });
		else {
			// The owner may have gone elsewhere before the chat was made: it waits in the list.
			const go = (made: SessionSummary): void => {
				if (isStillHere()) navigate(`/chat/${made.id}`, { replace: true });
			};
			newSession().then(go, sayProblem);
		}
	});
	useEffect(() => {
		if (!sessionId && loaded && online) open();
	}, [sessionId, loaded, online]);
}

function useChatCommands(session: SessionSummary | undefined): void {
	const [, navigate] = useLocation();
	const there = session !== undefined;
	const step = (by: number): void => {
		const shown = groupSessions(Object.values(useSessions.getState().byId), Date.now()).flatMap((group) => group.sessions);
		const next = shown[shown.findIndex(({ id }) => id === session?.id) + by];
		if (next) navigate(`/chat/${next.id}`);
	};
	useCommand('new_chat', () => void newSession().then((made) => openNew(made, navigate), sayProblem));
	useCommand('toggle_list', () => useChatUi.setState((state) => ({ listHidden: !state.listHidden, listOpen: !state.listOpen })));
	useCommand('previous_chat', () => step(-1), there);
	useCommand('next_chat', () => step(1), there);
	useCommand(
		'rename_chat',
		() => session && useChatUi.setState({ renaming: session.id, listHidden: false, listOpen: true, searching: false }),
		there,
	);
	useCommand('pin_chat', () => session && void pinSession(session.id, !session.pinned), there);
	useCommand('delete_chat', () => session && useChatUi.setState({ deleting: session.id }), there);
	useCommand('export_markdown', () => session && void exportSession(session.id, 'markdown'), there);
	useCommand('export_json', () => session && void exportSession(session.id, 'json'), there);
}

function openNew(made: SessionSummary, navigate: (to: string) => void): void {
	useChatUi.setState({ listOpen: false, finding: false });
	navigate(`/chat/${made.id}`);
	requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('msg')?.focus()));
}

/** Before the runtime has answered: the pane with a field that takes keys already. */
function Opening() {
	const say = useSay();
	useEffect(() => void loadTranscript(), []);
	return (
		<section className="pane conversation" aria-label={say('chat.conversation')} aria-busy="true">
			<div className="pane-head" />
			<div className="pane-body" />
			<div className="composer-wrap">
				<div className="composer-in">
					<EarlyComposer />
				</div>
			</div>
		</section>
	);
}

function Gone() {
	const say = useSay();
	const [, navigate] = useLocation();
	const start = (): void => void newSession().then((made) => openNew(made, navigate), sayProblem);
	return (
		<section className="pane conversation" aria-label={say('chat.conversation')}>
			<div className="empty">
				<h2>{say('chat.gone')}</h2>
				<p>{say('chat.goneBody')}</p>
				<Button kind="primary" onClick={start}>
					{say('chat.goneAction')}
				</Button>
			</div>
		</section>
	);
}
