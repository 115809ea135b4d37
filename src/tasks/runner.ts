import { crashPoint } from '../base/crash-point.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { RunId, WorkflowInstanceId } from '../domain/ids.ts';
import { type OccurrenceId, TaskId } from '../domain/task.ts';
import { type Claimed, Claims, type ClaimsDeps, scheduleOf } from './claims.ts';
import { Delivery, type DeliveryDeps } from './delivery.ts';
import { waitsForUnlock } from './doers/failures.ts';
import { type Over, RETRY_TIMER, type Settled, settle } from './ends.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { findOccurrence, occurrenceOfInstance, occurrenceOfRun, setQueued, unclaimAhead } from './occurrence-store.ts';
import type { TaskDoer } from './ports.ts';
import { type BegunNow, isOwners, Queue, type QueueDeps } from './queue.ts';
import {
	findTask,
	getTask,
	type StoredTask,
	setClaimed,
	setStatus,
	tasksClaimedAfter,
	tasksInOtherZones,
	tasksPausedUntil,
} from './task-store.ts';
import { firesTooOften, tooOften } from './too-often.ts';
import { openOccurrences } from './turn-store.ts';
import { doerOf } from './work-kind.ts';
import { claimedInZone } from './zones.ts';

export interface RunnerDeps extends ClaimsDeps, Omit<QueueDeps, 'notBegun'>, DeliveryDeps {
	readonly db: StateDb;
	readonly clock: QueueDeps['clock'];
	readonly timers: ClaimsDeps['timers'];
	/** After a commit that changed who listens to what. */
	readonly triggers: { changed(): void };
}

/** What claims of a transaction leave to be done once it is committed. */
interface Made extends Claimed {
	readonly begun: BegunNow[];
}

/** From a slot to the end of its run: claims it, lets it begin, takes up its end. All that it knows are rows. */
export class Runner {
	readonly claims: Claims;
	readonly #deps: RunnerDeps;
	readonly #queue: Queue;
	readonly #delivery: Delivery;
	readonly #stopping = new Set<OccurrenceId>();
	#untold: StoredOccurrence[] = [];
	#started = false;

	constructor(deps: RunnerDeps) {
		this.#deps = deps;
		this.claims = new Claims(deps);
		this.#delivery = new Delivery(deps);
		this.#queue = new Queue({ ...deps, notBegun: (occurrence, settled) => this.#settled(occurrence, settled) });
	}

