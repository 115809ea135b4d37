import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { crashPoint } from '../../base/crash-point.ts';
import type { Logger } from '../../base/logger.ts';
import { sha256 } from '../../base/sha256.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import {
	dropWorkspaceChange,
	endWorkspaceChange,
	findWorkspaceChange,
	insertWorkspaceChange,
	type NewWorkspaceChange,
	openWorkspaceChanges,
	workspaceChangeOfKey,
} from './change-store.ts';
import { checkKept, type DiskFile, FileMoved, fileError, readDiskFile, replaceDiskFile, sweepUnfinished } from './disk.ts';
import { besideName } from './paths.ts';
import { type Place, WORKSPACE } from './place.ts';
import type { Grant, WorkspaceChange } from './port.ts';
import { Roots } from './roots.ts';

export interface WorkspaceDeps {
	readonly db: StateDb;
	/** Absolute; made where it is missing. */
	readonly folder: string;
	/** Where all profiles lie: shut to tools but for `folder`. */
	readonly hearth: string;
	/** `blobs/`, shared by all that keeps contents there. */
	readonly blobs: ContentFiles;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Told of each change that was made, in the transaction that says so. */
	readonly changed?: ((tx: WriteDb, change: WorkspaceChange) => void) | undefined;
}

/** Who makes a change, as its row says. */
export type By = Pick<NewWorkspaceChange, 'runId' | 'step' | 'restoreId' | 'stepKey' | 'label' | 'sources'>;

export type Maker = Pick<By, 'runId' | 'step' | 'restoreId'>;

interface Made {
	readonly change: WorkspaceChange;
	/** What another program wrote to the old file at that moment. */
	readonly late: Buffer | undefined;
}

const MOST_BESIDE = 100;

/**
 * The write path: what is there and what is to be there go to `blobs/`, the intent to the ledger, then the file is replaced whole, then the
 * intent is done. One change at a time. Killed anywhere, it is brought to its end by the next start or by the same call again, and never over
 * what somebody else wrote meanwhile.
 */
export class WritePath {
	readonly #deps: WorkspaceDeps;
	readonly #roots: Roots;

	constructor(deps: WorkspaceDeps) {
		this.#deps = deps;
		this.#roots = new Roots({ hearth: deps.hearth, workspace: deps.folder });
	}

	/** Intent, file, done. Throws `conflict` where the file is no longer as given. */
	async make(place: Place, before: DiskFile | undefined, bytes: Uint8Array | null, by: By): Promise<Made> {
		checkKept(place, before?.bytes);
		checkKept(place, bytes);
		const after = bytes === null ? null : sha256(bytes);
		const row: NewWorkspaceChange = {
			...by,
			path: place.path,
			root: place.root.name === WORKSPACE ? undefined : place.root.name,
			before: before?.hash ?? null,
			after,
			bytes: bytes?.length ?? 0,
			at: this.#deps.clock.now(),
		};
		const kept = [...(before ? [before.bytes] : []), ...(bytes ? [bytes] : [])];
		let seq: number;
		try {
			seq = await this.#deps.blobs.putAll(kept, () => this.#deps.db.write((tx) => insertWorkspaceChange(tx, row)));
		} catch (error) {
			throw fileError(place, error);
		}
		crashPoint('workspace.intended');
		return this.#carryOut({ ...row, seq, status: 'intended' }, place, before, bytes);
	}

