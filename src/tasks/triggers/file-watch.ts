import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { crashPoint } from '../../base/crash-point.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { isFullDisk } from '../../db/errors.ts';
import type { StateDb } from '../../db/open.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../../domain/errors.ts';
import type { TaskId, Trigger } from '../../domain/task.ts';
import type { OwnPlaces } from '../../tools/workspace/denied.ts';
import { findWaitingTask } from './event-store.ts';
import { fileKey } from './file-names.ts';
import { type Candidate, newsOf, Settling } from './file-news.ts';
import { type Found, lookAt } from './file-scan.ts';
import { type Signs, watchFolders } from './file-signs.ts';
import { dropFiles, forgetLooks, knownFiles, type Looked, lastLook, setFile, setLook } from './file-store.ts';
import type { Gathering } from './gather.ts';
import { isOwnWriting } from './own-writing.ts';
import type { TriggerEvent } from './ports.ts';

export type FilesTrigger = Extract<Trigger, { kind: 'files' }>;

/** In milliseconds. */
export interface FilePaces {
	/** A file that nobody wrote to for so long is whole. */
	readonly settle: number;
	/** The same of an empty one. */
	readonly settleEmpty: number;
	/** From a sign to the look. */
	readonly sign: number;
	/** Between looks where the system gives no signs: network drives, too many folders. */
	readonly poll: number;
	/** Between looks where it does, should one have been lost. */
	readonly rest: number;
}

export const FILE_PACES: FilePaces = { settle: 2_000, settleEmpty: 10_000, sign: 200, poll: 15_000, rest: 300_000 };
/** A look must not take more than a part of the time. */
const REST_PER_LOOK = 10;
/** Rows of one transaction. */
const BATCH = 500;

export interface FileWatchDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly own: OwnPlaces;
	readonly gathering: Pick<Gathering, 'gather'>;
	/** The system gives no signs of what others do there. */
	readonly isNetwork: (folder: string) => Promise<boolean>;
	/** What keeps it from looking is another now. */
	readonly onProblem: () => void;
	readonly paces: FilePaces;
}

/**
 * What lies there already is no event: to be called in the transaction in which the task begins to listen. One that listens to the same already goes
 * on from what it knows.
 */
export function settleLook(trigger: FilesTrigger, found: Found): (tx: WriteDb, taskId: TaskId) => void {
	return (tx, taskId) => {
		const before = lastLook(tx, taskId);
		if (before && isSamePlace(before, trigger)) return;
		forgetLooks(tx, taskId);
		setLook(tx, taskId, lookedOf(trigger, found));
		for (const [path, { version }] of found.files) setFile(tx, taskId, path, version);
	};
}

/**
 * Watches what one task waits for. A sign of the system only says when to look; what a look finds is compared with what the last one found, which
 * are rows: what came while nothing ran is found as what came just now. A file is an event once it is whole, and once a version: the event and the
 * version are one transaction.
 */
export class FileWatch {
	readonly trigger: FilesTrigger;
	readonly #deps: FileWatchDeps;
	readonly #taskId: TaskId;
	readonly #settling: Settling;
	#signs: Signs | undefined;
	#watched: string | undefined;
	#polls = false;
	#problem: ErrorShape | undefined;
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> | undefined;
	#again = false;
	#lookedMs = 0;
	#closed = false;

	constructor(deps: FileWatchDeps, taskId: TaskId, trigger: FilesTrigger) {
		this.#deps = deps;
		this.#taskId = taskId;
		this.trigger = trigger;
		this.#settling = new Settling(deps.paces.settle, deps.paces.settleEmpty);
	}

	/** What keeps it from looking now. */
	get problem(): ErrorShape | undefined {
		return this.#problem;
	}

