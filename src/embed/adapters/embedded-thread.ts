import { Worker } from 'node:worker_threads';
import { EMBEDDED_MODEL } from '../embedded-model.ts';
import { crashedError, modelMissingError } from '../errors.ts';
import { type EmbedOrder, type EmbedStart, EmbedWord } from './embedded-words.ts';
import { NativeGuard } from './native-guard.ts';

/** A thread that holds the model. One order at a time. */
export interface EmbeddingThread {
	/** False once it ended, by whatever. */
	readonly alive: boolean;
	/** Rejects with `embedding_failed` where the thread ended meanwhile. */
	embed(texts: readonly string[]): Promise<Float32Array[]>;
	/** Resolves when the thread is gone and its memory given back. */
	end(): Promise<void>;
}

/** Of its JavaScript heap, for new objects: word pieces of one text at a time. */
const YOUNG_MB = 12;

/** Longer than any text or the loading takes, in milliseconds. */
const LONGEST_RUN_MS = 3000;

/** Resolves when the model is loaded; rejects with `embedding_model_missing` or `embedding_failed`. */
export async function startThread(folder: string): Promise<EmbeddingThread> {
	const { workerUrl } = await import('./embedded-worker.ts');
	const guard = new NativeGuard();
	const start: EmbedStart = { job: 'embed texts', folder, guard: guard.shared };
	// What the libraries print stays in the thread.
	const worker = new Worker(workerUrl, {
		workerData: start,
		resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
		stdout: true,
		stderr: true,
	});
	const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
	const leave = (): void => guard.stop(LONGEST_RUN_MS);
	process.once('exit', leave);
	let waiting: { resolve(word: EmbedWord): void; reject(error: unknown): void } | undefined;
	let crash: unknown = 'the thread ended';
	let alive = true;

	worker.on('message', (message: unknown) => {
		waiting?.resolve(EmbedWord.safeParse(message).data ?? { type: 'failed', cause: 'a message that is none' });
		waiting = undefined;
	});
	worker.once('error', (error) => {
		crash = error;
	});
	worker.once('exit', () => {
		process.off('exit', leave);
		alive = false;
		waiting?.reject(crashedError(crash));
		waiting = undefined;
	});

	/** While nothing is asked, the thread keeps no process from ending. */
	async function answer(): Promise<EmbedWord> {
		if (!alive) throw crashedError(crash);
		worker.ref();
		try {
			return await new Promise((resolve, reject) => {
				waiting = { resolve, reject };
			});
		} finally {
			worker.unref();
		}
	}

	async function end(): Promise<void> {
		if (!alive) return;
		worker.postMessage({ type: 'end' } satisfies EmbedOrder);
		worker.ref();
		await gone;
	}

	const first = await answer();
	if (first.type === 'refused') {
		await worker.terminate();
		throw modelMissingError(first.fault, first.cause);
	}
	return {
		get alive() {
			return alive;
		},
		async embed(texts) {
			const next = answer();
			worker.postMessage({ type: 'embed', texts: [...texts] } satisfies EmbedOrder);
			const word = await next;
			if (word.type !== 'vectors') throw crashedError(word.type === 'failed' ? word.cause : word.type);
			const { dims } = EMBEDDED_MODEL;
			return texts.map((_, at) => word.values.slice(at * dims, (at + 1) * dims));
		},
		end,
	};
}
