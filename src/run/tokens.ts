import { createHash } from 'node:crypto';
import { roughTokens } from '../base/rough-tokens.ts';
import type { ModelPort } from '../model/port.ts';

/** Tokens of a text: an estimate, made by one tokeniser for every model. */
export type CountTokens = (text: string) => number;

/** Longer texts are counted from samples: a tokeniser may take seconds for a megabyte. */
const COUNTED_WHOLE = 32_000;
const SAMPLE = 4_000;
/** Texts without word breaks cost the tokeniser the square of their length: it gets slices. */
const SLICE = 1_000;
const CACHED = 4_000;
const WORTH_CACHING = 200;

/** Share of the window that is kept for the answer, and the most that is. */
const ANSWER_SHARE = 0.25;
const ANSWER_MOST = 4_096;

/** Tokens of a model's window that a prompt may fill. */
export function roomForPrompt(windowTokens: number): number {
	return windowTokens - Math.min(ANSWER_MOST, Math.floor(windowTokens * ANSWER_SHARE));
}

let loading: Promise<CountTokens> | undefined;

/** Loaded at first use: its tables take a quarter of a second and 75 MB. */
export function loadTokenCounter(): Promise<CountTokens> {
	loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
		// Names of special tokens in a text are just text.
		const exact = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
		return cached((text) => estimate(text, exact));
	});
	return loading;
}

export async function tokenCounterFor(port: Pick<ModelPort, 'kind'>): Promise<CountTokens> {
	return port.kind === 'builtin' ? roughTokens : loadTokenCounter();
}

function estimate(text: string, exact: CountTokens): number {
	if (text.length <= COUNTED_WHOLE) return sliced(text, exact);
	const last = text.length - SAMPLE;
	const starts = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.floor(last * share));
	const sampled = starts.reduce((sum, start) => sum + sliced(text.slice(start, start + SAMPLE), exact), 0);
	return Math.ceil((sampled * text.length) / (starts.length * SAMPLE));
}

function sliced(text: string, exact: CountTokens): number {
	let sum = 0;
	for (let start = 0; start < text.length; start += SLICE) sum += exact(text.slice(start, start + SLICE));
	return sum;
}

function cached(count: CountTokens): CountTokens {
	const known = new Map<string, number>();
	return (text) => {
		if (text.length < WORTH_CACHING) return count(text);
		const key = createHash('sha1').update(text).digest('base64');
		const found = known.get(key);
		if (found !== undefined) return found;
		const tokens = count(text);
		if (known.size >= CACHED) known.clear();
		known.set(key, tokens);
		return tokens;
	};
}
