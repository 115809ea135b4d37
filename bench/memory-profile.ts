import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb, type StateDb } from '../src/db/open.ts';
import type { EntryId } from '../src/domain/memory.ts';
import type { EmbeddingPort } from '../src/embed/port.ts';
import { liveEntries } from '../src/memory/ledger-store.ts';
import { createMemory, type OpenMemory } from '../src/memory/memory.ts';

/** The memory of a fresh profile in a temporary folder. */
export interface MemoryProfile {
	readonly folder: string;
	readonly db: StateDb;
	readonly memory: OpenMemory;
	/** Puts files into the folder as an editor would, and waits until all of them can be found by words and meaning. */
	addFiles(files: ReadonlyMap<string, string>): Promise<void>;
	/** Ids of a file's entries, in its order. */
	entriesOf(file: string): { id: EntryId; text: string }[];
	close(): Promise<void>;
}

export async function openMemoryProfile(embedding: EmbeddingPort | undefined): Promise<MemoryProfile> {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
	mkdirSync(join(folder, 'memory'));
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const memory = createMemory({ db, folder, clock: systemClock, logger: silentLogger, embedding, watch: false });
	await memory.ready;
	return {
		folder,
		db,
		memory,
		async addFiles(files) {
			for (const [file, text] of files) {
				mkdirSync(dirname(join(folder, file)), { recursive: true });
				writeFileSync(join(folder, file), text);
			}
			await memory.reconcile();
			await memory.settled();
			const { problem, total, done, embedded } = memory.status();
			if (problem || done < total || (embedding && embedded < total))
				throw new Error(`Not all is indexed: ${done} of ${total} by words, ${embedded} by meaning. ${problem?.message ?? ''}`);
		},
		entriesOf: (file) => liveEntries(db.read, file as Parameters<typeof liveEntries>[1]).map(({ id, text }) => ({ id, text })),
		async close() {
			await memory.close();
			db.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
