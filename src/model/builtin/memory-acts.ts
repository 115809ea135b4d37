import { cutCodePoints } from '../../domain/text.ts';
import type { Called, Conversation } from './conversation.ts';
import { longDay } from './dates.ts';
import { intentOf } from './intent.ts';
import { about, holding, replacedBy, theOne } from './memory-answer.ts';
import { type Entry, entryPassage, isCurrent, readEntries } from './memory-results.ts';
import { quote } from './passages.ts';
import type { Abilities, Response } from './respond.ts';
import { capital, factOf, plain, sentenceOf } from './sentences.ts';
import * as words from './words.ts';

/**
 * Remember, forget, correct, and what was on a day: each a few tool calls, decided anew from what the calls so far gave. What is said of
 * them comes from the tools' own words (mem-9). Pure.
 */

const MOST_LISTED = 12;
const QUERY_LENGTH = 1_000;
const QUOTE_LENGTH = 2_000;

export function remember(text: string, { calls }: Conversation, { tools }: Abilities): Response {
	if (!tools.has('memory_write')) return { say: words.MEMORY_OFF };
	if (text === '') return { say: words.REMEMBER_WHAT };
	const written = lastOf(calls, 'memory_write');
	if (written) return { say: saved(written, text) };
	const searched = lastOf(calls, 'memory_search');
	if (!searched && tools.has('memory_search')) return search(text);
	const known = searched ? readEntries(searched.text) : [];
	const same = known.find((entry) => isCurrent(entry) && plain(entry.text) === plain(text));
	if (same) return { say: [words.KNOWN_ALREADY, quote(entryPassage(same))].join('\n\n') };
	const fact = factOf(text);
	const old = fact?.isChange ? replacedBy(sentenceOf(fact), known) : undefined;
	if (fact && old) return supersede(old, sentenceOf(fact), text);
	return write({ text: capital(text), reason: 'The owner asked to remember it.', file: 'MEMORY.md', ...restsOn(text) });
}

/** The last thing that the owner said before, where that was no question and nothing to do. */
export function saidBefore({ earlier }: Conversation, now: number): string {
	const last = earlier.findLast(({ role }) => role === 'owner')?.text ?? '';
	const { kind } = intentOf(last, now);
	return kind === 'statement' || kind === 'correction' ? last : '';
}

/** There is no tool for it: the owner undoes, and is told where. */
export function undo({ earlier }: Conversation): string {
	const last = earlier.findLast(({ role, text }) => role === 'agent' && DONE.some((start) => text.startsWith(start)))?.text;
	if (last === undefined) return words.UNDO_NOTHING;
	return last.startsWith(words.SAVED) ? words.UNDO_SAVED : words.UNDO_WAITING;
}

const DONE = [words.SAVED, words.saveWaits(''), words.FORGET_WAITS];

export function forget(subject: string, { calls }: Conversation, { tools }: Abilities): Response {
	if (!tools.has('memory_forget') || !tools.has('memory_search')) return { say: words.MEMORY_OFF };
	if (subject === '') return { say: words.FORGET_WHAT };
	const asked = lastOf(calls, 'memory_forget');
	const searched = lastOf(calls, 'memory_search');
	if (!searched) return search(subject);
	const entries = readEntries(searched.text);
	const meant = theOne(subject, entries);
	if (asked)
		return { say: asked.isError ? words.forgetFailed(asked.text) : [words.FORGET_WAITS, ...quotesOf(meant ? [meant] : [])].join('\n\n') };
	if (meant) return { call: { tool: 'memory_forget', args: { entry: meant.ref, reason: 'The owner asked to forget it.' } } };
	const candidates = about(subject, entries).slice(0, 5);
	return { say: candidates.length === 0 ? words.nothingToForget(subject) : [words.FORGET_WHICH, ...quotesOf(candidates)].join('\n\n') };
}

/** Something that was known is not so any more: offers to replace it, and never does it unasked. Undefined where there is nothing to correct. */
export function correct(
	given: { sentence: string; value: string },
	conversation: Conversation,
	{ tools }: Abilities,
): Response | undefined {
	if (!tools.has('memory_search') || !tools.has('memory_write')) return undefined;
	const sentence = given.sentence === '' ? completed(given.value, conversation) : given.sentence;
	if (sentence === undefined) return { say: words.CORRECT_HOW };
	const searched = lastOf(conversation.calls, 'memory_search');
	if (!searched) return search(sentence);
	const old = replacedBy(sentence, readEntries(searched.text));
	if (!old) return { say: words.nothingToCorrect(sentence) };
	return { say: [words.OFFER, quote(entryPassage(old)), words.OFFER_INSTEAD, `> ${sentence}`, words.OFFER_END].join('\n\n') };
}

