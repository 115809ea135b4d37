import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadDb } from '../../db/brands.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../../domain/errors.ts';
import type { EmbeddingPort } from '../../embed/port.ts';
import { embeddedTexts } from './embedded-text.ts';
import type { EmbeddedUnit, IndexStore } from './index-store.ts';
import { type LedgerUnit, ledgerUnits, speakersOf } from './ledger-units.ts';
import { toBytes } from './quantise.ts';
import { waitingUnits } from './unit-store.ts';

/** Entries embedded and written at a time: short, so that what is searched for meanwhile waits for none of it. */
const BATCH = 96;
const FIRST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 10 * 60_000;

interface EmbedLoopDeps {
	readonly read: ReadDb;
	readonly store: () => IndexStore;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly changed: () => void;
	/** Something in the index failed. */
	readonly failed: (error: unknown) => void;
}

/**
 * Turns waiting entries into vectors, in the background. A model that fails is left alone for a while that doubles up to ten minutes
 * (mem-4): one notice in `problem`, words go on, and what was missed is caught up with.
 */
export class EmbedLoop {
	problem: ErrorShape | undefined;
	readonly #deps: EmbedLoopDeps;
	#port: EmbeddingPort | undefined;
	#running: Promise<void> | undefined;
	#stop = new AbortController();
	#failures = 0;
	#quietUntil = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Of an index: entries that the model refused though it took another text, by id with their hash. Tried again in the next life. */
	#refused = new WeakMap<IndexStore, Map<number, string>>();
	/** The query last asked, and some before: the same one is asked again while it is typed on. */
	readonly #queries = new Map<string, Float32Array>();

	constructor(port: EmbeddingPort | undefined, deps: EmbedLoopDeps) {
		this.#port = port;
		this.#deps = deps;
	}

	get port(): EmbeddingPort | undefined {
		return this.#port;
	}

