import { stoppedError } from './errors.ts';
import type { EmbeddingKind } from './port.ts';

/** Some texts of one call, to be embedded together. Exactly one of the two is called, once. */
export interface Batch {
	readonly texts: readonly string[];
	fulfil(vectors: readonly Float32Array[]): void;
	fail(error: unknown): void;
}

export interface BatchLimits {
	readonly texts: number;
	/** UTF-16 units; one text of any length always fits. */
	readonly chars: number;
}

interface Job {
	readonly texts: readonly string[];
	readonly vectors: Float32Array[];
	resolve(vectors: Float32Array[]): void;
	reject(error: unknown): void;
}

/**
 * Calls that wait for the one model. Questions come first, even between two batches of a call that began before: a search never
 * waits for the indexing of a long file.
 */
export class EmbedQueue {
	readonly #jobs: Record<EmbeddingKind, Set<Job>> = { query: new Set(), document: new Set() };
	readonly #limits: BatchLimits;

	constructor(limits: BatchLimits) {
		this.#limits = limits;
	}

	/** Resolves when every text has its vector. A signal takes the call out, whatever of it is done. */
	add(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
		if (signal?.aborted) return Promise.reject(stoppedError());
		if (texts.length === 0) return Promise.resolve([]);
		return new Promise((resolve, reject) => {
			const jobs = this.#jobs[kind];
			const stop = (): void => job.reject(stoppedError());
			const leave = (): void => {
				jobs.delete(job);
				signal?.removeEventListener('abort', stop);
			};
			const job: Job = {
				texts,
				vectors: [],
				resolve: (vectors) => {
					leave();
					resolve(vectors);
				},
				reject: (error) => {
					leave();
					reject(error);
				},
			};
			jobs.add(job);
			signal?.addEventListener('abort', stop, { once: true });
		});
	}

	/** The texts that are to be embedded now. The batch before must be over. */
	next(): Batch | undefined {
		const [job] = this.#jobs.query.size > 0 ? this.#jobs.query : this.#jobs.document;
		if (!job) return undefined;
		const texts = this.#cut(job);
		return {
			texts,
			fulfil: (vectors) => {
				job.vectors.push(...vectors);
				if (job.vectors.length === job.texts.length) job.resolve(job.vectors);
			},
			fail: (error) => job.reject(error),
		};
	}

	rejectAll(error: unknown): void {
		for (const job of [...this.#jobs.query, ...this.#jobs.document]) job.reject(error);
	}

	#cut({ texts, vectors }: Job): string[] {
		const cut: string[] = [];
		let chars = 0;
		for (const text of texts.slice(vectors.length, vectors.length + this.#limits.texts)) {
			chars += text.length;
			if (cut.length > 0 && chars > this.#limits.chars) break;
			cut.push(text);
		}
		return cut;
	}
}