/** “No, it's Dr. Y”: the sentence that was quoted, with this value instead. Undefined where more than one was. */
function completed(value: string, { earlier }: Conversation): string | undefined {
	const last = earlier.findLast(({ role }) => role === 'agent');
	const quoted = last && words.isOwnReply(last.text) ? quotedIn(last.text) : [];
	const fact = quoted.length === 1 ? factOf(quoted[0] ?? '') : undefined;
	return fact && sentenceOf({ ...fact, value });
}

/** The owner's yes or no to an offer. Undefined where none was made. */
export function decideOffer(isYes: boolean, conversation: Conversation, { tools }: Abilities): Response | undefined {
	const offer = conversation.earlier.at(-1);
	if (offer?.role !== 'agent' || !offer.text.startsWith(words.OFFER)) return undefined;
	if (!isYes) return { say: words.OFFER_DECLINED };
	if (!tools.has('memory_search') || !tools.has('memory_write')) return { say: words.MEMORY_OFF };
	const [before = '', after = ''] = quotedIn(offer.text);
	const written = lastOf(conversation.calls, 'memory_write');
	if (written) return { say: saved(written, after) };
	const searched = lastOf(conversation.calls, 'memory_search');
	if (!searched) return search(before);
	const old = readEntries(searched.text).find((entry) => isCurrent(entry) && plain(entry.text) === plain(before));
	return old ? supersede(old, after, after) : { say: words.OFFER_STALE };
}

export function onDay(
	{ day, about: subject }: { day: string; about: string },
	{ calls }: Conversation,
	{ tools }: Abilities,
): Response | undefined {
	if (!tools.has('memory_get')) return undefined;
	const read = lastOf(calls, 'memory_get');
	if (!read) return { call: { tool: 'memory_get', args: { day } } };
	const entries = readEntries(read.text);
	const shown = subject === '' ? entries : holding(subject, entries);
	if (read.isError || shown.length === 0) return { say: words.nothingOnDay(longDay(day), entries.length === 0 ? '' : subject) };
	const head = words.onDay(longDay(day), shown.length);
	return { say: [head, ...quotesOf(shown.slice(0, MOST_LISTED)), ...words.moreOf(shown.length - MOST_LISTED)].join('\n\n') };
}

/** Everything, or what fits a subject. Undefined where memory holds nothing of it. */
export function knows(subject: string, { calls }: Conversation, { tools }: Abilities): Response | undefined {
	if (!tools.has('memory_search') || !tools.has('memory_get')) return undefined;
	const everything = /^(?:me|myself|us|mich|mir|uns|)$/i.test(subject);
	const found = lastOf(calls, everything ? 'memory_get' : 'memory_search');
	if (!found) return everything ? { call: { tool: 'memory_get', args: { file: 'MEMORY.md' } } } : search(subject);
	const entries = readEntries(found.text);
	const fitting = everything ? entries : about(subject, entries);
	if (fitting.length === 0) return everything ? { say: words.EMPTY_MEMORY } : undefined;
	const head = words.knownOf(everything ? undefined : subject, fitting.length);
	return { say: [head, ...quotesOf(fitting.slice(0, MOST_LISTED)), ...words.moreOf(fitting.length - MOST_LISTED)].join('\n\n') };
}

export function lastOf(calls: readonly Called[], tool: string): Called | undefined {
	return calls.findLast((call) => call.tool === tool);
}

export function search(query: string): Response {
	// With an ellipsis, so that a text that is forgotten later is found here too (M4).
	const short = query.length <= QUERY_LENGTH ? query : `${cutCodePoints(query, QUERY_LENGTH - 1)}…`;
	return { call: { tool: 'memory_search', args: { query: short, limit: 10 } } };
}

/** Of a longer one the passage is found by what is written. */
function restsOn(said: string): { quote?: string } {
	return said.length <= QUOTE_LENGTH ? { quote: said } : {};
}

function supersede(old: Entry, text: string, said: string): Response {
	return write({ mode: 'supersede', entry: old.ref, text, reason: 'The owner said that it has changed.', ...restsOn(said) });
}

function write(args: Record<string, string>): Response {
	return { call: { tool: 'memory_write', args } };
}

/** From the tool's own result. */
function saved({ text, isError }: Called, what: string): string {
	if (isError) return words.saveFailed(text);
	const place = /^Saved in (.*?)\. The owner/.exec(text)?.[1];
	const quoted = quote({ text: capital(what), place: place ?? 'inbox' });
	if (place !== undefined) return `${words.SAVED}\n\n${quoted}\n\n${words.UNDO}`;
	return text.startsWith('Nothing new')
		? words.KNOWN_ALREADY
		: `${words.saveWaits(/inbox\. (.*?) Tell the owner/.exec(text)?.[1] ?? '')}\n\n${quoted}`;
}

function quotesOf(entries: readonly Entry[]): string[] {
	return entries.map((entry) => quote(entryPassage(entry)));
}

/** The texts of the quotations in a reply. */
function quotedIn(text: string): string[] {
	return text.split('\n\n').flatMap((block) => (block.startsWith('> ') ? [block.replace(/^> ?/gm, '')] : []));
}
