import { terminal } from '../../domain/errors.ts';
import type { ChangeId, EntryId, Provenance } from '../../domain/memory.ts';
import { getChange, lastChangeOf } from '../change-store.ts';
import type { MemoryCore } from '../core.ts';
import { type EntryRow, getEntry } from '../ledger-store.ts';
import { replaceEntry } from '../markdown/edit.ts';
import { versionBefore, versionsOfChange } from '../version-store.ts';
import type { Composed, Part } from './commit.ts';
import { begun, putBack } from './compose.ts';
import { locate, pinTo } from './locate.ts';
import { takeBackAlone } from './undo.ts';

/**
 * Brings back the text that the entry had after this change, or, where the change took it out, the one before. Throws `not_found` where
 * the entry has no such version, `conflict` where it was forgotten.
 */
export function restorePart(core: MemoryCore, entryId: EntryId, changeId: ChangeId): Part {
	const version = versionsOfChange(core.db.read, getChange(core.db.read, changeId).id).find((one) => one.entryId === entryId);
	if (!version) throw terminal('not_found', 'The entry has no such version.', { safe: 'Nothing was changed.' });
	const text = version.after ?? version.before;
	if (text === null) throw terminal('conflict', 'That text was forgotten and can’t be brought back.', { safe: 'Nothing was changed.' });
	// It comes back as what it was: who removed it did not write it.
	const { provenance } = version.after === null ? (versionBefore(core.db.read, entryId, changeId) ?? version) : version;
	const { file } = getEntry(core.db.read, entryId);
	return {
		file,
		compose: (current) => {
			const row = getEntry(core.db.read, entryId);
			if (row.live === 0)
				return exactlyBack(core, row, text, current) ?? restored(current, putBack(begun(file, current), row, text), row, text, provenance);
			const { entry } = locate(core, file, current, { entryId });
			if (row.text === text) throw terminal('invalid_input', 'The entry says that already.', { safe: 'Nothing was changed.' });
			return restored(current, replaceEntry(current, entry, text).source, row, text, provenance);
		},
	};
}

function restored(before: string, after: string, row: EntryRow, text: string, provenance: Provenance): Composed {
	const pin = pinTo(row.id, text, before, after, provenance);
	return { text: after, entryId: row.id, ...(pin && { pins: [pin] }) };
}

/** The removal taken back to the letter, with what a program may have written behind the text; undefined where it removed more than this. */
function exactlyBack(core: MemoryCore, row: EntryRow, text: string, current: string): Composed | undefined {
	const removal = lastChangeOf(core.db.read, row.id);
	if (!removal || removal.file !== row.file) return undefined;
	const versions = versionsOfChange(core.db.read, removal.id);
	const [version] = versions;
	if (versions.length !== 1 || version?.after !== null || version.before !== text) return undefined;
	return takeBackAlone(core, removal, current);
}
