import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { IndexStatus } from '../contract/methods/memory.ts';
import type { StateDb } from '../db/open.ts';
import type { EntryId, MemoryPath, MemoryReceipt } from '../domain/memory.ts';
import type { EmbeddingPort } from '../embed/port.ts';
import type { MemoryCore } from './core.ts';
import { createIndex, type MemoryIndex } from './index/create-index.ts';
import { countUse } from './ledger-store.ts';
import { recordOutside } from './outside.ts';
import type { Memory, MemoryWriter } from './port.ts';
import { createReader } from './reader.ts';
import { type Drift, driftsOf, openDrifts } from './reconcile/drift.ts';
import { createPrograms } from './reconcile/programs.ts';
import { createReconciler, type Reconciler } from './reconcile/reconciler.ts';
import { verifyMemory } from './reconcile/verify.ts';
import { watchFolder } from './reconcile/watch-folder.ts';
import { watchProgram } from './reconcile/watch-program.ts';
import { finishIntents } from './write/intents.ts';
import { type Forgetting, forgetInFile } from './write/rewrite.ts';
import { createWriter } from './write/writer.ts';

export interface MemoryDeps {
	readonly db: StateDb;
	/** Of the profile: MEMORY.md and memory/ lie in it, and index.db. */
	readonly folder: string;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Undefined: search by words only. */
	readonly embedding: EmbeddingPort | undefined;
	/** IANA name of the zone that the owner's clock shows; the system's where it is not given. */
	readonly timeZone?: (() => string) | undefined;
	/** Entries, headings or problems of these files changed. */
	readonly onChange?: ((files: readonly MemoryPath[]) => void) | undefined;
	readonly onIndexStatus?: ((status: IndexStatus) => void) | undefined;
	/** A program changed a memory file: the owner decides (bg-2). */
	readonly onDrift?: ((drift: Drift) => void) | undefined;
	/** Told of each change in the transaction in which it counts as made. */
	readonly made?: MemoryCore['made'] | undefined;
	/** False: changes on the disk are found by `reconcile` only, and at the next start. */
	readonly watch?: boolean | undefined;
	/** Nothing is taken in or finished at the start: `verify` then compares what the last life left. */
	readonly asLeft?: boolean | undefined;
	/** Why changes that the start finds on the disk may be anybody's, where the ledger lost its last writes: the owner decides on them. */
	readonly unsure?: string | undefined;
}

/** Memory with the parts of it that only its own process may reach. */
export interface OpenMemory extends Memory {
	/**
	 * What the last life left unfinished is finished, and what was changed meanwhile is known. Reads may come before it and then tell what
	 * the last life knew; writes wait for it. Rejects where the first try failed;
	 * whatever needs it tries again.
	 */
	readonly ready: Promise<void>;
	readonly index: MemoryIndex;
	/** Forget: the text goes out of one file, and the change keeps none of it (M4). */
	forgetInFile(forgetting: Forgetting): Promise<MemoryReceipt>;
}

export function createMemory(deps: MemoryDeps): OpenMemory {
	const { db, folder, clock, logger, onChange, onDrift } = deps;
	const index = createIndex({
		file: join(folder, 'index.db'),
		read: db.read,
		embedding: deps.embedding,
		clock,
		logger,
		onStatus: deps.onIndexStatus,
	});
	const programs = createPrograms({ db, clock, unsure: deps.unsure });
	const core: MemoryCore = {
		db,
		folder,
		clock,
		logger,
		sequencer: new Sequencer(),
		timeZone: deps.timeZone ?? systemTimeZone,
		adopt: (tx, file, disk, intent) =>
			recordOutside(tx, [{ file, disk }], programs.outsider(), {
				at: clock.now(),
				timeZone: core.timeZone(),
				intent,
				made: core.made,
			}),
		made: (tx, change) => deps.made?.(tx, change),
		unfinished: () => {
			started = undefined;
		},
		committed: (applied) => {
			if (applied.rowids.length > 0) index.indexChanged(applied.rowids);
			if (applied.files.length > 0) onChange?.(applied.files);
			if (onDrift) for (const drift of driftsOf(db.read, applied)) onDrift(drift);
		},
	};
	const reconciler = createReconciler(core, programs);
	let started: Promise<void> | undefined = deps.asLeft ? Promise.resolve() : undefined;
	/** A disk that was full, or a file that was locked, may not be any more: what failed is tried again when it is needed next. */
	async function whenReady<T>(act: () => T | Promise<T>): Promise<T> {
		started ??= start().catch((error: unknown) => {
			started = undefined;
			logger.error('memory_not_ready', { error });
			throw error;
		});
		await started;
		return act();
	}
	const ready = whenReady(() => undefined);
	const watchedLook: Reconciler = { ...reconciler, look: (how) => whenReady(() => reconciler.look(how)) };
	// Also where the start failed: the watch looks again and again, and with it the start is tried again.
	const watch =
		deps.watch === false || deps.asLeft
			? undefined
			: ready.catch(() => undefined).then(() => watchFolder({ folder, reconciler: watchedLook, logger }));

	async function start(): Promise<void> {
		await finishIntents(core);
		// A crash may have come between these and whoever is told; what is found now is told as it is found.
		if (onDrift) for (const drift of openDrifts(db.read)) onDrift(drift);
		await reconciler.look();
		programs.clearLeftovers();
		index.catchUp();
	}

	return {
		...createReader(core),
		search: (request, signal) => index.search(request, signal),
		status: () => index.status(),
		reindex: () => index.reindex(),
		settled: () => whenReady(() => index.settled()),
		index,
		ready,
		writer: eachWhenReady(createWriter(core), whenReady),
		verify: () => whenReady(() => verifyMemory(core, () => index.difference())),
		reconcile: () => whenReady(() => reconciler.look()),
		watchProgram: (runId, tool, work) => whenReady(() => watchProgram({ programs, reconciler, logger }, { runId, tool }, work)),
		forgetInFile: (forgetting) => whenReady(() => forgetInFile(core, forgetting)),
		used: (ids: readonly EntryId[]) => {
			if (ids.length > 0) db.write((tx) => countUse(tx, ids, clock.now()));
		},
		close: async () => {
			await started?.catch(() => undefined);
			await (await watch)?.close();
			await core.sequencer.idle();
			await index.close();
		},
	};
}

function eachWhenReady(writer: MemoryWriter, whenReady: <T>(act: () => Promise<T>) => Promise<T>): MemoryWriter {
	return {
		append: (write) => whenReady(() => writer.append(write)),
		patch: (write) => whenReady(() => writer.patch(write)),
		supersede: (write) => whenReady(() => writer.supersede(write)),
		move: (write) => whenReady(() => writer.move(write)),
		setValidity: (write) => whenReady(() => writer.setValidity(write)),
		remove: (write) => whenReady(() => writer.remove(write)),
		undo: (write) => whenReady(() => writer.undo(write)),
		restore: (write) => whenReady(() => writer.restore(write)),
		resolveConflict: (write) => whenReady(() => writer.resolveConflict(write)),
		decideDrift: (write) => whenReady(() => writer.decideDrift(write)),
	};
}

function systemTimeZone(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
