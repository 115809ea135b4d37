import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Sequencer } from '../base/sequencer.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import type { ChangeId, ChangeKind, MemoryPath, Provenance } from '../domain/memory.ts';
import type { Applied } from './apply.ts';
import type { DiskFile } from './disk.ts';

/** A change of memory as others hear of it. `textHash`: of the entry that it was about, where it was one. */
export interface MadeChange {
	readonly id: ChangeId;
	readonly file: MemoryPath;
	readonly kind: ChangeKind;
	readonly provenance: Provenance;
	readonly textHash: string | null;
}

/** What the writer and the reconciler share: one ledger, one turn per file. */
export interface MemoryCore {
	readonly db: StateDb;
	/** Of the profile. */
	readonly folder: string;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Key: the file's path. Whoever reads a file in order to change it, or its ledger, does so in its turn. */
	readonly sequencer: Sequencer;
	/** IANA name of the zone that the owner's clock shows. */
	timeZone(): string;
	/**
	 * Records what lies on the disk, where that is not what the ledger knows. In the file's turn. `intent`: the write that the caller is
	 * bringing to its end; while there is another one, whose text may be what is found, nothing is recorded.
	 */
	adopt(tx: WriteDb, file: MemoryPath, disk: DiskFile, intent?: ChangeId): Applied;
	/** In the transaction in which a change counts as made. */
	made(tx: WriteDb, change: MadeChange): void;
	/** A write reached its file and not the ledger: it has to be finished before anything else is made of that file. */
	unfinished(): void;
	/** Called after each transaction that changed the ledger. */
	committed(applied: Applied): void;
}

/** Runs the task when it is the turn of all these files; the same order for everybody, so that no two wait for each other. */
export function inTurn<T>(core: MemoryCore, files: readonly MemoryPath[], task: () => Promise<T>): Promise<T> {
	const [first, ...rest] = [...new Set(files)].toSorted();
	if (first === undefined) return task();
	return core.sequencer.run(first, () => inTurn(core, rest, task));
}
