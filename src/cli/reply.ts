import type { LiveEvent } from '../contract/events.ts';
import { grown } from '../contract/grown.ts';
import type { MessageId } from '../domain/ids.ts';
import { type Message, messageText } from '../domain/message.ts';

/** The reply being written, as far as its events told. Pure bookkeeping: `take` returns what is new to show. */
export interface ReplyView {
	readonly messageId: MessageId;
	readonly message: Message | undefined;
	/** Applies an event of any kind; the new text of this reply, empty where it says nothing new. */
	take(event: LiveEvent): string;
	/** Applies a snapshot. */
	set(message: Message): string;
}

export function followReply(messageId: MessageId): ReplyView {
	let message: Message | undefined;
	let shown = '';

	const fresh = (): string => {
		const text = message ? messageText(message) : '';
		if (text === shown) return '';
		// A step that was tried again may have begun anew: then all of it is shown, on a line of its own.
		const addition = text.startsWith(shown) ? text.slice(shown.length) : `\n\n${text}`;
		shown = text;
		return addition;
	};
	const append = (event: Extract<LiveEvent, { type: 'message_delta' }>): void => {
		if (!message) return;
		const parts = [...message.parts];
		const part = parts[event.part] ?? { type: event.kind, text: '' };
		if (part.type !== event.kind || event.part > parts.length) return;
		// Its place is given, so that a piece that was seen before changes nothing.
		parts[event.part] = { ...part, text: part.text.slice(0, event.offset) + event.text };
		message = { ...message, parts };
	};
	return {
		messageId,
		get message() {
			return message;
		},
		take(event) {
			if (event.type === 'message_changed' && event.message.id === messageId) message = event.message;
			else if (event.type === 'message_grew' && event.message.id === messageId) message = grown(message, event) ?? message;
			else if (event.type === 'message_delta' && event.messageId === messageId) append(event);
			else return '';
			return fresh();
		},
		set(snapshot) {
			message = snapshot;
			return fresh();
		},
	};
}
