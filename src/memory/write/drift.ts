import { terminal } from '../../domain/errors.ts';
import type { EntryVersion, MemoryReceipt, Provenance } from '../../domain/memory.ts';
import { getChange } from '../change-store.ts';
import type { MemoryCore } from '../core.ts';
import { findEntry, provenanceOf } from '../ledger-store.ts';
import { removeEntry, replaceEntry } from '../markdown/edit.ts';
import type { Pin } from '../plan.ts';
import type { MemoryWriter } from '../port.ts';
import { versionBefore, versionsOfChange } from '../version-store.ts';
import { type Composed, commitWrite } from './commit.ts';
import { markChange, putBack, written } from './compose.ts';
import { locate, pinTo, staleEntry } from './locate.ts';

type Decision = Parameters<MemoryWriter['decideDrift']>[0];

/** What the owner makes of a program's change (bg-2). One decision is about one entry; without one, about all that the change took out. */
export async function decideDrift(core: MemoryCore, decision: Decision): Promise<MemoryReceipt> {
	const change = getChange(core.db.read, decision.changeId);
	const versions = versionsOfChange(core.db.read, change.id).filter(({ entryId, after }) =>
		decision.entryId === null ? after === null : entryId === decision.entryId,
	);
	const [version] = versions;
	if (change.kind !== 'drift' || !version)
		throw terminal('not_found', 'There is no such change by a program.', { safe: 'Nothing was changed.' });
	const compose = (text: string): Composed => {
		if (!decision.keep) return putAllBack(core, versions, text);
		return version.after === null ? { text } : keep(core, decision, version, text);
	};
	const { key, provenance } = decision;
	return commitWrite(core, { kind: decision.keep ? 'approve_drift' : 'undo', key, provenance, parts: [{ file: change.file, compose }] });
}

function keep(core: MemoryCore, decision: Decision, version: EntryVersion, text: string): Composed {
	const { row, entry } = locate(core, version.file, text, { entryId: version.entryId });
	if (row.text !== version.after) throw staleEntry('was changed meanwhile');
	const before = provenanceOf(row);
	const after: Provenance = {
		...before,
		label: 'approved',
		...(decision.provenance.approval && { approval: decision.provenance.approval }),
	};
	const released = markChange(row, { quarantined: false });
	if (decision.text === undefined || decision.text === row.text)
		return { text, entryId: row.id, marks: [{ ...released, provenance: { before, after } }] };
	const edited = replaceEntry(text, entry, decision.text).source;
	const made = written(row.id, decision.text, text, edited);
	return { ...made, pins: made.pins.map((pin): Pin => ({ ...pin, provenance: after })), marks: [released] };
}

function putAllBack(core: MemoryCore, versions: readonly EntryVersion[], text: string): Composed {
	const composed = versions.map((version) => ({ version, row: findEntry(core.db.read, version.entryId) }));
	let current = text;
	const pins: Pin[] = [];
	for (const { version, row } of composed) {
		const { before, after, entryId } = version;
		if (!row) continue;
		const previous = current;
		if (after === null) {
			// Somebody put it back already.
			if (row.live === 1) continue;
			current = putBack(current, row, before ?? '');
		} else {
			if (row.text !== after) throw staleEntry('was changed meanwhile');
			const { entry } = locate(core, version.file, current, { entryId });
			current = before === null ? removeEntry(current, entry, { withChildren: false }).source : replaceEntry(current, entry, before).source;
		}
		const pin =
			before !== null && pinTo(entryId, before, previous, current, versionBefore(core.db.read, entryId, version.changeId)?.provenance);
		if (pin) pins.push(pin);
	}
	const marks = composed.flatMap(({ row, version }) =>
		row && version.before !== null && version.after !== null ? [markChange(row, { quarantined: false })] : [],
	);
	return { text: current, pins, marks, entryId: versions[0]?.entryId };
}
