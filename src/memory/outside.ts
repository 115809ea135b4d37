import { newId } from '../base/ids.ts';
import { sha256 } from '../base/sha256.ts';
import type { WriteDb } from '../db/brands.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { ChangeId, MemoryPath, Provenance } from '../domain/memory.ts';
import { type Applied, applyContents, type FileContent } from './apply.ts';
import { hasOpenIntent, insertChange } from './change-store.ts';
import type { MemoryCore } from './core.ts';
import type { DiskFile } from './disk.ts';
import { isKnown, knownFile } from './file-store.ts';
import { diffLinewise } from './hunks.ts';
import { EMPTY_PLAN } from './plan.ts';

/** Who changed files without Hearth: the owner in an editor, or a program that a tool ran (bg-2). */
export interface Outsider {
	readonly kind: 'file_edit' | 'drift';
	readonly provenance: Provenance;
}

/** The owner's own edit: theirs, from no source, trusted (mem-1). */
export function ownersEdit(at: Timestamp): Outsider {
	return { kind: 'file_edit', provenance: { author: 'file_edit', label: 'owner', origin: 'owner', sources: [], at } };
}

/**
 * Records what lies on the disk now as changes that are done, one a file, in the caller's transaction; all of them together, so that an
 * entry that went from one file to another stays the same entry. Left out are files that are as the ledger knows them, and those to
 * which a write is under way: what is found there may be its text. But for `intent`, which the caller is bringing to its end.
 */
export function recordOutside(
	tx: WriteDb,
	files: readonly { file: MemoryPath; disk: DiskFile }[],
	outsider: Outsider,
	{ intent, made, ...options }: { at: Timestamp; timeZone: string; made: MemoryCore['made']; intent?: ChangeId | undefined },
): Applied {
	const { kind, provenance } = outsider;
	const contents = files.flatMap(({ file, disk }): FileContent[] => {
		if (isKnown(tx, file, disk) || hasOpenIntent(tx, file, intent)) return [];
		const known = knownFile(tx, file);
		const changeId = newId<ChangeId>();
		insertChange(tx, {
			id: changeId,
			file,
			kind,
			status: 'done',
			stepKey: undefined,
			beforeHash: known?.hash ?? sha256(''),
			afterHash: disk.hash,
			hunks: diffLinewise(known?.content ?? '', disk.text),
			plan: EMPTY_PLAN,
			provenance,
			at: options.at,
		});
		return [{ ...disk, file, content: disk.exists ? disk.text : null, changeId, pins: [] }];
	});
	const owners = kind === 'file_edit';
	const rowids = applyContents(tx, contents, { provenance, quarantined: !owners, revives: owners, forgets: false, ...options });
	for (const { changeId, file } of contents) made(tx, { id: changeId, file, kind, provenance, textHash: null });
	return {
		rowids,
		files: contents.map(({ file }) => file),
		changes: contents.map(({ changeId, file }) => ({ id: changeId, file, kind })),
	};
}
