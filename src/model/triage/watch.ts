import type { FindingKind } from '../../domain/heartbeat.ts';
import { termsOf } from '../builtin/tokens.ts';
import { CONCEPTS, type Concept } from './concepts.ts';
import { type HeartbeatLine, linesOf } from './interests.ts';

/** What a line of HEARTBEAT.md asks for, as far as words tell: topics, names that must occur, what it leaves out, and what is to be made of it. Pure. */

export interface Topic {
	readonly text: string;
	readonly terms: readonly string[];
	/** Kinds of things, of which one is enough. */
	readonly concepts: readonly Concept[];
	/** What is left without them and without names, of which one is enough; empty where nothing is. */
	readonly subjects: readonly Subject[];
	/** Each group is met by any of its names; a name by all of its words. */
	readonly names: readonly (readonly string[])[];
}

export interface Subject {
	readonly text: string;
	readonly terms: readonly string[];
}

export interface Avoided extends Subject {
	readonly concepts: readonly Concept[];
	/** It is no more than the concepts. */
	readonly isBare: boolean;
}

export interface Interest {
	/** As the owner wrote it. */
	readonly line: string;
	/** The parts of it that are looked for by themselves. */
	readonly topics: readonly Topic[];
	readonly avoids: readonly Avoided[];
	/** Phrases in quotation marks, in small letters: one of them must occur. */
	readonly phrases: readonly string[];
	/** Where the line says what it wants made of it. */
	readonly kind: FindingKind | undefined;
}

export interface Watch {
	readonly interests: readonly Interest[];
	/** From lines that only say what to leave out. */
	readonly avoids: readonly Avoided[];
}

