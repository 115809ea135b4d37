import type { RestorePreview } from '../contract/methods/runs.ts';
import type { ReadDb } from '../db/brands.ts';
import type { RestoreId, RunId } from '../domain/ids.ts';
import type { RunPlace } from '../domain/run.ts';
import { type InspectDeps, readTimeline } from './inspect.ts';
import { branchesOf, readJournal } from './inspect-store.ts';
import { findRun } from './journal-store.ts';
import { restoresOf } from './restore-store.ts';

/** Whose work counts as what came after a place in the life of a run. Reads only. */

export interface Scope {
	/** Each run that took part, with the step after which its work is later than the place. */
	readonly runs: readonly RunPlace[];
	readonly runIds: readonly RunId[];
	/** Of these runs: what they put back is no work of somebody else. */
	readonly restoreIds: ReadonlySet<RestoreId>;
	/** Steps that a fork took over from a run of another chat: they are part of its past, and done by somebody else. */
	readonly takenOver: readonly { runId: RunId; afterStep: number; upToStep: number }[];
}

/** The run, those it delegated to, the other versions of its reply that were restored from each other, and what those delegated. */
export function scopeOf(db: ReadDb, place: RunPlace): Scope {
	const runs = new Map<RunId, number>();
	const takenOver: Scope['takenOver'][number][] = [];
	const add = (runId: RunId, step: number): void => {
		if (runs.has(runId)) return;
		const { from } = findRun(db, runId) ?? {};
		// Its own work begins after what it took over.
		const ownFrom = from ? Math.max(from.step, step) : step;
		runs.set(runId, ownFrom);
		for (const childId of childrenAfter(db, runId, ownFrom)) add(childId, 0);
		for (const branch of branchesOf(db, runId)) if (branch.from?.how === 'restore') add(branch.id, branch.from.step);
		if (!from || step >= from.step) return;
		if (from.how === 'restore') add(from.runId, step);
		else addTakenOver(from.runId, step, from.step);
	};
	const addTakenOver = (runId: RunId, afterStep: number, upToStep: number): void => {
		takenOver.push({ runId, afterStep, upToStep });
		const { from } = findRun(db, runId) ?? {};
		if (from && afterStep < from.step) addTakenOver(from.runId, afterStep, Math.min(from.step, upToStep));
	};
	add(place.runId, place.step);
	const runIds = [...runs.keys()];
	return {
		runs: [...runs].map(([runId, step]) => ({ runId, step })),
		runIds,
		restoreIds: new Set(restoresOf(db, runIds).map(({ id }) => id)),
		takenOver,
	};
}

function childrenAfter(db: ReadDb, runId: RunId, step: number): RunId[] {
	return readJournal(db, runId).flatMap(({ event }) =>
		event.type === 'interrupt_opened' && event.childRunId !== undefined && event.step > step ? [event.childRunId] : [],
	);
}

/** Calls that began and have an effect outside, in the order they began. Nothing takes them back. */
export function effectsAfter(deps: InspectDeps, scope: Scope): RestorePreview['effects'] {
	return scope.runs
		.flatMap(({ runId, step: afterStep }) =>
			readTimeline(deps, runId).steps.flatMap(({ line, args = null }) => {
				const { step, kind, effect, status, tool = '', title, startedAt = 0 } = line;
				const began = effect === 'effectful' && (kind === 'tool' || kind === 'did_it_happen') && status !== 'denied';
				return began && step > afterStep ? [{ runId, step, tool, title, args, at: startedAt }] : [];
			}),
		)
		.toSorted((a, b) => a.at - b.at);
}
