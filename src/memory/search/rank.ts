import type { SearchMode } from '../../domain/memory.ts';
import type { LexicalCandidates } from './candidates.ts';
import { closeness, namesTime } from './dates.ts';
import { type CandidateRow, headingsOf } from './ledger-rows.ts';
import { bm25, type Counted, type CountedText, type Counts, TermCounter, weightOf } from './lexical.ts';
import type { Query } from './query.ts';
import { type Features, type Scored, scoreOf } from './score.ts';
import { parseSpeaker } from './speakers.ts';

export interface RankedEntry extends Scored {
	readonly row: CandidateRow;
	readonly features: Features;
	readonly similarity: number | undefined;
	/** Of its headings' words too. */
	readonly covered: number;
}

export interface RankInput {
	readonly query: Query;
	readonly mode: SearchMode;
	/** Candidates and the entries beside them. */
	readonly rows: readonly CandidateRow[];
	/** Undefined: words do not count. */
	readonly lexical: Pick<LexicalCandidates, 'frequencies' | 'partly'> | undefined;
	/** Cosine similarity with the question. */
	readonly similarities: ReadonlyMap<number, number>;
	/** The similarity that counts for nothing. */
	readonly zero: number;
	/** Entries in the index. */
	readonly total: number;
	readonly now: number;
}

/** Characters from which an entry is long enough. */
const LONG = 200;
/** Scores nearer than this are equal: then the newer entry comes first, and only then (mem-11). */
const EQUAL = 1e-4;
/** Cosine similarity below which texts that share no word have nothing to do with each other: then nothing is found. */
const UNRELATED = 0.2;

/** Best first; entries that neither words, meaning nor date speak for are left out. */
export function rankEntries(input: RankInput): RankedEntry[] {
	const { query, rows } = input;
	const beside = neighbours(rows);
	const words = wordScores(input, beside);
	const meanings = meaningScores(input);
	const person = query.people.length === 1 ? query.people[0] : undefined;
	const ranked: RankedEntry[] = [];
	for (const row of rows) {
		const own = words.get(row.rowid);
		const [before, after] = beside.get(row.rowid) ?? [];
		const of = (scores: ReadonlyMap<number, number>, other: CandidateRow | undefined) => (other && scores.get(other.rowid)) ?? 0;
		const date = query.dates.length > 0 ? Math.max(0, closeness(query.dates, row.dated)) : 0;
		const features: Features = {
			words: own?.score ?? 0,
			wordsBefore: (before && words.get(before.rowid)?.score) ?? 0,
			wordsAfter: (after && words.get(after.rowid)?.score) ?? 0,
			meaning: meanings.get(row.rowid) ?? 0,
			meaningBefore: of(meanings, before),
			meaningAfter: of(meanings, after),
			exact: own?.exact ?? 0,
			whole: own?.coverage === 1 && query.terms.length > 1 ? Math.min(1, query.terms.length / 4) : 0,
			person: person !== undefined && parseSpeaker(row.text).speaker === person ? 1 : 0,
			time: query.asksWhen && namesTime(row.text) ? 1 : 0,
			date,
			question: isQuestion(row.text) ? 1 : 0,
			length: Math.min(1, row.text.length / LONG),
			heading: row.kind === 'heading' ? 1 : 0,
			past: isPast(row, input.now) ? 1 : 0,
		};
		const similarity = input.similarities.get(row.rowid);
		if (features.words === 0 && (similarity ?? 0) < UNRELATED && date < 1) continue;
		ranked.push({ row, features, similarity, covered: own?.covered ?? 0, ...scoreOf(features) });
	}
	liftSuccessors(ranked);
	const step = ({ score }: RankedEntry) => Math.round(score / EQUAL);
	return ranked.sort((a, b) => step(b) - step(a) || b.row.dated - a.row.dated || b.row.rowid - a.row.rowid);
}

/** It ends in a question mark, but for what is shown with it in brackets. */
function isQuestion(text: string): boolean {
	return text.includes('?') && /\?\s*(?:\[[^\]]*\]\s*)?$/.test(text);
}

function isPast(row: CandidateRow, now: number): boolean {
	return (
		row.superseded_by !== null || (row.valid_until !== null && row.valid_until <= now) || (row.valid_from !== null && row.valid_from > now)
	);
}

