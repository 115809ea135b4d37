import type { ReadDb } from '../../db/brands.ts';
import { all, sql } from '../../db/sql.ts';
import type { RunId } from '../../domain/ids.ts';
import type { ChangeId, MemoryPath, Provenance } from '../../domain/memory.ts';
import type { ProposalOperation } from '../../domain/proposal.ts';
import type { Applied } from '../apply.ts';
import { getChange } from '../change-store.ts';
import { versionsOfChange } from '../version-store.ts';

/** What a program did to one entry; the owner decides what becomes of it (bg-2). */
export interface Drift {
	readonly operation: Extract<ProposalOperation, { kind: 'drift' }>;
	readonly changeId: ChangeId;
	readonly runId: RunId | undefined;
	readonly provenance: Provenance;
}

/** Of changes that were just recorded, what programs did. An entry that only stands elsewhere now is none. */
export function driftsOf(db: ReadDb, applied: Pick<Applied, 'changes'>): Drift[] {
	return applied.changes
		.filter(({ kind }) => kind === 'drift')
		.flatMap(({ id: changeId, file }) => {
			const { provenance } = getChange(db, changeId);
			return versionsOfChange(db, changeId).flatMap(({ entryId, before, after, forgotten }): Drift[] => {
				if (before === after || forgotten) return [];
				const operation = { kind: 'drift' as const, file, changeId, entryId: after === null ? null : entryId, before, text: after };
				return [{ operation, changeId, runId: provenance.runId, provenance }];
			});
		});
}

/**
 * Those that were recorded before and whose entries nobody has touched since: a crash may have come between the ledger and whoever is
 * told. Some may have been decided; whoever is told knows them by change and entry.
 */
export function openDrifts(db: ReadDb): Drift[] {
	const changes = all<{ id: ChangeId; file: MemoryPath }>(
		db,
		sql`SELECT c.id, c.file FROM memory_changes c WHERE c.kind = 'drift' AND c.status = 'done' AND c.undone_by IS NULL
			AND EXISTS (SELECT 1 FROM memory_versions v WHERE v.change_id = c.id AND NOT EXISTS (SELECT 1 FROM memory_versions w
				JOIN memory_changes d ON d.id = w.change_id WHERE w.entry_id = v.entry_id AND d.seq > c.seq))
		ORDER BY c.seq`,
	);
	return driftsOf(db, { changes: changes.map((change) => ({ ...change, kind: 'drift' })) });
}