	/** Once runs were recovered, before timers are told: takes up what the last life left. Nothing is done for tasks that have nothing open. */
	start(): void {
		this.#started = true;
		for (const { id } of tasksPausedUntil(this.#deps.db.read, this.#deps.clock.now())) this.pauseOver(id);
		this.judgeQueued();
		for (const occurrence of openOccurrences(this.#deps.db.read, 'running')) {
			if (!this.#tookEnd(occurrence)) this.#doerOf(occurrence)?.start(occurrence);
		}
		this.#delivery.recover();
		this.#queue.start();
		this.look();
	}

	/** Its slot has come. */
	due(ref: string): void {
		this.act((tx, made) => {
			const task = findTask(tx, TaskId.parse(ref));
			if (task) this.claimIn(tx, task, made);
			return task;
		});
	}

	/** A pause may be over, and its task's trigger listens again: to what comes from now on. */
	pauseOver(ref: string): void {
		const listens = this.act((tx) => {
			const task = findTask(tx, TaskId.parse(ref));
			return task !== undefined && this.claims.endPause(tx, task, this.#deps.clock.now());
		});
		if (listens) this.#deps.triggers.changed();
	}

	/** A transaction that claims; afterwards what it claimed begins, makes room and is told. */
	act<T>(change: (tx: WriteDb, made: Made) => T): T {
		let made: Made = { queued: [], replaced: [], missed: [], begun: [] };
		const result = this.#deps.db.write((tx) => {
			made = { queued: [], replaced: [], missed: [], begun: [] };
			return change(tx, made);
		});
		if (made.queued.length + made.missed.length > 0) crashPoint('task.claimed');
		for (const { after } of made.begun) after();
		this.#untold.push(...made.missed);
		this.look();
		this.#deps.changed();
		return result;
	}

	/** In the transaction of `act`: what came since the task's slots were last claimed. */
	claimIn(tx: WriteDb, task: StoredTask, made: Made): void {
		this.#take(tx, task, this.claims.claim(tx, task, this.#deps.clock.now()), made);
	}

	/** In the transaction of `act`: the owner's *Run now*. */
	occurIn(tx: WriteDb, task: StoredTask, made: Made): StoredOccurrence | undefined {
		const now = this.#deps.clock.now();
		const claimed = this.claims.occur(tx, task, { by: 'owner', slot: now }, now);
		this.#take(tx, task, claimed, made);
		return claimed.queued[0];
	}

	/** In the caller's transaction: what a trigger gathered. Call `look` after its commit. */
	fired(tx: WriteDb, taskId: TaskId, fired: Omit<Parameters<Claims['occur']>[2], 'by'>): void {
		const task = findTask(tx, taskId);
		if (!task) return;
		const now = this.#deps.clock.now();
		const isTooOften = task.status === 'on' && firesTooOften(tx, taskId, now);
		if (isTooOften) setStatus(tx, taskId, 'blocked', { problem: tooOften() });
		const { missed } = this.claims.occur(tx, isTooOften ? getTask(tx, taskId) : task, { ...fired, by: 'trigger' }, now);
		this.#untold.push(...missed);
		this.#deps.changed();
	}

	/** Begins, stops and tells what there is. Cheap; call it whenever something may have changed. */
	look(): void {
		if (!this.#started) return;
		for (const occurrence of openOccurrences(this.#deps.db.read, 'running')) if (occurrence.why !== undefined) this.stop(occurrence);
		this.#queue.look();
		this.#tellMissed();
	}

	/** A run or an instance is over, or waits, or goes on. */
	changed(of: { readonly runId?: RunId | undefined; readonly instanceId?: WorkflowInstanceId | undefined }): void {
		if (!this.#started) return;
		const { db } = this.#deps;
		const occurrence =
			(of.runId === undefined ? undefined : occurrenceOfRun(db.read, of.runId)) ??
			(of.instanceId === undefined ? undefined : occurrenceOfInstance(db.read, of.instanceId));
		if (occurrence?.state !== 'running') return;
		this.#tookEnd(occurrence);
		this.look();
		this.#deps.changed();
	}

	/** Ends what runs; its row says why already. */
	stop(occurrence: StoredOccurrence): void {
		if (this.#stopping.has(occurrence.id)) return;
		this.#stopping.add(occurrence.id);
		void this.stopped(occurrence)
			.catch((error: unknown) => this.#deps.logger.error('task_not_stopped', { occurrenceId: occurrence.id, error }))
			.finally(() => this.#stopping.delete(occurrence.id));
	}

	/** Resolves once it is over. */
	async stopped(occurrence: StoredOccurrence): Promise<void> {
		await this.#doerOf(occurrence)?.stop(occurrence);
		const after = findOccurrence(this.#deps.db.read, occurrence.id);
		if (after?.state === 'running') this.#tookEnd(after);
		this.look();
		this.#deps.changed();
	}

	/** The machine slept, or Hearth was closed: what waited for its turn meanwhile is late now (sch-2). */
	judgeQueued(): void {
		const { db, clock } = this.#deps;
		const waiting = openOccurrences(db.read, 'queued').filter((each) => each.attempt === 0 && !isOwners(each));
		if (waiting.length === 0) return;
		const missed = db.write((tx) =>
			waiting.flatMap((each) => this.claims.judgeAgain(tx, getTask(tx, each.taskId), each, clock.now()) ?? []),
		);
		this.#untold.push(...missed);
		if (missed.length > 0) this.#deps.changed();
	}

	/** The stored keys can be read: what waits for them is tried again. */
	unlocked(): void {
		const waits = ({ error }: StoredOccurrence): boolean => error !== undefined && waitsForUnlock(error);
		if (!this.#started || !openOccurrences(this.#deps.db.read, 'queued').some(waits)) return;
		this.act((tx) => {
			for (const { id } of openOccurrences(tx, 'queued').filter(waits)) {
				this.#deps.timers.clear(tx, RETRY_TIMER, id);
				setQueued(tx, id, {});
			}
		});
	}

	/** Times that had their rows are to come again: none is claimed twice, and none of them is forgotten. */
	clockSetBack(): void {
		const { db, clock } = this.#deps;
		const now = clock.now();
		if (tasksClaimedAfter(db.read, now).length === 0) return;
		this.act((tx) => {
			for (const task of tasksClaimedAfter(tx, now)) {
				const first = unclaimAhead(tx, task.id, now);
				const claimedTo = Math.max(task.collectedTo, first === undefined ? now : Math.min(now, first - 1));
				setClaimed(tx, task.id, claimedTo);
				if (task.status === 'ended') setStatus(tx, task.id, 'on');
				this.claims.arm(tx, { ...task, status: task.status === 'ended' ? 'on' : task.status, claimedTo });
			}
		});
	}

	/** The owner's clock on the wall is another: since a moment ago, or since the last life. */
	zoneChanged(zone: string): void {
		if (tasksInOtherZones(this.#deps.db.read, zone).length === 0) return;
		this.act((tx) => {
			for (const task of tasksInOtherZones(tx, zone)) {
				const schedule = scheduleOf(task);
				if (!schedule || task.zone === undefined) continue;
				const claimedTo = claimedInZone(schedule.timing, task.claimedTo, task.zone, zone);
				setClaimed(tx, task.id, claimedTo);
				this.claims.arm(tx, { ...task, claimedTo });
			}
		});
	}

	async close(): Promise<void> {
		this.#started = false;
		this.#queue.close();
		await this.#delivery.close();
	}

	#take(tx: WriteDb, task: StoredTask, claimed: Claimed, made: Made): void {
		made.queued.push(...claimed.queued);
		made.replaced.push(...claimed.replaced);
		made.missed.push(...claimed.missed);
		if (claimed.replaced.length > 0) return;
		for (const occurrence of claimed.queued) {
			const begun = this.#queue.beginIn(tx, task, occurrence);
			if (begun) made.begun.push(begun);
		}
	}

	/** False: it is not over. */
	#tookEnd(occurrence: StoredOccurrence): boolean {
		const { db } = this.#deps;
		const doer = this.#doerOf(occurrence);
		const standing = doer?.standing(occurrence);
		if (!doer || !standing || standing.kind === 'going_on' || standing.kind === 'waiting') return false;
		crashPoint('task.ended');
		const over: Over = standing;
		const settled = db.write((tx) => {
			const now = findOccurrence(tx, occurrence.id);
			if (now?.state !== 'running') return 'gone';
			return settle(tx, this.#deps, getTask(tx, now.taskId), now, over, doer.used(now));
		});
		crashPoint('task.settled');
		this.#settled(occurrence, settled);
		return true;
	}

	#settled(occurrence: StoredOccurrence, settled: Settled): void {
		if (settled === 'done' || settled === 'failed' || settled === 'blocked') this.#delivery.bring(occurrence, settled === 'blocked');
	}

	#doerOf(occurrence: StoredOccurrence): TaskDoer | undefined {
		const task = findTask(this.#deps.db.read, occurrence.taskId);
		return task && doerOf(this.#deps.doers, task.draft, occurrence);
	}

	/** One word for each task, of the newest. */
	#tellMissed(): void {
		const newest = new Map(this.#untold.map((each) => [each.taskId, each]));
		this.#untold = [];
		for (const { id, taskId } of newest.values()) {
			const occurrence = findOccurrence(this.#deps.db.read, id);
			if (occurrence?.state !== 'missed' && occurrence?.state !== 'asks') continue;
			const { title, state } = occurrence;
			this.#deps.announce({ type: 'task_told', taskId, occurrenceId: id, title, what: state });
		}
	}
}