	/** From the intent on. What hindered it is thrown; then the intent is given up. */
	async #carryOut(intent: WorkspaceChange, place: Place, before: DiskFile | undefined, bytes: Uint8Array | null): Promise<Made> {
		let late: Buffer | undefined;
		if (intent.before !== intent.after) {
			try {
				late = await replaceDiskFile(place, before, bytes);
			} catch (error) {
				// What failed after the rename does not undo it.
				if (!(await this.#isAsMeant(intent))) throw this.#giveUp(intent, error);
			}
			crashPoint('workspace.written');
		}
		return { change: this.#finish(intent), late };
	}

	#finish(intent: WorkspaceChange): WorkspaceChange {
		const done: WorkspaceChange = { ...intent, status: 'done' };
		this.#deps.db.write((tx) => {
			endWorkspaceChange(tx, intent.seq, 'done');
			this.#deps.changed?.(tx, done);
		});
		crashPoint('workspace.done');
		return done;
	}

	async #isAsMeant(change: WorkspaceChange): Promise<boolean> {
		try {
			const disk = await readDiskFile(await this.#placeOf(change));
			return (disk?.hash ?? null) === change.after;
		} catch (error) {
			if (error instanceof HearthError) return false;
			throw error;
		}
	}

	/** A change that somebody else's stands in the way of is never tried again; another one may be, such as with a full disk. */
	#giveUp(intent: WorkspaceChange, cause: unknown): unknown {
		const isConflict = cause instanceof FileMoved;
		try {
			this.#deps.db.write((tx) => (isConflict ? endWorkspaceChange(tx, intent.seq, 'given_up') : dropWorkspaceChange(tx, intent.seq)), {
				makesRoom: true,
			});
		} catch (error) {
			// It stays under way, and is looked at again before the next change of the file.
			this.#deps.logger.error('workspace_change_left_open', { seq: intent.seq, error });
		}
		return isConflict ? conflict(intent.path) : fileError(intent, cause);
	}

	/** A change that was cut off: done, made now, or, where the file is neither as it was nor as it was meant to be, given up. */
	async #settleOne(intent: WorkspaceChange): Promise<WorkspaceChange> {
		let place: Place;
		let disk: DiskFile | undefined;
		try {
			place = await this.#placeOf(intent);
			await sweepUnfinished(place);
			disk = await readDiskFile(place);
		} catch (error) {
			throw this.#giveUp(intent, error instanceof HearthError ? new FileMoved() : error);
		}
		const hash = disk?.hash ?? null;
		if (hash === intent.after) return this.#finish(intent);
		if (hash !== intent.before || place.path !== intent.path) throw this.#giveUp(intent, new FileMoved());
		const bytes = intent.after === null ? null : await this.#deps.blobs.read(intent.after);
		// Forgotten meanwhile.
		if (bytes === undefined) throw this.#giveUp(intent, new FileMoved());
		const { change, late } = await this.#carryOut(intent, place, disk, bytes);
		if (late) await this.saveBeside(place, late, intent);
		return change;
	}

	async settleOrLog(intent: WorkspaceChange): Promise<void> {
		const { seq } = intent;
		try {
			await this.#settleOne(intent);
			this.#deps.logger.info('workspace_change_finished', { seq });
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
			this.#deps.logger.warn('workspace_change_not_made', { seq, status: findWorkspaceChange(this.#deps.db.read, seq)?.status, error });
		}
	}

	/** What this key did before, brought to its end. Throws `conflict` where it was given up because somebody else changed the file. */
	async byKey(key: string): Promise<WorkspaceChange | undefined> {
		const known = workspaceChangeOfKey(this.#deps.db.read, key);
		if (known?.status === 'given_up') throw conflict(known.path);
		return known?.status === 'intended' ? this.#settleOne(known) : known;
	}

	/** A version that would be lost otherwise, as a file of its own. */
	async saveBeside(place: Place, bytes: Buffer, by: Maker): Promise<string | undefined> {
		const maker = { runId: by.runId, step: by.step, restoreId: by.restoreId, stepKey: undefined, label: 'external' as const, sources: [] };
		for (let count = 1; count <= MOST_BESIDE; count++) {
			const beside = await this.locateRested(besideName(place.path, count), grantOf(place.root.name));
			if (beside.exists) continue;
			return (await this.make(beside, undefined, bytes, maker)).change.path;
		}
		throw conflict(place.path);
	}

	/** Of an intent: in the folder that it was made in, whatever is granted now. */
	#placeOf({ path, root }: WorkspaceChange): Promise<Place> {
		return this.locate(path, 'write', root === undefined ? [] : grantOf(root));
	}

	/** Undefined where it lies in no granted folder. */
	async find(path: string, access: Grant['access'], grants: readonly Grant[]): Promise<Place | undefined> {
		try {
			return await this.#roots.place(path, access, grants);
		} catch (error) {
			throw fileError({ path }, error);
		}
	}

	isShut(): Promise<(absolute: string) => boolean> {
		return this.#roots.isShut();
	}

	beyond(path: string): Promise<string> {
		return this.#roots.beyond(path);
	}

	async locate(path: string, access: Grant['access'], grants: readonly Grant[]): Promise<Place> {
		const place = await this.find(path, access, grants);
		if (!place) throw notGranted(path, access);
		return place;
	}

	/** With no change of it under way. */
	async locateRested(path: string, grants: readonly Grant[]): Promise<Place> {
		const place = await this.locate(path, 'write', grants);
		if (place.absolute === place.root.absolute)
			throw terminal(
				'invalid_input',
				place.path === '' ? 'That is the workspace folder itself, not a file.' : `${place.path} is a folder, not a file.`,
			);
		const open = openWorkspaceChanges(this.#deps.db.read).filter((change) => change.path === place.path);
		if (open.length === 0) return place;
		for (const change of open) await this.settleOrLog(change);
		return this.locate(path, 'write', grants);
	}
}

function grantOf(root: string): Grant[] {
	return root === WORKSPACE ? [] : [{ path: root, access: 'write', mine: false }];
}

function notGranted(path: string, access: Grant['access']): HearthError {
	return terminal('tool_denied', `${path} lies in no folder that the owner has opened for ${access === 'read' ? 'reading' : 'writing'}.`, {
		safe: 'Nothing was changed.',
		action: 'Work in the workspace folder, or tell the owner: folders are granted in Settings, Permissions.',
	});
}

export function conflict(path: string): HearthError {
	return terminal(
		'conflict',
		`${path} was changed by somebody else meanwhile, so it was left as it is. Read it again before you change it.`,
		{
			safe: 'The file is as the other side left it.',
		},
	);
}
