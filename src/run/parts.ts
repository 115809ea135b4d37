import type { EntryId } from '../domain/memory.ts';
import { type MessagePart, messageText, type ToolPart } from '../domain/message.ts';
import { BUILTIN_PROVIDER_ID } from '../domain/model.ts';
import { readEntries } from '../model/builtin/memory-results.ts';
import type { StreamedPart } from './events.ts';
import type { ModelPlan, Progress } from './state.ts';

/** How the parts of a reply grow. Pure; shared by the reducer, the live stream and what a snapshot shows of a stream. */

/** Neighbours of one type become one part; empty ones vanish. */
export function joinStreamed(parts: readonly StreamedPart[]): StreamedPart[] {
	const joined: StreamedPart[] = [];
	for (const part of parts) {
		const last = joined.at(-1);
		if (part.text === '') continue;
		if (last?.type === part.type) joined[joined.length - 1] = { type: part.type, text: last.text + part.text };
		else joined.push(part);
	}
	return joined;
}

/**
 * The finished parts with what a model step streamed. A step that continues a cut-off reply goes on inside its last text,
 * so that the answer stays one text; its thinking goes before that text.
 */
export function withStreamed(
	parts: readonly MessagePart[],
	streamed: readonly StreamedPart[],
	plan: Pick<ModelPlan, 'continues' | 'fromPart'>,
): MessagePart[] {
	const added = joinStreamed(streamed);
	const at = plan.continues ? lastTextIndex(parts, plan.fromPart) : -1;
	const cut = parts[at];
	if (cut?.type !== 'text') return [...parts, ...added];
	const text = added.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
	const thinking = added.filter((part) => part.type === 'reasoning');
	return [...parts.slice(0, at), ...thinking, { type: 'text', text: cut.text + text }, ...parts.slice(at + 1)];
}

export function lastTextIndex(parts: readonly MessagePart[], from: number): number {
	for (let index = parts.length - 1; index >= from; index -= 1) if (parts[index]?.type === 'text') return index;
	return -1;
}

export function hasText(parts: readonly (MessagePart | StreamedPart)[]): boolean {
	return parts.some((part) => part.type === 'text' && part.text.trim() !== '');
}

/** Puts the part of a tool call where its call is already told of, or at the end. */
export function withTool(parts: readonly MessagePart[], tool: ToolPart): MessagePart[] {
	const at = parts.findIndex((part) => part.type === 'tool' && part.callId === tool.callId);
	return at < 0 ? [...parts, tool] : parts.with(at, tool);
}

export function findTool(parts: readonly MessagePart[], callId: string): ToolPart | undefined {
	return parts.find((part): part is ToolPart => part.type === 'tool' && part.callId === callId);
}

/**
 * The memories a finished reply was made with, if any: what was recalled into its prompt and what its tools handed over. The built-in responder
 * only quotes: of those it was handed it used what it says word for word.
 */
export function memoryPart({ parts, recalled = [], model }: Progress): MessagePart[] {
	const handedOver = parts.flatMap((part) => (part.type === 'tool' ? (part.result?.memories ?? []) : []));
	const entryIds = [...new Set(model?.providerId === BUILTIN_PROVIDER_ID ? quotedIn(parts, handedOver) : [...recalled, ...handedOver])];
	return entryIds.length === 0 ? [] : [{ type: 'memory', entryIds }];
}

function quotedIn(parts: readonly MessagePart[], handedOver: readonly EntryId[]): EntryId[] {
	const said = squeezed(messageText({ parts: [...parts] }));
	const quoted = parts
		.flatMap((part) => (part.type === 'tool' && part.result ? readEntries(part.result.text) : []))
		.filter(({ text }) => text.trim() !== '' && said.includes(squeezed(text).slice(0, QUOTED_AT_LEAST)))
		.map(({ ref }) => ref.replace(/@.*$/, ''));
	return handedOver.filter((id) => quoted.includes(id));
}

/** As many characters of an entry make it a quotation: a long one is cut. */
const QUOTED_AT_LEAST = 200;

/** Without white space and marks of quotation, which differ with how a text is shown. */
function squeezed(text: string): string {
	return text.replace(/[\s>]+/g, '');
}
