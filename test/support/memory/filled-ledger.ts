import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import type { WriteDb } from '../../../src/db/brands.ts';
import { openStateDb, type StateDb } from '../../../src/db/open.ts';
import { run, sql } from '../../../src/db/sql.ts';
import type { EntryId, MemoryPath, Provenance } from '../../../src/domain/memory.ts';
import { identify } from '../../../src/memory/identity.ts';
import { insertEntry } from '../../../src/memory/ledger-store.ts';
import { parseMarkdown } from '../../../src/memory/markdown/parse.ts';
import { dayOfFile, noonOf } from '../../../src/memory/paths.ts';

/** A state.db whose ledger is filled straight from Markdown, for what only reads the ledger. */
export function openLedger(folder: string): StateDb {
	return openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
}

let entries = 0;

/** Adds a file's entries; returns their rowids in order. */
export function addFile(db: StateDb, file: string, markdown: string, more: Partial<Provenance> & { at?: number } = {}): number[] {
	const path = file as MemoryPath;
	const day = dayOfFile(path);
	const now = more.at ?? Date.now();
	return db.write((tx) =>
		identify(parseMarkdown(markdown).entries).map((entry, position) => {
			const id = `entry-${++entries}` as EntryId;
			const { kind, headingPath, text, lineStart, lineEnd, hash, ordinal } = entry;
			const provenance: Provenance = { author: 'owner', label: 'owner', origin: 'owner', sources: [], at: now, ...more };
			const place = { file: path, hash, ordinal, position, kind, headingPath, text, lineStart, lineEnd };
			const dated = day === undefined ? now : noonOf(day, Intl.DateTimeFormat().resolvedOptions().timeZone);
			insertEntry(tx, id, place, { provenance, quarantined: false, dated, now });
			return rowidOf(tx, id);
		}),
	);
}

function rowidOf(tx: WriteDb, id: string): number {
	return tx.prepare<[string], { rowid: number }>('SELECT rowid FROM memory_entries WHERE id = ?').get(id)?.rowid as number;
}

/** The texts are no longer in their file. */
export function retire(db: StateDb, rowids: readonly number[]): void {
	db.write((tx) =>
		run(tx, sql`UPDATE memory_entries SET live = 0 WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`),
	);
}
