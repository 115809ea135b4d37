import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLogger } from '../src/base/logger.ts';
import { sha256 } from '../src/base/sha256.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import { EMBEDDED_MODEL } from '../src/embed/embedded-model.ts';
import { featuresOf, LEXICAL_PLACES } from '../src/firewall/inspect/features.ts';
import { findingsIn, inspect } from '../src/firewall/inspect/inspect.ts';
import { windowsOf } from '../src/firewall/inspect/windows.ts';
import { type Example, exampleScore, learn, type Settings, type Weights } from './injection/learn.ts';
import { PLAIN_FACTS } from './injection/plain-facts.ts';
import { PLAIN_RESULTS } from './injection/plain-results.ts';
import { plainTexts } from './injection/plain-texts.ts';
import { type Row, rowsOf, setsOf, shuffled } from './injection/rows.ts';

/**
 * `node bench/train-injection.ts --data DIR [--write] [--seed 1] [--folds 5]`: trains the classifier of `src/firewall/inspect` on the rows in
 * DIR and prints what it does on rows that it was not trained on (k-fold). `--write` stores the weights with where they came from; no text of
 * a row is stored anywhere. What a set calls an attack but differs from plain prose in nothing but being untrue is not learnt from:
 * a classifier that flags it flags encyclopaedias.
 */

const { values: flags } = parseArgs({
	options: {
		data: { type: 'string' },
		write: { type: 'boolean', default: false },
		seed: { type: 'string', default: '1' },
		folds: { type: 'string', default: '5' },
		/** Share of the hard harmless texts that may be flagged, on rows that were not trained on. */
		most: { type: 'string', default: '0.07' },
		/** Of ordinary documents: pages of them, of which one piece is enough. */
		mostPlain: { type: 'string', default: '0.2' },
	},
});
if (flags.data === undefined) throw new Error('Usage: node bench/train-injection.ts --data DIR [--write]');
const data = flags.data;
const seed = Number(flags.seed);
const folds = Number(flags.folds);

/** Untrue statements. */
const NOT_LEARNT = 'poisonedrag';
/** Texts with the words of attacks that are none: the false alarms that count. */
const HARD = 'notinject';
const SETTINGS: Settings = { holdWords: 1, holdMeaning: 1, rounds: 3 };
/** A false alarm is worse than a miss: the detectors are hints beside the rules. */
const HARMLESS_WEIGHT = 2;
const PLAIN_WEIGHT = 0.5;

type Known = Example & { readonly set: string; readonly ruled: boolean; readonly row: Row | undefined; fold: number };

const rows = shuffled(rowsOf(data), seed);
const plain = plainTexts();
const examples = await examplesOf();
console.log(`${rows.length} rows of ${setsOf(data).length} sets, ${plain.length} ordinary documents, ${folds} folds, seed ${seed}`);

const words = trained(false);
const meaning = trained(true);
if (flags.write) store();
process.exit(0);

async function examplesOf(): Promise<Known[]> {
	const texts = [
		...rows.map((row) => ({ text: row.text, row, set: row.set })),
		...plain.map(({ text }) => ({ text, row: undefined, set: 'plain' })),
		...PLAIN_RESULTS.map((text) => ({ text, row: undefined, set: 'results' })),
		...PLAIN_FACTS.map((text) => ({ text, row: undefined, set: 'facts' })),
	];
	const pieces = texts.map(({ text }) => windowsOf(text).map(({ start, end }) => text.slice(start, end)));
	const different = [...new Set(pieces.flat())];
	const port = createEmbeddedPort({ logger: silentLogger });
	const vectors = new Map<string, Float32Array>();
	for (let from = 0; from < different.length; from += 200) {
		const some = different.slice(from, from + 200);
		const made = await port.embed(some, 'document');
		some.forEach((piece, index) => void vectors.set(piece, made[index] as Float32Array));
		process.stderr.write(`\r${vectors.size} of ${different.length} pieces embedded`);
	}
	process.stderr.write('\n');
	await port.close();
	return texts.map(({ text, row, set }, index) => {
		const attack = row?.label === 'attack';
		return {
			pieces: (pieces[index] ?? []).map((piece) => ({
				features: featuresOf(piece, findingsIn(piece, 'in', 0)),
				vector: vectors.get(piece),
			})),
			attack,
			weight: set === 'plain' ? PLAIN_WEIGHT : attack ? 1 : HARMLESS_WEIGHT,
			set,
			ruled: isFlagged(inspect(text).risk),
			row,
			fold: index % folds,
		};
	});
}

function isFlagged(risk: string): boolean {
	return risk === 'medium' || risk === 'high';
}

/** With meaning: the sum of one that knows words only and one that knows both, which does better than either; sums of linear models are linear. */
function learnt(from: readonly Known[], withMeaning: boolean): Weights {
	const some = from.filter(({ set }) => set !== NOT_LEARNT);
	const words = learn(some, SETTINGS, false);
	if (!withMeaning) return words;
	const both = learn(some, SETTINGS, true);
	return { bias: words.bias + both.bias, values: both.values.map((value, index) => value + (words.values[index] ?? 0)) };
}

