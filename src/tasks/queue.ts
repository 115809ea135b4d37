import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { isFullDisk } from '../db/errors.ts';
import type { ReadDb, StateDb, WriteDb } from '../db/open.ts';
import { attempt } from '../db/transact.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import { type EndsDeps, type Settled, settle } from './ends.ts';
import { LATE_MS } from './missed.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { endOccurrence, getOccurrence, setRunning } from './occurrence-store.ts';
import type { Begun } from './ports.ts';
import { getTask, type StoredTask, setFailures, setTaskSession } from './task-store.ts';
import { isBehindOthers, nextInLine, nextOwners, openOccurrences } from './turn-store.ts';
import { type Doers, doerOf, workKindOf } from './work-kind.ts';

/** How soon what could not be begun is tried again. */
const SOON_MS = 30_000;

export interface QueueDeps extends EndsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly doers: Doers;
	/** True: work of this kind does not go on now, and `look` is called once it may. */
	readonly holds: (work: 'task' | 'chat', how: { anyHour: boolean }) => boolean;
	/** Runs of tasks at a time. */
	readonly most: () => number;
	/** What is late does not begin all at once: when the first of a life of the runtime may, and how long after one the next (sch-4). */
	readonly pace: { readonly firstMs: number; readonly betweenMs: number };
	/** After a commit in which one could not be begun: what became of it. */
	readonly notBegun: (occurrence: StoredOccurrence, settled: Settled) => void;
	readonly changed: () => void;
}

/** Begun in a transaction; what is to be done once it is committed. */
export interface BegunNow {
	readonly occurrence: StoredOccurrence;
	readonly after: () => void;
}

/** Whose turn it is. What is over one's head in it are rows; what it holds in memory is only its pace. */
export class Queue {
	readonly #deps: QueueDeps;
	#timer: NodeJS.Timeout | undefined;
	#state: 'new' | 'started' | 'closed' = 'new';
	/** By the clock of durations. */
	#notLateBefore = 0;
	#looking = false;

	constructor(deps: QueueDeps) {
		this.#deps = deps;
	}

	start(): void {
		this.#state = 'started';
		this.#notLateBefore = this.#deps.clock.monotonic() + this.#deps.pace.firstMs;
		this.look();
	}

