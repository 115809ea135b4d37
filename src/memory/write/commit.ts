import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import { sha256 } from '../../base/sha256.ts';
import { systemCode } from '../../base/system-code.ts';
import type { WriteDb } from '../../db/brands.ts';
import { asStorageError } from '../../db/errors.ts';
import { needsOwner, retryable } from '../../domain/errors.ts';
import type { ChangeId, ChangeKind, EntryId, MemoryPath, MemoryReceipt, Provenance } from '../../domain/memory.ts';
import { type Applied, applyContents } from '../apply.ts';
import {
	changeOfKey,
	changesOfGroup,
	finishChange,
	getChange,
	giveUpChange,
	hasOpenIntent,
	insertChange,
	type MemoryChange,
	markUndone,
	type NewChange,
	unmarkUndone,
} from '../change-store.ts';
import { inTurn, type MemoryCore } from '../core.ts';
import { checkSize, type DiskFile } from '../disk.ts';
import { isKnown } from '../file-store.ts';
import { diffLinewise, type Hunk, withoutText } from '../hunks.ts';
import { findEntry, markEntry, provenanceOf, setProvenance } from '../ledger-store.ts';
import type { MarkChange, Pin } from '../plan.ts';
import { hasVersion, insertVersion } from '../version-store.ts';
import { readRested } from './rested.ts';
import { conflictError, type Settled, settle, Unmergeable } from './settle.ts';

/**
 * The write path (M3, M4, R1): read the disk, take in what was changed outside, journal the intent with its provenance, replace the
 * file, then ledger and intent in one transaction, then the index. Killed anywhere, it is finished by the next start.
 */

export interface Part {
	readonly file: MemoryPath;
	/** The new text, from the file as it is now. Throws what the caller is told; then nothing has changed. */
	compose(text: string): Composed;
}

export interface Composed {
	readonly text: string;
	/** In the place of the difference between the texts. */
	readonly hunks?: readonly Hunk[];
	readonly pins?: readonly Pin[];
	readonly marks?: readonly MarkChange[];
	readonly entryId?: EntryId | undefined;
}

export interface WriteOrder {
	readonly kind: ChangeKind;
	readonly key: string;
	readonly provenance: Provenance;
	/** Written in this order, and seen by the ledger at once. */
	readonly parts: readonly [Part, ...Part[]];
	readonly undoes?: readonly ChangeId[];
	/** The removed text is kept nowhere (M4). */
	readonly forgets?: boolean;
	/** A look, in the files' turn, whether there is anything to do; the receipt of what did the same before. `text`: of the first file. */
	readonly alreadyDone?: (text: string) => MemoryReceipt | undefined;
}

/** Under a key that `once` has looked at. */
export async function commitWrite(core: MemoryCore, order: WriteOrder): Promise<MemoryReceipt> {
	const files = order.parts.map(({ file }) => file);
	return inTurn(core, files, async () => {
		const staged = [];
		for (const part of order.parts) staged.push({ part, disk: await takeIn(core, part.file) });
		const done = order.alreadyDone?.(staged[0]?.disk.text ?? '');
		if (done) return done;
		const changes = staged.map(({ part, disk }, index) => stage(order, part, disk, index, core.clock.now()));
		const group = changes.length > 1 ? changes[0]?.id : undefined;
		core.db.write((tx) => {
			for (const change of changes) insertChange(tx, group === undefined ? change : { ...change, plan: { ...change.plan, group } });
		});
		crashPoint('memory.intended');
		const [first] = await carryOut(
			core,
			changes.map(({ id }) => getChange(core.db.read, id)),
		);
		if (!first) throw new Error('a write without a file');
		return receiptOf(first, false);
	});
}

/**
 * The same key never writes twice (mem-5): a write that was made gives its receipt again, however things stand now; one that is under way
 * is brought to its end.
 */
export function once(core: MemoryCore, key: string, act: () => Promise<MemoryReceipt>): Promise<MemoryReceipt> {
	return core.sequencer.run(`key ${key}`, async () => {
		const change = changeOfKey(core.db.read, key);
		if (!change) return act();
		if (change.status === 'intended') {
			const group = groupOf(core, change);
			await inTurn(
				core,
				group.map(({ file }) => file),
				() => carryOut(core, group),
			);
		}
		return receiptOf(change, true);
	});
}

export function groupOf(core: MemoryCore, change: MemoryChange): MemoryChange[] {
	return change.plan.group === undefined ? [change] : changesOfGroup(core.db.read, change.plan.group);
}

/** The file as it lies on the disk, which the ledger knows afterwards. In its turn. */
async function takeIn(core: MemoryCore, file: MemoryPath): Promise<DiskFile> {
	if (hasOpenIntent(core.db.read, file))
		throw retryable('conflict', `An earlier change of ${file} is not finished yet.`, {
			safe: 'Nothing was changed.',
			action: 'Try again in a moment.',
		});
	const disk = await readRested(core, file);
	adoptDisk(core, file, disk);
	return disk;
}

function adoptDisk(core: MemoryCore, file: MemoryPath, disk: DiskFile): void {
	if (isKnown(core.db.read, file, disk)) return;
	const applied = core.db.write((tx) => core.adopt(tx, file, disk));
	crashPoint('memory.reconciled');
	core.committed(applied);
}

