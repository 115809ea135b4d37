import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TaskCard } from '../src/domain/task.ts';
import { cardOf } from '../src/schedule/card.ts';
import { momentOf } from '../src/schedule/sentence/days.ts';
import { readSentence } from '../src/schedule/sentence/read.ts';

/** How many sentences the grammar reads to the card that is right, how many it asks about, and how many to a wrong one. */

const SETS = { tuned: 'tuned-on.txt', held: 'held-out.txt', later: 'later.txt' } as const;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface Case {
	readonly set: string;
	readonly sentence: string;
	readonly now: number;
	readonly zone: string;
	readonly runs?: readonly string[];
	readonly runZone?: string;
	readonly on?: string;
	readonly work?: string;
	readonly result?: string;
	readonly asks?: { readonly words: RegExp; readonly firsts: readonly string[] };
	readonly none?: boolean;
}

export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({ args, options: { set: { type: 'string', default: 'all' } } });
	const names = Object.entries(SETS).filter(([name]) => values.set === 'all' || values.set === name);
	if (names.length === 0) throw new Error('--set is tuned, held, later or all.');
	const total = { sentences: 0, right: 0, asked: 0, wrong: 0 };
	for (const [name, file] of names) {
		const each = judge(casesOf(name, readFileSync(join(import.meta.dirname, 'sentences', file), 'utf8')));
		console.error(`${name}: ${JSON.stringify(each)}`);
		for (const key of ['sentences', 'right', 'asked', 'wrong'] as const) total[key] += each[key];
	}
	return total;
}

/** `right`: the card, the question or the refusal that was written down. `asked`: asked or not read where a card was. `wrong`: another card, or one where there is none. */
function judge(cases: readonly Case[]): { sentences: number; right: number; asked: number; wrong: number; ambiguous: number } {
	let [right, asked, wrong] = [0, 0, 0];
	for (const each of cases) {
		const problem = problemOf(each);
		if (!problem) right++;
		else if (problem.isCard) wrong++;
		else asked++;
		if (problem) console.error(`  ${problem.isCard ? 'WRONG' : 'asked'}: “${each.sentence}”: ${problem.what}`);
	}
	return { sentences: cases.length, right, asked, wrong, ambiguous: cases.filter(({ asks }) => asks).length };
}

function problemOf(each: Case): { isCard: boolean; what: string } | undefined {
	const { now, zone, asks, none } = each;
	const reading = readSentence(each.sentence, { now, zone });
	if (reading.kind === 'unclear') return none ? undefined : { isCard: false, what: `unclear: ${reading.message}` };
	if (reading.kind === 'asks') {
		const told = `asks: ${reading.question} ${reading.choices.map(({ text }) => `[${text}]`).join(' ')}`;
		if (!asks) return { isCard: false, what: told };
		if (!asks.words.test(`${reading.question} ${reading.choices.map(({ text }) => text).join(' ')}`)) return { isCard: false, what: told };
		const firsts: string[] = [];
		for (const { sentence } of reading.choices) {
			const then = readSentence(sentence, { now, zone });
			if (then.kind !== 'draft') return { isCard: true, what: `the choice “${sentence}” reads to no card` };
			firsts.push(cardOf(then.draft, { now, zone }).next[0]?.local.slice(0, 16) ?? '');
		}
		const missing = asks.firsts.find((first) => !firsts.includes(first));
		return missing === undefined ? undefined : { isCard: true, what: `no choice comes first at ${missing}, but at ${firsts.join(', ')}` };
	}
	const card = cardOf(reading.draft, { now, zone });
	const what = [whenOf(card), card.zone, workOf(card), resultOf(card)].join(' | ');
	if (asks || none) return { isCard: true, what };
	const wanted = each.runs ? runsOf(each.runs) : `on ${each.on}`;
	const wantedWork = plain(each.work ?? '');
	const isRight =
		whenOf(card, each.runs?.length) === wanted &&
		card.zone === (each.runZone ?? zone) &&
		plain(workOf(card)) === wantedWork &&
		resultOf(card) === (each.result ?? 'chat');
	return isRight ? undefined : { isCard: true, what: `${what} in place of ${wanted} | ${wantedWork}` };
}

function runsOf(runs: readonly string[]): string {
	return runs.join(' ');
}

function whenOf({ draft, next }: TaskCard, wanted = 5): string {
	if (draft.when.kind === 'schedule') {
		const runs = next.map(({ local }) => local.slice(0, 16));
		return [...runs, ...(runs.length < 5 && wanted !== runs.length ? ['end'] : runs.length < 5 ? ['end'] : [])].join(' ');
	}
	const { trigger } = draft.when;
	switch (trigger.kind) {
		case 'files':
			return `on files ${trigger.path}${trigger.names === undefined ? '' : ` ${trigger.names}`}`;
		case 'workflow':
			return `on workflow ${trigger.workflow} ${trigger.state}`;
		case 'unlock':
			return trigger.idleMinutes === 10 ? 'on unlock' : `on unlock ${trigger.idleMinutes}`;
		case 'signal':
			return `on signal ${trigger.name}`;
		default:
			return `on ${trigger.kind}`;
	}
}

function workOf({ draft: { work } }: TaskCard): string {
	if (work.kind === 'prompt') return work.text;
	return work.kind === 'workflow' ? `workflow: ${work.name}` : `remind: ${work.text}`;
}

function resultOf({ draft: { work } }: TaskCard): string {
	if (work.kind !== 'prompt') return 'chat';
	return work.result.kind === 'file' ? `file ${work.result.path}` : work.result.kind;
}

function plain(text: string): string {
	return text.toLowerCase().replace(/[.?\s]+$/, '');
}

/** The format is explained in the file itself. */
export function casesOf(set: string, text: string): Case[] {
	let [now, zone] = [0, 'UTC'];
	const cases: Case[] = [];
	for (const block of text.split(/\n\s*\n/)) {
		const [first = '', ...lines] = block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
		const clock = /^now (\S+)T(\d\d):(\d\d) (\S+) (\w+)$/.exec(first);
		if (clock) {
			const [, day = '', hour, minute, name = '', weekday] = clock;
			[now, zone] = [momentOf(day, Number(hour) * 60 + Number(minute), name), name];
			if (WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] !== weekday) throw new Error(`${day} is no ${weekday}.`);
			continue;
		}
		if (first === '') continue;
		let each: Case = { set, sentence: first, now, zone };
		for (const line of lines) each = { ...each, ...readLine(line) };
		if (!each.runs && each.on === undefined && !each.asks && !each.none) throw new Error(`Nothing is written down for “${first}”.`);
		cases.push(each);
	}
	return cases;
}

function readLine(line: string): Partial<Case> {
	const rest = line.slice(2).trim();
	if (line.startsWith('= ')) return { runs: rest.split(/\s+/) };
	if (line.startsWith('@ ')) return { runZone: rest };
	if (line.startsWith('on ')) return { on: line.slice(3).trim() };
	if (line.startsWith('! ')) return { work: rest };
	if (line.startsWith('> ')) return { result: rest };
	if (line === '-') return { none: true };
	if (line.startsWith('? ')) {
		const [words = '', firsts = ''] = rest.split(' :: ');
		return { asks: { words: new RegExp(words, 'i'), firsts: firsts.split(/\s+/).filter((first) => first !== '') } };
	}
	throw new Error(`What is “${line}”?`);
}
