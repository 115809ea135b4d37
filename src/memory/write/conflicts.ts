import { terminal } from '../../domain/errors.ts';
import { getChange } from '../change-store.ts';
import { getConflict, resolveConflictRow } from '../conflict-store.ts';
import type { MemoryCore } from '../core.ts';
import type { MemoryWriter } from '../port.ts';
import { commitWrite, once, type WriteOrder } from './commit.ts';

/** The owner's choice between two texts for one place (mem-10). Both are as lines of the file, as written. */

export function resolveConflict(core: MemoryCore, write: Parameters<MemoryWriter['resolveConflict']>[0]): Promise<void> {
	return core.sequencer.run(`conflict ${write.conflictId}`, () => resolve(core, write));
}

async function resolve(core: MemoryCore, write: Parameters<MemoryWriter['resolveConflict']>[0]): Promise<void> {
	const { id, file, changeId, ours, theirs } = getConflict(core.db.read, write.conflictId);
	// What lies in the file is theirs; where ours was to take it out, both means that it stays.
	const asIs = write.take === 'theirs' || (write.take === 'both' && ours === null);
	if (!asIs) {
		// Of the conflict and not of the call: chosen twice, in two windows or after a crash, it is written once.
		const key = `conflict:${id}`;
		const order: WriteOrder = {
			kind: 'patch',
			key,
			// The owner chose; it was written by whoever meant to write it then.
			provenance: getChange(core.db.read, changeId).provenance,
			parts: [{ file, compose: (current) => ({ text: choose(current, ours, theirs, write.take === 'both') }) }],
		};
		await once(core, key, () => commitWrite(core, order));
	}
	core.db.write((tx) => resolveConflictRow(tx, id, core.clock.now()));
	core.committed({ rowids: [], files: [file], changes: [] });
}

function choose(current: string, ours: string | null, theirs: string | null, both: boolean): string {
	if (theirs === null) return joinLines(current, ours ?? '');
	const start = findLines(current, theirs);
	if (start < 0)
		throw terminal('stale', 'What lies in the file was changed again since.', {
			safe: 'Nothing was changed; both texts are kept.',
			action: 'Keep what lies in the file, or write the other text into it yourself.',
		});
	const end = start + theirs.length;
	if (both) return current.slice(0, end) + breakOf(current) + (ours ?? '') + current.slice(end);
	if (ours !== null) return current.slice(0, start) + ours + current.slice(end);
	return current.slice(0, start) + current.slice(end).replace(/^\r?\n/, '');
}

/** Where these whole lines stand in the text; -1 where they don't. */
function findLines(text: string, lines: string): number {
	for (let at = text.indexOf(lines); at >= 0; at = text.indexOf(lines, at + 1)) {
		const behind = text[at + lines.length];
		if ((at === 0 || text[at - 1] === '\n') && (behind === undefined || behind === '\n' || behind === '\r')) return at;
	}
	return -1;
}

function joinLines(text: string, lines: string): string {
	const apart = text === '' || text.endsWith('\n') ? '' : breakOf(text);
	return `${text}${apart}${lines}${breakOf(text)}`;
}

function breakOf(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n';
}
