import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { crashPoint } from '../../base/crash-point.ts';
import type { Announce } from '../../contract/announce.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import { MessageId, RunId, SessionId } from '../../domain/ids.ts';
import { mintWriteGrant } from '../../domain/write-grant.ts';
import type { RunEngine } from '../../run/engine.ts';
import { forkRun } from '../../run/fork.ts';
import { describeRun, describeStep, type InspectDeps, named } from '../../run/inspect.ts';
import { describeState } from '../../run/inspect-state.ts';
import { listRuns, namesContent } from '../../run/inspect-store.ts';
import { getRun } from '../../run/journal-store.ts';
import { isPutAway, putAway } from '../../run/put-away.ts';
import { belongsToTask, belongsToWorkflow } from '../../run/refusals.ts';
import { type Restores, recordOf } from '../../run/restore.ts';
import { restoresOf } from '../../run/restore-store.ts';
import { getMessage } from '../../sessions/message-store.ts';
import type { Workflows } from '../../workflows/workflows.ts';
import type { Commands } from '../commands.ts';
import type { Handlers } from '../router.ts';
import { doOnce } from './once.ts';

export interface RunsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	readonly engine: RunEngine;
	readonly workflows: Pick<Workflows, 'signalAll'>;
	readonly restores: Restores;
	readonly toolTitle: InspectDeps['toolTitle'];
	readonly commands: Pick<Commands, 'stop'>;
	/** Texts that are kept by their hash. */
	readonly blobs: Pick<ContentFiles, 'read'>;
	/** The number of the last live event. */
	readonly liveSeq: () => number;
}

const Begun = z.object({ sessionId: SessionId, messageId: MessageId, runId: RunId });

/** At a start: what the owner began to put back goes on, under their word of then. */
export function goOnRestoring(restores: Restores): Promise<void> {
	return restores.finish(mintWriteGrant({ by: 'owner' }));
}

/** `runs.*` of the contract: the life of runs, to be looked into, taken up, restored and forked (R4). */
export function createRunsHandlers(deps: RunsDeps): Handlers['runs'] {
	const { db, clock, announce, engine, workflows, restores, toolTitle, blobs, commands, liveSeq } = deps;
	const inspect: InspectDeps = { db: db.read, toolTitle };

	return {
		// Instances first: an event that one of their runs waits for is in the instance's own journal then.
		signal: async ({ name, payload, label }) => ({
			woken: workflows.signalAll(name, payload, label) + engine.signal(name, payload, label),
		}),

		list: async ({ limit, ...filter }) => {
			const found = listRuns(db.read, filter, limit + 1);
			return { runs: found.slice(0, limit).map((run) => named(db.read, run)), hasMore: found.length > limit, seq: liveSeq() };
		},

		get: async ({ runId }) => ({
			...describeRun(inspect, runId),
			restores: restoresOf(db.read, [runId])
				.filter(({ status }) => status === 'done' || status === 'undone')
				.map(recordOf),
			...(isPutAway(db.read, getRun(db.read, runId)) && { putAway: true as const }),
			seq: liveSeq(),
		}),

		step: async (place) => describeStep(inspect, place),

		state: async (place) => describeState(db.read, place),

		content: async ({ runId, hash }) => {
			getRun(db.read, runId);
			const bytes = namesContent(db.read, runId, hash) ? await blobs.read(hash) : undefined;
			if (!bytes) throw terminal('not_found', 'That text is no longer kept.', { safe: 'All else of the run is as it was.' });
			return { text: Buffer.from(bytes).toString('utf8') };
		},

		restorePreview: (place) => restores.preview(place),

		restore: ({ runId, step, requestId, ...ticked }) =>
			restores.restore(mintWriteGrant({ by: 'owner' }), { place: { runId, step }, ticked, requestId }),

		undoRestore: ({ restoreId }) => restores.undo(mintWriteGrant({ by: 'owner' }), restoreId),

		fork: async (input) => {
			const { runId, step, text, model } = input;
			const { result: begun, fresh } = doOnce(deps, Begun, input, (tx) =>
				forkRun(tx, engine.log, { place: { runId, step }, text, model }, clock.now(), (message) => engine.withLiveText(message)),
			);
			if (!fresh) return begun;
			crashPoint('run.forked');
			announce({ type: 'message_changed', message: getMessage(db.read, begun.messageId), headChanged: true });
			engine.start(begun.runId);
			// It has another branch.
			announce({ type: 'run_changed', run: named(db.read, getRun(db.read, runId)) });
			return begun;
		},

		stopCall: async ({ runId, callId }) => {
			getRun(db.read, runId);
			commands.stop(runId, callId);
		},

		resume: async ({ runId, how }) => {
			const run = getRun(db.read, runId);
			if (run.instanceId !== undefined) throw belongsToWorkflow();
			if (run.kind === 'task') throw belongsToTask();
			if (isPutAway(db.read, run)) throw putAway();
			engine.resume(runId, how === 'continue' ? 'continued' : 'retried');
			return named(db.read, getRun(db.read, runId));
		},
	};
}
