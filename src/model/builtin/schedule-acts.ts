import { type Choice, type Reading, readSentence } from '../../schedule/sentence/read.ts';
import { nextSlot } from '../../schedule/slots.ts';
import type { Called, Conversation } from './conversation.ts';
import { ownZone } from './for-later.ts';
import { lastOf } from './memory-acts.ts';
import type { Abilities, Response } from './respond.ts';
import * as words from './words.ts';

/**
 * What is to be done later: the grammar reads the sentence, and what may mean two things is asked. A single reminder is set at once; everything
 * else is proposed, and the owner decides by its card.
 */

/** Most of what may be chosen from, and of one of it, as a question can hold. */
const MOST_CHOICES = 8;
const CHOICE_CHARS = 200;

export function schedule(conversation: Conversation, { tools, now }: Abilities): Response {
	const { calls, question } = conversation;
	const made = lastOf(calls, 'schedule_task') ?? lastOf(calls, 'remind');
	if (made) return { say: outcome(made) };
	if (!tools.has('schedule_task')) return { say: words.SCHEDULE };
	const read = (sentence: string): Reading => readSentence(sentence, { now, zone: ownZone() });
	const reading = read(question);
	if (reading.kind === 'draft') return carryOut(question, reading, tools, now);
	if (reading.kind === 'unclear')
		// The sources have names that only the tool knows.
		return /\bnew findings?\b/i.test(question) ? propose(question) : { say: words.notScheduled(reading.message, reading.action) };
	const choices = reading.choices.slice(0, MOST_CHOICES);
	const answer = lastOf(calls, 'ask_owner');
	if (!answer) {
		if (!tools.has('ask_owner'))
			return {
				say: words.whichOne(
					reading.question,
					choices.map(({ text }) => text),
				),
			};
		return { call: { tool: 'ask_owner', args: { question: reading.question, choices: choices.map(shown) } } };
	}
	const chosen = answer.isError ? undefined : choiceOf(answer.text, choices);
	const then = chosen && read(chosen.sentence);
	if (chosen && then?.kind === 'draft') return carryOut(chosen.sentence, then, tools, now);
	return { say: words.notScheduled('I can’t tell which of them you mean.', 'Say the whole sentence again, with the day and the time.') };
}

function carryOut(sentence: string, { draft }: Extract<Reading, { kind: 'draft' }>, tools: ReadonlySet<string>, now: number): Response {
	const { work, when } = draft;
	const isOnce = when.kind === 'schedule' && (when.schedule.timing.kind === 'at' || when.schedule.timing.kind === 'moment');
	const slot = isOnce && work.kind === 'reminder' ? nextSlot(when.schedule, now, { zone: ownZone() }) : undefined;
	if (work.kind !== 'reminder' || !slot || !tools.has('remind')) return propose(sentence);
	return { call: { tool: 'remind', args: { text: work.text, at: new Date(slot.at).toISOString() } } };
}

function propose(sentence: string): Response {
	return { call: { tool: 'schedule_task', args: { sentence } } };
}

function outcome({ tool, text, isError }: Called): string {
	if (!isError) return tool === 'remind' ? words.reminded(text) : words.scheduled(text);
	return words.notScheduled(text.startsWith('The owner said no') ? 'You said no to it.' : text);
}

function shown({ text }: Choice): string {
	return text.length <= CHOICE_CHARS ? text : `${text.slice(0, CHOICE_CHARS - 1)}…`;
}

/** By its words, or by its number. */
function choiceOf(answer: string, choices: readonly Choice[]): Choice | undefined {
	const said = answer
		.trim()
		.toLowerCase()
		.replace(/[.!]+$/, '');
	const number = /^(?:the\s+)?(\d{1,2}|first|second|third|fourth)(?:\s+one)?$/.exec(said)?.[1];
	const exact = choices.find((choice) => shown(choice).toLowerCase() === said);
	if (exact) return exact;
	const named = choices.filter(({ text }) => text.toLowerCase().includes(said));
	if (named.length === 1) return named[0];
	if (number === undefined) return undefined;
	const place = ['first', 'second', 'third', 'fourth'].indexOf(number);
	return choices[place >= 0 ? place : Number(number) - 1];
}
