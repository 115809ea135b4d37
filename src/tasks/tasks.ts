import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { SessionId, Timestamp } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { PermissionTerms } from '../domain/permission.ts';
import type { OccurrenceId, TaskCard, TaskDraft, TaskId, TaskWhen } from '../domain/task.ts';
import { cardOf } from '../schedule/card.ts';
import { isPaused, PAUSE_TIMER, TASK_TIMER } from './claims.ts';
import { isSame, listensAlike } from './draft-changes.ts';
import { RETRY_TIMER } from './ends.ts';
import { noteOfRun } from './missed.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { endOccurrence, getOccurrence, setQueued, setSeen, setWhy } from './occurrence-store.ts';
import { isOwners } from './queue.ts';
import { allPaused, alreadyOver, checkPause, notToDecide, staleCard } from './refusals.ts';
import { Runner, type RunnerDeps } from './runner.ts';
import {
	deleteTask,
	findTask,
	getTask,
	insertTask,
	type StoredTask,
	setClaimed,
	setDraft,
	setFailures,
	setStatus,
	taskMadeFor,
} from './task-store.ts';
import { askedBefore, openOccurrences } from './turn-store.ts';

const DOUBLE_CLICK_MS = 2_000;

/** Who knows of triggers, as tasks tell them of theirs. */
export interface TriggersPort {
	/** Throws `invalid_input` for what can't be listened to. What it returns is called in the transaction that begins to listen. */
	prepare(when: TaskWhen): Promise<(tx: WriteDb, taskId: TaskId) => void>;
	/** In the transaction that stops listening: what was gathered is dropped. */
	paused(tx: WriteDb, taskId: TaskId): void;
	/** After any commit that changed who listens to what. */
	changed(): void;
}

export type TaskChange = 'added' | 'changed' | 'removed' | 'paused' | 'resumed' | 'run';

export interface TasksDeps extends RunnerDeps {
	readonly triggers: TriggersPort;
	/** Standing permissions of one task, in the transaction of the owner's yes; and their end, with the task or for others. */
	readonly permissions: {
		give(tx: WriteDb, taskId: TaskId, terms: readonly PermissionTerms[]): void;
		end(tx: WriteDb, taskId: TaskId): void;
	};
	/** Throws `invalid_input`, in words, for what could never be done. */
	readonly check: (draft: TaskDraft) => void;
	/** In the transaction of the owner's word. */
	readonly audited: (tx: WriteDb, task: Pick<StoredTask, 'id' | 'draft' | 'label'>, what: TaskChange) => void;
	readonly allPaused: () => boolean;
}

export interface Proposed {
	readonly draft: TaskDraft;
	readonly label: Label;
	/** The chat that it was said in. */
	readonly sessionId?: SessionId | undefined;
	/** The same makes one. */
	readonly makeKey: string;
	readonly permissions?: readonly PermissionTerms[];
}

/** The owner's side of tasks. What happens by itself is the `Runner`'s. */
export class Tasks {
	readonly runner: Runner;
	readonly #deps: TasksDeps;

	constructor(deps: TasksDeps) {
		this.#deps = deps;
		this.runner = new Runner(deps);
	}

	/** Throws `invalid_input` for what can't be, or would never come. */
	preview(draft: TaskDraft): TaskCard {
		const { clock, zone, check } = this.#deps;
		check(draft);
		return cardOf(draft, { now: clock.now(), zone: zone() });
	}

