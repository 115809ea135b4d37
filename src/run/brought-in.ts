import { sha256 } from '../base/sha256.ts';
import type { ContextSource } from '../domain/context-source.ts';
import { isWithin } from '../domain/label.ts';
import type { Source } from '../domain/memory.ts';
import type { Message, ToolPart } from '../domain/message.ts';
import { exactQuote, likelyQuote } from './quote.ts';

/** What tools brought into a conversation from elsewhere, as the source of a text that rests on it (M2). Pure. */

/** What is looked for: words that the writer says it rests on, and the text itself. */
export interface Wanted {
	readonly text: string;
	readonly quote?: string | undefined;
}

/** Of the results of one reply, newest first, those that hold the words; each as the page, the file or the tool that it came from. */
export function broughtIn(
	{ parts, createdAt }: Pick<Message, 'parts' | 'createdAt'>,
	wanted: Wanted,
	whole: (hash: string) => string | undefined,
): Source[] {
	return parts.toReversed().flatMap((part): Source[] => {
		if (part.type !== 'tool' || !part.result || !isFromElsewhere(part)) return [];
		const { result, finishedAt = createdAt } = part;
		const text = (result.whole && whole(result.whole.hash)) ?? result.text;
		const found = spanOf(text, wanted);
		if (!found) return [];
		return [sourceOf(text, found, nearestSource(text, found.start, part.sources ?? []), part.tool, finishedAt)];
	});
}

/** The agent's own notes and searches of what is known already are no sources of their own. */
function isFromElsewhere({ label = 'agent', sources = [] }: ToolPart): boolean {
	return !isWithin(label, 'agent') || sources.some(({ kind }) => ELSEWHERE.has(kind));
}

const ELSEWHERE: ReadonlySet<ContextSource['kind']> = new Set(['page', 'file', 'server', 'search', 'command', 'child', 'event']);

interface Span {
	readonly quote: string;
	readonly start: number;
	readonly end: number;
}

function spanOf(text: string, { text: written, quote }: Wanted): Span | undefined {
	const found = exactQuote(text, [quote, written]) ?? likelyQuote(text, written);
	if (found === undefined) return undefined;
	const start = text.indexOf(found);
	return start < 0 ? undefined : { quote: found, start, end: start + found.length };
}

/** Of several that one result was made from, the one that is named last before the words; else the least trusted. */
function nearestSource(text: string, start: number, sources: readonly ContextSource[]): ContextSource | undefined {
	const candidates = sources.filter(({ kind }) => ELSEWHERE.has(kind));
	if (candidates.length < 2) return candidates[0] ?? sources[0];
	const before = text.slice(0, start);
	const named = candidates
		.map((source) => ({
			source,
			at: Math.max(before.lastIndexOf(source.name), source.url === undefined ? -1 : before.lastIndexOf(source.url)),
		}))
		.filter(({ at }) => at >= 0)
		.sort((a, b) => b.at - a.at);
	return named[0]?.source ?? candidates[0];
}

function sourceOf(text: string, { quote, start, end }: Span, from: ContextSource | undefined, tool: string, at: number): Source {
	if (from?.kind === 'page' && from.url !== undefined)
		return { kind: 'url', url: from.url, fetchedAt: from.at ?? at, fetchedHash: from.hash ?? sha256(text), quote, start, end };
	if (from?.kind === 'file') return { kind: 'file', path: from.name, ...(from.hash !== undefined && { hash: from.hash }), quote };
	return {
		kind: 'tool',
		of: from?.kind ?? 'hearth',
		name: from?.name ?? tool,
		at: from?.at ?? at,
		hash: from?.hash ?? sha256(text),
		quote,
	};
}
