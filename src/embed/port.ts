/**
 * Texts as vectors for search by meaning. `kind` tells questions from what they are asked of: some models want them marked.
 *
 * `embed` rejects with a HearthError: `embedding_unreachable`, `embedding_rate_limited`, `embedding_failed` (retryable),
 * `embedding_auth`, `embedding_quota`, `embedding_model_missing` (needs_owner), `embedding_bad_response`, and those of the way there
 * (`network_denied`, `secret_store_locked`, `run_stopped` when stopped by the signal or by `close`). Nothing is retried inside.
 */
export interface EmbeddingPort {
	/** Which model makes the vectors, its version included: vectors of two ids are never compared. Stays the same over restarts. */
	readonly id: string;
	/** Numbers in a vector. Undefined until a server's first answer; never changes after that. */
	readonly dims: number | undefined;
	/** One vector of unit length for each text, in the same order. The same text gives the same vector. */
	embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>;
	/** Waiting calls reject; memory and threads are given back. */
	close(): Promise<void>;
}

export type EmbeddingKind = 'query' | 'document';
