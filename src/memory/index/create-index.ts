import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { IndexStatus } from '../../contract/methods/memory.ts';
import type { ReadDb } from '../../db/brands.ts';
import type { EmbeddingPort } from '../../embed/port.ts';
import type { MemorySearch, SearchRequest } from '../port.ts';
import { searchEntries } from '../search/search.ts';
import { compare, type Difference } from './catch-up.ts';
import { EmbedLoop } from './embed-loop.ts';
import { IndexKeeper } from './index-keeper.ts';

export interface IndexOptions {
	/** index.db: derived; may be missing, cut or damaged. */
	readonly file: string;
	readonly read: ReadDb;
	/** Undefined: words only. */
	readonly embedding: EmbeddingPort | undefined;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Told of progress, at most every quarter of a second, and of each change of state. */
	readonly onStatus?: ((status: IndexStatus) => void) | undefined;
}

/** The derived index over the ledger, kept up to date in the background (M1, M5). Nothing that goes wrong in it stops a write to memory. */
export interface MemoryIndex extends MemorySearch {
	/** Compares ledger and index, and works off what differs: at start, after the files were reconciled. */
	catchUp(): void;
	/**
	 * After the ledger's commit: rowids of entries that are new, changed or gone. Up to 200 can be found by words when this returns; more are
	 * worked off in the background. Never throws.
	 */
	indexChanged(rowids: readonly number[]): void;
	/** Forget: after the ledger let go of them, removes texts of these hashes from every file of the index (M4). Throws where that fails. */
	purge(hashes: readonly string[]): void;
	/** Another model: entries get new vectors in the background, words go on. */
	setEmbedding(embedding: EmbeddingPort | undefined): void;
	/** Rowids in which index and ledger differ. Reads all of both. */
	difference(): Difference;
	close(): Promise<void>;
}

const STATUS_EVERY_MS = 250;

export function createIndex(options: IndexOptions): MemoryIndex {
	const { read, clock, logger } = options;
	let closed = false;
	let lastTold = 0;
	let lastState: string | undefined;
	let statusTimer: ReturnType<typeof setTimeout> | undefined;

	const status = (): IndexStatus => {
		const { state, done, total, waiting, problem } = keeper.status();
		const model = embedder.port?.id ?? null;
		const trouble = problem ?? embedder.problem;
		return { state, total, done, embedded: model === null ? 0 : done - waiting, model, ...(trouble && { problem: trouble }) };
	};
	const tell = (): void => {
		if (closed || !options.onStatus) return;
		clearTimeout(statusTimer);
		const now = status();
		const wait = lastTold + STATUS_EVERY_MS - clock.monotonic();
		const mark = `${now.state} ${now.problem?.code ?? ''}`;
		if (mark === lastState && wait > 0) {
			statusTimer = setTimeout(tell, wait);
			statusTimer.unref();
			return;
		}
		lastTold = clock.monotonic();
		lastState = mark;
		options.onStatus(now);
	};

	const keeper = new IndexKeeper({
		file: options.file,
		read,
		logger,
		changed: () => {
			embedder.wake();
			tell();
		},
	});
	const embedder = new EmbedLoop(options.embedding, {
		read,
		store: () => keeper.store,
		clock,
		logger,
		changed: tell,
		failed: (error) => keeper.failed(error),
	});

	const search = async (request: SearchRequest, signal?: AbortSignal) => {
		keeper.checkPlace();
		const run = () => searchEntries({ read, store: () => keeper.store, embedder, now: clock.now() }, request, signal);
		const found = await run().catch((error: unknown) => {
			// A broken index is replaced by one that is being built; a second failure is the caller's.
			if (!keeper.failed(error)) throw error;
			return run();
		});
		return { ...found, index: status() };
	};

	keeper.start();
	return {
		search,
		status,
		reindex: () => keeper.rebuild('asked'),
		async settled() {
			for (;;) {
				await keeper.idle();
				embedder.wake();
				await embedder.idle();
				if (keeper.isIdle()) return;
			}
		},
		catchUp: () => keeper.catchUp(),
		indexChanged: (rowids) => keeper.indexChanged(rowids),
		purge: (hashes) => keeper.purge(hashes),
		setEmbedding(embedding) {
			embedder.changePort(embedding);
			keeper.matchModel(embedding?.id);
			embedder.wake();
			tell();
		},
		difference() {
			const missing: number[] = [];
			const ghosts: number[] = [];
			for (const part of compare(read, keeper.store)) {
				missing.push(...part.missing);
				ghosts.push(...part.ghosts);
			}
			return { missing, ghosts };
		},
		async close() {
			closed = true;
			clearTimeout(statusTimer);
			await embedder.close();
			await keeper.close();
		},
	};
}
