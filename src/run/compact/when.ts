import type { Message, MessagePart } from '../../domain/message.ts';
import type { CountTokens } from '../tokens.ts';
import { type RenderOptions, renderMessage, renderReply, tokensOf, turnsOf } from '../turns.ts';

/** Where a compaction ends: always between two turns, or between two parts of a reply. Pure. */

/** How much of the room that is there the newest turns keep, so that the next compaction is far away. */
const KEPT_SHARE = 0.5;
/** A reply becomes a summary from this share of the prompt on, and keeps that one of its newest parts. */
const REPLY_SHARE = 0.5;
const REPLY_KEPT_SHARE = 0.2;

/** How many of the newest messages stay as they are: whole turns. `room`: tokens for them and all else of the past but the summary. */
export function keptMessages(history: readonly Message[], room: number, render: RenderOptions, count: CountTokens): number {
	let tokens = 0;
	let kept = 0;
	for (const [back, turn] of turnsOf(history).toReversed().entries()) {
		tokens += tokensOf(
			turn.flatMap((message) => renderMessage(message, render)),
			count,
		);
		// The turn before this one is what the owner most likely speaks of.
		if (tokens > (back === 0 ? room : room * KEPT_SHARE)) break;
		kept += turn.length;
	}
	return kept;
}

export function isLongReply(tokens: number, budget: number): boolean {
	return tokens > budget * REPLY_SHARE;
}

/** The number of the first part of a long reply that stays; undefined where there is nothing to go. `before`: it can be no later one. */
export function replyCut(
	parts: readonly MessagePart[],
	{
		from,
		before,
		budget,
		toolsOffered,
		count,
	}: { from: number; before: number; budget: number; toolsOffered: boolean; count: CountTokens },
): number | undefined {
	const costs = parts.slice(from).map((part) => tokensOf(renderReply([part], { toolsOffered }), count));
	let cut = Math.min(before, parts.length - 1);
	let tokens = costs.slice(cut - from).reduce((sum, cost) => sum + cost, 0);
	while (cut > from && tokens + (costs[cut - 1 - from] ?? 0) <= budget * REPLY_KEPT_SHARE) {
		cut -= 1;
		tokens += costs[cut - from] ?? 0;
	}
	return cut > from ? cut : undefined;
}
