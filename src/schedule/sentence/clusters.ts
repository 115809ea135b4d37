import type { Part, Span } from './parts.ts';
import { REMINDS } from './work.ts';

/** Phrases that stand together, and where in the sentence they stand: what says when is at an edge of what is to be done. */

export interface Cluster extends Span {
	readonly parts: readonly Part[];
	/** `start`: before all else, or right behind “remind me”; `end`: after all else. */
	readonly place: 'start' | 'end' | 'inner';
}

const BETWEEN = /^[\s,;–—-]*(?:(?:and|then|on|at|in|the|always|each|also|from)[\s,;]+)*$/iu;
const BEFORE =
	/^[\s,.:;!–—-]*(?:(?:please|hey|hi|hello|ok|okay|so|hearth|now|then|and|starting)[\s,]+)*(?:(?:can|could|would|will) you\s+(?:please\s+)?)?$/iu;
const AFTER = /^[\s,.;:!?)]*(?:please|thanks|thank you)?[\s.!]*$/iu;
/** What follows these belongs to what is to be done: “a table for Saturday”, “the mails of today”. */
const OWNED =
	/(?:^|[\s(])(?:for|of|from|about|by|before|after|since|than|around|the|an?|my|our|your|his|her|their|its|this|that|every|last|to|no|any|with|until|as|not|roughly|approximately|circa)\s*$/iu;

/** `ignored`: phrases of the sentence that say no time (a result, a trigger): they are as good as its edge. */
export function clustersOf(text: string, parts: readonly Part[], ignored: readonly Span[]): Cluster[] {
	const blank = (from: number, to: number): string => {
		let shown = text.slice(from, to);
		for (const { start, end } of ignored) {
			const [a, b] = [Math.max(start, from) - from, Math.min(end, to) - from];
			if (b > a) shown = shown.slice(0, a) + ' '.repeat(b - a) + shown.slice(b);
		}
		return shown;
	};
	const groups: Part[][] = [];
	for (const part of parts) {
		const last = groups.at(-1)?.at(-1);
		if (last && (last.start === part.start || BETWEEN.test(blank(last.end, part.start)))) groups.at(-1)?.push(part);
		else groups.push([part]);
	}
	const reminds = REMINDS.exec(text);
	const remindsAt = reminds ? reminds.index + reminds[0].length : -1;
	return groups.map((group) => {
		const [start, end] = [group[0]?.start ?? 0, group.at(-1)?.end ?? 0];
		const isStart = BEFORE.test(blank(0, start)) || (start === remindsAt && text.slice(start - 1, start) !== 'e');
		const isEnd = AFTER.test(blank(end, text.length));
		const isOwned = !isStart && OWNED.test(blank(0, start));
		return { parts: group, start, end, place: isStart ? 'start' : isEnd && !isOwned ? 'end' : 'inner' };
	});
}

export function isOwned(text: string, { start }: Span): boolean {
	return OWNED.test(text.slice(0, start));
}
