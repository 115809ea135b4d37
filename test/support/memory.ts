import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb, type StateDb } from '../../src/db/open.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { type ChangeId, type EntryId, type MemoryEntry, MemoryPath, type MemoryReceipt, type Provenance } from '../../src/domain/memory.ts';
import { mintWriteGrant } from '../../src/domain/write-grant.ts';
import { createMemory, type MemoryDeps, type OpenMemory } from '../../src/memory/memory.ts';
import { temporaryFolder } from './storage/folders.ts';

/** Sunday, 29 November 2026, 10:00 UTC. */
export const TEST_NOW = Date.UTC(2026, 10, 29, 10);

export interface MemoryHarness {
	readonly folder: string;
	readonly db: StateDb;
	readonly memory: OpenMemory;
	/** Set it to be at another time. */
	readonly clock: Clock & { at: number };
	/** The text of a file of the profile; empty where there is none. */
	read(file: string): string;
	/** Writes a file as another program does. Hearth learns of it with `memory.reconcile()`. */
	edit(file: string, text: string): void;
	/** As the owner. Without a file: to the day. */
	append(text: string, place?: { file?: string; headingPath?: string[] }): Promise<Written>;
	patch(entry: MemoryEntry, text: string): Promise<Written>;
	remove(entry: MemoryEntry): Promise<Written>;
	undo(changeId: ChangeId): Promise<Written>;
	/** The live entries of a file, or of all, without headings. */
	entries(file?: string): MemoryEntry[];
	/** The one live entry with this text. */
	entry(text: string): MemoryEntry;
	/** Closes memory and database; the folder stays, to be opened again. */
	close(): Promise<void>;
}

export type Written = Extract<MemoryReceipt, { outcome: 'written' }>;

export const ownersGrant = mintWriteGrant({ by: 'owner' });

export function byOwner(more: Partial<Provenance> = {}): Provenance {
	return { author: 'owner', label: 'owner', origin: 'owner', sources: [], at: TEST_NOW, ...more };
}

export function byAgent(more: Partial<Provenance> = {}): Provenance {
	return {
		author: 'agent',
		label: 'agent',
		origin: 'agent',
		sources: [],
		runId: 'run-1' as RunId,
		step: 1,
		modelName: 'test model',
		at: TEST_NOW,
		...more,
	};
}

/**
 * Memory over real parts in a temporary profile, or, given a folder, over the one that is there, as after a restart. Search is by words
 * only and nothing watches the folder unless `more` says otherwise. Ready when it resolves, unless it
 * `mayFail`; closed with the test.
 */
export async function openMemory(
	given: { folder?: string; state?: StateDb; mayFail?: boolean } & Partial<Omit<MemoryDeps, 'db' | 'folder' | 'clock'>> = {},
): Promise<MemoryHarness> {
	const { folder = temporaryFolder(), state, mayFail = false, ...more } = given;
	const clock = { at: TEST_NOW, now: () => clock.at, monotonic: () => performance.now() };
	const db = state ?? openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const memory = createMemory({
		db,
		folder,
		clock,
		logger: silentLogger,
		embedding: undefined,
		timeZone: () => 'UTC',
		watch: false,
		...more,
	});
	let closed: Promise<void> | undefined;
	const close = () => {
		closed ??= memory.close().finally(() => db.close());
		return closed;
	};
	onTestFinished(close);
	await memory.ready.catch((error: unknown) => {
		if (!mayFail) throw error;
	});

	const base = () => ({ grant: ownersGrant, key: crypto.randomUUID(), provenance: byOwner({ at: clock.at }) });
	const seen = ({ id, hash }: MemoryEntry) => ({ entryId: id, baseHash: hash });
	const entries = (file?: string): MemoryEntry[] =>
		memory
			.entries(file === undefined ? {} : { file: MemoryPath.parse(file) }, { offset: 0, limit: 100_000 })
			.entries.filter(({ kind }) => kind !== 'heading');
	return {
		folder,
		db,
		memory,
		clock,
		read: (file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''),
		edit: (file, text) => {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), text);
		},
		append: async (text, { file, headingPath } = {}) =>
			written(await memory.writer.append({ ...base(), text, headingPath, ...(file !== undefined && { file: MemoryPath.parse(file) }) })),
		patch: async (entry, text) => written(await memory.writer.patch({ ...base(), ...seen(entry), text })),
		remove: async (entry) => written(await memory.writer.remove({ ...base(), ...seen(entry) })),
		undo: async (changeId) => written(await memory.writer.undo({ ...base(), changeId })),
		entries,
		entry: (text) => {
			const found = entries().filter((entry) => entry.text === text);
			const [only] = found;
			if (!only || found.length > 1) throw new Error(`${found.length} entries say: ${text}`);
			return only;
		},
		close,
	};
}

/** Throws where the write was held. */
export function written(receipt: MemoryReceipt): Written {
	if (receipt.outcome !== 'written') throw new Error(`not written but ${receipt.outcome}`);
	return receipt;
}

/** The entry that a receipt names. */
export function entryOf({ entryId }: Written): EntryId {
	if (entryId === undefined) throw new Error('the receipt names no entry');
	return entryId;
}
