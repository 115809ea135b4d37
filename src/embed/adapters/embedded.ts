import type { Logger } from '../../base/logger.ts';
import { HearthError } from '../../domain/errors.ts';
import { EMBEDDED_MODEL } from '../embedded-model.ts';
import { stoppedError } from '../errors.ts';
import { findModelFolder } from '../model-folder.ts';
import type { EmbeddingPort } from '../port.ts';
import { EmbedQueue } from '../queue.ts';
import { type EmbeddingThread, startThread } from './embedded-thread.ts';

export interface EmbeddedOptions {
	readonly logger: Logger;
	/** Where the model's files lie; where Hearth's own lie unless told. */
	readonly folder?: string;
	/** Milliseconds without a call after which the model's memory (about 80 MB) is given back; 2 minutes unless told. */
	readonly idleMs?: number;
}

/** Small enough that a question which comes meanwhile waits no longer than some tens of milliseconds. */
const BATCH = { texts: 8, chars: 1200 };
const IDLE_MS = 120_000;

/** all-MiniLM-L6-v2 on this machine's processor: 384 numbers, English, 256 word pieces at most. Loaded by the first call. */
export function createEmbeddedPort({ logger, folder, idleMs = IDLE_MS }: EmbeddedOptions): EmbeddingPort {
	const queue = new EmbedQueue(BATCH);
	let thread: EmbeddingThread | undefined;
	let working = Promise.resolve();
	let busy = false;
	let unloading = Promise.resolve();
	let idle: NodeJS.Timeout | undefined;
	let closed = false;

	async function load(): Promise<EmbeddingThread> {
		const started = performance.now();
		const loaded = await startThread(folder ?? (await findModelFolder(logger)));
		logger.info('embedding_model_loaded', { ms: Math.round(performance.now() - started) });
		return loaded;
	}

	function unload(): Promise<void> {
		const ending = thread;
		thread = undefined;
		unloading = unloading.then(() => ending?.end());
		return unloading;
	}

	async function work(): Promise<void> {
		for (let batch = queue.next(); batch; batch = queue.next()) {
			try {
				if (!thread?.alive) thread = await load();
				batch.fulfil(await thread.embed(batch.texts));
			} catch (error) {
				logger.warn('embedding_model_failed', { error });
				batch.fail(error);
				// What can't be loaded for one can't be for the others; after a crash they get a new thread.
				if (error instanceof HearthError && error.kind === 'needs_owner') queue.rejectAll(error);
			}
		}
		busy = false;
		if (!closed) idle = setTimeout(() => void unload(), idleMs).unref();
	}

	function begin(): void {
		if (busy) return;
		busy = true;
		clearTimeout(idle);
		working = work();
	}

	return {
		id: EMBEDDED_MODEL.id,
		dims: EMBEDDED_MODEL.dims,
		embed(texts, kind, signal) {
			if (closed) return Promise.reject(stoppedError());
			const vectors = queue.add(texts, kind, signal);
			begin();
			return vectors;
		},
		async close() {
			closed = true;
			clearTimeout(idle);
			queue.rejectAll(stoppedError());
			await working;
			await unload();
		},
	};
}