/** What replaced an entry comes right before it, however differently it is worded (mem-8). */
function liftSuccessors(ranked: RankedEntry[]): void {
	const byId = new Map(ranked.map((one, index) => [one.row.id, index]));
	// Along chains, from old to new: each lift may lift the next.
	for (let round = 0; round < 8; round++) {
		let changed = false;
		for (const { row, score } of [...ranked]) {
			const at = row.superseded_by === null ? undefined : byId.get(row.superseded_by);
			const successor = at === undefined ? undefined : ranked[at];
			if (at === undefined || !successor || successor.score > score + EQUAL) continue;
			const lift = score - successor.score + 10 * EQUAL;
			ranked[at] = {
				...successor,
				score: successor.score + lift,
				parts: { ...successor.parts, replaces: (successor.parts.replaces ?? 0) + lift },
			};
			changed = true;
		}
		if (!changed) return;
	}
}

/** The entries before and after each, under the same heading. */
function neighbours(rows: readonly CandidateRow[]): Map<number, [CandidateRow | undefined, CandidateRow | undefined]> {
	const places = new Map(rows.map((row) => [`${row.position} ${row.rank}`, row]));
	const at = (row: CandidateRow, position: number) => {
		const other = places.get(`${position} ${row.rank}`);
		return other?.heading_path === row.heading_path ? other : undefined;
	};
	return new Map(rows.map((row) => [row.rowid, [at(row, row.position - 1), at(row, row.position + 1)]]));
}

interface WordScore {
	/** BM25, 1 the best. */
	score: number;
	readonly coverage: number;
	/** The same, with its headings. */
	readonly covered: number;
	readonly exact: number;
}

function wordScores(
	{ query, rows, lexical, total }: RankInput,
	beside: ReadonlyMap<number, readonly (CandidateRow | undefined)[]>,
): Map<number, WordScore> {
	if (!lexical || query.terms.length === 0) return new Map();
	const counter = new TermCounter(query.terms, lexical.partly, query.unfinished);
	const texts = new Map(rows.map((row) => [row.rowid, counter.count(row.text)]));
	const headings = new Map<string, Counts>();
	const headingCounts = (row: CandidateRow): Counts => {
		const known = headings.get(row.heading_path) ?? counter.count(headingsOf(row).join(' ')).counts;
		headings.set(row.heading_path, known);
		return known;
	};
	const weights = lexical.frequencies.map((frequency) => weightOf(Math.max(1, frequency), total));
	const all = weights.reduce((sum, weight) => sum + weight, 0);
	const exactTerms = query.terms.flatMap((term, index) => (term.isExact ? [index] : []));
	const counted = rows.map((row): [number, Counted] => {
		const own = texts.get(row.rowid) as CountedText;
		const context = (beside.get(row.rowid) ?? []).flatMap((other) => (other ? [texts.get(other.rowid) as CountedText] : []));
		return [
			row.rowid,
			{
				own: own.counts,
				heading: headingCounts(row),
				context: context.map(({ counts }) => counts),
				length: own.length,
				contextLength: context.reduce((sum, { length }) => sum + length, own.length),
			},
		];
	});
	const mean = counted.reduce((sum, [, { length, contextLength }]) => sum + length + contextLength, 0) / Math.max(1, counted.length);
	const scores = new Map<number, WordScore>();
	let best = 0;
	for (const [rowid, one] of counted) {
		const score = bm25(one, weights, mean);
		best = Math.max(best, score);
		const holds = (index: number) => (one.own[index] ?? 0) > 0;
		const share = (held: (index: number) => boolean) =>
			all > 0 ? weights.reduce((sum, weight, index) => sum + (held(index) ? weight : 0), 0) / all : 0;
		scores.set(rowid, {
			score,
			coverage: share(holds),
			covered: share((index) => holds(index) || (one.heading[index] ?? 0) > 0),
			exact: exactTerms.length > 0 ? exactTerms.filter(holds).length / exactTerms.length : 0,
		});
	}
	if (best > 0) for (const one of scores.values()) one.score /= best;
	return scores;
}

/** From 0 to 1: the nearest, and whatever is no nearer than the last that was found by meaning. */
function meaningScores({ similarities, zero }: RankInput): Map<number, number> {
	let best = zero;
	for (const similarity of similarities.values()) best = Math.max(best, similarity);
	const scores = new Map<number, number>();
	if (similarities.size === 0) return scores;
	for (const [id, similarity] of similarities) scores.set(id, best > zero ? Math.max(0, (similarity - zero) / (best - zero)) : 1);
	return scores;
}
