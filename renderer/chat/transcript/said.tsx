import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Message, messageText } from '../../../src/domain/message.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isComposing } from '../../ui/controls.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useChatUi } from '../chat-ui-store.ts';
import { AttachmentChips } from '../composer/attachment-chips.tsx';
import { MESSAGE_LIMIT } from '../composer/limits.ts';
import { copyText } from '../copy.ts';
import { editMessage } from '../turn-actions.ts';
import { LongText } from './long-text.tsx';
import { Versions } from './versions.tsx';

/** What the owner said: plain text as it was typed, its attachments, its versions. */
export function Said({ message }: { message: Message }) {
	const say = useSay();
	const editing = useChatUi((state) => state.editing === message.id);
	const text = messageText(message);
	const attachments = message.parts.flatMap((part) => (part.type === 'attachment' ? [part.attachment] : []));
	if (editing) return <EditForm message={message} />;
	return (
		<article className="said-wrap" aria-label={say('chat.you')}>
			<div className="said-row">
				<span className="said-acts">
					<IconButton icon="copy" size="sm" label={say('chat.copy')} onClick={() => copyText(text)} />
					<IconButton icon="edit" size="sm" label={say('chat.edit')} onClick={() => useChatUi.setState({ editing: message.id })} />
				</span>
				<div className="said">
					<AttachmentChips attachments={attachments} />
					{text === '' ? null : <LongText text={text} className="said-text" />}
				</div>
			</div>
			<Versions message={message} />
		</article>
	);
}

function EditForm({ message }: { message: Message }) {
	const say = useSay();
	const original = messageText(message);
	const [text, setText] = useState(original);
	const [busy, setBusy] = useState(false);
	const field = useRef<HTMLTextAreaElement>(null);
	const attachmentIds = message.parts.flatMap((part) => (part.type === 'attachment' ? [part.attachment.id] : []));
	useEffect(() => {
		field.current?.focus();
		field.current?.setSelectionRange(original.length, original.length);
	}, [original]);
	const close = (): void => {
		useChatUi.setState({ editing: null });
		document.getElementById('msg')?.focus();
	};
	const usable = (text.trim() !== '' || attachmentIds.length > 0) && text.length <= MESSAGE_LIMIT && !busy;
	const send = async (): Promise<void> => {
		if (!usable) return;
		setBusy(true);
		const done = await editMessage(message.id, text, attachmentIds);
		setBusy(false);
		if (done) close();
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
			event.preventDefault();
			void send();
		} else if (event.key === 'Escape') {
			event.preventDefault();
			close();
		}
	};
	return (
		<form
			className="composer edit"
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			<textarea
				ref={field}
				rows={1}
				dir="auto"
				aria-label={say('chat.editLabel')}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<div className="composer-bar">
				<span className="meta edit-hint">{say('chat.editHint')}</span>
				<Button kind="ghost" onClick={close}>
					{say('common.cancel')}
				</Button>
				<Button kind="primary" type="submit" busy={busy} disabled={!usable && !busy}>
					{say('chat.editSend')}
				</Button>
			</div>
		</form>
	);
}
