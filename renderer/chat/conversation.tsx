import { type DragEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import { messageText } from '../../src/domain/message.ts';
import { openTranscript, useTranscripts } from '../connection/transcripts-store.ts';
import { DueReminders } from '../reminders/due-reminders.tsx';
import { useCommand } from '../shell/commands.ts';
import { runPlace } from '../timeline/place.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { useChatUi } from './chat-ui-store.ts';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { attachFiles } from './composer/composer-store.ts';
import { copyText } from './copy.ts';
import { EmptyChat } from './empty-chat.tsx';
import { FindBar } from './find-bar.tsx';
import { SessionMenuItems } from './session-menu.tsx';
import { Announcer } from './transcript/announcer.tsx';
import type { TranscriptHandle } from './transcript/transcript.tsx';
import { useLastMessage } from './transcript/use-message.ts';
import { answerAgain } from './turn-actions.ts';
import { useOpenedInbox } from './use-opened-inbox.ts';

/** Markdown, formulas and highlighting are most of the view's code: not on the way to the first keystroke. */
export const loadTranscript = () => import('./transcript/transcript.tsx');
const Transcript = lazy(() => loadTranscript().then(({ Transcript: Loaded }) => ({ default: Loaded })));

/** One chat: its head, its messages and the composer. Mounted anew for each session. */
export function Conversation({ session }: { session: SessionSummary }) {
	const say = useSay();
	const sessionId = session.id;
	const finding = useChatUi((state) => state.finding);
	const composer = useRef<ComposerHandle>(null);
	const transcript = useRef<TranscriptHandle>(null);
	const drop = useFileDrop(sessionId);
	useEffect(() => {
		void loadTranscript();
		void openTranscript(sessionId);
	}, [sessionId]);
	useCommand('find_in_chat', () => useChatUi.setState({ finding: true }));
	return (
		<section className="pane conversation" aria-label={say('chat.conversation')} {...drop.handlers}>
			<Head session={session} />
			{finding ? <FindBar sessionId={sessionId} /> : null}
			<Body sessionId={sessionId} composer={composer} transcript={transcript} />
			<div className="composer-wrap">
				<div className="composer-in">
					<DueReminders sessionId={sessionId} />
					<RunningComposer sessionId={sessionId} composer={composer} onSent={() => transcript.current?.toEnd()} />
				</div>
			</div>
			<Announcer sessionId={sessionId} />
			{drop.over ? (
				<div className="drop" aria-hidden="true">
					<Icon name="clip" />
					{say('compose.drop')}
				</div>
			) : null}
		</section>
	);
}

function Head({ session }: { session: SessionSummary }) {
	const say = useSay();
	return (
		<div className="pane-head">
			<IconButton icon="left" className="back" label={say('chat.showList')} onClick={() => useChatUi.setState({ listOpen: true })} />
			<h1 className="cut grow" dir="auto">
				{session.title || say('chat.untitled')}
			</h1>
			<IconButton
				id="find-in-chat"
				icon="search"
				label={say('chat.find')}
				keys="Mod+F"
				onClick={() => useChatUi.setState((state) => ({ finding: !state.finding }))}
			/>
			<Menu trigger={<IconButton icon="more" label={say('chat.more')} />}>
				<SessionMenuItems session={session} keys />
			</Menu>
		</div>
	);
}

interface BodyProps {
	sessionId: SessionId;
	composer: { current: ComposerHandle | null };
	transcript: { current: TranscriptHandle | null };
}

function Body({ sessionId, composer, transcript }: BodyProps) {
	const say = useSay();
	const status = useTranscripts((state) => state.bySession[sessionId]?.status ?? 'loading');
	const error = useTranscripts((state) => state.bySession[sessionId]?.error);
	const empty = useTranscripts((state) => state.bySession[sessionId]?.transcript.order.length === 0);
	if (status === 'failed' && error) {
		return (
			<div className="pane-body chat-problem">
				<ErrorNote error={error} actions={<Button onClick={() => void openTranscript(sessionId)}>{say('common.tryAgain')}</Button>} />
			</div>
		);
	}
	if (status === 'loading') return <div className="pane-body" aria-busy="true" />;
	if (empty) return <EmptyChat suggest={(text) => composer.current?.suggest(text)} chooseFiles={() => composer.current?.chooseFiles()} />;
	return (
		<Suspense fallback={<div className="pane-body" aria-busy="true" />}>
			<Transcript sessionId={sessionId} ref={transcript} />
		</Suspense>
	);
}

/** The composer, and the commands that concern the newest reply. Apart, so that a streaming reply renders only this. */
function RunningComposer({ sessionId, composer, onSent }: { sessionId: SessionId; composer: BodyProps['composer']; onSent: () => void }) {
	const last = useLastMessage(sessionId);
	const [, navigate] = useLocation();
	const reply = last?.role === 'assistant' ? last : undefined;
	useOpenedInbox(reply);
	const running = reply?.status === 'streaming' ? reply.runId : null;
	useCommand('regenerate', () => reply && void answerAgain(reply.id), reply !== undefined && running === null);
	const runId = reply?.runId ?? undefined;
	useCommand('show_run', () => runId && navigate(runPlace(runId)), runId !== undefined);
	useCommand('copy_reply', () => reply && copyText(messageText(reply)), reply !== undefined);
	return <Composer sessionId={sessionId} runId={running} onSent={onSent} ref={composer} />;
}

/** Files dropped anywhere on the conversation are attached. */
function useFileDrop(sessionId: SessionId) {
	const [over, setOver] = useState(false);
	const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
	const handlers = {
		onDragOver: (event: DragEvent) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = 'copy' as const;
			setOver(true);
		},
		onDragLeave: (event: DragEvent) => {
			if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
		},
		onDrop: (event: DragEvent) => {
			if (!hasFiles(event)) return;
			event.preventDefault();
			setOver(false);
			void attachFiles(sessionId, [...event.dataTransfer.files]);
		},
	};
	return { over, handlers };
}
