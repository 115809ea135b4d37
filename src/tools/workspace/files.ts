import { isAbsolute } from 'node:path';
import { Sequencer } from '../../base/sequencer.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import type { RestoreId } from '../../domain/ids.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { labelsOfContent, openWorkspaceChanges, workspaceChanges } from './change-store.ts';
import { type DiskFile, readDiskFile } from './disk.ts';
import { labelOfNames, listFolder } from './listing.ts';
import { namesOf } from './paths.ts';
import type { Place } from './place.ts';
import type {
	Changed,
	ChangedByStep,
	Composed,
	Moved,
	PutBack,
	WantedFile,
	WhichChanges,
	WorkspaceChange,
	WorkspaceFile,
	WorkspaceFiles,
	WorkspaceListing,
} from './port.ts';
import { conflict, type Maker, type WorkspaceDeps, WritePath } from './write-path.ts';

export function createWorkspaceFiles(deps: WorkspaceDeps): WorkspaceFiles {
	if (!isAbsolute(deps.folder)) throw new Error('the workspace needs an absolute path');
	return new ProfileWorkspace(deps);
}

class ProfileWorkspace implements WorkspaceFiles {
	readonly #deps: WorkspaceDeps;
	readonly #path: WritePath;
	readonly #sequencer = new Sequencer();

	constructor(deps: WorkspaceDeps) {
		this.#deps = deps;
		this.#path = new WritePath(deps);
	}

	async read(path: string): Promise<WorkspaceFile | undefined> {
		const place = await this.#path.locate(path);
		const disk = await readDiskFile(place);
		return disk && this.#fileOf(place, disk);
	}

	async list(folder: string, how: { depth: number; limit: number; signal?: AbortSignal }): Promise<WorkspaceListing> {
		return listFolder(this.#deps.db.read, await this.#path.locate(folder), how);
	}

	labelOfNames(paths: readonly string[]): Label {
		return labelOfNames(this.#deps.db.read, [...new Set(paths.flatMap(withFolders))]);
	}

	change(path: string, compose: (now: WorkspaceFile | undefined) => Composed, by: ChangedByStep): Promise<Changed> {
		const key = keyOf(by.stepKey, path);
		return this.#inTurn(async () => {
			const known = await this.#path.byKey(key);
			if (known) return { change: known, repeated: true };
			const place = await this.#path.locateRested(path);
			const disk = await readDiskFile(place);
			const now = disk && this.#fileOf(place, disk);
			const { bytes, keepsLabel } = compose(now);
			const label = keepsLabel && now ? joinLabels(by.label, now.label) : by.label;
			const made = await this.#path.make(place, disk, bytes, { ...stepOf(by), stepKey: key, label });
			const savedBeside = made.late && (await this.#path.saveBeside(place, made.late, stepOf(by)));
			return { change: made.change, repeated: false, ...(savedBeside !== undefined && { savedBeside }) };
		});
	}

	move(from: string, to: string, by: ChangedByStep): Promise<Moved> {
		return this.#inTurn(async () => {
			const [arrivedBefore, leftBefore] = [await this.#path.byKey(keyOf(by.stepKey, to)), await this.#path.byKey(keyOf(by.stepKey, from))];
			if (arrivedBefore && leftBefore) return { arrived: arrivedBefore, left: leftBefore, repeated: true };
			const place = await this.#path.locateRested(from);
			const disk = await readDiskFile(place);
			if (!disk) throw notFound(from);
			const arrived = arrivedBefore ?? (await this.#arrive(place, disk, to, by));
			if (disk.hash !== arrived.after) throw conflict(place.path);
			const { change: left, late } = await this.#path.make(place, disk, null, {
				...stepOf(by),
				stepKey: keyOf(by.stepKey, from),
				label: by.label,
			});
			const savedBeside = late && (await this.#path.saveBeside(place, late, stepOf(by)));
			return { arrived, left, repeated: false, ...(savedBeside !== undefined && { savedBeside }) };
		});
	}

	settle(): Promise<void> {
		return this.#inTurn(async () => {
			for (const change of openWorkspaceChanges(this.#deps.db.read)) await this.#path.settleOrLog(change);
		});
	}

	changes(which: WhichChanges): WorkspaceChange[] {
		return workspaceChanges(this.#deps.db.read, which);
	}

	async putBack(wanted: readonly WantedFile[], by: { restoreId: RestoreId; key: string }): Promise<PutBack[]> {
		const outcomes: PutBack[] = [];
		for (const file of wanted) outcomes.push(await this.#inTurn(() => this.#putBackOne(file, by)));
		return outcomes;
	}

	idle(): Promise<void> {
		return this.#sequencer.idle();
	}

	async #putBackOne({ path, hash }: WantedFile, by: { restoreId: RestoreId; key: string }): Promise<PutBack> {
		try {
			const stepKey = keyOf(by.key, path);
			const known = await this.#path.byKey(stepKey);
			if (known) return { path, outcome: 'put_back', change: known };
			const place = await this.#path.locateRested(path);
			const disk = await readDiskFile(place);
			if ((disk?.hash ?? null) === hash) return { path, outcome: 'as_wanted' };
			const bytes = hash === null ? null : await this.#deps.blobs.read(hash);
			if (bytes === undefined) return { path, outcome: 'failed', why: `That version of ${path} is no longer kept.` };
			const label = hash === null ? 'owner' : joinLabels('workspace', ...labelsOfContent(this.#deps.db.read, hash));
			const maker = { runId: undefined, step: undefined, restoreId: by.restoreId };
			const { change, late } = await this.#path.make(place, disk, bytes, { ...maker, stepKey, label });
			if (late) await this.#path.saveBeside(place, late, maker);
			return { path, outcome: 'put_back', change };
		} catch (error) {
			if (!(error instanceof HearthError) || error.code === 'disk_full') throw error;
			return { path, outcome: 'failed', why: error.message };
		}
	}

	async #arrive(from: Place, disk: DiskFile, to: string, by: ChangedByStep): Promise<WorkspaceChange> {
		const place = await this.#path.locateRested(to);
		if (place.absolute === from.absolute)
			throw terminal('conflict', `${from.path} has that name already.`, { safe: 'Nothing was changed.' });
		if (place.exists)
			throw terminal('conflict', `${place.path} is there already: choose another name, or delete it first.`, {
				safe: 'Nothing was changed.',
			});
		const label = joinLabels(by.label, this.#fileOf(from, disk).label);
		return (await this.#path.make(place, undefined, disk.bytes, { ...stepOf(by), stepKey: keyOf(by.stepKey, to), label })).change;
	}

	#fileOf(place: Place, { bytes, hash, modifiedMs }: DiskFile): WorkspaceFile {
		const label = joinLabels('workspace', ...labelsOfContent(this.#deps.db.read, hash));
		return { path: place.path, bytes, hash, label, modifiedAt: Math.round(modifiedMs) };
	}

	#inTurn<T>(task: () => Promise<T>): Promise<T> {
		return this.#sequencer.run('workspace', task);
	}
}

/** By the path as it was asked for: where it leads may have changed when the same call comes again. */
function keyOf(stepKey: string, path: string): string {
	return `${stepKey}:${namesOf(path).join('/')}`;
}

/** `a/b/c` is in `a/b`, which is in `a`. */
function withFolders(path: string): string[] {
	const names = path.split('/');
	return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function stepOf({ runId, step }: ChangedByStep): Maker {
	return { runId, step, restoreId: undefined };
}

function notFound(path: string): HearthError {
	return terminal('not_found', `There is no file ${path} in the workspace.`, { safe: 'Nothing was changed.' });
}