	changePort(port: EmbeddingPort | undefined): void {
		this.#stop.abort();
		this.#stop = new AbortController();
		clearTimeout(this.#timer);
		this.#port = port;
		this.#queries.clear();
		this.#refused = new WeakMap();
		this.#recover();
		this.wake();
	}

	/** Begins, unless it is at it, or is leaving the model alone. */
	wake(): void {
		if (this.#running !== undefined || !this.#port || this.#stop.signal.aborted || this.#isQuiet()) return;
		const stop = this.#stop.signal;
		this.#running = this.#run(this.#port, stop)
			.catch((error: unknown) => {
				if (!stop.aborted) this.#deps.failed(error);
			})
			.finally(() => {
				this.#running = undefined;
				this.#deps.changed();
				if (stop.aborted && !this.#stop.signal.aborted) this.wake();
			});
	}

	/** Resolves when nothing waits that could be embedded now. */
	async idle(): Promise<void> {
		while (this.#running !== undefined) await this.#running;
	}

	/** The vector of a question; undefined where there is no model, or it does not answer now. Rejects only when stopped by `signal`. */
	async query(text: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
		const port = this.#port;
		if (!port || this.#isQuiet()) return undefined;
		const known = this.#queries.get(text);
		if (known) return known;
		try {
			const [vector] = await port.embed([text], 'query', signal);
			if (!vector || port !== this.#port) return undefined;
			this.#recover();
			if (this.#queries.size >= 64) this.#queries.delete(this.#queries.keys().next().value as string);
			this.#queries.set(text, vector);
			return vector;
		} catch (error) {
			signal?.throwIfAborted();
			if (port === this.#port && !this.#stop.signal.aborted) this.#fail(error);
			return undefined;
		}
	}

	async close(): Promise<void> {
		this.#stop.abort();
		clearTimeout(this.#timer);
		await this.idle();
	}

	async #run(port: EmbeddingPort, stop: AbortSignal): Promise<void> {
		let done = 0;
		let size = BATCH;
		while (!stop.aborted) {
			const store = this.#deps.store();
			const waiting = this.#nextOf(store, size);
			if (waiting.length === 0) break;
			const units = ledgerUnits(
				this.#deps.read,
				waiting.map(({ id }) => id),
			);
			try {
				const embedded = await this.#embed(port, store, units, stop);
				// Between question and answer the index may have been built anew.
				if (embedded.length === 0 || store !== this.#deps.store()) return;
				const dims = embedded[0]?.windows[0]?.vector.length ?? 0;
				store.attach(store.takeModel(port.id, dims), dims, embedded);
				done += embedded.length;
			} catch (error) {
				if (stop.aborted) return;
				if (!isOfModel(error)) throw error;
				const failure = error.code === 'embedding_bad_response' ? await this.#problemOf(port, stop) : error;
				if (stop.aborted) return;
				if (failure) {
					this.#fail(failure);
					return;
				}
				// It is the text: found by halves, and left out, so that the others go on.
				if (waiting.length === 1) this.#leaveOut(store, waiting, error);
				size = waiting.length === 1 ? BATCH : Math.floor(waiting.length / 2);
			}
			this.#recover();
			this.#deps.changed();
			await new Promise((resolve) => setImmediate(resolve));
		}
		if (done > 0) this.#deps.logger.info('memory_embedded', { entries: done });
	}

	#nextOf(store: IndexStore, size: number): { id: number; hash: string }[] {
		const refused = this.#refused.get(store);
		return waitingUnits(store.read, size + (refused?.size ?? 0))
			.filter(({ id, hash }) => refused?.get(id) !== hash)
			.slice(0, size);
	}

	#leaveOut(store: IndexStore, units: readonly { id: number; hash: string }[], error: HearthError): void {
		const refused = this.#refused.get(store) ?? new Map<number, string>();
		this.#refused.set(store, refused);
		for (const { id, hash } of units) {
			refused.set(id, hash);
			this.#deps.logger.warn('memory_entry_not_embedded', { rowid: id, error });
		}
	}

	/** Whether the model takes anything at all: undefined, where it does. */
	async #problemOf(port: EmbeddingPort, stop: AbortSignal): Promise<HearthError | undefined> {
		try {
			await port.embed(['Hearth'], 'document', stop);
			return undefined;
		} catch (error) {
			if (!isOfModel(error)) throw error;
			return error;
		}
	}

	async #embed(port: EmbeddingPort, store: IndexStore, units: readonly LedgerUnit[], stop: AbortSignal): Promise<EmbeddedUnit[]> {
		const people = new Map<string, string[]>();
		const speakers = (file: string): string[] => {
			const known = people.get(file) ?? speakersOf(this.#deps.read, file);
			people.set(file, known);
			return known;
		};
		const texts = units.map((unit) => embeddedTexts(unit.body, unit.headingPath, unit.speaker === null ? [] : speakers(unit.file)));
		const model = store.modelNamed(port.id);
		const known = new Map<string, { vector: ArrayLike<number>; bytes: Uint8Array }>();
		const missing = new Map<string, string>();
		for (const text of texts.flat()) {
			const textHash = hashOf(text);
			const cached = model && store.vectorOf(model.id, textHash);
			if (cached) known.set(textHash, { vector: asNumbers(cached.bytes), bytes: cached.bytes });
			else missing.set(textHash, text);
		}
		if (missing.size > 0) {
			const vectors = await port.embed([...missing.values()], 'document', stop);
			[...missing.keys()].forEach((textHash, index) => {
				const vector = vectors[index];
				if (vector) known.set(textHash, { vector, bytes: new Uint8Array(toBytes(vector).buffer) });
			});
		}
		return units.map((unit, index) => ({
			id: unit.id,
			hash: unit.hash,
			windows: (texts[index] ?? []).flatMap((text) => {
				const textHash = hashOf(text);
				const found = known.get(textHash);
				return found ? [{ textHash, ...found }] : [];
			}),
		}));
	}

	#isQuiet(): boolean {
		return this.#deps.clock.monotonic() < this.#quietUntil;
	}

	#fail(error: unknown): void {
		const shape = toErrorShape(error);
		const wait = Math.max(shape.retryAfterMs ?? 0, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures));
		this.#failures++;
		this.#quietUntil = this.#deps.clock.monotonic() + wait;
		this.problem = { ...shape, ...(shape.kind === 'retryable' && { retryAfterMs: wait }) };
		if (this.#failures === 1) this.#deps.logger.warn('memory_embedding_paused', { error, waitMs: wait });
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.wake(), wait + 1);
		this.#timer.unref();
		this.#deps.changed();
	}

	#recover(): void {
		const hadProblem = this.problem !== undefined;
		this.problem = undefined;
		this.#failures = 0;
		this.#quietUntil = 0;
		if (hadProblem) this.#deps.changed();
	}
}

function isOfModel(error: unknown): error is HearthError {
	return error instanceof HearthError && /^(embedding|network|secret)_|^run_stopped/.test(error.code);
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}

function asNumbers(bytes: Uint8Array): Int8Array {
	return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
