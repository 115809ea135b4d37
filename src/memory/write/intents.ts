import { HearthError } from '../../domain/errors.ts';
import { findChange, openIntents } from '../change-store.ts';
import { inTurn, type MemoryCore } from '../core.ts';
import { carryOut, groupOf } from './commit.ts';

/**
 * Brings writes that a crash cut off to their end (R1, M3): each is in its file exactly once afterwards, under its own provenance, or
 * stands beside it as a conflict. What hinders one, such as a file that can't be written, is logged; then that write is given up.
 */
export async function finishIntents(core: MemoryCore): Promise<void> {
	for (const { id } of openIntents(core.db.read)) {
		// The others of its group went with the first.
		const intent = findChange(core.db.read, id);
		if (intent?.status !== 'intended') continue;
		const group = groupOf(core, intent);
		try {
			await inTurn(
				core,
				group.map(({ file }) => file),
				() => carryOut(core, group),
			);
			core.logger.info('memory_intent_finished', { changeId: id, kind: intent.kind });
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
			core.logger.warn('memory_intent_given_up', { changeId: id, kind: intent.kind, error });
		}
	}
}