function trained(withMeaning: boolean): {
	weights: Weights;
	threshold: number;
	figures: Record<string, { tpr: number | null; fpr: number | null; n: number }>;
} {
	const scores = new Map<Known, number>();
	for (let fold = 0; fold < folds; fold += 1) {
		const weights = learnt(
			examples.filter((example) => example.fold !== fold),
			withMeaning,
		);
		for (const example of examples) if (example.fold === fold) scores.set(example, exampleScore(weights, example));
		process.stderr.write(`fold ${fold + 1} of ${folds}${withMeaning ? ', with meaning' : ''}\n`);
	}
	// The lowest threshold at which no more than these shares are flagged.
	const threshold = Math.max(
		quantileOf(HARD, 1 - Number(flags.most)),
		quantileOf('results', 1 - Number(flags.most)),
		quantileOf('facts', 1 - Number(flags.most)),
		quantileOf('plain', 1 - Number(flags.mostPlain)),
	);
	function quantileOf(set: string, share: number): number {
		const sorted = examples
			.filter((example) => example.set === set && !example.attack)
			.map((example) => scores.get(example) ?? 0)
			.sort((a, b) => a - b);
		return (sorted[Math.ceil(sorted.length * share)] ?? 0) + 1e-9;
	}
	const share = (some: readonly Known[]) =>
		some.length === 0
			? null
			: round(some.filter((example) => example.ruled || (scores.get(example) ?? 0) >= threshold).length / some.length);
	const figures: Record<string, { tpr: number | null; fpr: number | null; n: number }> = {};
	for (const set of [...new Set(examples.map((example) => example.set))].sort()) {
		const own = examples.filter((example) => example.set === set);
		figures[set] = { tpr: share(own.filter(({ attack }) => attack)), fpr: share(own.filter(({ attack }) => !attack)), n: own.length };
	}
	const catches = Object.values(figures).flatMap(({ tpr }) => (tpr === null ? [] : [tpr]));
	console.log(
		`\n${withMeaning ? 'Words and meaning' : 'Words alone'}, with the detectors, on rows that were not trained on (threshold ${round(threshold)}):`,
	);
	for (const [set, { tpr, fpr, n }] of Object.entries(figures))
		console.log(`  ${set.padEnd(20)} TPR ${tpr ?? '–'}  FPR ${fpr ?? '–'}  n ${n}`);
	console.log(`  mean catch ${round(catches.reduce((sum, value) => sum + value, 0) / catches.length)}`);
	return { weights: learnt(examples, withMeaning), threshold, figures };
}

function store(): void {
	const counts = Object.fromEntries(setsOf(data).map((name) => [name, rows.filter(({ set }) => `${set}.jsonl` === name).length]));
	const file = {
		about: {
			trainedBy: 'bench/train-injection.ts',
			sets: counts,
			notLearnt: NOT_LEARNT,
			licences: [...new Set(rows.map(({ licence }) => licence))].sort(),
			sources: [...new Set(rows.map(({ source }) => (source.split(' ')[0] ?? '').split('@')[0] ?? ''))].sort(),
			plainDocuments: plain.length,
			plainResults: PLAIN_RESULTS.length,
			plainFacts: PLAIN_FACTS.length,
			rows: rows.length,
			listHash: sha256(
				rows
					.map(({ id, hash }) => `${id} ${hash}\n`)
					.sort()
					.join(''),
			),
			embedding: EMBEDDED_MODEL.id,
			seed,
			folds,
			date: new Date().toISOString().slice(0, 10),
			crossValidated: { words: words.figures, meaning: meaning.figures },
		},
		words: packed(words.weights, words.threshold),
		meaning: packed(meaning.weights, meaning.threshold),
	};
	const place = join(import.meta.dirname, '..', 'src', 'firewall', 'inspect', 'classifier-weights.json');
	writeFileSync(place, `${JSON.stringify(file, null, '\t')}\n`);
	console.log(`\nWritten to ${place}`);
}

function packed({ bias, values }: Weights, threshold: number): Record<string, unknown> {
	const largest = (part: Float64Array) => part.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
	const step = largest(values.subarray(0, LEXICAL_PLACES)) / 127;
	const meaningStep = values.length > LEXICAL_PLACES ? largest(values.subarray(LEXICAL_PLACES)) / 127 : undefined;
	const bytes = Int8Array.from(values, (value, index) => Math.round(value / (index < LEXICAL_PLACES ? step : (meaningStep ?? step))));
	return { bias, threshold, step, ...(meaningStep !== undefined && { meaningStep }), values: Buffer.from(bytes.buffer).toString('base64') };
}

function round(value: number): number {
	return Math.round(value * 1000) / 1000;
}
