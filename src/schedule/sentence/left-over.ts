import * as chrono from 'chrono-node/en';
import type { Cluster } from './clusters.ts';
import { DAY, MONTH, NUMBER, UNIT } from './names.ts';
import type { Span } from './parts.ts';

/** What stands right beside the time and may change it: a word that bounds times, or a time that only the library knows. */

const BEFORE =
	/(?:^|[\s,])(?<word>except|excluding|unless|but|until|till|through|during|of|or|not|never|only|if|alternate|alternating|between|before|after|by|around|about|approximately|roughly|circa|within|every|each|from|once|twice|starting|beginning|ending|at|on|in|than|least|most|first|last|next)\s*$/iu;
const BEHIND =
	/^[\s,]*(?<word>(?:the\s+)?\d{1,2}(?:st|nd|rd|th)|\d+\s*(?:times|x)|once|twice|thrice|(?:two|three|four|five|ten)\s+times|except|excluding|unless|but|until|till|through|during|of|or|not|only|if|alternate|alternating|between|before|after|by|within|from|starting|beginning|ending|at|on|in|every|each|ish|or so|sharp|older|ago|earlier|later|times|unless|including|weeks?|days?|months?|years?|hours?|minutes?|seconds?|morning|evening|afternoon|night|noon|weekly|daily|monthly|o['’]clock|am|pm|past|to(?=\s+\d)|and(?=\s+(?:\d|on|at|every|each|am|pm))|&)(?![\p{L}\p{N}])/iu;

/** What goes on with the time: “9-17”, “Mon/Wed”, “9 30”, “nine thirty”, “for 5 times”, “to August”, “about noon”. */
const GOES_ON = [
	String.raw`[/–-]\s?[\p{L}\p{N}]+`,
	String.raw`[\s,]*\d[\d.,:/–-]*(?!\p{L})`,
	String.raw`[\s-]*(?:ten|fifteen|twenty|thirty|forty|fifty)(?:[\s-]five)?(?![\p{L}\p{N}])`,
	`[\\s,]*for\\s+(?:(?:the\\s+)?(?:next|coming|another|following)\\s+)?(?:${NUMBER}\\s+)?(?:${UNIT}|times)(?!\\p{L})`,
	`[\\s,]*to\\s+(?:(?:the\\s+)?last|${MONTH}|${DAY})(?!\\p{L})`,
	`[\\s,]*(?:around|about|approximately|approx\\.?|roughly|circa|ca\\.?)\\s+(?:\\d|noon|midday|midnight|lunch|dinner|dawn|dusk|${NUMBER}(?!\\p{L}))`,
	String.raw`[\s,]*(?:noon|midday|midnight|morning|evening)-?ish(?!\p{L})`,
	String.raw`\s*[([][^)\]]{0,40}[)\]]?`,
	String.raw`\s*[–—-]+\s*(?:not|never|except|excluding|but|only|without)(?!\p{L})`,
	String.raw`(?:[\s,]*(?:UTC|GMT)\s*[+-]|\+)\s*\d+`,
	String.raw`\s+(?:e[sd]?t|c[sd]?t|m[sd]t|mt|p[sd]?t|bst|ist|cest|cet|utc|gmt)(?![\p{L}\p{N}])`,
	String.raw`[\s,]*(?:uhr(?!\p{L})|um\s+\d+|(?:amd|adn|nad|und|et|ans)\s+\d+)`,
	`[\\s,]*(?:besides|barring|minus|save)\\s+(?:on\\s+)?${DAY}`,
].map((pattern) => new RegExp(`^${pattern}`, 'iu'));
/** Behind the time that begins a sentence: “Monday and Fridya at 9”. */
const MORE = /^[\s,]*(?<word>and|or|&)(?!\p{L})(?!\s+then(?!\p{L}))/iu;
/** “10 minutes before the meeting at 9”: another time than that. */
const AHEAD = new RegExp(
	`^[\\s,]*(?:please\\s+)?(?:(?:can|could|would|will)\\s+you\\s+)?(?:please\\s+)?(?:remind\\s+(?:me|us)\\s+)?(?:on\\s+)?(?<words>(?:${NUMBER}|half\\s+an|the)\\s+${UNIT}\\s+(?:before|after|prior\\s+to|ahead\\s+of))(?!\\p{L})(?!\\s+(?:tomorrow|next)(?!\\p{L}))`,
	'iu',
);
const WITHOUT =
	/^[\s,]*(?:on\s+)?(?<words>not|except|excluding|unless|an?\s+(?:week|fortnight|month)\s+(?:on|from)(?!\s+(?:today|tomorrow|now))|the\s+(?:second|third|2nd|3rd|next)(?:\s+to)?\s+last|24\/7(?!\/)|(?:ever|evr\p{L}{1,2}|evey|eveyr|eevry|veery)(?=\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)?day|week|hour|month|minute)))(?!\p{L})/iu;
