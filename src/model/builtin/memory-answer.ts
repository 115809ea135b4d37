import { type Entry, entryPassage, isCurrent } from './memory-results.ts';
import { quote } from './passages.ts';
import { disagree, factOf, plain } from './sentences.ts';
import { termsOf } from './tokens.ts';
import * as words from './words.ts';

/** Which entries answer a question, if any do. Pure: a rule over the search's own figures, tuned on the development half of `bench/responder`. */

/** An entry with how sure it is that it answers, from 0. */
export interface Judged {
	entry: Entry;
	sureness: number;
}

/** Least sureness of an answer. Below it nothing is answered: a wrong quote is worse than none. */
const SURE = 0.5;
/** Beside the best one only what is nearly as sure is shown. */
const NEARLY = 0.9;
const MOST_SHOWN = 3;
/** A past entry is an answer only where no current one is nearly as good. */
const PAST = 0.8;

export function judge(question: string, entries: readonly Entry[]): Judged[] {
	const wanted = new Set(termsOf(question));
	return entries
		.map((entry) => ({ entry, sureness: surenessOf(entry, wanted) * (isCurrent(entry) ? 1 : PAST) }))
		.sort((a, b) => b.sureness - a.sureness || b.entry.score - a.entry.score);
}

function surenessOf(entry: Entry, wanted: ReadonlySet<string>): number {
	const { similarity = 0, coverage = ownCoverage(entry, wanted) } = entry.parts;
	return 0.5 * similarity + 0.5 * coverage;
}

/** Share of the wanted terms that the entry holds. */
function ownCoverage(entry: Entry, wanted: ReadonlySet<string>): number {
	if (wanted.size === 0) return 0;
	const held = new Set(termsOf(`${entry.under} ${entry.text}`));
	return [...wanted].filter((term) => held.has(term)).length / wanted.size;
}

/** The answer as quotes, best first; undefined where nothing is sure enough. */
export function answerFrom(question: string, entries: readonly Entry[]): string | undefined {
	const judged = judge(question, entries);
	const best = judged[0];
	if (!best || best.sureness < SURE) return undefined;
	const near = judged.filter(({ sureness }) => sureness >= SURE && sureness >= best.sureness * NEARLY).slice(0, MOST_SHOWN);
	const shown = near.map(({ entry }) => entry);
	const other = contradiction(best.entry, judged);
	if (other) return [words.DISAGREE, ...[best.entry, other].map((entry) => quote(entryPassage(entry)))].join('\n\n');
	const head = isCurrent(best.entry) ? words.foundInMemory(shown.length) : words.ONLY_PAST;
	return [head, ...shown.map((entry) => quote(entryPassage(entry)))].join('\n\n');
}

/** Another current entry that says something else of the very same thing. */
function contradiction(best: Entry, judged: readonly Judged[]): Entry | undefined {
	const fact = factOf(best.text);
	if (!fact || !isCurrent(best)) return undefined;
	return judged.find(({ entry }) => {
		const other = entry !== best && isCurrent(entry) ? factOf(entry.text) : undefined;
		return other !== undefined && disagree(fact, other);
	})?.entry;
}

/** What fits a subject, best first: everything that names it, and what is nearly as sure. */
export function about(subject: string, entries: readonly Entry[]): Entry[] {
	const wanted = new Set(termsOf(subject));
	const name = plain(subject);
	return judge(subject, entries)
		.filter(
			({ entry, sureness }) => sureness >= SURE || (name !== '' && plain(entry.text).includes(name)) || ownCoverage(entry, wanted) >= 0.99,
		)
		.map(({ entry }) => entry);
}

/** The one entry that is meant; undefined where none or several may be. */
export function theOne(subject: string, entries: readonly Entry[]): Entry | undefined {
	const current = entries.filter(isCurrent);
	const name = plain(subject);
	const same = current.filter(({ text }) => plain(text) === name);
	if (same.length > 0) return same.length === 1 ? same[0] : undefined;
	const [first, second] = judge(subject, current).filter(({ sureness }) => sureness >= SURE);
	return first && (!second || second.sureness < first.sureness * NEARLY) ? first.entry : undefined;
}

/** The one current entry that a new sentence takes the place of: it says something else of the same thing. */
export function replacedBy(sentence: string, entries: readonly Entry[]): Entry | undefined {
	const fact = factOf(sentence);
	if (!fact) return undefined;
	const old = entries.filter((entry) => {
		const known = isCurrent(entry) ? factOf(entry.text) : undefined;
		return known !== undefined && disagree(fact, known);
	});
	return old.length === 1 ? old[0] : undefined;
}
