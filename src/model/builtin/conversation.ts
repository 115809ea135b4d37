import { readFrame } from '../../base/frame.ts';
import type { ModelMessage, ModelRequest } from '../port.ts';

/** A request as the responder reads it. Pure. */
export interface Conversation {
	/** What the owner says now, without attachments. */
	question: string;
	/** Earlier messages, oldest first. `back`: owner's messages between it and now; 1 for the one before. `by`: name of its model. */
	earlier: readonly { role: 'owner' | 'agent'; text: string; back: number; by?: string | undefined }[];
	/** Every attachment of the conversation, newest last. `current`: it came with what the owner says now. */
	attachments: readonly { name: string; text: string; current: boolean }[];
	/** Images came with what the owner says now. */
	hasImages: boolean;
	/** Calls of this turn, in order, with what they gave. */
	calls: readonly Called[];
	/** Those of them that searched the chats. */
	searches: readonly { query: string; text: string; isError: boolean }[];
	/** What the reply already says, where it goes on after an interruption. */
	partial: string;
}

export interface Called {
	tool: string;
	/** What it was asked to look for; empty where nothing was. */
	query: string;
	text: string;
	isError: boolean;
}

const SUMMARY = /^<summary of="(?:chat|reply)" label="[a-z]+">\n[\s\S]*\n<\/summary>$/;
const UNSEEN_IMAGE = /^\[The owner attached the image /;
/** How the run engine asks to go on with a cut-off reply. */
const GO_ON = /^Your reply above was cut off\b/;
/** How a task's message says after its own words which run it is, and what fired it. */
const WHICH_RUN = /\n\nThis is a (?:run|test) of the task “[\s\S]*$/;

export function readConversation(request: Pick<ModelRequest, 'messages'>): Conversation {
	const messages = [...request.messages];
	const isContinuing = isGoOn(messages.at(-1));
	if (isContinuing) messages.pop();
	const start = messages.findLastIndex((message) => message.role === 'user');
	const current = messages[start];
	const ownerTexts = current?.role === 'user' ? split(current) : { text: '', attachments: [], hasImages: false };
	const reply = messages.slice(start + 1);
	const past = messages.slice(0, Math.max(start, 0));
	let back = past.filter((message) => message.role === 'user').length + 1;
	const earlier: Conversation['earlier'][number][] = [];
	const attachments: Conversation['attachments'][number][] = [];
	for (const message of past) {
		if (message.role === 'user') {
			back--;
			const { text, attachments: files } = split(message);
			if (text !== '') earlier.push({ role: 'owner', text, back });
			attachments.push(...files.map((file) => ({ ...file, current: false })));
		} else if (message.role === 'assistant' && message.text.trim() !== '')
			earlier.push({ role: 'agent', text: message.text, back, by: message.by });
	}
	const calls = callsOf(reply);
	attachments.push(...ownerTexts.attachments.map((file) => ({ ...file, current: true })));
	return {
		question: ownerTexts.text,
		earlier,
		attachments,
		hasImages: ownerTexts.hasImages,
		calls,
		searches: calls.filter(({ tool }) => tool === 'search_chats'),
		partial: isContinuing ? lastText(reply) : '',
	};
}

function isGoOn(message: ModelMessage | undefined): boolean {
	return (
		message?.role === 'user' &&
		message.content.length === 1 &&
		message.content.every((part) => part.type === 'text' && GO_ON.test(part.text))
	);
}

function split(message: Extract<ModelMessage, { role: 'user' }>) {
	const texts: string[] = [];
	const attachments: { name: string; text: string }[] = [];
	let hasImages = false;
	for (const part of message.content) {
		if (part.type === 'image') {
			hasImages = true;
			continue;
		}
		// What Hearth tells of older messages the owner does not say.
		if (SUMMARY.test(part.text)) continue;
		const attached = readAttachment(part.text);
		if (attached) attachments.push(attached);
		else if (UNSEEN_IMAGE.test(part.text)) hasImages = true;
		else texts.push(part.text.replace(WHICH_RUN, ''));
	}
	return { text: texts.join('\n\n').trim(), attachments, hasImages };
}

function readAttachment(text: string): { name: string; text: string } | undefined {
	const frame = readFrame(text);
	return frame?.kind === 'attachment' ? { name: frame.name, text: frame.text } : undefined;
}

function callsOf(reply: readonly ModelMessage[]): Called[] {
	const queries = new Map<string, string>();
	const calls: Called[] = [];
	for (const message of reply) {
		if (message.role === 'assistant') for (const call of message.toolCalls) queries.set(call.callId, queryOf(call.args));
		if (message.role !== 'tool') continue;
		const text = readFrame(message.text)?.text ?? message.text;
		calls.push({ tool: message.tool, query: queries.get(message.callId) ?? '', text, isError: message.isError });
	}
	return calls;
}

function queryOf(args: unknown): string {
	return args !== null && typeof args === 'object' && 'query' in args && typeof args.query === 'string' ? args.query : '';
}

function lastText(reply: readonly ModelMessage[]): string {
	const last = reply.at(-1);
	return last?.role === 'assistant' && last.toolCalls.length === 0 ? last.text : '';
}