const NOT_ON = new RegExp(
	`[,;]\\s*(?:but\\s+)?(?<words>not|never|except)\\s+(?:on\\s+|at\\s+)?(?:the\\s+)?(?:${DAY}s?|week(?:end|day)s?|holidays?)[\\s.!]*$`,
	'iu',
);

const REMINDED = /(?:remind (?:me|us)|reminder(?: for)?)[\s,]*$/iu;
const LOOSE = /^\s*(?!(?:to|that|of|about|please|because)(?![\p{L}]))(?<word>[\p{L}\p{N}]+)/iu;

/** What makes another time of all that follows, or excludes it. */
export function turnedBy(bare: string): string | undefined {
	return (AHEAD.exec(bare) ?? WITHOUT.exec(bare) ?? NOT_ON.exec(bare))?.groups?.words;
}

/** Undefined where nothing does. `bare`: the sentence with what is no English of it masked. */
export function leftOver(bare: string, edges: readonly Cluster[], result: Span | undefined): string | undefined {
	for (const { start, end, place } of edges) {
		// Right behind “remind me at 9” comes what to remind of: “to …”. Else it may be more of the time.
		const loose = REMINDED.test(bare.slice(0, start)) ? LOOSE.exec(bare.slice(end))?.groups?.word : undefined;
		if (loose !== undefined) return loose;
		const before = bare.slice(Math.max(0, start - 40), start);
		const behind = bare.slice(end, end + 40);
		const more = place === 'start' ? MORE.exec(behind)?.groups?.word : undefined;
		if (more !== undefined) return more;
		const near = BEFORE.exec(before)?.groups?.word ?? BEHIND.exec(behind)?.groups?.word ?? goesOn(behind);
		if (near !== undefined) return near;
		const further =
			timeBeside(bare.slice(end), true) ?? timeBeside(bare.slice(result && result.end <= start ? result.end : 0, start), false);
		if (further !== undefined) return further;
	}
	return undefined;
}

function goesOn(behind: string): string | undefined {
	for (const pattern of GOES_ON) {
		const found = pattern.exec(behind)?.[0].replace(/^[\s,]+/u, '');
		if (found) return found;
	}
	return undefined;
}

/** Words between a time and what is to be done that leave them apart. */
const APART = /(?<![\p{L}])(?:of|from|for|since|about)\s+(?:the\s+)?$/iu;

function timeBeside(text: string, isBehind: boolean): string | undefined {
	const near = isBehind ? text.slice(0, 60) : text.slice(-60);
	if (!/[\p{L}\p{N}]/u.test(near)) return undefined;
	const found = chrono.strict.parse(near);
	const touching = found.find(({ index, text: words }) =>
		isBehind ? /^[\s,.:;]*$/u.test(near.slice(0, index)) : /^[\s,.:;]*$/u.test(near.slice(index + words.length)),
	);
	if (!touching || (!isBehind && APART.test(near.slice(0, touching.index)))) return undefined;
	return touching.text;
}
