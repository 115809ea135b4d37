import type { HearthClient } from '../../src/contract/contract.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { ChangeId, EntryId, EntryVersion, MemoryEntry, MemoryPath, MemoryReceipt } from '../../src/domain/memory.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call, shapeOf } from '../connection/index.ts';
import { showToast } from '../ui/toast.tsx';
import { refreshEntries } from './entries-store.ts';

const strings = createStrings();

/** Says what a receipt says, never what was hoped for (mem-9); what was written can be taken back from there. */
function sayReceipt(receipt: MemoryReceipt, done: string): void {
	void refreshEntries();
	if (receipt.outcome === 'held') {
		showToast(strings('memory.done.held'));
		return;
	}
	// An undo too: it takes back all that was written at once, which can be more than the entry it was asked of.
	showToast(done, { label: strings('memory.undo'), run: () => void undoChange(receipt.changeId) });
}

/** One write. Undefined where it failed; the owner has been told. */
async function write(
	work: (client: HearthClient) => Promise<MemoryReceipt>,
	done: (receipt: MemoryReceipt) => string,
): Promise<MemoryReceipt | undefined> {
	try {
		const receipt = await call(work);
		sayReceipt(receipt, done(receipt));
		return receipt;
	} catch (error) {
		if (shapeOf(error).code === 'stale') {
			void refreshEntries();
			showToast(strings('memory.stale'));
		} else sayProblem(error);
		return undefined;
	}
}

const seen = (entry: MemoryEntry): { entryId: EntryId; baseHash: string } => ({ entryId: entry.id, baseHash: entry.hash });
const fileOf = (receipt: MemoryReceipt): string => (receipt.outcome === 'written' ? receipt.file : '');

/** Rejects, so that the edit stays open with the reason: `stale` where the text is not the one that was seen. */
export async function saveEdit(entryId: EntryId, baseHash: string, text: string, way: 'edit' | 'supersede'): Promise<void> {
	const receipt = await call((client) => client.memory[way]({ entryId, baseHash, text }));
	sayReceipt(receipt, strings(`memory.done.${way}`));
}

/** `requestId` names the wish: the same one tried again adds nothing twice (mem-5). Rejects. */
export async function addEntry(
	text: string,
	requestId: string,
	place: { file: MemoryPath | undefined; headingPath: readonly string[] },
): Promise<MemoryReceipt> {
	const { file, headingPath } = place;
	const where = { ...(file ? { file } : {}), ...(headingPath.length > 0 ? { headingPath: [...headingPath] } : {}) };
	const receipt = await call((client) => client.memory.add({ text, requestId, ...where }), { repeatable: true });
	sayReceipt(receipt, strings('memory.done.add', { file: fileOf(receipt) }));
	return receipt;
}

export async function moveEntry(entry: MemoryEntry, file: MemoryPath, headingPath: readonly string[]): Promise<boolean> {
	const move = { ...seen(entry), file, headingPath: [...headingPath] };
	const receipt = await write(
		(client) => client.memory.move(move),
		() => strings('memory.done.move', { file }),
	);
	return receipt !== undefined;
}

export async function setValidity(entry: MemoryEntry, validFrom: number | null, validUntil: number | null): Promise<boolean> {
	const receipt = await write(
		(client) => client.memory.setValidity({ ...seen(entry), validFrom, validUntil }),
		() => strings('memory.done.validity'),
	);
	return receipt !== undefined;
}

export async function removeEntry(entry: MemoryEntry): Promise<boolean> {
	const receipt = await write(
		(client) => client.memory.remove(seen(entry)),
		() => strings('memory.done.remove', { file: entry.file }),
	);
	return receipt !== undefined;
}

export async function undoChange(changeId: ChangeId): Promise<void> {
	await write(
		(client) => client.memory.undo({ changeId }),
		() => strings('memory.done.undo'),
	);
}

/** Takes back the newest change of the entry that still stands; of what else was saved with it from outside Hearth, nothing. */
export async function undoLastOf(entry: MemoryEntry): Promise<void> {
	try {
		const versions = await call((client) => client.memory.history({ entryId: entry.id, limit: 100 }), { repeatable: true });
		const last = versions.find((version) => !version.undoneBy && !version.forgotten && version.kind !== 'undo');
		if (!last) showToast(strings('memory.undone'));
		else if (await touchedOthers(last)) await undoAlone(entry, last, versions);
		else await undoChange(last.changeId);
	} catch (error) {
		sayProblem(error);
	}
}

/** A save in another program can be of many entries. What Hearth writes at once belongs together. */
async function touchedOthers({ kind, changeId }: EntryVersion): Promise<boolean> {
	if (kind !== 'file_edit' && kind !== 'drift') return false;
	return (await call((client) => client.memory.history({ changeId, limit: 2 }), { repeatable: true })).length > 1;
}

async function undoAlone(entry: MemoryEntry, { before, after, changeId }: EntryVersion, versions: readonly EntryVersion[]): Promise<void> {
	const done = (): string => strings('memory.done.undoAlone');
	if (before === after) showToast(strings('memory.undone'));
	else if (before === null) await write((client) => client.memory.remove(seen(entry)), done);
	else {
		// What the change took out is brought back by its own name, what it changed by that of the one that wrote the former text.
		const former = after === null ? changeId : versions.find((version) => version.after === before)?.changeId;
		await write(
			(client) =>
				former ? client.memory.restore({ entryId: entry.id, changeId: former }) : client.memory.edit({ ...seen(entry), text: before }),
			done,
		);
	}
}

export async function bringBack(entryId: EntryId, changeId: ChangeId): Promise<void> {
	await write(
		(client) => client.memory.restore({ entryId, changeId }),
		() => strings('memory.done.restore'),
	);
}

export async function settleConflict(conflictId: string, take: 'ours' | 'theirs' | 'both'): Promise<void> {
	try {
		await call((client) => client.memory.resolveConflict({ conflictId, take }));
		showToast(strings('memory.done.conflict'));
		void refreshEntries();
	} catch (error) {
		sayProblem(error);
	}
}
