import { EMBEDDED_MODEL } from '../../src/embed/embedded-model.ts';
import { type Features, LEXICAL_PLACES } from '../../src/firewall/inspect/features.ts';
import { allowanceFor } from '../../src/firewall/inspect/windows.ts';

/** A piece of a text: what it is like, and where its meaning lies. */
export interface Piece {
	readonly features: Features;
	readonly vector: Float32Array | undefined;
}

/** A text in pieces. `weight`: how much it counts. */
export interface Example {
	readonly pieces: readonly Piece[];
	readonly attack: boolean;
	readonly weight: number;
}

export interface Weights {
	readonly bias: number;
	/** Of the places of `features`, then of the numbers of the embedding where it has one. */
	readonly values: Float64Array;
}

export interface Settings {
	/** How strongly weights are held small, of words and of the embedding's numbers. */
	readonly holdWords: number;
	readonly holdMeaning: number;
	readonly rounds: number;
}

/** Numbers of a unit vector are small: so that a step moves them as far as those of words. */
export const MEANING_SCALE = 8;
export const WORD_SCALE = 4;

export function pieceScore(weights: Weights, piece: Piece): number {
	let sum = weights.bias;
	for (const [place, value] of piece.features) sum += (weights.values[place] ?? 0) * value;
	if (piece.vector && weights.values.length > LEXICAL_PLACES)
		for (let index = 0; index < piece.vector.length; index += 1)
			sum += (weights.values[LEXICAL_PLACES + index] ?? 0) * (piece.vector[index] ?? 0);
	return sum;
}

/** A text is as bad as its worst piece, with what is allowed for many of them. */
export function exampleScore(weights: Weights, example: Example): number {
	const worst = example.pieces.reduce((most, piece) => Math.max(most, pieceScore(weights, piece)), Number.NEGATIVE_INFINITY);
	return worst - allowanceFor(example.pieces.length);
}

/**
 * Logistic regression over pieces. Which piece of an attack is the attack is not known: first those of a single piece teach, then, round by
 * round, of the others the piece that looks worst to what was learnt so far; what stands around it counts a little as harmless. No chance in it: the same examples, the same weights.
 */
export function learn(examples: readonly Example[], settings: Settings, withMeaning: boolean): Weights {
	let weights: Weights = { bias: 0, values: new Float64Array(LEXICAL_PLACES + (withMeaning ? EMBEDDED_MODEL.dims : 0)) };
	for (let round = 0; round < settings.rounds; round += 1) {
		const rows: { piece: Piece; target: number; weight: number }[] = [];
		for (const example of examples) {
			const { pieces, attack, weight } = example;
			if (!attack) for (const piece of pieces) rows.push({ piece, target: 0, weight: weight / Math.sqrt(pieces.length) });
			else if (pieces.length === 1) for (const piece of pieces) rows.push({ piece, target: 1, weight });
			else if (round > 0) {
				const scores = pieces.map((piece) => pieceScore(weights, piece));
				const worst = Math.max(...scores);
				pieces.forEach((piece, index) => {
					const score = scores[index] ?? 0;
					if (score === worst) rows.push({ piece, target: 1, weight });
					else if (score < 0) rows.push({ piece, target: 0, weight: (weight * AROUND) / pieces.length });
				});
			}
		}
		weights = fitted(rows, settings, weights.values.length);
	}
	return weights;
}

function fitted(
	rows: readonly { piece: Piece; target: number; weight: number }[],
	{ holdWords, holdMeaning }: Settings,
	size: number,
): Weights {
	const values = new Float64Array(size);
	const scale = Float64Array.from({ length: size }, (_, index) => (index < LEXICAL_PLACES ? WORD_SCALE : MEANING_SCALE));
	let bias = 0;
	const total = rows.reduce((sum, { weight }) => sum + weight, 0);
	// Adam, over all rows at once.
	const mean = new Float64Array(size + 1);
	const square = new Float64Array(size + 1);
	const gradient = new Float64Array(size + 1);
	const sparse = rows.map(({ piece, target, weight }) => ({
		places: Int32Array.from(piece.features.keys()),
		numbers: Float64Array.from(piece.features.values(), (value) => value * WORD_SCALE),
		vector: size > LEXICAL_PLACES ? piece.vector : undefined,
		target,
		weight: weight / total,
	}));
	for (let step = 1; step <= STEPS; step += 1) {
		gradient.fill(0);
		for (const { places, numbers, vector, target, weight } of sparse) {
			let sum = bias;
			for (let index = 0; index < places.length; index += 1)
				sum += (values[places[index] as number] as number) * (numbers[index] as number);
			if (vector)
				for (let index = 0; index < vector.length; index += 1)
					sum += (values[LEXICAL_PLACES + index] as number) * (vector[index] as number) * MEANING_SCALE;
			const error = (1 / (1 + Math.exp(-sum)) - target) * weight;
			gradient[size] = (gradient[size] as number) + error;
			for (let index = 0; index < places.length; index += 1) {
				const place = places[index] as number;
				gradient[place] = (gradient[place] as number) + error * (numbers[index] as number);
			}
			if (vector)
				for (let index = 0; index < vector.length; index += 1) {
					const place = LEXICAL_PLACES + index;
					gradient[place] = (gradient[place] as number) + error * (vector[index] as number) * MEANING_SCALE;
				}
		}
		const rate = RATE * (1 - step / (STEPS + 1));
		for (let index = 0; index <= size; index += 1) {
			const hold = index === size ? 0 : ((index < LEXICAL_PLACES ? holdWords : holdMeaning) * (values[index] ?? 0)) / total;
			const slope = (gradient[index] ?? 0) + hold;
			mean[index] = 0.9 * (mean[index] ?? 0) + 0.1 * slope;
			square[index] = 0.99 * (square[index] ?? 0) + 0.01 * slope * slope;
			if ((square[index] ?? 0) === 0) continue;
			const move = (rate * ((mean[index] ?? 0) / (1 - 0.9 ** step))) / (Math.sqrt((square[index] ?? 0) / (1 - 0.99 ** step)) + 1e-6);
			if (index === size) bias -= move;
			else values[index] = (values[index] ?? 0) - move;
		}
	}
	return { bias, values: values.map((value, index) => value * (scale[index] ?? 1)) };
}

const STEPS = 150;
/** Of what stands around an attack, beside the attack itself. */
const AROUND = 0.5;
const RATE = 0.1;
