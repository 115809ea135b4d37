import type { IndexStatus, MemoryConflict, MemoryFile, VerifyProblem, WhyStep } from '../contract/methods/memory.ts';
import type { RunId } from '../domain/ids.ts';
import type {
	ChangeId,
	EntryFilter,
	EntryId,
	EntryVersion,
	MemoryEntry,
	MemoryHit,
	MemoryPath,
	MemoryReceipt,
	Provenance,
	SearchMode,
} from '../domain/memory.ts';
import type { WriteGrant } from '../domain/write-grant.ts';

/** What the layers above see of memory. `createMemory` makes all three. */

export interface MemoryReader {
	files(): MemoryFile[];
	conflicts(): MemoryConflict[];
	entries(filter: EntryFilter, page: { offset: number; limit: number }): { entries: MemoryEntry[]; total: number };
	/** Throws `not_found`. A gone entry is found, with state `gone`. */
	entry(id: EntryId): MemoryEntry;
	why(id: EntryId): WhyStep[];
	history(of: VersionsOf, limit: number): EntryVersion[];
	/** Compares disk, ledger and index without changing anything. */
	verify(): Promise<{ files: number; entries: number; problems: VerifyProblem[] }>;
}

/** What a history is of: all that is given must fit. */
export interface VersionsOf {
	readonly entryId?: EntryId | undefined;
	readonly file?: MemoryPath | undefined;
	readonly changeId?: ChangeId | undefined;
}

/** `key`: the same key never writes twice (mem-5); for a tool call its idempotency key. */
interface WriteBase {
	readonly grant: WriteGrant;
	readonly key: string;
	readonly provenance: Provenance;
}
/** `baseHash`: hash of the text that was seen; another one now rejects with `stale`. */
interface SeenEntry {
	readonly entryId: EntryId;
	readonly baseHash: string;
}

/** When the text holds, written with it; null: no such limit; left out: as this kind of write has it. */
export interface Holds {
	readonly validity?: { readonly validFrom?: number | null | undefined; readonly validUntil?: number | null | undefined } | undefined;
}

/**
 * The only writer of memory files. Each call is one intent in the ledger, one atomic file change, one commit; calls on one file run one
 * after the other. Rejects with `stale`, `not_found`, `conflict`, `file_too_large`, `disk_full`, `read_only`, `invalid_input`; then
 * nothing changed.
 */
export interface MemoryWriter {
	/** Without a file: the daily file of the owner's local day (mem-7). */
	append(
		write: WriteBase & Holds & { file?: MemoryPath | undefined; headingPath?: readonly string[] | undefined; text: string },
	): Promise<MemoryReceipt>;
	patch(write: WriteBase & SeenEntry & Holds & { text: string }): Promise<MemoryReceipt>;
	/** The new text follows the old entry, which holds until now (mem-8). */
	supersede(write: WriteBase & SeenEntry & Holds & { text: string }): Promise<MemoryReceipt>;
	move(write: WriteBase & SeenEntry & { file: MemoryPath; headingPath: readonly string[] }): Promise<MemoryReceipt>;
	setValidity(write: WriteBase & SeenEntry & { validFrom: number | null; validUntil: number | null }): Promise<MemoryReceipt>;
	remove(write: WriteBase & SeenEntry): Promise<MemoryReceipt>;
	undo(write: WriteBase & { changeId: ChangeId }): Promise<MemoryReceipt>;
	restore(write: WriteBase & { entryId: EntryId; changeId: ChangeId }): Promise<MemoryReceipt>;
	resolveConflict(write: WriteBase & { conflictId: string; take: 'ours' | 'theirs' | 'both' }): Promise<void>;
	/** The owner's word on text that a program wrote (bg-2): keep it, as `approved`, or put back what was before. */
	decideDrift(
		write: WriteBase & { entryId: EntryId | null; changeId: ChangeId; keep: boolean; text?: string | undefined },
	): Promise<MemoryReceipt>;
}

export interface SearchRequest {
	readonly query: string;
	readonly mode: SearchMode;
	readonly filter: EntryFilter;
	readonly limit: number;
}

export interface MemorySearch {
	/** Never rejects for want of vectors: `mode` says what was really searched. Quarantined and gone entries are never found. */
	search(request: SearchRequest, signal?: AbortSignal): Promise<{ hits: MemoryHit[]; mode: SearchMode; index: IndexStatus }>;
	status(): IndexStatus;
	/** Builds the index anew beside the old one, then swaps. Resolves when it stands. */
	reindex(): Promise<void>;
	/** Resolves when everything known to the ledger can be found by words, and by meaning where vectors are made. */
	settled(): Promise<void>;
}

export interface Memory extends MemoryReader, MemorySearch {
	readonly writer: MemoryWriter;
	/** Compares disk and ledger now; what the owner changed is recorded as theirs. Returns the files that changed. */
	reconcile(): Promise<MemoryPath[]>;
	/** While it runs, changes on disk that Hearth did not make are held against this run (bg-2). `lingers`: what goes on after the work. */
	watchProgram<T>(runId: RunId, tool: string, work: (lingers: (ended: Promise<unknown>) => void) => Promise<T>): Promise<T>;
	/** Marks the entries as used now. */
	used(ids: readonly EntryId[]): void;
	close(): Promise<void>;
}
