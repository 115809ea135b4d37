import type { StateAt } from '../contract/methods/runs.ts';
import type { ReadDb } from '../db/brands.ts';
import type { RunPlace } from '../domain/run.ts';
import { branchTo, getMessage } from '../sessions/message-store.ts';
import { lastWorkspaceChanges } from '../tools/workspace/change-store.ts';
import { getCheckpoint, lastPrompted } from './checkpoint-store.ts';
import { getRun } from './journal-store.ts';
import { messageOf, runStatus } from './state.ts';
import { stateAt, toolStateAt } from './state-at.ts';

/** The state after a step as the agent knew it (R4). Reads only. Throws `not_found`. */
export function describeState(db: ReadDb, place: RunPlace): StateAt {
	const { messageId } = getRun(db, place.runId);
	const checkpoint = getCheckpoint(db, place);
	const state = stateAt(db, place);
	const { parts, status, error, label, sources, usage, model, modelName } = messageOf(state);
	const { plan } = state.progress;
	const now = getMessage(db, messageId);
	const prompted = lastPrompted(db, place);
	return {
		place,
		at: checkpoint.at,
		status: runStatus(state),
		label,
		...(model && { model }),
		...(modelName !== undefined && { modelName }),
		messages: [
			...(now.parentId === null ? [] : branchTo(db, now.parentId)),
			{ ...now, parts: [...parts], status, error, label, ...(sources && { sources: [...sources] }), usage, model, modelName },
		],
		...(plan && { plan }),
		toolState: toolStateAt(db, place),
		files: filesAt(db, checkpoint.workspaceSeq),
		...(prompted?.prompt !== undefined && { prompt: prompted.prompt }),
		...(prompted?.promptVersion !== undefined && { promptVersion: prompted.promptVersion }),
		environment: [...checkpoint.environment],
	};
}

function filesAt(db: ReadDb, seq: number): StateAt['files'] {
	return lastWorkspaceChanges(db, seq).flatMap(({ path, after, bytes }) => (after === null ? [] : [{ path, hash: after, bytes }]));
}
