import { HearthError } from '../../domain/errors.ts';
import { findChange, getChange, openIntents } from '../change-store.ts';
import { inTurn, type MemoryCore } from '../core.ts';
import { carryOut, groupOf } from './commit.ts';

/**
 * Brings writes that a crash cut off to their end (R1, M3): each is in its file exactly once afterwards, under its own provenance, or
 * stands beside it as a conflict. What hinders one, such as a file that can't be written, is logged; then that write is given up.
 * Rejects where the database takes nothing.
 */
export async function finishIntents(core: MemoryCore): Promise<void> {
	for (const { id } of openIntents(core.db.read)) {
		const group = groupOf(core, getChange(core.db.read, id));
		const [{ kind } = { kind: undefined }] = group;
		const finish = async () => {
			// One of a group goes with the first of it, and a write of this life has gone its way before its files' turn was ours.
			if (findChange(core.db.read, id)?.status !== 'intended') return;
			await carryOut(core, group);
			core.logger.info('memory_intent_finished', { changeId: id, kind });
		};
		try {
			await inTurn(
				core,
				group.map(({ file }) => file),
				finish,
			);
		} catch (error) {
			// Still under way where the ledger itself could not take it: then nothing else may go on.
			if (!(error instanceof HearthError) || findChange(core.db.read, id)?.status === 'intended') throw error;
			core.logger.warn('memory_intent_given_up', { changeId: id, kind, error });
		}
	}
}
