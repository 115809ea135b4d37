import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import { sha256 } from '../../base/sha256.ts';
import type { WriteDb } from '../../db/brands.ts';
import { retryable, terminal } from '../../domain/errors.ts';
import type { MemoryPath } from '../../domain/memory.ts';
import type { Applied } from '../apply.ts';
import { getChange, type MemoryChange, rebaseChange } from '../change-store.ts';
import { insertConflict } from '../conflict-store.ts';
import type { MemoryCore } from '../core.ts';
import { checkSize, type DiskFile, readMemoryFile } from '../disk.ts';
import { entriesOf } from '../entries.ts';
import { knownFile } from '../file-store.ts';
import { applyHunks, diffLinewise } from '../hunks.ts';
import { type MergeConflict, merge3 } from '../merge.ts';
import { readRested } from './rested.ts';

/** Brings one intent to the disk, at once or after a crash: it is there afterwards, exactly once, whatever else changed (M3). */

export interface Settled {
	readonly change: MemoryChange;
	/** What the intent made of the file. */
	readonly text: string;
	readonly exists: boolean;
	/** What lies on the disk; more than `text` where somebody went on from there. */
	readonly modifiedMs: number;
	readonly disk: DiskFile | undefined;
}

/** How often a file may change under our hands before we say so. */
const TRIES = 20;

class FileMoved extends Error {}

/** The two sides could not be merged; both are kept. */
export class Unmergeable extends Error {}

/** Throws `Unmergeable` after it was recorded, an error of the storage, or `conflict` where the file never rests. */
export async function settle(core: MemoryCore, intent: MemoryChange): Promise<Settled> {
	let change = intent;
	for (let tries = 0; tries < TRIES; tries++) {
		const disk = await readRested(core, change.file);
		if (disk.hash === change.afterHash)
			return { change, text: disk.text, exists: disk.exists, modifiedMs: disk.modifiedMs, disk: undefined };
		if (disk.hash === change.beforeHash) {
			try {
				return await write(core, change, disk);
			} catch (error) {
				// What failed after the rename does not make ours somebody else's: it is there, and found at the next look.
				if (!(error instanceof FileMoved || (await readMemoryFile(core.folder, change.file)).hash === change.afterHash)) throw error;
			}
			continue;
		}
		const merged = mergeInto(core, change, disk);
		if ('settled' in merged) return merged.settled;
		change = merged.change;
	}
	throw retryable('conflict', `${change.file} is being changed by another program all the time.`, {
		safe: 'Nothing was changed.',
		action: 'Try again when that program is done.',
	});
}

async function write(core: MemoryCore, change: MemoryChange, disk: DiskFile): Promise<Settled> {
	const path = join(core.folder, change.file);
	const text = applyHunks(disk.text, change.hunks);
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const { modifiedMs, late } = await writeFileAtomic(path, text, { ...modeOf(disk), lastLook: isStill(disk) });
	crashPoint('memory.written');
	const later = late && (await takeInLate(core, change, { disk, text, late: late.toString('utf8') }));
	return { change, text, exists: true, modifiedMs, disk: later };
}

const modeOf = ({ mode }: DiskFile) => (mode === undefined ? {} : { mode });

/** A last look at the file: throws `FileMoved` where it no longer is what was read. */
function isStill({ exists, text }: Pick<DiskFile, 'exists' | 'text'>): (old: Buffer | undefined) => void {
	const expected = Buffer.from(text, 'utf8');
	return (old) => {
		if (exists ? !old?.equals(expected) : old !== undefined) throw new FileMoved();
	};
}

/**
 * A program that had the old file open wrote to it in the moment in which ours took its place: what it wrote goes to ours, as an edit from
 * outside (mem-10). Gives the file as it is then. Never rejects: ours is in the file, and must not be taken for somebody else's because the
 * rest failed.
 */
