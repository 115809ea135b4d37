import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import { type Message, messageText } from '../../src/domain/message.ts';
import { MESSAGE_LIMIT, pasteIsLong } from '../chat/composer/limits.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { Ending } from '../chat/transcript/ending.tsx';
import { call, shapeOf, shell, useConnection } from '../connection/index.ts';
import { openTranscript, useTranscripts } from '../connection/transcripts-store.ts';
import { useInvalidation, useThemeSetting } from '../shell/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';

/** The newest reply of the session that this window began. */
function useReply(sessionId: SessionId | undefined): Message | undefined {
	return useTranscripts((state) => {
		const transcript = sessionId ? state.bySession[sessionId]?.transcript : undefined;
		const last = transcript?.order.at(-1);
		const message = last ? transcript?.byId[last] : undefined;
		return message?.role === 'assistant' ? message : undefined;
	});
}

/** The quick window: one question into a new chat, its reply, and the way to the main window. */
export default function Quick() {
	const say = useSay();
	const online = useConnection((state) => state.link.state === 'online');
	const [text, setText] = useState('');
	const [asked, setAsked] = useState('');
	const [sessionId, setSessionId] = useState<SessionId>();
	const [sending, setSending] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const [refused, setRefused] = useState(false);
	const field = useRef<HTMLTextAreaElement>(null);
	/** What was tried to be sent last: the same question has the same id, so that trying again never asks it twice. */
	const tried = useRef<{ question: string; requestId: string }>(undefined);
	const tooLong = text.length > MESSAGE_LIMIT;
	const reply = useReply(sessionId);
	const writing = reply?.status === 'streaming';
	useThemeSetting();
	useInvalidation();
	useEffect(() => {
		document.title = say('quick.title');
		const focus = (): void => field.current?.focus();
		focus();
		window.addEventListener('focus', focus);
		return () => window.removeEventListener('focus', focus);
	}, [say]);

	const send = async (): Promise<void> => {
		const question = text.trim();
		if (question === '' || tooLong || sending || writing) return;
		setSending(true);
		setFailure(undefined);
		try {
			if (tried.current?.question !== question) tried.current = { question, requestId: crypto.randomUUID() };
			const { requestId } = tried.current;
			const sent = await call((client) => client.chat.send({ sessionId, requestId, text: question, attachmentIds: [] }), {
				repeatable: true,
			});
			tried.current = undefined;
			setSessionId(sent.sessionId);
			setAsked(question);
			// What was typed meanwhile stays.
			setText((now) => (now.trim() === question ? '' : now));
			await openTranscript(sent.sessionId);
		} catch (error) {
			setFailure(shapeOf(error));
		} finally {
			setSending(false);
		}
	};
	const change = (next: string): void => {
		setText(next);
		setRefused(false);
	};
	const onPaste = (event: ClipboardEvent): void => {
		if (!pasteIsLong(event.clipboardData.getData('text/plain'), text.length)) return;
		// Never put into the field (chat-1), and never cut without a word.
		event.preventDefault();
		setRefused(true);
	};
	const startOver = (): void => {
		tried.current = undefined;
		setSessionId(undefined);
		setAsked('');
		setFailure(undefined);
		field.current?.focus();
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter' && !event.shiftKey) {
			event.preventDefault();
			void send();
		}
	};
	const onEscape = (event: KeyboardEvent): void => {
		if (event.key === 'Escape' && !isComposing(event)) void shell?.window('hide');
	};
	const stop = (): void => {
		const runId = reply?.runId;
		if (runId) call((client) => client.chat.stop({ runId })).catch((error) => setFailure(shapeOf(error)));
	};
	const openInHearth = (session: SessionId): void => {
		if (shell) void shell.openInMainWindow(session);
		else window.location.hash = `/chat/${session}`;
	};
	return (
		<main className="quick" id="main" onKeyDown={onEscape}>
			<h1 className="vh">{say('quick.title')}</h1>
			<form
				className="quick-ask"
				onSubmit={(event) => {
					event.preventDefault();
					void send();
				}}
			>
				<Icon name="flame" className="mark" />
				<textarea
					ref={field}
					dir="auto"
					rows={1}
					value={text}
					placeholder={say('quick.placeholder')}
					aria-label={say('quick.placeholder')}
					onChange={(event) => change(event.target.value)}
					onPaste={onPaste}
					onKeyDown={onKeyDown}
				/>
				{writing ? (
					<IconButton icon="stop" label={say('quick.stop')} onClick={stop} />
				) : (
					<IconButton
						icon="send"
						kind="primary"
						type="submit"
						label={say('quick.send')}
						disabled={text.trim() === '' || tooLong || sending || !online}
					/>
				)}
			</form>
			<div className="quick-body">
				{refused || tooLong ? (
					<Note tone="ask" role="status">
						{say('quick.tooLong')}
					</Note>
				) : null}
				{asked ? (
					<p className="quick-asked" dir="auto">
						{asked}
					</p>
				) : null}
				{reply ? <Reply message={reply} /> : null}
				{failure ? <ErrorNote error={failure} /> : null}
			</div>
			<footer className="quick-foot">
				<span className="grow meta" role="status">
					{writing || sending ? say('quick.thinking') : sessionId ? '' : say('quick.hint')}
				</span>
				{sessionId ? (
					<>
						<Button kind="ghost" onClick={startOver}>
							{say('quick.new')}
						</Button>
						<Button onClick={() => openInHearth(sessionId)} icon="open">
							{say('quick.open')}
						</Button>
					</>
				) : null}
			</footer>
		</main>
	);
}

function Reply({ message }: { message: Message }) {
	const say = useSay();
	const text = messageText(message);
	return (
		<article className="prose" aria-label={say('app.name')}>
			{text ? <Markdown text={text} streaming={message.status === 'streaming'} /> : null}
			{message.status === 'waiting' ? <StateMark state="pending">{say('quick.needsYou')}</StateMark> : null}
			<Ending message={message} last />
		</article>
	);
}
