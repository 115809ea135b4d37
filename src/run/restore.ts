import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import type { RestorePreview, RestoreRecord } from '../contract/methods/runs.ts';
import type { WriteDb } from '../db/brands.ts';
import { asStorageError } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import type { MessageId, RestoreId, RunId } from '../domain/ids.ts';
import type { ChangeId, MemoryReceipt, Provenance } from '../domain/memory.ts';
import type { RunPlace } from '../domain/run.ts';
import type { WriteGrant } from '../domain/write-grant.ts';
import { getChange } from '../memory/change-store.ts';
import type { MemoryWriter } from '../memory/port.ts';
import { getMessage, getMessageHead } from '../sessions/message-store.ts';
import { getSession, setHead, summarise, touchSession } from '../sessions/session-store.ts';
import type { WorkspaceFiles } from '../tools/workspace/port.ts';
import { getCheckpoint } from './checkpoint-store.ts';
import { memoryLine } from './inspect.ts';
import { getRun } from './journal-store.ts';
import { idUsedBefore } from './refusals.ts';
import { lookAt, type PlanDeps, planRestore, previewRestore, refuseAtWork } from './restore-plan.ts';
import {
	beginUndo,
	findRestoreByRequest,
	finishRestore,
	finishUndo,
	getRestore,
	insertRestore,
	type Left,
	type Restore,
	type RestorePlan,
	type Ticked,
	unfinishedRestores,
} from './restore-store.ts';
import type { RunLog } from './run-log.ts';

export interface RestoreDeps extends Omit<PlanDeps, 'db'> {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly log: Pick<RunLog, 'beginCopy'>;
	readonly workspace: WorkspaceFiles;
	readonly memory: Pick<MemoryWriter, 'undo'>;
}

/**
 * Putting back what was, by the owner's choice (R4). What it is to do is a row before it does anything, and what is there now is kept first:
 * files by the workspace's own journal, memory by its ledger, the chat as another version. Killed anywhere, it goes on at the next start.
 */
export interface Restores {
	preview(place: RunPlace): Promise<RestorePreview>;
	/** The same request twice is one restore. Rejects with `conflict`, `not_found`, `invalid_input`; with a storage error it goes on later. */
	restore(grant: WriteGrant, asked: { place: RunPlace; ticked: Ticked; requestId: string }): Promise<RestoreRecord>;
	/** Puts back what it replaced, as far as nobody changed it since. */
	undo(grant: WriteGrant, id: RestoreId): Promise<RestoreRecord>;
	/** What the last life, or a full disk, cut off. Never rejects. */
	finish(grant: WriteGrant): Promise<void>;
	close(): Promise<void>;
}

const AGAIN_MS = 30_000;

