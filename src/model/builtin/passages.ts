import { cutCodePoints } from '../../domain/text.ts';
import type { Conversation } from './conversation.ts';
import { isQuestion } from './intent.ts';
import { termsOf } from './tokens.ts';
import { isOwnReply, OWN_NAME } from './words.ts';

/** A passage of the conversation that can be quoted, and where it is, in words. */
export interface Passage {
	text: string;
	place: string;
	from: 'owner' | 'agent' | 'file';
	/** Greater is newer. */
	order: number;
}

export interface Found extends Passage {
	score: number;
}

const PASSAGE_LENGTH = 500;
const K1 = 1.2;
const B = 0.75;

/** Everything of the conversation that may be quoted; the responder's own earlier words and the owner's questions are left out. */
export function passagesOf(conversation: Conversation): Passage[] {
	const passages: Passage[] = [];
	for (const { role, text, back, by } of conversation.earlier) {
		// An earlier question holds the same words and answers nothing.
		if (role === 'owner' && isQuestion(text)) continue;
		if (role === 'agent' && (by === undefined ? isOwnReply(text) : by === OWN_NAME)) continue;
		const place = `${role === 'owner' ? 'you' : (by ?? 'the model')}, ${ago(back)}`;
		for (const piece of cut(text)) passages.push({ text: piece.text, place, from: role, order: passages.length });
	}
	for (const { name, text } of conversation.attachments) {
		for (const piece of cut(text))
			passages.push({ text: piece.text, place: `“${name}”, ${linesOf(piece)}`, from: 'file', order: passages.length });
	}
	return passages;
}

/** The passages that fit the question, best first (BM25). Empty where none holds enough of its words. */
export function findPassages(question: string, passages: readonly Passage[], most = 3): Found[] {
	const wanted = [...new Set(termsOf(question))];
	if (wanted.length === 0 || passages.length === 0) return [];
	const documents = passages.map((passage) => countTerms(termsOf(passage.text)));
	const averageLength = Math.max(1, documents.reduce((sum, document) => sum + document.length, 0) / documents.length);
	const rarity = new Map(
		wanted.map((term) => [term, idf(documents.filter((document) => document.counts.has(term)).length, documents.length)]),
	);
	const everything = wanted.reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
	const found: Found[] = [];
	for (const [index, passage] of passages.entries()) {
		const document = documents[index];
		if (!document) continue;
		let score = 0;
		let covered = 0;
		for (const term of wanted) {
			const count = document.counts.get(term);
			if (!count) continue;
			const weight = rarity.get(term) ?? 0;
			covered += weight;
			score += (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * document.length) / averageLength));
		}
		// One common word in common is no answer.
		if (score > 0 && covered >= everything * 0.34) found.push({ ...passage, score });
	}
	found.sort((a, b) => b.score - a.score || b.order - a.order);
	const best = found[0]?.score ?? 0;
	return withoutDoubles(found.filter((each) => each.score >= best * 0.5)).slice(0, most);
}

/** As a Markdown quote, short, with its place below. */
export function quote({ text, place }: Pick<Passage, 'text' | 'place'>): string {
	const short = text.length <= PASSAGE_LENGTH ? text : `${cutCodePoints(text, PASSAGE_LENGTH)}…`;
	return `${short
		.split('\n')
		.map((line) => `> ${line}`)
		.join('\n')}\n\n— ${place}`;
}

interface Piece {
	text: string;
	from: number;
	to: number;
}

/** Cut at blank lines, and where a paragraph is too long, between lines or sentences. Lines count from 1. */
function cut(text: string): Piece[] {
	const pieces: Piece[] = [];
	let piece: Piece | undefined;
	const close = () => {
		if (piece && piece.text.trim() !== '') pieces.push({ ...piece, text: piece.text.trim() });
		piece = undefined;
	};
	for (const [index, line] of text.split(/\r?\n/).entries()) {
		const number = index + 1;
		if (line.trim() === '') {
			close();
			continue;
		}
		for (const part of line.length > PASSAGE_LENGTH ? sentences(line) : [line]) {
			if (piece && piece.text.length + part.length > PASSAGE_LENGTH) close();
			if (!piece) piece = { text: part, from: number, to: number };
			else piece = { text: piece.to === number ? `${piece.text} ${part}` : `${piece.text}\n${part}`, from: piece.from, to: number };
		}
	}
	close();
	return pieces;
}

function sentences(line: string): string[] {
	const parts: string[] = [];
	for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(line)) {
		let rest = segment.trim();
		while (rest.length > PASSAGE_LENGTH) {
			const start = cutCodePoints(rest, PASSAGE_LENGTH);
			parts.push(start);
			rest = rest.slice(start.length);
		}
		if (rest !== '') parts.push(rest);
	}
	return parts;
}

function countTerms(terms: readonly string[]): { counts: Map<string, number>; length: number } {
	const counts = new Map<string, number>();
	for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
	return { counts, length: terms.length };
}

function idf(holding: number, all: number): number {
	return Math.log(1 + (all - holding + 0.5) / (holding + 0.5));
}

function withoutDoubles(found: readonly Found[]): Found[] {
	const seen = new Set<string>();
	return found.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function linesOf({ from, to }: Piece): string {
	return from === to ? `line ${from}` : `lines ${from}–${to}`;
}

function ago(back: number): string {
	if (back <= 1) return 'in the message before';
	return `${back} messages ago`;
}
