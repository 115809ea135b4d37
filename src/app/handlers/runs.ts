import type { ContentFiles } from '../../base/content-files.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { RunId } from '../../domain/ids.ts';
import type { RunEngine } from '../../run/engine.ts';
import { describeRun, describeStep, type InspectDeps, named } from '../../run/inspect.ts';
import { listRuns, namesContent } from '../../run/inspect-store.ts';
import { getRun } from '../../run/journal-store.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Handlers } from '../router.ts';

export interface RunsDeps {
	readonly db: StateDb;
	readonly engine: RunEngine;
	readonly tools: ToolRegistry;
	/** Texts that are kept by their hash. */
	readonly blobs: Pick<ContentFiles, 'read'>;
	/** The number of the last live event. */
	readonly liveSeq: () => number;
}

/** `runs.*` of the contract: the life of runs, to be looked into, taken up, restored and forked (R4). */
export function createRunsHandlers(deps: RunsDeps): Handlers['runs'] {
	const { db, engine, tools, blobs, liveSeq } = deps;
	const inspect: InspectDeps = { db: db.read, toolTitle: (tool) => tools.find(tool)?.title };
	const summary = (runId: RunId) => named(db.read, getRun(db.read, runId));

	return {
		list: async ({ limit, ...filter }) => {
			const found = listRuns(db.read, filter, limit + 1);
			return { runs: found.slice(0, limit).map((run) => named(db.read, run)), hasMore: found.length > limit, seq: liveSeq() };
		},

		get: async ({ runId }) => ({ ...describeRun(inspect, runId), restores: [], seq: liveSeq() }),

		step: async (place) => describeStep(inspect, place),

		content: async ({ runId, hash }) => {
			getRun(db.read, runId);
			const bytes = namesContent(db.read, runId, hash) ? await blobs.read(hash) : undefined;
			if (!bytes) throw terminal('not_found', 'That text is no longer kept.', { safe: 'All else of the run is as it was.' });
			return { text: Buffer.from(bytes).toString('utf8') };
		},

		resume: async ({ runId, how }) => {
			engine.resume(runId, how === 'continue' ? 'continued' : 'retried');
			return summary(runId);
		},
	};
}
