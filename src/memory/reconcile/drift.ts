import type { ReadDb } from '../../db/brands.ts';
import type { RunId } from '../../domain/ids.ts';
import type { ChangeId, Provenance } from '../../domain/memory.ts';
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
export function driftsOf(db: ReadDb, applied: Applied): Drift[] {
	return applied.changes
		.filter(({ kind }) => kind === 'drift')
		.flatMap(({ id: changeId, file }) => {
			const { provenance } = getChange(db, changeId);
			return versionsOfChange(db, changeId).flatMap(({ entryId, before, after }): Drift[] => {
				if (before === after) return [];
				const operation = { kind: 'drift' as const, file, changeId, entryId: after === null ? null : entryId, before, text: after };
				return [{ operation, changeId, runId: provenance.runId, provenance }];
			});
		});
}
