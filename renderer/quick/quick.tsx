import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import { type Message, messageText } from '../../src/domain/message.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { Ending } from '../chat/transcript/ending.tsx';
import { call, shapeOf, shell, useConnection } from '../connection/index.ts';
import { openTranscript, useTranscripts } from '../connection/transcripts-store.ts';
import { useInvalidation, useThemeSetting } from '../shell/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { Toasts } from '../ui/toast.tsx';

const MOST = 20_000;

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
	const field = useRef<HTMLTextAreaElement>(null);
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
		if (question === '' || sending || writing) return;
		setSending(true);
		setFailure(undefined);
		try {
			const session = sessionId ?? (await call((client) => client.sessions.create({}))).id;
			setSessionId(session);
			const requestId = crypto.randomUUID();
			await call((client) => client.chat.send({ sessionId: session, requestId, text: question, attachmentIds: [] }), { repeatable: true });
			setAsked(question);
			setText('');
			await openTranscript(session);
		} catch (error) {
			setFailure(shapeOf(error));
		} finally {
			setSending(false);
		}
	};
	const startOver = (): void => {
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
					maxLength={MOST}
					value={text}
					placeholder={say('quick.placeholder')}
					aria-label={say('quick.placeholder')}
					onChange={(event) => setText(event.target.value)}
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
						disabled={text.trim() === '' || sending || !online}
					/>
				)}
			</form>
			<div className="quick-body">
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
			<Toasts />
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