const NEVER_HEADING = /\b(?:ignore|never|not|skip|leave out|no interest|uninteresting|nicht|ignorieren|egal)\b/i;
/** What only says that something is wanted, at the beginning of a line. */
const ASKS: readonly (readonly [RegExp, FindingKind | undefined])[] = [
	[
		/^(?:please\s+)?(?:tell|notify|alert|warn|inform|ping)\s+(?:me|us)\s+(?:at once\s+|immediately\s+|right away\s+)?(?:when(?:ever)?|if|about|of|as soon as|that|once)?\s*/i,
		'notice',
	],
	[/^(?:please\s+)?let\s+(?:me|us)\s+know\s+(?:when(?:ever)?|if|about|of|as soon as|once)?\s*/i, 'notice'],
	[/^(?:sag|sage|melde?)\s+(?:mir|uns)\s+(?:bescheid\s*,?\s*)?(?:wenn|sobald|falls|über)?\s*/i, 'notice'],
	[
		/^(?:please\s+)?(?:remember|memori[sz]e|note(?: down)?|keep(?: in mind| track of)?|record|merke? dir|notiere)\s+(?:when(?:ever)?|if|that|all|any|every|wenn|dass)?\s*/i,
		'memory',
	],
	[/^(?:please\s+)?remind\s+(?:me|us)\s+(?:of|about|to|when|if|that)?\s*/i, 'task'],
	[/^(?:to-?\s?do|tasks?)\s*:\s*/i, 'task'],
	[/^(?:erinnere?)\s+(?:mich|uns)\s+(?:an|wenn|dass)?\s*/i, 'task'],
	[/^(?:please\s+)?(?:watch|look|check|search)(?:\s+out)?\s+for\s+/i, undefined],
	[
		/^(?:i(?:['’]m| am| want to know| would like to know| care)(?: interested)?(?: in| about)?|(?:anything|everything|all|news|something|whatever)(?: new)?(?: (?:about|on|from|of))?)\s+/i,
		undefined,
	],
];
/** It asks the owner to do something: what comes of it is a task. */
const ASKS_OWNER = /\b(?:i (?:have|need|ought) to|i (?:must|should)|needs? an answer|need(?:s)? my|expects? me)\b/i;
const LEAVES_OUT =
	/^(?:but\s+|and\s+)?(?:ignore|skip|leave out|omit|drop|never|not|no|nothing|none of|without|except(?: for)?|excluding|other than|nicht|kein[en]?|nie|ohne|außer|ignoriere)(?![\p{L}\p{N}-])\s*(?:about|on|of|from|for|mails?\s+from)?\s*/iu;
/** “Newsletters never.” */
const LEFT_OUT_AFTER = /^(?<what>\S.{0,80}?)(?:[\s,:]+(?:never|nie|niemals)|\s*[,:–—]\s*(?:not|nicht|not wanted|no thanks))[\s.!]*$/i;
const EXCEPTION =
	/[,;(–—-]\s*(?=(?:but\s+|and\s+)?(?:not|no|never|nothing|except|excluding|without|ignore|skip|ohne|nicht|kein|außer)\b)|\s+(?=(?:but not|but no|except|excluding|other than|außer)\b)/i;
const QUOTED = /[“"„«]([^“”"„«»]{2,80})[”"“»]/g;
/** Little words that a part begins or ends with once something was taken out. */
const AROUND =
	/^(?:(?:the|a|an|of|for|in|on|at|about|to|from|with|by|is|are|that|which|our|my|its|their)\s+)+|(?:\s+(?:the|a|an|of|for|in|on|at|about|to|from|with|by|is|are|that|which|our|my|its|their|them))+$/gi;
/** Words that name no subject. */
const GENERAL = new Set(
	termsOf(
		'new news change changes changed mail mails email emails message messages post posts article articles item items information update updates thing things somebody someone anybody want wants anything everything something important interesting good big week month today line used cheap free latest recent current small old',
	),
);
const NAME_TOKEN = /[\p{L}\p{N}][\p{L}\p{N}.+#_'’-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu;

export function readWatch(heartbeat: string): Watch {
	const interests: Interest[] = [];
	const avoids: Avoided[] = [];
	for (const line of linesOf(heartbeat)) {
		const read = readLine(line);
		if (read.topics.length > 0) interests.push(read);
		else avoids.push(...read.avoids);
	}
	return { interests, avoids };
}

/** A line as the owner is shown it. `leavesOut`: it says only what not to look for. */
export interface HeartbeatInterest {
	readonly text: string;
	readonly leavesOut: boolean;
}

export function interestsOf(heartbeat: string): HeartbeatInterest[] {
	return linesOf(heartbeat).map((line) => {
		const { topics, avoids } = readLine(line);
		return { text: line.text, leavesOut: topics.length === 0 && avoids.length > 0 };
	});
}

function readLine({ text, under }: HeartbeatLine): Interest {
	const avoids: Avoided[] = [];
	const wanted: { text: string; isWhole: boolean }[] = [];
	let kind: FindingKind | undefined;
	const isUnderNever = NEVER_HEADING.test(under);
	for (const sentence of sentencesOf(text)) {
		const after = LEFT_OUT_AFTER.exec(sentence)?.groups?.what;
		if (after !== undefined) avoids.push(...avoidedIn(after));
		else if (isUnderNever) avoids.push(...avoidedIn(sentence.replace(LEAVES_OUT, '')));
		else if (LEAVES_OUT.test(sentence)) avoids.push(...avoidedIn(sentence.replace(LEAVES_OUT, '')));
		else {
			const [first = '', ...exceptions] = sentence.split(EXCEPTION);
			for (const exception of exceptions) avoids.push(...avoidedIn(exception.replace(LEAVES_OUT, '')));
			const asked = withoutAsking(first);
			kind ??= asked.kind;
			wanted.push({ text: asked.text, isWhole: asked.text === first.trim() });
		}
	}
	const phrases = [...text.matchAll(QUOTED)].flatMap(([, phrase]) => (phrase === undefined ? [] : [phrase.toLowerCase().trim()]));
	const topics = wanted.flatMap(({ text: part, isWhole }) => topicsOf(part, isWhole));
	return {
		line: text,
		topics,
		avoids,
		phrases: topics.length > 0 ? phrases : [],
		kind: kind ?? (ASKS_OWNER.test(text) ? 'task' : undefined),
	};
}

function sentencesOf(text: string): string[] {
	return text
		.split(/(?<=[.!?;])\s+/)
		.map((sentence) => sentence.trim().replace(/[.;]+$/, ''))
		.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function withoutAsking(sentence: string): { text: string; kind: FindingKind | undefined } {
	let text = sentence.trim();
	let kind: FindingKind | undefined;
	for (const [pattern, of] of ASKS) {
		const found = pattern.exec(text)?.[0];
		if (!found || found.length >= text.length) continue;
		text = text.slice(found.length);
		kind ??= of;
	}
	return { text, kind };
}

/** The whole, and what is joined by “, and” where each part says enough by itself. */
function topicsOf(text: string, isWhole: boolean): Topic[] {
	if (termsOf(text).length === 0) return [];
	const parts = text.split(/\s*[,;]\s+(?:and|or|und|oder)\s+/i).filter((part) => termsOf(part).length >= 2);
	return (parts.length > 1 ? parts : [text]).map((part) => {
		const names = namesIn(part, isWhole && text.startsWith(part));
		const { concepts, rest } = conceptsIn(part);
		return { text: part, terms: [...new Set(termsOf(part))], concepts, subjects: subjectsIn(rest, names.flat()), names };
	});
}

function conceptsIn(text: string): { concepts: Concept[]; rest: string } {
	const concepts: Concept[] = [];
	let rest = text;
	for (const concept of CONCEPTS) {
		if (!concept.asks.test(rest)) continue;
		concepts.push(concept);
		rest = rest.replace(new RegExp(concept.asks.source, 'giu'), ' , ');
	}
	return { concepts, rest };
}

function subjectsIn(rest: string, names: readonly string[]): Subject[] {
	const named = new Set(names.flatMap((name) => name.split(/\s+/)));
	return rest
		.split(/\s*[,;]\s*|\s+(?:or|and|und|oder|&)\s+/i)
		.map((part) => (part.match(NAME_TOKEN) ?? []).filter((token) => !named.has(token.toLowerCase())).join(' '))
		.map((text) => ({ text: text.replace(AROUND, ''), terms: [...new Set(termsOf(text))].filter((term) => !GENERAL.has(term)) }))
		.filter(({ terms }) => terms.length > 0);
}

function avoidedIn(text: string): Avoided[] {
	return text
		.split(/\s*[,;]\s+|\s+(?:or|and|nor|und|oder|noch)\s+/i)
		.map((part) => part.replace(LEAVES_OUT, '').trim())
		.map((text) => {
			const { concepts, rest } = conceptsIn(text);
			return { text, terms: [...new Set(termsOf(text))], concepts, isBare: concepts.length > 0 && termsOf(rest).length === 0 };
		})
		.filter(({ terms }) => terms.length > 0);
}

/** Words with a capital or a digit in them, but not for standing first; those next to each other are one name, those in a list one group. */
export function namesIn(text: string, beginsSentence: boolean): string[][] {
	const groups: string[][] = [];
	let end = 0;
	/** What the token before was: of a name, or between two of a list. */
	let open: 'name' | 'list' | undefined;
	for (const { 0: token, index } of text.matchAll(NAME_TOKEN)) {
		const between = text.slice(end, index);
		const isFirst = beginsSentence && end === 0;
		const group = groups.at(-1);
		end = index + token.length;
		if (/^(?:or|and|nor|und|oder)$/i.test(token)) open = open && 'list';
		else if (open === 'list' && /^(?:the|an?|der|die|das|den)$/i.test(token)) continue;
		else if (looksLikeName(token, isFirst)) {
			if (open === 'name' && group && /^[ -]$/.test(between)) group[group.length - 1] = `${group.at(-1)} ${token}`;
			else if (open && group && (open === 'list' || /^\s*[,/&]\s*$/.test(between))) group.push(token);
			else groups.push([token]);
			open = 'name';
		} else {
			// The last of a list of names is one, whatever it begins with: “OpenSSH, OpenSSL or curl”.
			if (open === 'list' && group && /^\s*(?:$|[.,;:)])/.test(text.slice(end))) group.push(token);
			open = undefined;
		}
	}
	return groups.map((names) => names.map((name) => name.toLowerCase()));
}

function looksLikeName(token: string, isFirst: boolean): boolean {
	if (/^(?:I|A|And|Or|The|In|Of|On)$/.test(token)) return false;
	if (/\d/.test(token) && /\p{L}/u.test(token)) return true;
	if (/\p{Lu}.*\p{Lu}/u.test(token)) return true;
	return !isFirst && /^\p{Lu}/u.test(token);
}
