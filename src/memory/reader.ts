import type { WhyStep } from '../contract/methods/memory.ts';
import type { ReadDb } from '../db/brands.ts';
import { sql, value } from '../db/sql.ts';
import type { EntryId } from '../domain/memory.ts';
import { openConflicts } from './conflict-store.ts';
import type { MemoryCore } from './core.ts';
import { entryConditions } from './entry-filter.ts';
import { listFiles } from './file-store.ts';
import { entryFromRow, entryPage, findEntry, getEntry } from './ledger-store.ts';
import type { MemoryReader } from './port.ts';
import { listVersions } from './version-store.ts';

/** Reads come from the ledger alone: no file is opened or parsed, however many there are. */
export function createReader({ db, clock }: Pick<MemoryCore, 'db' | 'clock'>): Omit<MemoryReader, 'verify'> {
	return {
		files: () => listFiles(db.read),
		conflicts: () => openConflicts(db.read),
		entries: (filter, page) => {
			const now = clock.now();
			const { rows, total } = entryPage(db.read, entryConditions(filter, now), page);
			return { entries: rows.map((row) => entryFromRow(row, now)), total };
		},
		entry: (id) => entryFromRow(getEntry(db.read, id), clock.now()),
		why: (id) => whyChain(db.read, getEntry(db.read, id).id),
		history: (of, limit) => listVersions(db.read, of, limit),
	};
}

const LONGEST_HISTORY = 500;

/** Its own versions, newest first, then those of the entries that it took the place of or was made from, and of theirs. */
function whyChain(db: ReadDb, id: EntryId): WhyStep[] {
	const chain: WhyStep[] = [];
	const waiting = [id];
	const seen = new Set<EntryId>();
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		const row = findEntry(db, next);
		if (seen.has(next) || !row) continue;
		seen.add(next);
		if (row.supersedes !== null) waiting.push(row.supersedes);
		for (const version of listVersions(db, { entryId: next }, LONGEST_HISTORY)) {
			const { sources, approval } = version.provenance;
			for (const source of sources) if (source.kind === 'entry') waiting.push(source.entryId);
			const heldBy = approval && value<string>(db, sql`SELECT rule FROM proposals WHERE id = ${approval.proposalId}`);
			chain.push({ version, sources, ...(heldBy !== undefined && { heldBy }) });
		}
	}
	return chain;
}