	/** In the caller's transaction: begins it where nothing is in its way. R5: its slot and its run are one commit. */
	beginIn(tx: WriteDb, task: StoredTask, occurrence: StoredOccurrence): BegunNow | undefined {
		if (this.#state !== 'started' || this.#obstacle(tx, task, occurrence) !== undefined) return undefined;
		if (isBehindOthers(tx, occurrence)) return undefined;
		const begun = this.#begin(tx, task, occurrence);
		if (typeof begun === 'object') return begun;
		this.#lookIn(begun);
		return undefined;
	}

	/** Begins all that may begin now. Cheap where nothing may; call it whenever something may have changed. */
	look(): void {
		if (this.#state !== 'started' || this.#looking) return;
		clearTimeout(this.#timer);
		this.#looking = true;
		let begun = false;
		try {
			while (this.#beginNext(nextOwners)) begun = true;
			while (this.#mayMore() && this.#beginNext(nextInLine)) begun = true;
		} finally {
			this.#looking = false;
		}
		if (begun) this.#deps.changed();
	}

	close(): void {
		this.#state = 'closed';
		clearTimeout(this.#timer);
	}

	/** False: nothing is ready, or what is may not begin now. */
	#beginNext(find: (db: ReadDb, now: Timestamp) => StoredOccurrence | undefined): boolean {
		const { db, clock } = this.#deps;
		const next = find(db.read, clock.now());
		if (!next) return false;
		const done = db.write((tx) => {
			const occurrence = getOccurrence(tx, next.id);
			const task = getTask(tx, next.taskId);
			return this.#obstacle(tx, task, occurrence) ?? this.#begin(tx, task, occurrence);
		});
		if (typeof done === 'number') {
			this.#lookIn(done);
			return false;
		}
		crashPoint('task.began');
		done.after();
		return true;
	}

	/** Nothing keeps all of them: thousands may wait. */
	#mayMore(): boolean {
		const { db, most, holds } = this.#deps;
		return this.#working(db.read) < most() && !holds('task', { anyHour: false });
	}

	#lookIn(ms: number): void {
		if (ms === 0) return;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.look(), ms).unref();
	}

	/** Undefined where it may begin; else in how many milliseconds to look again, 0 where somebody says when. */
	#obstacle(tx: WriteDb, task: StoredTask, occurrence: StoredOccurrence): number | undefined {
		const { holds, clock, most } = this.#deps;
		const owners = isOwners(occurrence);
		const work = workKindOf(task.draft, occurrence) === 'reminder' ? 'chat' : 'task';
		if (holds(work, { anyHour: owners })) return 0;
		// The owner's wishes and reminders wait for nobody.
		if (owners || work === 'chat') return undefined;
		if (this.#working(tx) >= most()) return 0;
		const wait = isLate(occurrence, clock.now()) ? this.#notLateBefore - clock.monotonic() : 0;
		return wait > 0 ? Math.ceil(wait) : undefined;
	}

	/** What waits for the owner, a time or an event takes nobody's place. */
	#working(db: ReadDb): number {
		const { doers } = this.#deps;
		return openOccurrences(db, 'running').filter(
			(each) => doerOf(doers, getTask(db, each.taskId).draft, each).standing(each).kind === 'going_on',
		).length;
	}

	/** In how many milliseconds to try again, where it can't be begun just now. */
	#begin(tx: WriteDb, task: StoredTask, occurrence: StoredOccurrence): BegunNow | number {
		const { doers, clock, pace, notBegun } = this.#deps;
		const now = clock.now();
		const doer = doerOf(doers, task.draft, occurrence);
		if (isLate(occurrence, now)) this.#notLateBefore = clock.monotonic() + pace.betweenMs;
		if (occurrence.attempt > 0 && hasBegun(occurrence)) {
			setRunning(tx, occurrence.id, {}, now);
			return { occurrence, after: () => doer.retry(task, getOccurrence(this.#deps.db.read, occurrence.id)) };
		}
		const begun = this.#begunOr(() => attempt(tx, () => doer.begin(tx, task, occurrence)));
		// The one session that goes on is at work for somebody else.
		if ('kind' in begun && begun.code === 'conflict') return SOON_MS;
		if ('kind' in begun) {
			setRunning(tx, occurrence.id, {}, now);
			const tried = getOccurrence(tx, occurrence.id);
			const over = { kind: 'failed', error: begun, text: '', label: 'owner' } as const;
			const settled = settle(tx, this.#deps, task, tried, over, { tokens: 0, costUsd: 0 });
			return { occurrence, after: () => notBegun(tried, settled) };
		}
		setRunning(tx, occurrence.id, begun, now);
		const { work } = task.draft;
		if (work.kind === 'prompt' && work.session === 'one' && begun.sessionId !== undefined) setTaskSession(tx, task.id, begun.sessionId);
		if (begun.done) {
			endOccurrence(tx, occurrence.id, { state: 'done', nothingToDeliver: true }, now);
			if (task.failures > 0) setFailures(tx, task.id, 0);
		}
		return { occurrence, after: () => doer.start(getOccurrence(this.#deps.db.read, occurrence.id)) };
	}

	/** What the database has no room for is nobody's failure: it is thrown. */
	#begunOr(begin: () => Begun): Begun | ErrorShape {
		try {
			return begin();
		} catch (error) {
			if (isFullDisk(error)) throw error;
			if (!(error instanceof HearthError)) this.#deps.logger.error('task_not_begun', { error });
			return toErrorShape(error);
		}
	}
}

/** The owner wants it now: it keeps to no hours and stands in no line. */
export function isOwners({ by, seen }: Pick<StoredOccurrence, 'by' | 'seen'>): boolean {
	return by === 'owner' || seen;
}

function isLate(occurrence: StoredOccurrence, now: Timestamp): boolean {
	return !isOwners(occurrence) && now - occurrence.slot > LATE_MS;
}

function hasBegun({ runId, instanceId }: StoredOccurrence): boolean {
	return runId !== undefined || instanceId !== undefined;
}
