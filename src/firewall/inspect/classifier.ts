import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Flag } from '../../domain/inspection.ts';
import stored from './classifier-weights.json' with { type: 'json' };
import { type Features, featuresOf, LEXICAL_PLACES } from './features.ts';
import { findingsIn } from './inspect.ts';
import { allowanceFor, type Window, windowsOf } from './windows.ts';

/**
 * A small linear classifier over pieces of a text: their words, what the detectors found in them and, where the embedded model is there, what
 * they mean. Trained by `bench/train-injection.ts`; the file of its weights says on what. A hint like the detectors, never a defence.
 */

/** Signed bytes, each times `step`; `threshold` is the sum from which a piece counts as flagged. */
const StoredPart = z.object({ bias: z.number(), threshold: z.number(), step: z.number(), values: z.base64() });
const StoredWeights = z.object({
	words: StoredPart,
	/** With meaning, too: the same places, then one for each number of the embedding with a step of its own. */
	meaning: StoredPart.extend({ meaningStep: z.number() }),
});

interface Linear {
	readonly bias: number;
	readonly threshold: number;
	readonly values: Float32Array;
}

const WEIGHTS = read(stored);

function read(file: unknown): { words: Linear; meaning: Linear } {
	const { words, meaning } = StoredWeights.parse(file);
	const linear = ({ bias, threshold, step, values }: z.infer<typeof StoredPart>, meaningStep = step): Linear => ({
		bias,
		threshold,
		values: Float32Array.from(
			new Int8Array(Buffer.from(values, 'base64')),
			(value, index) => value * (index < LEXICAL_PLACES ? step : meaningStep),
		),
	});
	return { words: linear(words), meaning: linear(meaning, meaning.meaningStep) };
}

/** Pieces of a long text that are looked at, and of those that the embedded model reads: some 8 ms each. */
const MOST_WINDOWS = 400;
const MOST_EMBEDDED = 24;
const PIECES_A_TURN = 40;

export interface Classified {
	/** From 0 to 1; from 0.5 on a piece of it is flagged. */
	readonly score: number;
	readonly flags: Flag[];
}

/** `embed`: of the embedded model; without it, or where it fails, words alone decide. */
export async function classify(text: string, embed?: (texts: string[]) => Promise<readonly Float32Array[]>): Promise<Classified> {
	const windows = windowsOf(text);
	const allowance = allowanceFor(windows.length);
	const pieces: { window: Window; piece: string; features: Features; score: number }[] = [];
	for (const window of spread(windows)) {
		const piece = text.slice(window.start, window.end);
		const features = featuresOf(piece, findingsIn(piece, 'in', 0));
		pieces.push({ window, piece, features, score: scoreOf(WEIGHTS.words, features, allowance) });
		// A long text takes some hundred milliseconds: others have their turn meanwhile.
		if (pieces.length % PIECES_A_TURN === 0) await setImmediate();
	}
	if (!embed) return classified(pieces);
	const likeliest = pieces.toSorted((a, b) => b.score - a.score).slice(0, MOST_EMBEDDED);
	const vectors = await embed(likeliest.map(({ piece }) => piece));
	return classified(
		likeliest.map((piece, index) => ({ ...piece, score: scoreOf(WEIGHTS.meaning, piece.features, allowance, vectors[index]) })),
	);
}

function spread(windows: readonly Window[]): Window[] {
	if (windows.length <= MOST_WINDOWS) return [...windows];
	return Array.from({ length: MOST_WINDOWS }, (_, index) => windows[Math.floor((index * windows.length) / MOST_WINDOWS)] as Window);
}

function scoreOf({ bias, threshold, values }: Linear, features: Features, allowance: number, vector?: Float32Array): number {
	let sum = bias - threshold - allowance;
	for (const [place, value] of features) sum += (values[place] ?? 0) * value;
	vector?.forEach((value, index) => {
		sum += (values[LEXICAL_PLACES + index] ?? 0) * value;
	});
	return 1 / (1 + Math.exp(-sum));
}

function classified(pieces: readonly { window: Window; score: number }[]): Classified {
	const flags = pieces
		.filter(({ score }) => score >= 0.5)
		.map(({ window: { start, end } }) => ({ kind: 'classifier' as const, start, end }))
		.sort((a, b) => a.start - b.start);
	return { score: pieces.reduce((worst, { score }) => Math.max(worst, score), 0), flags };
}
