import type { Message } from '../domain/message.ts';
import type { LiveEvent } from './events.ts';

/** The message as it is after it grew. Undefined where too little of it is known: then it has to be taken anew. */
export function grown(known: Message | undefined, event: Extract<LiveEvent, { type: 'message_grew' }>): Message | undefined {
	const before = known?.parts ?? [];
	return before.length < event.from ? undefined : { ...event.message, parts: [...before.slice(0, event.from), ...event.parts] };
}
