import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { MessageId, RunId, SessionId } from '../domain/ids.ts';
import type { RunPlace } from '../domain/run.ts';
import { blobsIn, nameBlobs } from './blob-store.ts';
import { copyCheckpoints, getCheckpoint } from './checkpoint-store.ts';
import type { RunEvent } from './events.ts';
import { copyEvents, readEvents } from './journal-store.ts';
import { replay } from './reduce.ts';
import type { RunState } from './state.ts';
import { copyToolState, type ToolStateValue, toolStatesAt } from './tool-state-store.ts';

/** The past of a run: nothing is kept of it but its journal, and what stands beside that by position. */

/** The state after a step, as it was. Throws `not_found`. */
export function stateAt(db: ReadDb, place: RunPlace): RunState {
	const state = replay(readEvents(db, place.runId, getCheckpoint(db, place).seq));
	if (!state) throw new Error(`run ${place.runId} has no journal`);
	return state;
}

/** What tools had noted by then, by tool and key. Throws `not_found`. */
export function toolStateAt(db: ReadDb, place: RunPlace): ToolStateValue[] {
	return toolStatesAt(db, place.runId, getCheckpoint(db, place).seq);
}

/**
 * Gives a new run, whose row is there and whose journal is empty, the past of another one up to event `toSeq`: events, checkpoints, notes of
 * tools, and the files of blobs/ that these name. All keep their numbers. `started`: what is different in `run_started`.
 */
export function copyJournal(
	tx: WriteDb,
	from: RunId,
	toSeq: number,
	into: { runId: RunId; sessionId: SessionId; messageId: MessageId },
	started: Partial<Extract<RunEvent, { type: 'run_started' }>> = {},
): void {
	const { runId, sessionId, messageId } = into;
	copyEvents(tx, from, toSeq, runId, (event) => (event.type === 'run_started' ? { ...event, ...started, sessionId, messageId } : event));
	copyCheckpoints(tx, from, toSeq, runId);
	copyToolState(tx, from, toSeq, runId);
	nameBlobs(tx, runId, readEvents(tx, runId).flatMap(blobsIn));
}