	/** Looks now, or once more after the look under way. Never rejects. */
	look(): void {
		if (this.#closed) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#looking !== undefined) {
			this.#again = true;
			return;
		}
		this.#looking = this.#lookOnce().finally(() => {
			this.#looking = undefined;
			const again = this.#again;
			this.#again = false;
			if (this.#closed) return;
			// Signs that came during the look, which may have missed what they were of.
			if (again) this.#lookIn(this.#deps.paces.sign);
			else this.#lookIn(this.#nextMs());
		});
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		await this.#looking;
		await this.#leave();
	}

	async #lookOnce(): Promise<void> {
		const { clock, db, own } = this.#deps;
		const began = clock.monotonic();
		try {
			const before = lastLook(db.read, this.#taskId);
			const found = await lookAt(this.trigger, own, { wasFile: before?.isFile ?? false });
			// A drive that is not connected leaves an empty folder in its place.
			if (before && found.files.size === 0 && before.folderId !== found.folderId && knownFiles(db.read, this.#taskId).size > 0)
				throw new HearthError(notItself(this.trigger.path));
			await this.#watch(found.folder, found.isFile);
			await this.#takeIn(before, found);
			this.#setProblem(undefined);
		} catch (error) {
			await this.#failed(error);
		}
		this.#lookedMs = clock.monotonic() - began;
	}

	/** The next look tries again. */
	async #failed(error: unknown): Promise<void> {
		// The view says so of the whole profile.
		if (isFullDisk(error)) return;
		if (!(error instanceof HearthError)) this.#deps.logger.error('files_not_looked_at', { taskId: this.#taskId, error });
		this.#setProblem(toErrorShape(error));
		await this.#leave();
	}

	async #takeIn(before: Looked | undefined, found: Found): Promise<void> {
		const { db, clock } = this.#deps;
		const looked = lookedOf(this.trigger, found);
		if (!before || !isSamePlace(before, this.trigger)) {
			db.write((tx) => this.#listens(tx) && settleLook(this.trigger, found)(tx, this.#taskId));
			return;
		}
		const { candidates, moved, gone } = newsOf(knownFiles(db.read, this.#taskId), found);
		const settled = this.#settling.settled(candidates, clock.monotonic());
		if (moved.length > 0 || gone.length > 0 || looked.folderId !== before.folderId || looked.folder !== before.folder)
			db.write((tx) => {
				if (!this.#listens(tx)) return;
				dropFiles(tx, this.#taskId, [...gone, ...moved.map(({ from }) => from)]);
				for (const { to, version } of moved) setFile(tx, this.#taskId, to, version);
				setLook(tx, this.#taskId, looked);
			});
		for (let at = 0; at < settled.length; at += BATCH) await this.#fire(settled.slice(at, at + BATCH), found.folder);
	}

	/** Events, and that they were: both or neither. */
	async #fire(files: readonly Candidate[], folder: string): Promise<void> {
		const { db, gathering } = this.#deps;
		const events: TriggerEvent[] = [];
		for (const { path, bytes } of files) {
			if (await isOwnWriting(db.read, { path, bytes, folder })) continue;
			const { mine } = this.trigger;
			events.push({
				key: fileKey(path),
				name: `Files in ${this.trigger.path}`,
				label: mine ? 'workspace' : 'external',
				payload: { file: path, bytes },
				item: basename(path),
			});
		}
		db.write((tx) => {
			const task = this.#listens(tx);
			if (!task) return;
			for (const { path, version } of files) setFile(tx, this.#taskId, path, version);
			gathering.gather(tx, task, events);
		});
		crashPoint('task.event');
	}

	/** The task, where it still listens for this. */
	#listens(db: ReadDb): ReturnType<typeof findWaitingTask> {
		const task = findWaitingTask(db, this.#taskId);
		return task && isSameTrigger(task.trigger, this.trigger) ? task : undefined;
	}

	/** Once it is ready it gives a sign, so that what fell in between is found. */
	async #watch(folder: string, isFlat: boolean): Promise<void> {
		const key = `${isFlat} ${folder}`;
		if (this.#watched === key) return;
		await this.#leave();
		this.#watched = key;
		this.#polls = await this.#deps.isNetwork(folder);
		if (this.#polls || this.#closed) return;
		this.#signs = watchFolders({
			folder,
			isFlat,
			onSign: () => this.#sign(),
			onLost: (error) => {
				if (!this.#polls) this.#deps.logger.info('files_polled', { taskId: this.#taskId, error });
				this.#polls = true;
				this.#sign();
			},
		});
	}

	async #leave(): Promise<void> {
		const signs = this.#signs;
		this.#signs = undefined;
		this.#watched = undefined;
		await signs?.close().catch((error: unknown) => this.#deps.logger.info('files_signs_not_closed', { error }));
	}

	#sign(): void {
		if (this.#looking !== undefined) this.#again = true;
		else this.#lookIn(this.#deps.paces.sign);
	}

	#nextMs(): number {
		const { settle, poll, rest } = this.#deps.paces;
		if (this.#settling.waits) return settle / 2;
		return this.#problem || this.#polls ? poll : rest;
	}

	/** The sooner of this and what is set. */
	#lookIn(ms: number): void {
		if (this.#closed) return;
		const wait = Math.max(ms, this.#lookedMs * REST_PER_LOOK);
		const at = this.#deps.clock.monotonic() + wait;
		if (this.#timer !== undefined && this.#dueAt <= at) return;
		clearTimeout(this.#timer);
		this.#dueAt = at;
		this.#timer = setTimeout(() => this.look(), wait).unref();
	}
	#dueAt = 0;

	#setProblem(problem: ErrorShape | undefined): void {
		const isSame = problem?.message === this.#problem?.message;
		this.#problem = problem;
		if (!isSame) this.#deps.onProblem();
	}
}

export function isSameTrigger(a: Trigger, b: FilesTrigger): boolean {
	return a.kind === 'files' && isSamePlace(a, b) && a.mine === b.mine;
}

function isSamePlace(a: Pick<FilesTrigger, 'path' | 'names'>, b: Pick<FilesTrigger, 'path' | 'names'>): boolean {
	return a.path === b.path && a.names === b.names;
}

function lookedOf({ path, names }: FilesTrigger, { folder, folderId, isFile }: Found): Looked {
	return { path, ...(names !== undefined && { names }), folder, folderId, isFile };
}

function notItself(path: string): ErrorShape {
	return {
		kind: 'terminal',
		code: 'source_missing',
		message: `${path} is empty, and another folder than before.`,
		safe: 'What was seen there is not forgotten.',
		action: 'Check whether its drive is connected.',
	};
}
