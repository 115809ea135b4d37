import type { RestorePreview } from '../contract/methods/runs.ts';
import type { ReadDb } from '../db/brands.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { RunPlace, RunSummary } from '../domain/run.ts';
import { changesOfRuns, findChange, type MemoryChange } from '../memory/change-store.ts';
import { versionsOfChange } from '../memory/version-store.ts';
import { branchLength, newestLeafBelow } from '../sessions/message-store.ts';
import { getSession } from '../sessions/session-store.ts';
import type { WorkspaceChange, WorkspaceFiles } from '../tools/workspace/port.ts';
import { type Checkpoint, getCheckpoint } from './checkpoint-store.ts';
import { isAtRest } from './children.ts';
import { type InspectDeps, memoryLine, named } from './inspect.ts';
import { findRun, getRun, openRun } from './journal-store.ts';
import { reduce } from './reduce.ts';
import { staysApart } from './refusals.ts';
import { effectsAfter, type Scope, scopeOf } from './restore-scope.ts';
import { type RestorePlan, restoresOf, type Ticked } from './restore-store.ts';
import { stateAt } from './state-at.ts';

/** What a restore to a place would put back (R4). Reads only. */

export interface PlanDeps extends InspectDeps {
	readonly workspace: Pick<WorkspaceFiles, 'read' | 'changes'>;
}

interface PlannedFile {
	readonly line: RestorePreview['files'][number];
	/** Its content as of the place; null: there was no such file. */
	readonly hash: string | null;
}

/** Throws `not_found` where there is no such place. */
export async function previewRestore(deps: PlanDeps, place: RunPlace): Promise<RestorePreview> {
	const { db } = deps;
	const run = getRun(db, place.runId);
	const checkpoint = getCheckpoint(db, place);
	const scope = scopeOf(db, place);
	const files = await plannedFiles(deps, scope, checkpoint);
	const open = stillOpen(db, place);
	return {
		place,
		chat: chatAfter(db, run, place),
		files: files.map(({ line }) => line),
		memory: plannedMemory(db, scope, checkpoint).map(({ change, why }) => ({
			...memoryLine(db, change),
			...(why !== undefined && { why }),
			...(change.undoes !== undefined && { comesBack: true as const }),
		})),
		effects: effectsAfter(deps, scope),
		...(open && {
			notNow: { error: notNow(db, open).shape, runId: open.id, ...(open.instanceId !== undefined && { instanceId: open.instanceId }) },
		}),
	};
}

/** Throws `invalid_input` where nothing is ticked, or what can't be. */
export async function planRestore(deps: PlanDeps, place: RunPlace, ticked: Ticked): Promise<RestorePlan> {
	const { db } = deps;
	const { possible, why } = chatAfter(db, getRun(db, place.runId), place);
	if (ticked.chat && !possible) throw terminal('invalid_input', why ?? '', { safe: 'Nothing was changed.' });
	if (!ticked.chat && ticked.files === 'no' && !ticked.memory)
		throw terminal('invalid_input', 'Nothing was chosen to be put back.', { action: 'Choose the chat, files or memory.' });
	const checkpoint = getCheckpoint(db, place);
	// What can't be begun is refused now, and not when half of it is done.
	if (ticked.chat) reduce(stateAt(db, place), { type: 'restored', from: place, at: checkpoint.at });
	const scope = scopeOf(db, place);
	const files = ticked.files === 'no' ? [] : await plannedFiles(deps, scope, checkpoint);
	const memory = ticked.memory ? plannedMemory(db, scope, checkpoint) : [];
	return {
		files: files.flatMap(({ line, hash }) => (ticked.files === 'all' || line.theirs === undefined ? [{ path: line.path, hash }] : [])),
		memory: memory.flatMap(({ change, why: kept }) => (kept === undefined ? [change.id] : [])),
		left: [
			...files.flatMap(({ line }) => (ticked.files === 'safe' && line.theirs !== undefined ? [{ what: line.path, why: line.theirs }] : [])),
			...memory.flatMap(({ change, why: kept }) => (kept === undefined ? [] : [{ what: memoryLine(db, change).text, why: kept }])),
		],
	};
}

/** What of a restore is at work, or waits: it would go on into what is put back. Throws `conflict`. */
export function refuseAtWork(db: ReadDb, place: RunPlace): void {
	const open = stillOpen(db, place);
	if (open) throw notNow(db, open);
}

function stillOpen(db: ReadDb, place: RunPlace): RunSummary | undefined {
	const run = getRun(db, place.runId);
	return (
		openRun(db, run.sessionId) ??
		scopeOf(db, place)
			.runIds.map((id) => getRun(db, id))
			.find(({ status }) => !isAtRest(status))
	);
}

/** A run of a workflow may be over long since while the workflow, whose other runs share what is put back, is not. */
function notNow(db: ReadDb, { status, instanceId, sessionId }: RunSummary): HearthError {
	const safe = 'Nothing was changed.';
	const at = status === 'running' ? 'is still at work' : 'still waits for something';
	if (instanceId === undefined) return terminal('conflict', `This run ${at}.`, { safe, action: 'Stop it first, then restore.' });
	const title = getSession(db, sessionId).title;
	return terminal('conflict', `This run is of the workflow “${title}”, which ${at}.`, {
		safe,
		action: 'Stop the workflow first, then restore.',
	});
}

