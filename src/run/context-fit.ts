import type { PromptPart } from '../contract/methods/chat.ts';
import { type ContextSource, joinSources } from '../domain/context-source.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import { isWithin, joinLabels, type Label } from '../domain/label.ts';
import { type Message, type MessagePart, messageText, type NoticePart } from '../domain/message.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { ModelMessage } from '../model/port.ts';
import type { ContextInput } from './context.ts';
import {
	ATTACHMENT_LABEL,
	type AttachedContent,
	attachedText,
	attachmentSources,
	hasAttachment,
	PER_IMAGE,
	type RenderOptions,
	renderMessage,
	tokensOf,
	turnsOf,
} from './turns.ts';

/** How a prompt is made to fit: attachments are cut, history leaves in whole turns, oldest first. Nothing leaves silently. */

/** Longest text of a part in a preview, in UTF-16 units. */
const SHOWN_TEXT = 20_000;

interface FittedAttachments {
	/** As much of each as fits. */
	readonly contents: ReadonlyMap<string, AttachedContent>;
	readonly tokens: number;
	readonly parts: PromptPart[];
	readonly notices: NoticePart[];
}

export function fitAttachments(input: ContextInput, room: number): FittedAttachments {
	const contents = new Map<string, AttachedContent>();
	const parts: PromptPart[] = [];
	const notices: NoticePart[] = [];
	let left = Math.max(0, room);
	let tokens = 0;
	const attachments = input.message.parts.flatMap((part) => (part.type === 'attachment' ? [part.attachment] : []));
	for (const { id, name, kind } of attachments) {
		const held = input.attachments.get(id);
		const part = { id: `attachment:${id}`, kind: 'attachments' as const, title: name, removable: true };
		if (!held || input.excluded.has(part.id)) {
			parts.push({ ...part, tokens: 0, included: false, text: held?.text.slice(0, SHOWN_TEXT) ?? '' });
			continue;
		}
		if (kind === 'image') {
			const seen = input.seesImages && held.base64 !== undefined;
			if (!seen) notices.push({ type: 'notice', code: 'images_not_seen', values: { name } });
			contents.set(id, held);
			const cost = seen ? PER_IMAGE : 0;
			parts.push({ ...part, tokens: cost, included: seen, text: '', ...(!seen && { note: 'This model does not see images.' }) });
			tokens += cost;
			left -= cost;
			continue;
		}
		const text = cutToTokens(held.text, left, input, name);
		const cut = text.length < held.text.length;
		const cost = input.count(attachedText(name, text));
		const percent = Math.floor((100 * text.length) / Math.max(1, held.text.length));
		if (cut) notices.push({ type: 'notice', code: 'attachment_trimmed', values: { name, percent } });
		contents.set(id, { text });
		parts.push({
			...part,
			tokens: cost,
			included: true,
			text: text.slice(0, SHOWN_TEXT),
			...(cut && { note: `Only the first ${percent} % fit.` }),
		});
		tokens += cost;
		left -= cost;
	}
	return { contents, tokens, parts, notices };
}

/** The longest beginning that fits, found in a few halvings; empty where not even a little does. */
function cutToTokens(text: string, room: number, input: ContextInput, name: string): string {
	const cost = (candidate: string) => input.count(attachedText(name, candidate));
	if (cost(text) <= room) return text;
	let fits = 0;
	let tooLong = text.length;
	// A token is seldom longer than eight characters: no need to count more than that of a huge text.
	tooLong = Math.min(tooLong, Math.max(0, room) * 8 + 1);
	for (let round = 0; round < 12 && tooLong - fits > 16; round += 1) {
		const middle = Math.floor((fits + tooLong) / 2);
		if (cost(cutCodePoints(text, middle)) <= room) fits = middle;
		else tooLong = middle;
	}
	return cutCodePoints(text, fits);
}

interface FittedHistory {
	readonly messages: ModelMessage[];
	readonly tokens: number;
	readonly label: Label;
	readonly sources: readonly ContextSource[];
	readonly parts: PromptPart[];
	readonly notices: NoticePart[];
	/** Messages that do not fit. */
	readonly left: number;
}

