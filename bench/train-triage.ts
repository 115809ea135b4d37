import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import { type Parts, partsOf, wordsOf } from '../src/model/triage/match.ts';
import { readWatch, type Topic } from '../src/model/triage/watch.ts';
import { readFeed } from './triage/feed.ts';

/**
 * `node bench/train-triage.ts [--rounds 2000]`: learns the weights of `src/model/triage/weights.ts` (logistic regression with a penalty) from the
 * feed of `triage/tuning*`, prints them, and what they do on lines that they were not learnt from (each line of HEARTBEAT.md left out once).
 */

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '2000' } } });
const ROUNDS = Number(flags.rounds);
const PENALTY = 0.02;
const STEP = 0.3;
/** There are few items that fit: a miss counts for more. */
const FITS_WEIGHT = 3;
const SCALE = 8;
/** Set, not learnt: a line that names a place, a school, a tool does not mean another one, however alike all else is. */
const NAMES_MISSING = -3.5;
/** Above which an item fits; taken off `always`, so that it is 0 for the responder. Set by the figures of lines that were left out. */
const BOUND = 0.25;

interface Example {
	readonly key: string;
	readonly item: number;
	readonly fits: boolean;
	readonly parts: Parts;
}

type Weights = Record<keyof Parts, number>;
const PARTS: readonly (keyof Parts)[] = [
	'meaning',
	'subjectMeaning',
	'subjectWords',
	'otherSubject',
	'hasSubject',
	'hasNames',
	'namesMissing',
	'kindMissing',
	'kindTold',
	'kindToldAlone',
	'onlyKind',
	'always',
];

for (const withMeaning of [true, false]) {
	const examples = await examplesOf(withMeaning);
	const weights = learn(examples);
	console.log(withMeaning ? 'withMeaning' : 'wordsAlone', JSON.stringify({ ...weights, always: weights.always - BOUND }, null, 1));
	console.log(
		'  on what it learnt from:',
		figures(examples, () => weights),
	);
	const keys = [...new Set(examples.map(({ key }) => key))];
	const others = new Map(keys.map((key) => [key, learn(examples.filter((example) => example.key !== key))]));
	console.log(
		'  each line left out once:',
		figures(examples, (key) => others.get(key) ?? weights),
	);
}
process.exit(0);

async function examplesOf(withMeaning: boolean): Promise<Example[]> {
	const { heartbeat, keys, items } = readFeed('tuning');
	const { interests } = readWatch(heartbeat);
	const texts = items.map(({ title, text }) => `${title}. ${text}`);
	const topics = interests.flatMap((interest) => interest.topics);
	const wanted = [...new Set([...texts, ...topics.flatMap((topic) => [topic.text, ...topic.subjects.map(({ text }) => text)])])];
	const vectors = new Map<string, Float32Array>();
	if (withMeaning) {
		const port = createEmbeddedPort({ logger: silentLogger });
		const made = await port.embed(wanted, 'query');
		for (const [index, text] of wanted.entries()) if (made[index]) vectors.set(text, made[index]);
		await port.close();
	}
	const passages = texts.map((text) => ({ text, words: wordsOf(text), vector: vectors.get(text) }));
	return interests.flatMap((interest, line) =>
		passages.flatMap((passage, item) => {
			const key = keys[line] ?? '';
			const fits = items[item]?.keys.includes(key) ?? false;
			// What is left out is left out by a rule of its own.
			const isLeftOut =
				!fits &&
				interest.avoids.some(
					({ terms, concepts }) =>
						concepts.some(({ tells }) => tells.test(passage.text)) || terms.every((term) => passage.words.terms.has(term)),
				);
			if (isLeftOut) return [];
			const all = interest.topics.map((topic: Topic) => partsOf(topic, passage, (text) => vectors.get(text)));
			const [best] = all.toSorted((a, b) => rough(b) - rough(a));
			return best ? [{ key, item, fits, parts: best }] : [];
		}),
	);
}

/** Which of a line's topics an item is about, before any weights are known. */
function rough({ meaning, subjectWords, kindTold, namesMissing }: Parts): number {
	return meaning + subjectWords + kindTold - 2 * namesMissing;
}

function learn(examples: readonly Example[]): Weights {
	const rows = examples.map(({ parts }) => Float64Array.from(PARTS, (part) => parts[part]));
	const weights = Float64Array.from(PARTS, (part) => (part === 'namesMissing' ? NAMES_MISSING : 0));
	const always = PARTS.indexOf('always');
	const fixed = PARTS.indexOf('namesMissing');
	for (let round = 0; round < ROUNDS; round++) {
		const slope = weights.map((weight, at) => (at === always ? 0 : PENALTY * weight));
		for (const [index, row] of rows.entries()) {
			let sum = 0;
			for (let at = 0; at < row.length; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0);
			const fits = examples[index]?.fits ?? false;
			const off = (1 / (1 + Math.exp(-sum)) - (fits ? 1 : 0)) * (fits ? FITS_WEIGHT : 1) * (SCALE / rows.length);
			for (let at = 0; at < row.length; at++) slope[at] = (slope[at] ?? 0) + off * (row[at] ?? 0);
		}
		for (let at = 0; at < weights.length; at++) if (at !== fixed) weights[at] = (weights[at] ?? 0) - STEP * (slope[at] ?? 0);
	}
	return Object.fromEntries(PARTS.map((part, at) => [part, Math.round((weights[at] ?? 0) * 100) / 100])) as Weights;
}

function score(weights: Weights, parts: Parts): number {
	return PARTS.reduce((sum, part) => sum + weights[part] * parts[part], 0);
}

/** As the responder decides: the best line of an item, at several bounds. */
function figures(examples: readonly Example[], weightsFor: (key: string) => Weights): string {
	const fitting = new Set(examples.filter(({ fits }) => fits).map(({ item }) => item)).size;
	return [-0.5, -0.25, 0, 0.25, 0.5]
		.map((bound) => {
			const best = new Map<number, { score: number; fits: boolean }>();
			for (const { key, item, parts, fits } of examples) {
				const scored = score(weightsFor(key), parts);
				if (scored > Math.max(bound, best.get(item)?.score ?? Number.NEGATIVE_INFINITY)) best.set(item, { score: scored, fits });
			}
			const right = [...best.values()].filter(({ fits }) => fits).length;
			return `${bound}: ${(right / best.size).toFixed(2)}/${(right / fitting).toFixed(2)}`;
		})
		.join('  ');
}