function stage(order: WriteOrder, { file, compose }: Part, disk: DiskFile, index: number, now: number): NewChange {
	const composed = compose(disk.text);
	if (composed.text !== disk.text) checkSize(file, composed.text);
	const hunks = composed.hunks ?? diffLinewise(disk.text, composed.text);
	return {
		id: newId<ChangeId>(),
		file,
		kind: order.kind,
		status: 'intended',
		stepKey: index === 0 ? order.key : undefined,
		beforeHash: disk.hash,
		afterHash: sha256(composed.text),
		hunks: order.forgets ? hunks.map((hunk) => ({ ...withoutText(hunk), inserted: hunk.inserted })) : hunks,
		plan: {
			entryId: composed.entryId,
			pins: [...(composed.pins ?? [])],
			marks: [...(composed.marks ?? [])],
			forgets: order.forgets ?? false,
			undoes: index === 0 ? [...(order.undoes ?? [])] : [],
		},
		provenance: order.provenance,
		at: now,
	};
}

/**
 * Brings the intents of one write to the disk and to the ledger. In the files' turn. Throws what hindered it; then the intents are given
 * up, and what had reached the disk of them is in the ledger.
 */
export async function carryOut(core: MemoryCore, intents: readonly MemoryChange[]): Promise<MemoryChange[]> {
	const settled: Settled[] = [];
	try {
		for (const intent of intents) settled.push(await settle(core, intent));
	} catch (error) {
		const rest = intents.slice(settled.length);
		core.committed(
			core.db.write(
				(tx) => {
					for (const { id } of rest) giveUpChange(tx, id);
					return complete(core, tx, settled);
				},
				{ makesRoom: true },
			),
		);
		if (error instanceof Unmergeable) throw conflictError(rest[0]?.file ?? '');
		throw writeError(error);
	}
	const applied = recordAll(core, settled);
	crashPoint('memory.done');
	core.committed(applied);
	for (const { change, disk } of settled) if (disk) adoptDisk(core, change.file, disk);
	return settled.map(({ change }) => change);
}

function recordAll(core: MemoryCore, settled: readonly Settled[]): Applied {
	try {
		return core.db.write((tx) => complete(core, tx, settled));
	} catch (error) {
		core.unfinished();
		throw error;
	}
}

function complete(core: MemoryCore, tx: WriteDb, settled: readonly Settled[]): Applied {
	const [first] = settled;
	if (!first) return { rowids: [], files: [], changes: [] };
	const { provenance, plan } = first.change;
	const rowids = applyContents(
		tx,
		settled.map(({ change, text, exists, modifiedMs }) => ({
			file: change.file,
			content: exists ? text : null,
			hash: sha256(text),
			bytes: Buffer.byteLength(text, 'utf8'),
			modifiedMs,
			changeId: change.id,
			pins: change.plan.pins,
		})),
		{ provenance, quarantined: false, revives: false, forgets: plan.forgets, at: core.clock.now(), timeZone: core.timeZone() },
	);
	for (const { change } of settled) {
		for (const mark of change.plan.marks) rowids.push(...applyMark(tx, change, mark));
		finishChange(tx, change.id);
		const entry = change.plan.entryId === undefined ? undefined : findEntry(tx, change.plan.entryId);
		core.made(tx, { ...change, textHash: entry?.hash ?? null });
		applyUndo(tx, change);
	}
	return { rowids, files: settled.map(({ change }) => change.file), changes: settled.map(({ change }) => change) };
}

function applyMark(tx: WriteDb, change: MemoryChange, mark: MarkChange): number[] {
	const row = findEntry(tx, mark.entryId);
	// It was taken out of the file before its own text got there: a merge with an edit from outside.
	if (!row) return [];
	markEntry(tx, mark.entryId, mark.after);
	if (mark.provenance) setProvenance(tx, mark.entryId, mark.provenance.after);
	// What the ledger says of an entry is part of its history too, also where its text stays.
	if (!hasVersion(tx, change.id, mark.entryId)) {
		const { id: entryId, file, text } = row;
		const provenance = mark.provenance?.after ?? provenanceOf(row);
		insertVersion(tx, { changeId: change.id, entryId, file, before: text, after: text, forgotten: false, provenance });
	}
	return [row.rowid];
}

/** What is taken back says so, and what it had taken back holds again. */
function applyUndo(tx: WriteDb, { id, plan }: MemoryChange): void {
	if (plan.undoes.length === 0) return;
	markUndone(tx, plan.undoes, id);
	for (const undone of plan.undoes) unmarkUndone(tx, getChange(tx, undone).plan.undoes);
}

function receiptOf(change: MemoryChange, repeated: boolean): MemoryReceipt {
	const { id: changeId, kind, file, plan } = change;
	return { outcome: 'written', changeId, kind, file, ...(plan.entryId !== undefined && { entryId: plan.entryId }), repeated };
}

function writeError(error: unknown): unknown {
	const known = asStorageError(error);
	if (known !== error || !['EACCES', 'EPERM', 'EBUSY', 'ENOTDIR', 'EEXIST'].includes(systemCode(error))) return known;
	return needsOwner('read_only', 'The memory file cannot be written to.', {
		safe: 'The file was not changed.',
		action: 'Check its permissions and whether another program holds it open, then try again.',
		cause: error,
	});
}