async function takeInLate(
	core: MemoryCore,
	change: MemoryChange,
	{ disk, text, late }: { disk: DiskFile; text: string; late: string },
): Promise<DiskFile | undefined> {
	const merged = merge3(disk.text, text, late);
	const conflicts = conflictsOf(merged);
	let wanted = merged.text;
	let there: Pick<DiskFile, 'exists' | 'text'> = { exists: true, text };
	if (wanted === text) return undefined;
	try {
		for (let tries = 0; wanted !== there.text && tries < TRIES; tries++) {
			const before = there.text;
			there = (await replaced(core, change.file, wanted, { ...disk, ...there })) ?? (await readMemoryFile(core.folder, change.file));
			// Somebody went on from ours meanwhile.
			const again = merge3(before, wanted, there.text);
			conflicts.push(...conflictsOf(again));
			wanted = again.text;
		}
		if (conflicts.length > 0) core.db.write((tx) => keepBoth(core, tx, change, conflicts));
		return await readMemoryFile(core.folder, change.file);
	} catch (error) {
		core.logger.error('late_edit_not_taken_in', { changeId: change.id, error });
		return undefined;
	}
}

function conflictsOf(merge: ReturnType<typeof merge3>): MergeConflict[] {
	return merge.clean ? [] : [...merge.conflicts];
}

/** Writes where the file still is as given, and says so; undefined where it is not. */
async function replaced(
	core: MemoryCore,
	file: MemoryPath,
	text: string,
	disk: DiskFile,
): Promise<Pick<DiskFile, 'exists' | 'text'> | undefined> {
	try {
		await writeFileAtomic(join(core.folder, file), text, { ...modeOf(disk), lastLook: isStill(disk) });
		return { exists: true, text };
	} catch (error) {
		if (error instanceof FileMoved) return undefined;
		throw error;
	}
}

/** The disk is neither as it was nor as it was meant to be: somebody else wrote too, before us or after. */
function mergeInto(core: MemoryCore, change: MemoryChange, disk: DiskFile): { settled: Settled } | { change: MemoryChange } {
	const before = knownFile(core.db.read, change.file)?.content ?? '';
	const after = applyHunks(before, change.hunks);
	const merged = merge3(before, after, disk.text);
	// Ours is in it already, and somebody went on from there.
	if ((merged.clean && merged.text === disk.text) || holdsAlready(change, before, after, disk.text))
		return { settled: { change, text: after, exists: true, modifiedMs: disk.modifiedMs, disk } };
	if (!merged.clean) {
		const applied = core.db.write((tx): Applied => {
			const adopted = core.adopt(tx, change.file, disk, change.id);
			keepBoth(core, tx, change, merged.conflicts);
			return adopted;
		});
		core.committed(applied);
		throw new Unmergeable();
	}
	checkSize(change.file, merged.text);
	const { applied, rebased } = core.db.write((tx) => {
		const adopted = core.adopt(tx, change.file, disk, change.id);
		const hunks = diffLinewise(disk.text, merged.text);
		rebaseChange(tx, { id: change.id, beforeHash: disk.hash, afterHash: sha256(merged.text), hunks });
		return { applied: adopted, rebased: getChange(tx, change.id) };
	});
	core.committed(applied);
	return { change: rebased };
}

function keepBoth(core: MemoryCore, tx: WriteDb, change: MemoryChange, conflicts: readonly MergeConflict[]): void {
	const { id: changeId, file } = change;
	for (const { ours, theirs } of conflicts)
		insertConflict(tx, { id: newId(), file, changeId, ours: ours || null, theirs: theirs || null, at: core.clock.now() });
}

/** Each text that the change brings stands there as often as it was to. However little the rest is alike: it is not written again. */
function holdsAlready({ plan }: MemoryChange, before: string, after: string, now: string): boolean {
	if (plan.pins.length === 0) return false;
	const [was, meant, is] = [before, after, now].map(hashCounts);
	return plan.pins.every(({ hash }) => {
		const wanted = meant?.get(hash) ?? 0;
		return wanted > (was?.get(hash) ?? 0) && (is?.get(hash) ?? 0) >= wanted;
	});
}

function hashCounts(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { hash } of entriesOf(text)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
	return counts;
}

/** What a conflict means for whoever asked for the write. */
export function conflictError(file: string): Error {
	return terminal('conflict', `${file} was changed in the same place at the same moment.`, {
		safe: 'The file is as the other side left it, and the text that was to be written is kept beside it.',
		action: 'Open Memory and choose which of the two to keep.',
	});
}
