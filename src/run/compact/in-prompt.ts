import type { PromptPart } from '../../contract/methods/chat.ts';
import type { Compaction } from '../../domain/compaction.ts';
import { type ContextSource, joinSources } from '../../domain/context-source.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import type { Message, MessagePart, NoticePart } from '../../domain/message.ts';
import type { ModelMessage, ModelTool } from '../../model/port.ts';
import type { CountTokens } from '../tokens.ts';
import { tokensOf } from '../turns.ts';
import { type FittedSummary, fitSummary, summaryRoom } from './summary.ts';

/** Summaries in a prompt: that of older messages before the history, that of the reply's own older parts behind the owner's message. Pure. */

export type TellableSummary = Pick<Compaction, 'id' | 'text' | 'items' | 'label' | 'sources' | 'within' | 'covers' | 'method'>;

export interface Summaries {
	readonly chat?: TellableSummary | undefined;
	readonly reply?: TellableSummary | undefined;
	/** What is said in the chat can be searched. */
	readonly searchable: boolean;
}

interface Input {
	readonly summaries?: Summaries | undefined;
	readonly history: readonly Message[];
	/** Parts of the reply so far that no summary stands for. */
	readonly reply: readonly MessagePart[];
	readonly excluded: ReadonlySet<string>;
	readonly windowTokens: number;
	readonly count: CountTokens;
}

export interface FittedSummaries {
	readonly messages: readonly ModelMessage[];
	readonly tokens: number;
	readonly label: Label;
	readonly sources: readonly ContextSource[];
	readonly parts: readonly PromptPart[];
	readonly notices: readonly NoticePart[];
	/** The owner's message with what is told behind it. */
	after(own: readonly ModelMessage[]): ModelMessage[];
	/** Of the `room` that is left beside them: what the newest messages may have when a new summary stands for the older ones. */
	roomBesides(room: number): number;
}

/** `room`: tokens that are left. */
export function fitSummaries(input: Input, tools: readonly ModelTool[], room: number): FittedSummaries {
	const { windowTokens, count, excluded } = input;
	const { chat: of, reply: own } = input.summaries ?? {};
	const searchable = input.summaries?.searchable === true && tools.some(({ name }) => name === 'search_chats');
	const how = (summary: TellableSummary) => ({ windowTokens, count, searchable, askToSave: asksToSave(summary, input, tools) });
	const reply = own && fitSummary(own, { ...how(own), room, excluded: false });
	const left = room - (reply?.tokens ?? 0);
	// Who takes the chat out means the older part of it too.
	const chat =
		of && !excluded.has('session') ? fitSummary(of, { ...how(of), room: left, excluded: excluded.has(SUMMARY_PART) }) : undefined;
	const messages = chat && chat.text !== '' ? [messageOf(chat)] : [];
	const replyMessages = reply ? [messageOf(reply)] : [];
	const tokens = tokensOf([...messages, ...replyMessages], count);
	return {
		messages,
		tokens,
		label: joinLabels(...[chat, reply].flatMap((fitted) => fitted?.label ?? [])),
		sources: joinSources(chat?.sources, reply?.sources),
		parts: [chat, reply].flatMap((fitted) => fitted?.part ?? []),
		notices: [...(of && messages.length > 0 ? noticeOf(of, input.history) : []), ...(own ? noticeOf(own, input.history) : [])],
		after: (given) => behind(given, replyMessages),
		roomBesides: (rest) => {
			const all = rest + tokensOf(messages, count);
			return all - summaryRoom(windowTokens, all).all;
		},
	};
}

/** The part of a prompt that the owner can take out. */
export const SUMMARY_PART = 'summary';

function messageOf({ text }: FittedSummary): ModelMessage {
	return { role: 'user', content: [{ type: 'text', text }] };
}

/** Within the owner's message, so that no provider gets two in a row where it need not be. */
function behind(own: readonly ModelMessage[], more: readonly ModelMessage[]): ModelMessage[] {
	const [last] = own.slice(-1);
	const [summary] = more;
	if (last?.role !== 'user' || summary?.role !== 'user') return [...own, ...more];
	return [...own.slice(0, -1), { role: 'user', content: [...last.content, ...summary.content] }];
}

/**
 * No turn leaves the prompts without the model being asked to save what is to last for good: in the first call that is made with the summary,
 * however often that call is tried.
 */
function asksToSave(summary: TellableSummary, { history, reply }: Input, tools: readonly ModelTool[]): boolean {
	if (!isFresh(summary, history) || !tools.some(({ name }) => name === MEMORY_TOOL)) return false;
	const told = reply.findIndex((part) => isNoticeOf(summary, part));
	return told < 0 || !reply.slice(told + 1).some(({ type }) => type === 'text' || type === 'tool');
}

const MEMORY_TOOL = 'memory_write';

function isNoticeOf({ id }: TellableSummary, part: MessagePart): boolean {
	return part.type === 'notice' && part.code === 'compacted' && part.values.id === id;
}

/** No earlier reply was made with it. */
function isFresh(summary: TellableSummary, history: readonly Message[]): boolean {
	return !history.some(({ parts }) => parts.some((part) => isNoticeOf(summary, part)));
}

/** Said by the first reply that is made with it. */
function noticeOf(summary: TellableSummary, history: readonly Message[]): NoticePart[] {
	if (!isFresh(summary, history)) return [];
	const { id, covers, method, within } = summary;
	return [{ type: 'notice', code: 'compacted', values: { id, count: covers, method, of: within ? 'reply' : 'chat' } }];
}