export function fitHistory(input: ContextInput, room: number, render: RenderOptions): FittedHistory {
	const all = input.history.length + input.olderMessages;
	const none: FittedHistory = { messages: [], tokens: 0, label: 'owner', sources: [], parts: [], notices: [], left: 0 };
	if (all === 0) return none;
	const part = { id: 'session', kind: 'session' as const, title: 'This chat', removable: true };
	if (input.excluded.has('session'))
		return { ...none, parts: [{ ...part, tokens: 0, included: false, text: '', note: `${all} earlier messages` }] };
	const options = { ...render, attachments: withoutExcluded(input) };
	const kept: ModelMessage[][] = [];
	const shown: Message[] = [];
	let tokens = 0;
	for (const turn of turnsOf(input.history).toReversed()) {
		const messages = turn.flatMap((message) => renderMessage(message, options));
		const cost = tokensOf(messages, input.count);
		if (tokens + cost > room) break;
		tokens += cost;
		kept.unshift(messages);
		shown.unshift(...turn);
	}
	const left = all - shown.length;
	const attached = shown.some((message) => hasAttachment(message.parts, options.attachments));
	// The reply before said so: from then on it is said quietly.
	const again: Record<string, number> = input.history.findLast((message) => message.role === 'assistant')?.parts.some(isTrimmedNotice)
		? { again: 1 }
		: {};
	const notices: NoticePart[] =
		left > 0 ? [{ type: 'notice', code: 'history_trimmed', values: { count: left, kept: shown.length, ...again } }] : [];
	const note = left > 0 ? `The oldest ${left} of ${all} messages do not fit.` : `${all} earlier messages`;
	return {
		messages: kept.flat(),
		tokens,
		label: joinLabels(...shown.map((message) => message.label), ...(attached ? [ATTACHMENT_LABEL] : [])),
		sources: joinSources(...shown.map((message) => sourcesOf(message, options.attachments))),
		parts: [{ ...part, tokens, included: shown.length > 0, note, text: transcript(shown) }],
		notices,
		left,
	};
}

/** What an earlier message was made from, and what it is itself. */
function sourcesOf(message: Message, attachments: ReadonlyMap<string, AttachedContent>): ContextSource[] {
	const { role, label, sources = [], parts } = message;
	const isOwners = role === 'user' && isWithin(label, 'owner');
	const own: ContextSource = isOwners
		? { kind: 'owner_message', name: 'Earlier messages', label }
		: { kind: 'reply', name: role === 'user' ? 'Earlier tasks' : 'Earlier replies', label };
	return [own, ...sources, ...attachmentSources(parts, attachments)];
}

function isTrimmedNotice(part: MessagePart): boolean {
	return part.type === 'notice' && part.code === 'history_trimmed';
}

function withoutExcluded(input: ContextInput): ReadonlyMap<string, AttachedContent> {
	return new Map([...input.attachments].filter(([id]) => !input.excluded.has(`attachment:${id}`)));
}

/** The newest of it, for the preview. */
function transcript(messages: readonly Message[]): string {
	const lines: string[] = [];
	let length = 0;
	for (const message of messages.toReversed()) {
		const line = `${message.role === 'user' ? 'You' : 'Agent'}: ${messageText(message)}`;
		length += line.length;
		if (length > SHOWN_TEXT) break;
		lines.unshift(line);
	}
	return lines.join('\n\n');
}

/** Names the biggest thing in the prompt and what the owner can do about it. */
export function promptTooBig(parts: readonly PromptPart[], replyTokens: number, windowTokens: number): HearthError {
	const biggest = parts.filter((part) => part.included).toSorted((a, b) => b.tokens - a.tokens)[0];
	const byReply = replyTokens > (biggest?.tokens ?? 0);
	const what = byReply ? 'What this reply has gathered so far' : biggest?.kind === 'message' ? 'Your message' : `“${biggest?.title}”`;
	const tokens = byReply ? replyTokens : (biggest?.tokens ?? 0);
	return terminal(
		'model_context_overflow',
		`The prompt does not fit the model. ${what} is the biggest part: about ${tokens} of ${windowTokens} tokens.`,
		{
			safe: 'Nothing is lost.',
			action:
				biggest?.removable && !byReply
					? 'Take that part out in the composer, or choose a model with a larger window.'
					: 'Shorten it, or choose a model with a larger window.',
		},
	);
}
