import type { z } from 'zod';
import { framed } from '../base/frame.ts';
import { type ContextSource, sourceName } from '../domain/context-source.ts';
import type { Json } from '../domain/json.ts';
import { isWithin, type Label } from '../domain/label.ts';
import type { AttachmentPart, Message, MessagePart, NoticePart, ToolPart } from '../domain/message.ts';
import type { ModelMessage, UserContent } from '../model/port.ts';
import type { CountTokens } from './tokens.ts';

/** Messages of a session as a model is told of them. Pure. */

/** What an attachment holds, as far as a model can be given it. */
export interface AttachedContent {
	/** Empty for images. */
	readonly text: string;
	/** Base64 of an image; undefined where it was not loaded. */
	readonly base64?: string;
	/** SHA-256 of the file. */
	readonly hash?: string;
}

/** A file the owner attached was chosen by the owner but written by whoever wrote it. */
export const ATTACHMENT_LABEL: Label = 'external';

export interface RenderOptions {
	/** Contents by attachment id; one that is missing here is left out. */
	readonly attachments: ReadonlyMap<string, AttachedContent>;
	readonly seesImages: boolean;
	/** False where the model is told of no tools: calls of earlier turns are then told as text, since providers refuse them otherwise. */
	readonly toolsOffered: boolean;
}

/** The owner's message with what was replied to it: the unit in which history is dropped. */
export function turnsOf(branch: readonly Message[]): Message[][] {
	const turns: Message[][] = [];
	for (const message of branch) {
		const last = turns.at(-1);
		if (message.role === 'user' || !last) turns.push([message]);
		else last.push(message);
	}
	return turns;
}

export function renderMessage(message: Message, options: RenderOptions): ModelMessage[] {
	if (message.role === 'user') return renderOwner(message.parts, options);
	const { modelName: by } = message;
	const reply = renderReply(message.parts, options);
	return by === undefined ? reply : reply.map((each) => (each.role === 'assistant' ? { ...each, by } : each));
}

export function renderOwner(parts: readonly MessagePart[], options: RenderOptions): ModelMessage[] {
	const content: UserContent[] = [];
	for (const part of parts) {
		if (part.type === 'text' && part.text !== '') content.push({ type: 'text', text: part.text });
		if (part.type === 'attachment') content.push(...renderAttachment(part, options));
	}
	return content.length === 0 ? [] : [{ role: 'user', content }];
}

function renderAttachment({ attachment }: z.infer<typeof AttachmentPart>, options: RenderOptions): UserContent[] {
	const held = options.attachments.get(attachment.id);
	if (!held) return [];
	if (attachment.kind !== 'image') return [{ type: 'text', text: attachedText(attachment.name, held.text) }];
	if (!options.seesImages || held.base64 === undefined)
		return [{ type: 'text', text: `[The owner attached the image “${attachment.name}”, which you cannot see.]` }];
	return [{ type: 'image', mime: attachment.mime, base64: held.base64 }];
}

export function attachedText(name: string, text: string): string {
	return framed(text, { kind: 'attachment', name, label: ATTACHMENT_LABEL });
}

/** What of attachments a model is given, by name. */
export function attachmentSources(parts: readonly MessagePart[], contents: ReadonlyMap<string, AttachedContent>): ContextSource[] {
	return parts.flatMap((part): ContextSource[] => {
		const held = part.type === 'attachment' ? contents.get(part.attachment.id) : undefined;
		if (part.type !== 'attachment' || !held) return [];
		const { hash } = held;
		return [{ kind: 'attachment', name: sourceName(part.attachment.name), label: ATTACHMENT_LABEL, ...(hash !== undefined && { hash }) }];
	});
}

/** Each call is told with its result right behind it, so that no cut can part them. */
export function renderReply(parts: readonly MessagePart[], options: Pick<RenderOptions, 'toolsOffered'>): ModelMessage[] {
	const messages: ModelMessage[] = [];
	let text = '';
	const say = (toolCalls: Extract<ModelMessage, { role: 'assistant' }>['toolCalls'] = []) => {
		if (text !== '' || toolCalls.length > 0) messages.push({ role: 'assistant', text, toolCalls });
		text = '';
	};
	for (const part of parts) {
		if (part.type === 'text') text = text === '' ? part.text : `${text}\n\n${part.text}`;
		if (part.type === 'notice') {
			const told = noticeForModel(part);
			const before = messages.at(-1);
			// It belongs to what a call had left open: told right behind a result, never as a last word of the model's own.
			if (told !== undefined && text === '' && before?.role === 'tool')
				messages[messages.length - 1] = { ...before, text: `${before.text}\n\n${told}` };
			else if (told !== undefined) text = text === '' ? told : `${text}\n\n${told}`;
		}
		if (part.type !== 'tool') continue;
		const result = resultText(part);
		if (!options.toolsOffered) {
			text = `${text}${text === '' ? '' : '\n\n'}[${part.tool} ${JSON.stringify(part.args)} gave: ${result}]`;
			continue;
		}
		say([{ callId: part.callId, tool: part.tool, args: argumentsOf(part.args) }]);
		messages.push({ role: 'tool', callId: part.callId, tool: part.tool, text: result, isError: part.result?.isError ?? true });
	}
	say();
	return messages;
}

/** Most notices are for the owner only. */
function noticeForModel({ code, values }: NoticePart): string | undefined {
	if (code === 'resource_reopened') return `[Hearth was restarted. “${values.what}” was opened again; what it held in memory is gone.]`;
	if (code === 'resource_torn_down') return `[Hearth was restarted. “${values.what}” is closed; open it again if you still need it.]`;
	return undefined;
}

/** What may have been written by somebody else than the owner and the agent says so, and stands in a frame. */
function resultText({ tool, result, label = 'agent', sources = [] }: ToolPart): string {
	if (!result) return 'No result was kept.';
	if (isWithin(label, 'agent') || result.text === '') return result.text;
	const [first, ...more] = sources.filter((source) => !isWithin(source.label, 'agent'));
	const name = first ? `${first.name}${more.length > 0 ? ` and ${more.length} more` : ''}` : tool;
	return framed(result.text, { kind: first?.kind ?? 'tool', name, label });
}

/** Providers take objects only; what could not be read goes along as it was. */
function argumentsOf(args: Json): Json {
	return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : { input: args };
}

/** Whether one of the attachments is really told of. */
export function hasAttachment(parts: readonly MessagePart[], contents: ReadonlyMap<string, AttachedContent>): boolean {
	return parts.some((part) => part.type === 'attachment' && contents.has(part.attachment.id));
}

const PER_MESSAGE = 6;
/** Tokens an image costs, roughly. */
export const PER_IMAGE = 1_000;

export function tokensOf(messages: readonly ModelMessage[], count: CountTokens): number {
	let sum = 0;
	for (const message of messages) {
		sum += PER_MESSAGE;
		if (message.role === 'user') for (const part of message.content) sum += part.type === 'text' ? count(part.text) : PER_IMAGE;
		else {
			sum += count(message.text);
			if (message.role === 'assistant') for (const call of message.toolCalls) sum += count(call.tool) + count(JSON.stringify(call.args));
		}
	}
	return sum;
}
