import { createHash } from 'node:crypto';
import { retryable, terminal } from '../../src/domain/errors.ts';
import type { EmbeddingPort } from '../../src/embed/port.ts';

/** A model of its own: texts that share words lie near each other. Set `fails` and it answers no more; calls with a text that holds `refuses` are refused. */
export interface WordCountModel extends EmbeddingPort {
	fails: boolean;
	refuses: string | undefined;
	readonly calls: { readonly kind: string; readonly texts: readonly string[] }[];
}

export function wordCountModel(id = 'words-1', dims = 64): WordCountModel {
	const model: WordCountModel = {
		id,
		dims,
		fails: false,
		refuses: undefined,
		calls: [],
		async embed(texts, kind, signal) {
			model.calls.push({ kind, texts });
			await new Promise((resolve) => setImmediate(resolve));
			signal?.throwIfAborted();
			if (model.fails) throw retryable('embedding_unreachable', 'The embedding server does not answer.');
			const { refuses } = model;
			if (refuses !== undefined && texts.some((text) => text.includes(refuses))) throw terminal('embedding_bad_response', 'Refused.');
			return texts.map((text) => vectorOf(text, dims));
		},
		close: async () => undefined,
	};
	return model;
}

function vectorOf(text: string, dims: number): Float32Array {
	const vector = new Float32Array(dims).fill(0.01);
	for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
		const digest = createHash('sha256').update(word).digest();
		const at = digest.readUInt16BE(0) % dims;
		vector[at] = (vector[at] ?? 0) + ((digest[2] ?? 0) % 2 === 0 ? 1 : -1);
	}
	const length = Math.hypot(...vector);
	return vector.map((number) => number / length);
}
