import { type FindingDraft, MOST_DRAFTS, type TriageAnswer } from './answer.ts';
import { findingOf } from './compose.ts';
import { bestMatch, type Passage, wordsOf } from './match.ts';
import { type ItemParts, partsOfItem } from './passages.ts';
import { readTriageTask } from './request.ts';
import { readWatch, type Watch } from './watch.ts';

/** What the built-in responder answers to a look: no AI, but likeness of items to lines of HEARTBEAT.md, by words and by meaning. */

/** Vectors of unit length, of one model. */
export type EmbedTexts = (texts: string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

/** Of a long item: how it begins, and so many parts that share words with what is watched for. */
const MOST_MORE_PASSAGES = 3;
const MOST_WATCHED = 1_000;

interface Item {
	readonly number: number;
	readonly parts: ItemParts;
	readonly passages: readonly Omit<Passage, 'vector'>[];
}

export interface TriageDeps {
	/** Undefined, or one that rejects: by words alone. */
	readonly embed: EmbedTexts | undefined;
	readonly now: number;
	readonly signal: AbortSignal;
	/** Vectors of what is watched for, from one look to the next. */
	readonly watched: Map<string, Float32Array>;
}

/** Undefined where the text is no look's task. */
export async function triage(task: string, deps: TriageDeps): Promise<TriageAnswer | undefined> {
	const read = readTriageTask(task);
	if (!read) return undefined;
	const watch = readWatch(read.heartbeat);
	if (watch.interests.length === 0) return { findings: [] };
	const items = read.items.map(({ number, text, from }) => itemOf(number, text, from, watch));
	const vectors = await vectorsFor(watch, items, deps);
	const found: { score: number; finding: FindingDraft }[] = [];
	for (const { number, parts, passages } of items) {
		const withVectors = passages.map((passage) => ({ ...passage, vector: vectors.get(passage.text) }));
		const match = bestMatch(watch, withVectors, (text) => vectors.get(text));
		if (match) found.push({ score: match.score, finding: findingOf(match, parts, number, deps.now) });
	}
	// What fits best comes first: a cap then cuts off what fits least.
	found.sort((a, b) => b.score - a.score || a.finding.item - b.finding.item);
	return { findings: found.slice(0, MOST_DRAFTS).map(({ finding }) => finding) };
}

function itemOf(number: number, text: string, from: string, watch: Watch): Item {
	const parts = partsOfItem(text);
	const [first, ...more] = parts.windows.map((window) => window.join(' '));
	// What a source is called counts as said: a school's letters need not name the school.
	const passage = (body: string): Omit<Passage, 'vector'> => ({
		text: parts.title === '' ? body : `${parts.title}. ${body}`,
		words: wordsOf(`${from}. ${parts.title}. ${body}`),
	});
	const known = new Set(watch.interests.flatMap(({ topics }) => topics.flatMap(({ terms }) => terms)));
	const shared = (body: string): number => [...wordsOf(body).terms].filter((term) => known.has(term)).length;
	const telling = more
		.map((body, index) => ({ body, index, shared: shared(body) }))
		.filter((window) => window.shared > 0)
		.sort((a, b) => b.shared - a.shared || a.index - b.index)
		.slice(0, MOST_MORE_PASSAGES);
	return { number, parts, passages: [first ?? parts.title, ...telling.map(({ body }) => body)].map(passage) };
}

/** In one call; empty where there is no model, or it fails. */
async function vectorsFor(
	watch: Watch,
	items: readonly Item[],
	{ embed, signal, watched }: TriageDeps,
): Promise<Map<string, Float32Array>> {
	const vectors = new Map<string, Float32Array>();
	if (!embed) return vectors;
	const wanted = watch.interests.flatMap(({ topics, avoids }) => [
		...topics.flatMap(({ text, subjects }) => [text, ...subjects.map((subject) => subject.text)]),
		...avoids.map(({ text }) => text),
	]);
	// The owner has changed HEARTBEAT.md many times.
	if (watched.size > MOST_WATCHED) watched.clear();
	const texts = new Set([
		...wanted.filter((text) => !watched.has(text)),
		...items.flatMap(({ passages }) => passages.map(({ text }) => text)),
	]);
	try {
		const made = await embed([...texts], signal);
		for (const [index, text] of [...texts].entries()) {
			const vector = made[index];
			if (vector) vectors.set(text, vector);
		}
	} catch {
		// Without vectors it goes by words alone; why the model fails is told where the model is.
		return new Map();
	}
	for (const text of wanted) {
		const vector = watched.get(text) ?? vectors.get(text);
		if (!vector) continue;
		watched.set(text, vector);
		vectors.set(text, vector);
	}
	return vectors;
}
