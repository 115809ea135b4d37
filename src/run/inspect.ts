import { findInterrupts, openInterrupts } from '../approvals/approval-store.ts';
import type { ChangedFile, RunDetail, StepDetail } from '../contract/methods/runs.ts';
import type { ReadDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { ChangeId } from '../domain/memory.ts';
import type { RunPlace, RunSummary } from '../domain/run.ts';
import { changesOfRuns, type MemoryChange } from '../memory/change-store.ts';
import { versionsOfChange } from '../memory/version-store.ts';
import { getMessageHead } from '../sessions/message-store.ts';
import { workspaceChanges } from '../tools/workspace/change-store.ts';
import type { WorkspaceChange } from '../tools/workspace/port.ts';
import { titleOfReply } from './begin.ts';
import { checkpointsOf } from './checkpoint-store.ts';
import { branchesOf, readJournal } from './inspect-store.ts';
import { childrenOf, getRun } from './journal-store.ts';
import { callKey } from './state.ts';
import { timelineOf } from './timeline.ts';
import type { Timeline } from './timeline-step.ts';

/** What views are told of a run. Reads only. */

export interface InspectDeps {
	readonly db: ReadDb;
	/** A tool's name for people; undefined where there is no such tool. */
	readonly toolTitle: (tool: string) => string | undefined;
}

/** Throws `not_found`. */
export function readTimeline({ db, toolTitle }: InspectDeps, runId: RunId): Timeline {
	getRun(db, runId);
	const rows = readJournal(db, runId);
	// Of a copied past they are those of the run that it was copied from.
	const waits = findInterrupts(
		db,
		rows.flatMap(({ event }) => (event.type === 'interrupt_opened' ? [event.interruptId] : [])),
	);
	return timelineOf(rows, {
		title: toolTitle,
		checkpoints: new Set(checkpointsOf(db, runId).map(({ step }) => step)),
		interrupts: new Map(waits.map((interrupt) => [interrupt.id, interrupt])),
	});
}

/** Throws `not_found`. */
export function describeRun(deps: InspectDeps, runId: RunId): Omit<RunDetail, 'seq' | 'restores'> {
	const { db } = deps;
	const run = getRun(db, runId);
	const { steps, breaks, plan } = readTimeline(deps, runId);
	const { error, model } = getMessageHead(db, run.messageId);
	return {
		run: named(db, run),
		steps: steps.map(({ line }) => line),
		breaks: [...breaks],
		...(plan && { plan }),
		...(error && { error }),
		...(model && { model }),
		interrupts: openInterrupts(db, { runId }),
		children: childrenOf(db, runId).map((child) => named(db, child)),
		branches: branchesOf(db, runId).map((branch) => named(db, branch)),
	};
}

/** Throws `not_found`. */
export function describeStep(deps: InspectDeps, { runId, step }: RunPlace): StepDetail {
	const { db } = deps;
	const found = readTimeline(deps, runId).steps.find(({ line }) => line.step === step);
	if (!found) throw noStep(step);
	const { line, callId, args, prompt, output = '', whole, error, sources = [], redone } = found;
	return {
		step: line,
		input: args === undefined ? '' : JSON.stringify(args, null, 2),
		...(prompt !== undefined && { inputRest: prompt }),
		output,
		...(whole && { outputRest: whole.hash }),
		...(line.effect === 'idempotent' && callId !== undefined && { key: callKey(runId, step, callId) }),
		...(redone.length > 0 && { redone: redone.join(' ') }),
		files: changedFiles(workspaceChanges(db, { runIds: [runId] }).filter((change) => change.step === step)),
		memory: changesOfRuns(db, [runId])
			.filter(({ provenance }) => provenance.step === step)
			.map((change) => memoryLine(db, change)),
		...(error && { error }),
		sources: [...sources],
	};
}

/** A run from before runs had titles is named by what the owner had said. */
export function named(db: ReadDb, run: RunSummary): RunSummary {
	return run.title === '' ? { ...run, title: titleOfReply(db, run.messageId) } : run;
}

/** A file that left one place and came to another in one step was moved. */
function changedFiles(changes: readonly WorkspaceChange[]): ChangedFile[] {
	const left = new Set(changes.flatMap(({ after, before }) => (after === null && before !== null ? [before] : [])));
	const arrived = new Set(changes.flatMap(({ after, before }) => (before === null && after !== null ? [after] : [])));
	return changes.flatMap(({ path, before, after, bytes }): ChangedFile[] => {
		if (before === null && after === null) return [];
		if (after === null) return before !== null && arrived.has(before) ? [] : [{ path, change: 'deleted', bytes }];
		if (before !== null) return [{ path, change: 'changed', bytes }];
		return [{ path, change: left.has(after) ? 'moved' : 'created', bytes }];
	});
}

/** What a change did to memory: the text that it brought, or the one that it took away. */
export function memoryLine(db: ReadDb, { id, file }: MemoryChange): { changeId: ChangeId; file: string; text: string } {
	const [version] = versionsOfChange(db, id);
	return { changeId: id, file, text: version?.after ?? version?.before ?? '' };
}

function noStep(step: number) {
	return terminal('not_found', `This run has no step ${step}.`, { action: 'Look at the steps that it has.' });
}
