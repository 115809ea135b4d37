import { crashPoint } from '../../base/crash-point.ts';
import { HearthError, toErrorShape } from '../../domain/errors.ts';
import type { MemoryPath } from '../../domain/memory.ts';
import { inTurn, type MemoryCore } from '../core.ts';
import { type DiskFile, NO_FILE, readMemoryFile } from '../disk.ts';
import { isKnown, knownFile, knownFiles, noteProblem, saveFile } from '../file-store.ts';
import { recordOutside } from '../outside.ts';
import { hasLooked, noteFirstLook } from './first-look.ts';
import { type FileList, listMemoryFiles, type Stamp, sameStamp } from './list-files.ts';
import type { Programs } from './programs.ts';

/** Files that are compared, and their changes recorded, at once: what moved between two of them stays the same entry. */
const FILES_AT_ONCE = 200;
/** Where nothing is known yet nothing can have moved, and all of it is new: less, so that others have their turn between. */
const FILES_AT_ONCE_FIRST = 20;
/** A file that was written a shorter time ago may be in the middle of being written. */
const RESTS_AFTER_MS = 100;
/** One that is written to all the time is looked at all the same, after being left alone so often. */
const RESTLESS_LOOKS = 20;
/** An editor may empty a file and then fill it: so often an empty one is left to be looked at later. */
const EMPTY_LOOKS = 5;

export interface Reconciler {
	/**
	 * Compares the files with the ledger and records what was changed outside: as the owner's, or as a program's while one runs. Gives the
	 * files that had changed. `patient`: leaves alone what seems to be in the middle of being written; `unsettled` tells that there was
	 * some. One at a time; a call during another one looks again after it.
	 */
	look(how?: { patient: boolean }): Promise<MemoryPath[]>;
	/** Something was left alone, to be looked at again. */
	unsettled(): boolean;
}

export function createReconciler(core: MemoryCore, programs: Programs): Reconciler {
	/** How each file was when it was last compared. Only in this process: a restart reads every file. */
	const seen = new Map<MemoryPath, Stamp>();
	/** Gone at the last look. */
	const missed = new Set<MemoryPath>();
	const restless = new Map<MemoryPath, number>();
	const emptyLooks = new Map<MemoryPath, number>();
	let waiting: MemoryPath[] = [];
	let last: Promise<unknown> = Promise.resolve();

	function look(how = { patient: false }): Promise<MemoryPath[]> {
		const result = last.then(() => compareAll(how.patient));
		last = result.catch(() => undefined);
		return result;
	}

	async function compareAll(patient: boolean): Promise<MemoryPath[]> {
		const list = await listMemoryFiles(core.folder);
		const first = !hasLooked(core.db.read);
		const known = knownFiles(core.db.read);
		const gone = known.filter(({ path }) => !list.files.has(path) && !list.isHidden(path)).map(({ path }) => path);
		const problems = new Set(known.flatMap(({ path, problem }) => (problem ? [path] : [])));
		const there: MemoryPath[] = [];
		waiting = [];
		// Between the two steps of a rename a file seems to be gone: what is new then is looked at together with it, a little later.
		if (patient && gone.some((path) => !missed.has(path))) {
			gone.forEach((path) => void missed.add(path));
			waiting = gone;
			return [];
		}
		missed.clear();
		for (const [path, stamp] of list.files) {
			const before = seen.get(path);
			if (before && sameStamp(before, stamp) && !problems.has(path)) continue;
			if (patient && isRestless(stamp) && (restless.get(path) ?? 0) < RESTLESS_LOOKS) {
				restless.set(path, (restless.get(path) ?? 0) + 1);
				waiting.push(path);
			} else {
				restless.delete(path);
				there.push(path);
			}
		}
		// Those that are gone first: where more changed than fits into one turn, what comes back is found among what went.
		const todo = [...gone, ...there];
		const changed: MemoryPath[] = [];
		const atOnce = known.length === 0 ? FILES_AT_ONCE_FIRST : FILES_AT_ONCE;
		for (let from = 0; from < todo.length; from += atOnce) {
			const files = todo.slice(from, from + atOnce);
			changed.push(...(await inTurn(core, files, () => compare(files, list, patient))));
		}
		if (first && waiting.length === 0) core.db.write((tx) => noteFirstLook(tx, core.clock.now()));
		return changed;
	}

	/** In the files' turn. */
	async function compare(files: readonly MemoryPath[], list: FileList, patient: boolean): Promise<MemoryPath[]> {
		const read: { file: MemoryPath; disk: DiskFile }[] = [];
		for (const file of files) {
			// One that is not listed is gone, also where another spelling of its name would still open it.
			const disk = list.files.has(file) ? await readOrNote(file) : NO_FILE;
			if (!disk) continue;
			if (patient && mayBeEmptied(file, disk)) waiting.push(file);
			else read.push({ file, disk });
		}
		const changed = read.filter(({ file, disk }) => !isAsKnown(file, disk));
		if (changed.length > 0) {
			const options = { at: core.clock.now(), timeZone: core.timeZone(), made: core.made };
			const applied = core.db.write((tx) => recordOutside(tx, changed, programs.outsider(), options));
			crashPoint('memory.reconciled');
			core.committed(applied);
		}
		for (const { file, disk } of read) remember(file, disk, list.files.get(file));
		return changed.map(({ file }) => file);
	}

	/** Undefined where it can't be read: then that is known of it, its entries stay what they were, and the file is never written. */
	async function readOrNote(file: MemoryPath): Promise<DiskFile | undefined> {
		try {
			return await readMemoryFile(core.folder, file);
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
			const problem = toErrorShape(error);
			if (knownFile(core.db.read, file)?.problem?.message !== problem.message) {
				core.db.write((tx) => noteProblem(tx, file, problem, core.clock.now()));
				core.committed({ rowids: [], files: [file], changes: [] });
			}
			return undefined;
		}
	}

	/** One that could not be read and can be now, with the same text as before, is no change. */
	function isAsKnown(file: MemoryPath, disk: DiskFile): boolean {
		const known = knownFile(core.db.read, file);
		if (known?.problem && disk.exists && known.hash === disk.hash) {
			core.db.write((tx) => saveFile(tx, { ...known, problem: undefined }, core.clock.now()));
			core.committed({ rowids: [], files: [file], changes: [] });
		}
		return isKnown(core.db.read, file, disk);
	}

	function mayBeEmptied(file: MemoryPath, disk: DiskFile): boolean {
		if (!disk.exists || disk.bytes > 0 || (knownFile(core.db.read, file)?.bytes ?? 0) === 0) {
			emptyLooks.delete(file);
			return false;
		}
		const looks = (emptyLooks.get(file) ?? 0) + 1;
		emptyLooks.set(file, looks);
		return looks < EMPTY_LOOKS;
	}

	/** Not where it was changed between being listed and being read, nor so lately that the file system's clock may not tell the next change. */
	function remember(file: MemoryPath, disk: DiskFile, stamp: Stamp | undefined): void {
		const sure = stamp && disk.bytes === stamp.bytes && disk.modifiedMs === stamp.modifiedMs && !isRestless(stamp);
		if (sure) seen.set(file, stamp);
		else seen.delete(file);
	}

	return { look, unsettled: () => waiting.length > 0 };
}

/** By the clock that file systems go by. One from the future was written by another machine's, or before this one's was set back. */
function isRestless({ modifiedMs, changedMs }: Stamp): boolean {
	const age = Date.now() - Math.max(modifiedMs, changedMs);
	return age >= 0 && age < RESTS_AFTER_MS;
}