export function createRestores(deps: RestoreDeps): Restores {
	const { db, clock, logger, workspace } = deps;
	const planning: PlanDeps = { ...deps, db: db.read };
	const sequencer = new Sequencer();
	let again: NodeJS.Timeout | undefined;
	let closed = false;
	const oneByOne = <T>(task: () => Promise<T>): Promise<T> => sequencer.run('restore', task);

	async function restore(grant: WriteGrant, { place, ticked, requestId }: Parameters<Restores['restore']>[1]): Promise<RestoreRecord> {
		const before = findRestoreByRequest(db.read, requestId);
		if (before) {
			if (!isSame(before, place, ticked)) throw idUsedBefore();
			return recordOf(before.status === 'intended' ? await carryOut(grant, before) : before);
		}
		refuseAtWork(db.read, place);
		const plan = await planRestore(planning, place, ticked);
		const id = newId<RestoreId>();
		db.write((tx) => {
			// It may have begun meanwhile.
			refuseAtWork(tx, place);
			insertRestore(tx, { id, place, ticked, plan, at: clock.now() }, requestId);
		});
		crashPoint('restore.intended');
		return recordOf(await carryOut(grant, getRestore(db.read, id)));
	}

	async function carryOut(grant: WriteGrant, { id, place, ticked, plan }: Restore): Promise<Restore> {
		const files = await workspace.putBack(plan.files, { restoreId: id, key: id });
		crashPoint('restore.files_back');
		const memory = await undoAll(grant, plan.memory, `restore:${id}`);
		crashPoint('restore.memory_back');
		const done: RestorePlan['done'] = {
			files: files.flatMap(({ path, change }) => (change ? [{ path, before: change.before, after: change.after }] : [])),
			memory: memory.changes,
		};
		const failed = files.flatMap(({ path, outcome, why = '' }): Left[] => (outcome === 'failed' ? [{ what: path, why }] : []));
		const left = [...plan.left, ...failed, ...memory.left];
		const newRun = db.write((tx) => {
			const chat = ticked.chat ? restoreChat(tx, place) : undefined;
			finishRestore(tx, id, { plan: { ...plan, ...(chat && { headBefore: chat.headBefore }), done, left }, newRunId: chat?.runId });
			return chat?.runId;
		});
		crashPoint('restore.done');
		if (newRun) announceHead(newRun);
		// It has another branch, or another restore.
		announceRun(place.runId);
		return getRestore(db.read, id);
	}

	/** The reply as it was then becomes another version; the one that went on keeps all that came after. */
	function restoreChat(tx: WriteDb, place: RunPlace): { runId: RunId; headBefore: MessageId } {
		const source = getRun(tx, place.runId);
		const { parentId, sessionId } = getMessageHead(tx, source.messageId);
		const { headId: headBefore } = getSession(tx, sessionId);
		if (parentId === null || headBefore === null) throw new Error('a reply without a message to reply to');
		const now = clock.now();
		const runId = newId<RunId>();
		const messageId = newId<MessageId>();
		const event = { type: 'restored', from: place, at: now } as const;
		const copy = { runId, messageId, sessionId, parentId, title: source.title, event, started: {} };
		deps.log.beginCopy(tx, source, getCheckpoint(tx, place), copy);
		setHead(tx, sessionId, messageId);
		touchSession(tx, sessionId, now);
		return { runId, headBefore };
	}

	async function undo(grant: WriteGrant, id: RestoreId): Promise<RestoreRecord> {
		let found = getRestore(db.read, id);
		if (found.status === 'intended') found = await carryOut(grant, found);
		if (found.status === 'done') {
			refuseAtWork(db.read, found.newRunId ? { runId: found.newRunId, step: found.place.step } : found.place);
			db.write((tx) => beginUndo(tx, id));
			crashPoint('restore.undo_intended');
			found = getRestore(db.read, id);
		}
		return recordOf(found.status === 'undoing' ? await carryOutUndo(grant, found) : found);
	}

	async function carryOutUndo(grant: WriteGrant, { id, place, plan, newRunId }: Restore): Promise<Restore> {
		const left: Left[] = [];
		const wanted: { path: string; hash: string | null }[] = [];
		for (const { path, before, after } of plan.done?.files ?? []) {
			const { hash, problem = 'Changed since the restore.' } = await lookAt(workspace, path);
			if (hash === after || hash === before) wanted.push({ path, hash: before });
			else left.push({ what: path, why: problem });
		}
		for (const { path, outcome, why = '' } of await workspace.putBack(wanted, { restoreId: id, key: `${id}:undo` }))
			if (outcome === 'failed') left.push({ what: path, why });
		crashPoint('restore.files_back');
		const memory = await undoAll(grant, plan.done?.memory.toReversed() ?? [], `restore:${id}:undo`);
		left.push(...memory.left);
		crashPoint('restore.memory_back');
		db.write((tx) => {
			if (plan.headBefore) setHead(tx, getRun(tx, place.runId).sessionId, plan.headBefore);
			finishUndo(tx, id, { left, undoneAt: clock.now() });
		});
		crashPoint('restore.done');
		if (newRunId && plan.headBefore) announceHead(place.runId);
		else announceRun(place.runId);
		// It is put away now.
		if (newRunId) announceRun(newRunId);
		return getRestore(db.read, id);
	}

	/** One after the other, as each may stand on the next; the same key never undoes twice. What can't be undone is said. */
	async function undoAll(grant: WriteGrant, ids: readonly ChangeId[], key: string): Promise<{ changes: ChangeId[]; left: Left[] }> {
		const changes: ChangeId[] = [];
		const left: Left[] = [];
		for (const changeId of ids) {
			const receipt = await undoOne(grant, changeId, `${key}:${changeId}`);
			if (receipt instanceof HearthError) left.push({ what: memoryLine(db.read, getChange(db.read, changeId)).text, why: receipt.message });
			else if (receipt.outcome === 'written') changes.push(receipt.changeId);
		}
		return { changes, left };
	}

	async function undoOne(grant: WriteGrant, changeId: ChangeId, key: string): Promise<MemoryReceipt | HearthError> {
		try {
			return await deps.memory.undo({ grant, key, changeId, provenance: ownersOwn(clock.now()) });
		} catch (error) {
			// What waits for room or for the owner goes on later; a refusal stays one, and nothing else may hold the chat up for ever.
			const known = asStorageError(error);
			if (known instanceof HearthError && known.kind !== 'terminal') throw known;
			logger.warn('restore_memory_left', { changeId, error: known });
			return known instanceof HearthError ? known : terminal('internal', 'An error of Hearth kept it from being taken back.');
		}
	}

	function announceHead(runId: RunId): void {
		const { messageId } = getRun(db.read, runId);
		deps.announce({ type: 'message_changed', message: getMessage(db.read, messageId), headChanged: true });
		announceRun(runId);
	}

	function announceRun(runId: RunId): void {
		const run = getRun(db.read, runId);
		deps.announce({ type: 'run_changed', run });
		deps.announce({ type: 'session_changed', session: summarise(db.read, run.sessionId) });
	}

	/** Never rejects: whoever starts it by a timer could not hear of it. */
	function finishInTurn(grant: WriteGrant): Promise<void> {
		return oneByOne(() => finish(grant)).catch((error: unknown) => logger.error('restores_not_finished', { error }));
	}

	async function finish(grant: WriteGrant): Promise<void> {
		clearTimeout(again);
		for (const { id, status } of unfinishedRestores(db.read)) {
			try {
				const found = getRestore(db.read, id);
				await (status === 'intended' ? carryOut(grant, found) : carryOutUndo(grant, found));
			} catch (error) {
				logger.error('restore_not_finished', { restoreId: id, error });
			}
		}
		takeUpLater(grant);
	}

	function takeUpLater(grant: WriteGrant): void {
		clearTimeout(again);
		if (closed || unfinishedRestores(db.read).length === 0) return;
		again = setTimeout(() => void finishInTurn(grant), AGAIN_MS).unref();
	}

	async function orLater(grant: WriteGrant, task: () => Promise<RestoreRecord>): Promise<RestoreRecord> {
		try {
			return await oneByOne(task);
		} finally {
			takeUpLater(grant);
		}
	}

	return {
		preview: (place) => previewRestore(planning, place),
		restore: (grant, asked) => orLater(grant, () => restore(grant, asked)),
		undo: (grant, id) => orLater(grant, () => undo(grant, id)),
		finish: finishInTurn,
		close: async () => {
			closed = true;
			clearTimeout(again);
			await sequencer.idle();
		},
	};
}

export function recordOf({ id, place, ticked, plan, newRunId, at, undoneAt }: Restore): RestoreRecord {
	return {
		id,
		place,
		chat: ticked.chat,
		files: ticked.files !== 'no',
		memory: ticked.memory,
		at,
		left: plan.left,
		...(newRunId && { newRunId }),
		...(undoneAt !== undefined && { undoneAt }),
	};
}

/** Of text that was there before: it brings none of its own. */
function ownersOwn(at: number): Provenance {
	return { author: 'owner', label: 'owner', origin: 'owner', sources: [], at };
}

function isSame(before: Restore, place: RunPlace, ticked: Ticked): boolean {
	const { chat, files, memory } = before.ticked;
	const samePlace = before.place.runId === place.runId && before.place.step === place.step;
	return samePlace && chat === ticked.chat && files === ticked.files && memory === ticked.memory;
}
