import { terminal } from '../../domain/errors.ts';
import type { EntryId, MemoryPath, MemoryReceipt } from '../../domain/memory.ts';
import { nameProblem } from '../../domain/memory-name.ts';
import { getChange, lastChangeOf } from '../change-store.ts';
import type { MemoryCore } from '../core.ts';
import { knownFile } from '../file-store.ts';
import { entryHash } from '../identity.ts';
import { getEntry, liveEntries, stateOf } from '../ledger-store.ts';
import { neutralPath } from '../markdown/edit.ts';
import { dailyFile, localDay } from '../paths.ts';
import type { MemoryWriter } from '../port.ts';
import { commitWrite, once, type Part, type WriteOrder } from './commit.ts';
import { appendPart, begun, moveParts, patchPart, removePart, supersedePart, validityPart } from './compose.ts';
import { resolveConflict } from './conflicts.ts';
import { decideDrift } from './drift.ts';
import { restorePart } from './restore.ts';
import { undoParts } from './undo.ts';

type Append = Parameters<MemoryWriter['append']>[0];

export function createWriter(core: MemoryCore): MemoryWriter {
	const fileOf = (id: EntryId): MemoryPath => getEntry(core.db.read, id).file;
	const one = (kind: WriteOrder['kind'], { key, provenance }: Pick<WriteOrder, 'key' | 'provenance'>, part: Part) =>
		commitWrite(core, { kind, key, provenance, parts: [part] });
	return {
		append: (write) =>
			once(core, write.key, () => {
				const text = checkedText(write.text);
				const file = write.file ?? dailyFile(localDay(core.clock.now(), core.timeZone()));
				const { key, provenance, headingPath } = write;
				checkName(core, file);
				return commitWrite(core, {
					kind: 'append',
					key,
					provenance,
					parts: [appendPart(file, headingPath, text, write)],
					alreadyDone: (current) => sameAppend(core, file, current, { ...write, text }),
				});
			}),
		patch: (write) =>
			once(core, write.key, () => one('patch', write, patchPart(core, fileOf(write.entryId), write, checkedText(write.text), write))),
		supersede: (write) =>
			once(core, write.key, () =>
				one(
					'supersede',
					write,
					supersedePart(core, fileOf(write.entryId), write, checkedText(write.text), { ...write, now: core.clock.now() }),
				),
			),
		move: (write) =>
			once(core, write.key, () => {
				const { key, provenance, entryId, file, headingPath } = write;
				checkName(core, file);
				return commitWrite(core, { kind: 'move', key, provenance, parts: moveParts(core, fileOf(entryId), write, file, headingPath) });
			}),
		setValidity: (write) => once(core, write.key, () => one('validity', write, validityPart(core, fileOf(write.entryId), write, write))),
		remove: (write) => once(core, write.key, () => one('remove', write, removePart(core, fileOf(write.entryId), write))),
		undo: (write) =>
			once(core, write.key, () => {
				const { key, provenance } = write;
				const { parts, undoes } = undoParts(core, getChange(core.db.read, write.changeId));
				return commitWrite(core, { kind: 'undo', key, provenance, parts, undoes: undoes.map(({ id }) => id) });
			}),
		restore: (write) => once(core, write.key, () => one('restore', write, restorePart(core, write.entryId, write.changeId))),
		resolveConflict: (write) => resolveConflict(core, write),
		decideDrift: (write) => once(core, write.key, () => decideDrift(core, write)),
	};
}

/** A file that is not there yet gets a name that every system takes, and under which it is found again. */
function checkName({ db }: MemoryCore, file: MemoryPath): void {
	const problem = knownFile(db.read, file) ? undefined : nameProblem(file);
	if (problem !== undefined)
		throw terminal('invalid_input', problem, { safe: 'Nothing was changed.', action: 'Choose another name for the file.' });
}

function checkedText(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') throw terminal('invalid_input', 'There is no text to write.', { safe: 'Nothing was changed.' });
	return trimmed;
}

/**
 * The agent saves what it or somebody else saved in that place before, and it still stands there (mem-5). Of the owner, who may mean it,
 * only the same key counts.
 */
function sameAppend(
	core: MemoryCore,
	file: MemoryPath,
	current: string,
	{ provenance, headingPath = [], text, validity }: Append,
): MemoryReceipt | undefined {
	// What is there may hold for another time.
	if (provenance.author === 'owner' || typeof (validity?.validFrom ?? validity?.validUntil) === 'number') return undefined;
	const rows = liveEntries(core.db.read, file);
	const section = JSON.stringify(headingPath.length > 0 ? headingPath : neutralPath(begun(file, current)));
	const hash = entryHash(text);
	const now = core.clock.now();
	const same = rows.findLast((row) => row.hash === hash && row.heading_path === section && stateOf(row, now) === 'current');
	const change = same && lastChangeOf(core.db.read, same.id);
	return change && { outcome: 'written', changeId: change.id, kind: change.kind, file, entryId: same.id, repeated: true };
}
