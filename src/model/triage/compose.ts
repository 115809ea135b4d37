import type { FindingKind, Urgency } from '../../domain/heartbeat.ts';
import { cutCodePoints } from '../../domain/text.ts';
import type { FindingDraft } from './answer.ts';
import { type Match, wordsOf, wordsThatFit } from './match.ts';
import type { ItemParts } from './passages.ts';
import { nextTimeIn } from './times.ts';

/** A finding in the item's own words: nothing in it is made up, since nobody here understands what it says. Pure. */

const LONGEST_TEXT = 400;
const LONGEST_LINE = 200;
const SOON_MS = 48 * 3_600_000;
const URGENT =
	/\b(?:urgent(?:ly)?|immediate(?:ly)?|at once|right away|asap|as soon as possible|emergency|critical|today|tonight|actively exploited|exploited in the wild|zero[- ]day|final (?:notice|reminder|warning)|last (?:reminder|chance|day)|out[- ]of[- ]cycle|dringend|sofort|heute|letzte mahnung)\b/i;
const FACT = /^(?:When|Where|Date|Time|Place|Wann|Wo): (.{1,160})$/;
/** Kinds of things that owners want to act on, and those that matter for a day or two. */
const TASKS: ReadonlySet<string> = new Set(['bill', 'duty', 'asks', 'meet']);
const NOTICES: ReadonlySet<string> = new Set(['outage', 'strike', 'recall', 'security', 'weather']);

export function findingOf({ interest, topic, passage }: Match, { title, sentences }: ItemParts, item: number, now: number): FindingDraft {
	const facts = factsOf(sentences);
	const said = sentences.filter((sentence) => !facts.some(({ line }) => line === sentence));
	const inPassage = said.filter((sentence) => passage.text.includes(sentence));
	const best = bestOf(inPassage.length > 0 ? inPassage : said, (sentence) => wordsThatFit(topic, wordsOf(sentence), sentence).length);
	const kind = interest.kind ?? kindOf(topic.concepts.map(({ name }) => name));
	const told = [title, best].filter((part): part is string => part !== undefined && part !== '');
	const due = nextTimeIn([...facts.map(({ words }) => words), ...told].join('. '), now);
	const fits = wordsThatFit(topic, passage.words, passage.text).slice(0, 4);
	const line = interest.line.length <= LONGEST_LINE ? interest.line : `${cutCodePoints(interest.line, LONGEST_LINE - 1)}…`;
	return {
		kind,
		item,
		text: cutCodePoints(joined(told, facts), LONGEST_TEXT),
		why: `Fits “${line}” in HEARTBEAT.md${fits.length === 0 ? ', by what it means' : `: it says ${fits.map((word) => `“${word}”`).join(', ')}`}.`,
		// What stands after the title comes first: a title may stand beside the text rather than in it.
		quotes: [...told.toReversed(), ...facts.map(({ line }) => line)],
		urgency: urgencyOf(told.join('. '), due, now),
		dueAt: kind === 'task' && due !== undefined ? new Date(due).toISOString() : null,
	};
}

function bestOf(sentences: readonly string[], rate: (sentence: string) => number): string | undefined {
	let best: { sentence: string; rate: number } | undefined;
	for (const sentence of sentences) {
		const rated = rate(sentence);
		if (!best || rated > best.rate) best = { sentence, rate: rated };
	}
	return best?.sentence;
}

interface Fact {
	/** As it stands in the item. */
	readonly line: string;
	/** Without its name. */
	readonly words: string;
}

/** When and where it is, as an event says it before all else: without them it tells nothing. */
function factsOf(sentences: readonly string[]): Fact[] {
	return sentences.slice(0, 2).flatMap((line) => {
		const words = FACT.exec(line)?.[1];
		return words === undefined ? [] : [{ line, words }];
	});
}

/** The title with its facts and the sentence, as two sentences; one where the other says it already. */
function joined(told: readonly string[], facts: readonly Fact[]): string {
	const [title = '', sentence = ''] = told;
	const isSaid = sentence !== '' && sentence.toLowerCase().includes(title.toLowerCase());
	const first = [isSaid && facts.length === 0 ? '' : title, facts.map(({ words }) => words).join('; ')]
		.filter((part) => part !== '')
		.join(': ');
	if (first === '' || sentence === '') return `${first}${sentence}`;
	return `${first}${/[.!?:…]$/.test(first) ? '' : '.'} ${sentence}`;
}

function kindOf(concepts: readonly string[]): FindingKind {
	if (concepts.some((name) => TASKS.has(name))) return 'task';
	return concepts.some((name) => NOTICES.has(name)) ? 'notice' : 'memory';
}

function urgencyOf(text: string, due: number | undefined, now: number): Urgency {
	return URGENT.test(text) || (due !== undefined && due <= now + SOON_MS) ? 'high' : 'normal';
}
