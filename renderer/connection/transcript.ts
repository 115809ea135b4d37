import type { LiveEvent } from '../../src/contract/events.ts';
import { grown } from '../../src/contract/grown.ts';
import type { MessageId } from '../../src/domain/ids.ts';
import type { Message, MessagePart } from '../../src/domain/message.ts';
import type { Interrupt } from '../../src/domain/run.ts';

/**
 * What the view knows of one session's chosen branch: always an unbroken run of messages that ends at the newest one.
 * Pure: every function returns the same object where nothing changed, so that only what changed renders.
 */
export interface Transcript {
	readonly order: readonly MessageId[];
	readonly byId: Readonly<Record<string, Message>>;
	readonly interrupts: Readonly<Record<string, Interrupt>>;
	readonly hasOlder: boolean;
	/** Live position of the snapshot: an event at or before it is already in it. */
	readonly seq: number;
}

export interface Page {
	readonly messages: readonly Message[];
	readonly interrupts: readonly Interrupt[];
	readonly hasOlder: boolean;
	readonly seq: number;
}

/** `stale`: the event can't be applied to what is loaded; the newest page must be taken again. */
export interface Applied {
	readonly transcript: Transcript;
	readonly stale: boolean;
}

export const emptyTranscript: Transcript = { order: [], byId: {}, interrupts: {}, hasOlder: false, seq: 0 };

/** The newest page. Older messages that are already loaded stay where the page continues them, so that no reading position is lost. */
export function withNewestPage(known: Transcript | undefined, page: Page): Transcript {
	const order = page.messages.map((message) => message.id);
	const byId: Record<string, Message> = {};
	for (const message of page.messages) byId[message.id] = message;
	const first = order[0];
	const join = known && first ? known.order.indexOf(first) : -1;
	let hasOlder = page.hasOlder;
	if (known && join > 0) {
		const older = known.order.slice(0, join);
		for (const id of older) {
			const message = known.byId[id];
			if (message) byId[id] = message;
		}
		order.unshift(...older);
		hasOlder = known.hasOlder;
	}
	return { order, byId, interrupts: indexInterrupts({}, page.interrupts), hasOlder, seq: page.seq };
}

/** A page that ends before the oldest loaded message. */
export function withOlderPage(known: Transcript, page: Page): Transcript {
	const added = page.messages.filter((message) => !known.byId[message.id]);
	const byId = { ...known.byId };
	for (const message of added) byId[message.id] = message;
	return {
		...known,
		order: [...added.map((message) => message.id), ...known.order],
		byId,
		interrupts: indexInterrupts(known.interrupts, page.interrupts),
		hasOlder: page.hasOlder,
	};
}

export function applyEvent(known: Transcript, seq: number, event: LiveEvent): Applied {
	if (seq <= known.seq) return { transcript: known, stale: false };
	switch (event.type) {
		case 'message_changed':
			return applyMessage(known, event.message, event.headChanged);
		case 'message_grew': {
			const message = grown(known.byId[event.message.id], event);
			if (message) return applyMessage(known, message, false);
			return { transcript: known, stale: follows(known, event.message) };
		}
		case 'message_delta': {
			const message = known.byId[event.messageId];
			if (!message) return { transcript: known, stale: false };
			const parts = withDelta(message.parts, event);
			if (parts === undefined) return { transcript: known, stale: true };
			if (parts === message.parts) return { transcript: known, stale: false };
			return { transcript: { ...known, byId: { ...known.byId, [message.id]: { ...message, parts } } }, stale: false };
		}
		case 'interrupt_changed':
			return {
				transcript: { ...known, interrupts: { ...known.interrupts, [event.interrupt.id]: event.interrupt } },
				stale: false,
			};
		default:
			return { transcript: known, stale: false };
	}
}

function applyMessage(known: Transcript, message: Message, headChanged: boolean): Applied {
	if (known.byId[message.id]) {
		return { transcript: { ...known, byId: { ...known.byId, [message.id]: message } }, stale: headChanged };
	}
	if (follows(known, message)) {
		return {
			transcript: { ...known, order: [...known.order, message.id], byId: { ...known.byId, [message.id]: message } },
			stale: false,
		};
	}
	// Another version of a loaded place, or a branch that is not shown: only a change of what is shown concerns this view.
	return { transcript: known, stale: headChanged };
}

/** It is the next message of what is shown, or one of it. */
function follows(known: Transcript, { id, parentId }: Pick<Message, 'id' | 'parentId'>): boolean {
	return known.byId[id] !== undefined || parentId === (known.order.at(-1) ?? null);
}

type Delta = Extract<LiveEvent, { type: 'message_delta' }>;

/** Text put at its offset. The same parts where it is already there; undefined where text before it is missing. */
export function withDelta(parts: readonly MessagePart[], delta: Delta): MessagePart[] | undefined {
	const current = parts as MessagePart[];
	const part = parts[delta.part];
	if (part === undefined) {
		if (delta.part !== parts.length || delta.offset !== 0) return undefined;
		return [...parts, { type: delta.kind, text: delta.text }];
	}
	if (part.type !== delta.kind) return undefined;
	if (delta.offset > part.text.length) return undefined;
	const end = delta.offset + delta.text.length;
	if (end <= part.text.length && part.text.startsWith(delta.text, delta.offset)) return current;
	const text = part.text.slice(0, delta.offset) + delta.text;
	return parts.map((other, index) => (index === delta.part ? { ...part, text } : other));
}

function indexInterrupts(known: Readonly<Record<string, Interrupt>>, added: readonly Interrupt[]): Record<string, Interrupt> {
	const all = { ...known };
	for (const interrupt of added) all[interrupt.id] = interrupt;
	return all;
}
