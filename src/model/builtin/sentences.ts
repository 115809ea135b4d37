import { bareWords } from './tokens.ts';

/** Simple sentences of the form “my dentist is Dr. Meyer”. Pure; what is not plainly one is undefined. */

export interface Fact {
	/** As written: `My dentist`. */
	subject: string;
	/** As written: `is`. */
	verb: string;
	/** As written, without a full stop. */
	value: string;
	/** It says that it changed: `is now`, `ist jetzt`. */
	isChange: boolean;
}

const VERB =
	'(?:is called|are called|is named|works (?:at|for|in)|lives (?:in|at)|is|are|costs?|moved to|ist|sind|heißt|heissen|heißen|wohnt in|arbeitet bei|kostet)';
const FACT = new RegExp(
	`^(?<subject>\\S.{0,80}?)\\s+(?<verb>${VERB})\\s+(?<now>(?:now|jetzt|nun|no longer|nicht mehr)\\s+)?(?<value>\\S.*?)[\\s.!]*$`,
	'iu',
);
const NOW_FIRST = /^(?:now|jetzt|from now on|ab jetzt|as of now)[,\s]+(?<rest>.*)$/iu;

/** Of one sentence. */
export function factOf(text: string): Fact | undefined {
	const line = text.trim();
	if (line.includes('\n') || /[?？]\s*$/.test(line)) return undefined;
	const rest = NOW_FIRST.exec(line)?.groups?.rest;
	const groups = FACT.exec(rest ?? line)?.groups;
	if (!groups) return undefined;
	const { subject = '', verb = '', now = '', value = '' } = groups;
	if (/^(?:no longer|nicht mehr)\b/i.test(now)) return undefined;
	const trailing = /^(?<bare>.*\S)\s+(?:now|jetzt)$/iu.exec(value)?.groups?.bare;
	return { subject, verb, value: trailing ?? value, isChange: now !== '' || rest !== undefined || trailing !== undefined };
}

/** Whether two sentences are about the same thing and say it with the same verb. */
export function sameSubject(one: Fact, other: Fact): boolean {
	return plain(one.subject) === plain(other.subject) && plain(one.verb) === plain(other.verb);
}

/** Whether they say different things of it. Where one only says more than the other, they do not. */
export function disagree(one: Fact, other: Fact): boolean {
	const [a, b] = [plain(one.value), plain(other.value)];
	return sameSubject(one, other) && a !== b && !a.includes(b) && !b.includes(a);
}

/** The sentence as it is to be written: what is so now, without saying that it is new. */
export function sentenceOf({ subject, verb, value }: Fact): string {
	return `${capital(subject)} ${verb} ${value}.`;
}

export function plain(text: string): string {
	return bareWords(text).replace(/^(?:the|my|our|mein|meine|unser|unsere|der|die|das) /u, '');
}

export function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
