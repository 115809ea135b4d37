import { cutCodePoints } from '../../domain/text.ts';
import { calculate } from './arithmetic.ts';
import type { Conversation } from './conversation.ts';
import { type Intent, intentOf } from './intent.ts';
import { correct, decideOffer, forget, knows, lastOf, onDay, remember, saidBefore, search as searchMemory, undo } from './memory-acts.ts';
import { answerFrom, nearest } from './memory-answer.ts';
import { readEntries } from './memory-results.ts';
import { type Found, findPassages, passagesOf, quote } from './passages.ts';
import { schedule } from './schedule-acts.ts';
import { presentSearch } from './search-results.ts';
import { countWords, keywordsOf } from './tokens.ts';
import * as words from './words.ts';

/** What the responder does next: say something, or call a tool first. */
export type Response = { say: string } | { call: { tool: string; args: Readonly<Record<string, string | number | readonly string[]>> } };

export interface Abilities {
	/** Names of the tools that may be called. */
	tools: ReadonlySet<string>;
	/** Milliseconds since the epoch. */
	now: number;
}

/** Most searches for one question: all its words, then the most telling one alone. */
const MOST_SEARCHES = 2;

/** The owner asks for their own words: nobody else's are an answer, while there are any. */
const OWN_WORDS =
	/\b(?:did|have|had) (?:i|we) (?:\w+ )?(?:say|said|tell|told|write|written|mention(?:ed)?|ask(?:ed)?|note[d]?)\b|\b(?:i|we) (?:said|told|wrote|mentioned|noted)\b/i;

/** The answer to a conversation, by fixed rules. Pure: the same conversation gets the same answer. */
export function respond(conversation: Conversation, abilities: Abilities): Response {
	const { question } = conversation;
	const hasFiles = conversation.attachments.some((file) => file.current);
	if (question === '') {
		if (hasFiles) return { say: aboutAttachments(conversation) };
		return { say: conversation.hasImages ? words.NO_IMAGES : words.EMPTY };
	}
	const sum = calculate(question);
	if (sum) return { say: `${sum.sum} = **${sum.result}**` };
	const answer = answerTo(intentOf(question, abilities.now), conversation, abilities);
	if ('say' in answer && conversation.hasImages) return { say: `${answer.say}\n\n${words.NO_IMAGES}` };
	return answer;
}

function answerTo(intent: Intent, conversation: Conversation, abilities: Abilities): Response {
	const isFirst = !conversation.earlier.some(({ role, text }) => role === 'agent' && words.isOwnReply(text));
	switch (intent.kind) {
		case 'greeting':
			return { say: isFirst ? words.GREETING : words.GREETING_AGAIN };
		case 'thanks':
			return { say: words.THANKS };
		case 'help':
			return { say: words.HELP };
		case 'who_are_you':
			return { say: words.WHO };
		case 'connect':
			return { say: words.CONNECT };
		case 'remember':
			return remember(intent.isBefore ? saidBefore(conversation, abilities.now) : intent.text, conversation, abilities);
		case 'undo':
			return { say: undo(conversation) };
		case 'forget':
			return forget(intent.subject, conversation, abilities);
		case 'correction':
			return correct(intent, conversation, abilities) ?? chat(conversation, isFirst);
		case 'on_day':
			return onDay(intent, conversation, abilities) ?? lookUp(conversation.question, conversation, abilities);
		case 'yes':
		case 'no':
			return decideOffer(intent.kind === 'yes', conversation, abilities) ?? chat(conversation, isFirst);
		case 'schedule':
			return schedule(conversation, abilities);
		case 'workflow':
			return { say: words.WORKFLOW };
		case 'now':
			return { say: now(intent.what, abilities.now) };
		case 'count':
			return { say: count(conversation) };
		case 'search':
			return search(intent.query, conversation, abilities);
		case 'knows_about':
			return knows(intent.subject, conversation, abilities) ?? lookUp(intent.subject, conversation, abilities);
		case 'findings':
			return findings(intent.about, conversation, abilities);
		case 'needs_model':
			return { say: withoutModel(intent.verb, conversation) };
		case 'question':
			return lookUp(conversation.question, conversation, abilities);
		case 'statement':
			return chat(conversation, isFirst);
	}
}

function chat(conversation: Conversation, isFirst: boolean): Response {
	if (conversation.attachments.some((file) => file.current)) return { say: aboutAttachments(conversation) };
	return { say: isFirst ? words.NOTED : words.NOTED_AGAIN };
}

/** The inbox answers, and nothing of what waits there is read; what was approved of it is memory like any other. */
function findings(about: string, { question, calls }: Conversation, { tools }: Abilities): Response {
	if (about !== '' && tools.has('memory_search')) {
		const found = lastOf(calls, 'memory_search');
		if (!found) return searchMemory(about);
		const known = found.isError ? undefined : answerFrom(question, readEntries(found.text));
		if (known !== undefined) return { say: known };
	}
	const opened = lastOf(calls, 'open_inbox');
	if (opened && !opened.isError) return { say: words.inboxOpened(opened.text) };
	return opened || !tools.has('open_inbox') ? { say: words.INBOX_ELSEWHERE } : { call: { tool: 'open_inbox', args: {} } };
}