	/** Throws `stale` where the card would be another now, `invalid_input`. */
	async add(given: { draft: TaskDraft; shownHash: string; permissions: readonly PermissionTerms[]; requestId: string }): Promise<TaskId> {
		const before = taskMadeFor(this.#deps.db.read, given.requestId);
		if (before !== undefined) return before;
		this.#checkShown(given);
		return this.make({ draft: given.draft, label: 'owner', makeKey: given.requestId, permissions: given.permissions });
	}

	/** After the owner's yes to exactly this. Throws `invalid_input`. */
	async make({ draft, label, sessionId, makeKey, permissions = [] }: Proposed): Promise<TaskId> {
		const { clock, triggers, audited } = this.#deps;
		const listen = await triggers.prepare(draft.when);
		const id = newId<TaskId>();
		const made = this.runner.act((tx) => {
			const before = taskMadeFor(tx, makeKey);
			if (before !== undefined) return before;
			const now = clock.now();
			insertTask(tx, { id, draft, label, proposedIn: sessionId, makeKey, claimedTo: now, createdAt: now });
			this.#deps.permissions.give(tx, id, permissions);
			listen(tx, id);
			const task = getTask(tx, id);
			this.runner.claims.arm(tx, task);
			audited(tx, task, 'added');
			return id;
		});
		triggers.changed();
		return made;
	}

	/** What came by the old schedule is claimed by it. A blocked task goes on: that is the owner's word. */
	async update(id: TaskId, given: { draft: TaskDraft; shownHash: string; permissions: readonly PermissionTerms[] }): Promise<void> {
		const { clock, triggers, permissions, audited, db } = this.#deps;
		getTask(db.read, id);
		this.#checkShown(given);
		const { draft } = given;
		const listen = await triggers.prepare(draft.when);
		this.runner.act((tx, made) => {
			this.runner.claimIn(tx, getTask(tx, id), made);
			const before = getTask(tx, id);
			const now = clock.now();
			setDraft(tx, id, draft, now);
			const paused = before.status === 'paused';
			setStatus(tx, id, paused ? 'paused' : 'on', { pausedUntil: paused ? before.pausedUntil : undefined });
			setFailures(tx, id, 0);
			const isOnTime = isSame(before.draft.when, draft.when);
			if (!isOnTime) this.runner.claims.skipDelayed(tx, before, 'Its times were changed before its delay was over.', now);
			if (!isOnTime) setClaimed(tx, id, Math.max(before.collectedTo, now));
			// They were given for what it was to do.
			if (!isSame(before.draft.work, draft.work)) permissions.end(tx, id);
			permissions.give(tx, id, given.permissions);
			if (!listensAlike(before.draft.when, draft.when)) triggers.paused(tx, id);
			const task = getTask(tx, id);
			if (!paused) listen(tx, id);
			this.runner.claims.arm(tx, task);
			audited(tx, task, 'changed');
		});
		triggers.changed();
	}

	/** What runs is stopped first. Nothing where it is gone already. */
	async remove(id: TaskId): Promise<void> {
		const { db, triggers, timers, permissions, audited, changed } = this.#deps;
		const running = () => openOccurrences(db.read, 'running', id);
		// Else what waits would begin when what runs is stopped, and be nobody's.
		db.write((tx) => {
			if (!findTask(tx, id)) return;
			timers.clear(tx, TASK_TIMER, id);
			timers.clear(tx, PAUSE_TIMER, id);
			for (const occurrence of openOccurrences(tx, 'queued', id)) this.#endQueued(tx, occurrence);
			setStatus(tx, id, 'ended');
			triggers.paused(tx, id);
		});
		triggers.changed();
		// The owner may have asked for another meanwhile.
		for (let [runs] = running(); runs; [runs] = running()) await this.stop(runs.id);
		db.write((tx) => {
			const task = findTask(tx, id);
			if (!task) return;
			permissions.end(tx, id);
			deleteTask(tx, id);
			audited(tx, task, 'removed');
		});
		triggers.changed();
		changed();
	}

	/** What is under way goes on. Slots that come meanwhile are none. */
	pause(id: TaskId, until: Timestamp | undefined): void {
		const { clock, triggers, audited } = this.#deps;
		if (until !== undefined) checkPause(until, clock.now());
		this.runner.act((tx, made) => {
			this.runner.claimIn(tx, getTask(tx, id), made);
			this.runner.claims.skipDelayed(tx, getTask(tx, id), 'It was paused before its delay was over.', clock.now());
			// What waits for its turn, or for the hours, is not to come while it is paused.
			for (const waits of openOccurrences(tx, 'queued', id).filter((each) => each.attempt === 0 && !isOwners(each)))
				endOccurrence(tx, waits.id, { state: 'skipped', why: 'owner', note: 'You paused it.', nothingToDeliver: true }, clock.now());
			setStatus(tx, id, 'paused', { pausedUntil: until });
			triggers.paused(tx, id);
			const task = getTask(tx, id);
			this.runner.claims.arm(tx, task);
			audited(tx, task, 'paused');
		});
		triggers.changed();
	}

	/** Of one that was paused, or blocked itself. */
	async resume(id: TaskId): Promise<void> {
		const { clock, triggers, audited, db } = this.#deps;
		const listen = await triggers.prepare(getTask(db.read, id).draft.when);
		this.runner.act((tx, made) => {
			const before = getTask(tx, id);
			if (before.status === 'on' || before.status === 'ended') return;
			// What came while it was blocked, or after its pause, has its rows; what came while it was paused is none.
			if (!isPaused(before, clock.now())) this.runner.claimIn(tx, before, made);
			else setClaimed(tx, id, Math.max(clock.now(), before.collectedTo));
			setStatus(tx, id, 'on');
			setFailures(tx, id, 0);
			if (before.status === 'paused') listen(tx, id);
			const task = getTask(tx, id);
			this.runner.claims.arm(tx, task);
			audited(tx, task, 'resumed');
		});
		triggers.changed();
	}

	/** Now, whatever the hour; one that the owner asked for just now, or that waits for its turn or its next try, is that one. Throws `conflict`. */
	run(id: TaskId): OccurrenceId {
		if (this.#deps.allPaused()) throw allPaused();
		return this.runner.act((tx, made) => {
			const task = getTask(tx, id);
			// Another would do again what this one has done (sch-5).
			const failed = openOccurrences(tx, 'queued', id).find(({ attempt }) => attempt > 0);
			if (failed) {
				this.#deps.audited(tx, task, 'run');
				this.#deps.timers.clear(tx, RETRY_TIMER, failed.id);
				return this.#runMissed(tx, failed, made);
			}
			const asked = askedBefore(tx, id, this.#deps.clock.now() - DOUBLE_CLICK_MS);
			if (asked) return asked.id;
			this.#deps.audited(tx, task, 'run');
			const occurrence = this.runner.occurIn(tx, task, made);
			if (!occurrence) throw new Error('the owner’s run has no row');
			return occurrence.id;
		});
	}

	/** Throws `conflict` where there is nothing to decide. */
	decide(id: OccurrenceId, how: 'run' | 'skip'): OccurrenceId {
		const { allPaused: isAllPaused, timers, clock } = this.#deps;
		if (how === 'run' && isAllPaused()) throw allPaused();
		return this.runner.act((tx, made) => {
			const occurrence = getOccurrence(tx, id);
			const { state, seen } = occurrence;
			const waitsForTry = state === 'queued' && occurrence.attempt > 0;
			const open = state === 'asks' || (state === 'missed' && !seen) || state === 'failed' || waitsForTry;
			if (!open) throw notToDecide();
			timers.clear(tx, RETRY_TIMER, id);
			if (how === 'run') return this.#runMissed(tx, occurrence, made);
			if (state === 'asks')
				endOccurrence(tx, id, { state: 'skipped', note: 'You skipped it.', seen: true, nothingToDeliver: true }, clock.now());
			else if (waitsForTry) endOccurrence(tx, id, { state: 'failed', error: occurrence.error, seen: true }, clock.now());
			else setSeen(tx, id);
			return id;
		});
	}

	/** Resolves once it is over. Throws `conflict` where it is already. */
	async stop(id: OccurrenceId): Promise<void> {
		const { db, changed } = this.#deps;
		const running = db.write((tx) => {
			const occurrence = getOccurrence(tx, id);
			if (occurrence.state === 'running') {
				if (occurrence.why === undefined) setWhy(tx, id, 'owner');
				return getOccurrence(tx, id);
			}
			if (occurrence.state !== 'queued') throw alreadyOver();
			this.#endQueued(tx, occurrence);
			return undefined;
		});
		if (running) await this.runner.stopped(running);
		else changed();
	}

	#endQueued(tx: WriteDb, { id, attempt }: StoredOccurrence): void {
		const { timers, clock } = this.#deps;
		timers.clear(tx, RETRY_TIMER, id);
		const state = attempt > 0 ? 'stopped' : 'skipped';
		endOccurrence(tx, id, { state, why: 'owner', seen: true, nothingToDeliver: true }, clock.now());
	}

	/** The missed slot itself runs; of several that stand as one row a run of its own stands for all. */
	#runMissed(tx: WriteDb, occurrence: StoredOccurrence, made: Parameters<Parameters<Runner['act']>[0]>[1]): OccurrenceId {
		const { id, count, why, taskId, state } = occurrence;
		if (count > 1) {
			if (state === 'asks')
				endOccurrence(
					tx,
					id,
					{ state: 'missed', note: 'You let one run stand for all of them.', seen: true, nothingToDeliver: true },
					this.#deps.clock.now(),
				);
			else setSeen(tx, id);
			const stands = this.runner.occurIn(tx, getTask(tx, taskId), made);
			if (!stands) throw new Error('the owner’s run has no row');
			return stands.id;
		}
		setQueued(tx, id, { byOwner: true, note: noteOfRun(why) });
		return id;
	}

	#checkShown({ draft, shownHash }: { draft: TaskDraft; shownHash: string }): void {
		if (this.preview(draft).shownHash !== shownHash) throw staleCard();
	}
}
