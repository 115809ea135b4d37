import { isAbsolute } from 'node:path';
import { Sequencer } from '../../base/sequencer.ts';
import { joinSources } from '../../domain/context-source.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import type { RestoreId } from '../../domain/ids.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import type { TouchOf } from '../../domain/sink.ts';
import { openWorkspaceChanges, rootOfPath, workspaceChanges } from './change-store.ts';
import { trustOf } from './content-labels.ts';
import { type DiskFile, readDiskFile } from './disk.ts';
import { labelOfNames, listFolder } from './listing.ts';
import { plainPath } from './paths.ts';
import { inWords, type Place, shownPath, sourceName } from './place.ts';
import type {
	Changed,
	ChangedByStep,
	Composed,
	Grant,
	Moved,
	PutBack,
	WantedFile,
	WhichChanges,
	WorkspaceChange,
	WorkspaceFile,
	WorkspaceFiles,
	WorkspaceListing,
} from './port.ts';
import { otherNames } from './text.ts';
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

	async read(path: string, grants?: readonly Grant[]): Promise<WorkspaceFile | undefined> {
		const place = await this.#path.locate(path, 'read', grants ?? this.#ledgersOwn(path));
		const disk = await readDiskFile(place);
		if (disk?.hasOtherNames) throw otherNames(place.path);
		return disk && this.#fileOf(place, disk);
	}

	async list(
		folder: string,
		how: { depth: number; limit: number; signal?: AbortSignal },
		grants: readonly Grant[] = [],
	): Promise<WorkspaceListing> {
		const place = await this.#path.locate(folder, 'read', grants);
		return listFolder(this.#deps.db.read, place, { ...how, isShut: await this.#path.isShut() });
	}

	labelOfNames(files: readonly Pick<WorkspaceFile, 'path' | 'folder'>[]): Label {
		return joinLabels(
			'workspace',
			...files.map(({ path, folder }) => labelOfNames(this.#deps.db.read, folder, withFolders(path, folder.name))),
		);
	}

	async touch(path: string, access: Grant['access'], grants: readonly Grant[]): Promise<TouchOf<'file'>> {
		// A folder that is open for reading only is named, too: the owner is asked about it.
		const place = (await this.#path.find(path, access, grants)) ?? (await this.#path.find(path, 'read', grants));
		if (place) return { sink: 'file', access, path: shownPath(place.path, place.root), root: place.root.name };
		return { sink: 'file', access, path: await this.#path.beyond(path) };
	}

	change(path: string, compose: (now: WorkspaceFile | undefined) => Composed, by: ChangedByStep): Promise<Changed> {
		const key = keyOf(by.stepKey, path);
		return this.#inTurn(async () => {
			const known = await this.#path.byKey(key);
			if (known) return { change: known, repeated: true };
			const place = await this.#path.locateRested(path, by.grants ?? []);
			const disk = await readDiskFile(place);
			const now = disk && this.#fileOf(place, disk);
			const { bytes, keepsLabel } = compose(now);
			const label = keepsLabel && now ? joinLabels(by.label, now.label) : by.label;
			const sources = joinSources(by.sources, keepsLabel ? now?.sources : []);
			const made = await this.#path.make(place, disk, bytes, { ...stepOf(by), stepKey: key, label, sources });
			const savedBeside = made.late && (await this.#path.saveBeside(place, made.late, stepOf(by)));
			return { change: made.change, repeated: false, ...(savedBeside !== undefined && { savedBeside }) };
		});
	}

	move(from: string, to: string, by: ChangedByStep): Promise<Moved> {
		return this.#inTurn(async () => {
			const [arrivedBefore, leftBefore] = [await this.#path.byKey(keyOf(by.stepKey, to)), await this.#path.byKey(keyOf(by.stepKey, from))];
			if (arrivedBefore && leftBefore) return { arrived: arrivedBefore, left: leftBefore, repeated: true };
			const place = await this.#path.locateRested(from, by.grants ?? []);
			const disk = await readDiskFile(place);
			if (!disk) throw notFound(place);
			if (disk.hasOtherNames) throw otherNames(place.path);
			const arrived = arrivedBefore ?? (await this.#arrive(place, disk, to, by));
			if (disk.hash !== arrived.after) throw conflict(place.path);
			const { change: left, late } = await this.#path.make(place, disk, null, {
				...stepOf(by),
				stepKey: keyOf(by.stepKey, from),
				label: by.label,
				sources: by.sources ?? [],
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
			const place = await this.#path.locateRested(path, this.#ledgersOwn(path));
			const disk = await readDiskFile(place);
			if ((disk?.hash ?? null) === hash) return { path, outcome: 'as_wanted' };
			const bytes = hash === null ? null : await this.#deps.blobs.read(hash);
			if (bytes === undefined) return { path, outcome: 'failed', why: `That version of ${path} is no longer kept.` };
			const { label, sources } = hash === null ? { label: 'owner' as const, sources: [] } : trustOf(this.#deps.db.read, hash, place.root);
			const maker = { runId: undefined, step: undefined, restoreId: by.restoreId };
			const { change, late } = await this.#path.make(place, disk, bytes, { ...maker, stepKey, label, sources: [...sources] });
			if (late) await this.#path.saveBeside(place, late, maker);
			return { path, outcome: 'put_back', change };
		} catch (error) {
			if (!(error instanceof HearthError) || error.code === 'disk_full') throw error;
			return { path, outcome: 'failed', why: error.message };
		}
	}

	async #arrive(from: Place, disk: DiskFile, to: string, by: ChangedByStep): Promise<WorkspaceChange> {
		const place = await this.#path.locateRested(to, by.grants ?? []);
		if (place.absolute === from.absolute)
			throw terminal('conflict', `${from.path} has that name already.`, { safe: 'Nothing was changed.' });
		if (place.exists)
			throw terminal('conflict', `${place.path} is there already: choose another name, or delete it first.`, {
				safe: 'Nothing was changed.',
			});
		const moved = this.#fileOf(from, disk);
		const label = joinLabels(by.label, moved.label);
		const sources = joinSources(by.sources, moved.sources);
		return (await this.#path.make(place, undefined, disk.bytes, { ...stepOf(by), stepKey: keyOf(by.stepKey, to), label, sources })).change;
	}

	#fileOf(place: Place, { bytes, hash, modifiedMs, hasOtherNames }: DiskFile): WorkspaceFile {
		const { label, sources } = trustOf(this.#deps.db.read, hash, place.root);
		return {
			path: place.path,
			bytes,
			hash,
			label,
			sources: joinSources([{ kind: 'file', name: sourceName(place), label, hash }], sources),
			folder: place.root,
			hasOtherNames,
			modifiedAt: Math.round(modifiedMs),
		};
	}

	/** The folder in which Hearth changed this file before: what was done there can be looked at, and put back, whatever is granted now. */
	#ledgersOwn(path: string): Grant[] {
		const root = rootOfPath(this.#deps.db.read, path);
		return root === undefined ? [] : [{ path: root, access: 'write', mine: false }];
	}

	#inTurn<T>(task: () => Promise<T>): Promise<T> {
		return this.#sequencer.run('workspace', task);
	}
}

/** By the path as it was asked for: where it leads may have changed when the same call comes again. */
function keyOf(stepKey: string, path: string): string {
	return `${stepKey}:${plainPath(path)}`;
}

/** `a/b/c` is in `a/b`, which is in `a`; but nothing above the granted folder. */
function withFolders(path: string, root: string): string[] {
	const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
	const before = path.slice(0, path.length - below.length);
	const names = below.split('/');
	return names.map((_, index) => `${before}${names.slice(0, index + 1).join('/')}`);
}

function stepOf({ runId, step }: ChangedByStep): Maker {
	return { runId, step, restoreId: undefined };
}

function notFound({ path, root }: Place): HearthError {
	return terminal('not_found', `There is no file ${path} in ${inWords(root)}.`, { safe: 'Nothing was changed.' });
}