/** Quotes from memory; where it holds no answer, from this chat, then from the other chats. What was attached just now is asked about first. */
function lookUp(question: string, conversation: Conversation, abilities: Abilities): Response {
	const aboutFiles = conversation.attachments.some((file) => file.current);
	const found = lastOf(conversation.calls, 'memory_search');
	if (!aboutFiles && !found && abilities.tools.has('memory_search')) return searchMemory(question);
	const answer = found && !found.isError ? answerFrom(question, readEntries(found.text)) : undefined;
	if (answer !== undefined) return { say: answer };
	const asksOwnWords = OWN_WORDS.test(cutCodePoints(question, 500));
	const passages = passagesOf(conversation);
	const own = asksOwnWords
		? findPassages(
				question,
				passages.filter(({ from }) => from === 'owner'),
			)
		: [];
	const here = own.length > 0 ? own : findPassages(question, passages);
	if (here.length > 0) return { say: quotes(here) };
	const keywords = keywordsOf(question, 3);
	const queries = [...new Set([inOrder(question, keywords), keywords[0] ?? ''])].filter((query) => query !== '').slice(0, MOST_SEARCHES);
	const done = conversation.searches;
	const last = done.at(-1);
	const shown = last && presentSearch(last, conversation.question, { ownFirst: asksOwnWords, answers: true });
	if (shown) return { say: shown };
	const next = queries[done.length];
	if (abilities.tools.has('search_chats') && next !== undefined) return searchChats(next);
	const near = found && !found.isError ? nearest(question, readEntries(found.text)) : undefined;
	return { say: near ?? words.nothingHere(done.map(({ query }) => query)) };
}

function searchChats(query: string): Response {
	return { call: { tool: 'search_chats', args: { query } } };
}

function search(wanted: string, conversation: Conversation, abilities: Abilities): Response {
	if (wanted === '') return { say: words.SEARCH_WHAT };
	const query = wanted.length <= 200 ? wanted : inOrder(wanted, keywordsOf(wanted, 5));
	if (!abilities.tools.has('search_chats')) {
		const here = findPassages(query, passagesOf(conversation));
		return { say: here.length > 0 ? `${quotes(here)}\n\n${words.SEARCH_OFF}` : words.SEARCH_OFF };
	}
	const [first, second] = conversation.searches;
	if (!first) return searchChats(query);
	if (first.isError) return { say: words.searchFailed(query) };
	const shown = presentSearch(first, conversation.question) ?? (second && presentSearch(second, conversation.question));
	if (shown) return { say: shown };
	// Every word has to occur: “the blue boiler” may fail where “blue boiler” does not.
	const fewer = inOrder(query, keywordsOf(query, 4));
	if (!second && fewer !== '' && fewer !== query) return searchChats(fewer);
	return { say: words.nothingInChats(query) };
}

function quotes(found: readonly Found[]): string {
	return [words.foundHere(found.length), ...found.map(quote)].join('\n\n');
}

function now(what: 'time' | 'date', at: number): string {
	const options: Intl.DateTimeFormatOptions = what === 'time' ? { timeStyle: 'short', dateStyle: 'full' } : { dateStyle: 'full' };
	return `It is ${new Intl.DateTimeFormat('en-GB', options).format(at)}.`;
}

function count(conversation: Conversation): string {
	const inline = /:\s*(\S[\s\S]*)$/.exec(conversation.question)?.[1];
	const current = conversation.attachments.filter((file) => file.current);
	const files =
		inline === undefined ? (current.length > 0 ? current : conversation.attachments.slice(-1)) : [{ name: 'your text', text: inline }];
	if (files.length === 0) return "I can't see a text to count. Attach one, or write it after a colon: “how many words: …”.";
	return files.map(({ name, text }) => `“${name}”: ${sizeOf(text)}.`).join('\n');
}

function withoutModel(verb: string, conversation: Conversation): string {
	const refusal = words.needsModel(verb);
	const here = findPassages(conversation.question, passagesOf(conversation));
	if (here.length > 0)
		return `${refusal} ${words.foundHere(here.length).replace(/^I found/, 'But I found')}\n\n${here.map(quote).join('\n\n')}\n\n${words.CONNECT_HINT}`;
	const hasFiles = conversation.attachments.some((file) => file.current);
	return hasFiles ? `${refusal} ${words.CONNECT_HINT}\n\n${aboutAttachments(conversation)}` : `${refusal} ${words.CONNECT_HINT}`;
}

/** What is plain to see of attachments: their size and how they begin. */
function aboutAttachments(conversation: Conversation): string {
	const files = conversation.attachments.filter((file) => file.current);
	const outlines = files.map(({ name, text }) => {
		const start = text
			.split(/\r?\n/)
			.filter((line) => line.trim() !== '')
			.slice(0, 3)
			.join('\n');
		return `**${name}**: ${sizeOf(text)}. It begins:\n\n${quote({ text: start || '(empty)', place: `“${name}”` })}`;
	});
	return `I can't read for meaning, but I can quote. ${files.length === 1 ? 'Ask about this file' : 'Ask about these files'}, and I show the passages that fit.\n\n${outlines.join('\n\n')}`;
}

function sizeOf(text: string): string {
	const number = (value: number, one: string) => `${value.toLocaleString('en-US')} ${value === 1 ? one : `${one}s`}`;
	const lines = text === '' ? 0 : text.split(/\r?\n/).length;
	return `${number(countWords(text), 'word')}, ${number([...text].length, 'character')}, ${number(lines, 'line')}`;
}

/** The keywords in the order in which they were written. */
function inOrder(text: string, keywords: readonly string[]): string {
	return [...keywords].sort((a, b) => text.indexOf(a) - text.indexOf(b)).join(' ');
}