function chatAfter(db: ReadDb, run: RunSummary, { step }: RunPlace): RestorePreview['chat'] {
	const messages = branchLength(db, newestLeafBelow(db, run.messageId)) - branchLength(db, run.messageId);
	const steps = Math.max(0, run.step - step - (run.status === 'done' || !isAtRest(run.status) ? 0 : 1));
	if (run.kind === 'chat') return { possible: true, steps, messages };
	if (run.kind === 'heartbeat') return { possible: false, steps, messages, why: staysApart().message };
	const why = {
		child: 'It worked for another run, which has its result.',
		workflow: 'It is a step of a workflow, which has moved on.',
		task: 'It is a run of a task, and its result was told.',
	}[run.kind];
	return { possible: false, steps, messages, why: `${why} Fork it to go on from here in a chat of its own.` };
}

/** Files that the runs, or restores of them, changed after the place and that are not now as they were then. */
async function plannedFiles(deps: PlanDeps, scope: Scope, { workspaceSeq: afterSeq }: Checkpoint): Promise<PlannedFile[]> {
	const { workspace } = deps;
	const own = workspace.changes({ runIds: scope.runIds, afterSeq });
	const takenOver = scope.takenOver.flatMap(({ runId, afterStep, upToStep }) =>
		workspace.changes({ runIds: [runId], afterSeq }).filter(({ step }) => step !== undefined && step > afterStep && step <= upToStep),
	);
	const putBack = [...scope.restoreIds].flatMap((restoreId) => workspace.changes({ restoreId, afterSeq }));
	const paths = [...new Set([...own, ...takenOver, ...putBack].map(({ path }) => path))].toSorted();
	const planned: PlannedFile[] = [];
	for (const path of paths) {
		const changes = workspace.changes({ paths: [path], afterSeq });
		const first = changes[0];
		if (!first) continue;
		const now = await lookAt(workspace, path);
		if (now.hash === first.before) continue;
		const action = first.before === null ? 'remove' : now.hash === null ? 'bring_back' : 'put_back';
		const theirs = now.problem ?? changedByOthers(deps, scope, changes, now.hash ?? null);
		planned.push({ line: { path, action, ...(theirs !== undefined && { theirs }) }, hash: first.before });
	}
	return planned;
}

/** `problem`: what lies there is no file that could be read; in words. */
export async function lookAt(workspace: Pick<WorkspaceFiles, 'read'>, path: string): Promise<{ hash?: string | null; problem?: string }> {
	try {
		return { hash: (await workspace.read(path))?.hash ?? null };
	} catch (error) {
		if (error instanceof HearthError && error.kind !== 'retryable') return { problem: error.message };
		throw error;
	}
}

function changedByOthers({ db }: PlanDeps, scope: Scope, changes: readonly WorkspaceChange[], now: string | null): string | undefined {
	if ((changes.at(-1)?.after ?? null) !== now) return 'Changed since by another program, or by you.';
	const ours = ({ runId, restoreId }: WorkspaceChange): boolean =>
		runId === undefined ? restoreId !== undefined && scope.restoreIds.has(restoreId) : scope.runIds.includes(runId);
	const other = changes.find((change) => !ours(change));
	if (!other) return undefined;
	return other.runId === undefined ? 'Put back since by a restore of another run.' : `Changed since by ${titled(db, other.runId)}.`;
}

function titled(db: ReadDb, runId: RunId): string {
	const run = findRun(db, runId);
	const title = run && named(db, run).title;
	return title ? `“${title}”` : 'another run';
}

/** The newest first. Changes that were written as one are undone as one. */
function plannedMemory(db: ReadDb, scope: Scope, { memorySeq }: Checkpoint): { change: MemoryChange; why?: string }[] {
	const groups = new Set<string>();
	return [...changesOfRuns(db, scope.runIds, memorySeq), ...takenBackSince(db, scope, memorySeq)]
		.toSorted((a, b) => b.seq - a.seq)
		.flatMap((change) => {
			const group = change.plan.group ?? change.id;
			if (change.undoneBy !== undefined || groups.has(group)) return [];
			groups.add(group);
			const forgotten = change.kind === 'forget' || versionsOfChange(db, change.id).some((version) => version.forgotten);
			return [{ change, ...(forgotten && { why: 'Its text was forgotten.' }) }];
		});
}

/** What was remembered by then, and a restore to an earlier place took back: its taking back is taken back. */
function takenBackSince(db: ReadDb, scope: Scope, memorySeq: number): MemoryChange[] {
	return restoresOf(db, scope.runIds)
		.filter(({ status }) => status === 'done')
		.flatMap(({ plan }) => plan.done?.memory ?? [])
		.flatMap((id) => findChange(db, id) ?? [])
		.filter(({ undoes }) => undoes !== undefined && (findChange(db, undoes)?.seq ?? Number.POSITIVE_INFINITY) <= memorySeq);
}
