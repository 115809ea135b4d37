import type { ApproveChoices } from '../contract/methods/memory.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { EntryId } from '../domain/memory.ts';
import type { ProposalOperation } from '../domain/proposal.ts';
import { proposedText } from './proposal-machine.ts';
import type { Validity } from './proposal-port.ts';
import type { Target } from './proposal-store.ts';

/** What the owner chose with their yes, pure: whether it fits what waits, and what is then done. */

/** What is to be done: the proposal as the owner chose it. */
export interface Chosen {
	readonly operation: ProposalOperation;
	/** Null where text is only taken out. */
	readonly text: string | null;
	readonly validity: Validity;
}

type Find = (id: EntryId) => Target | undefined;

/** Throws `invalid_input` for what does not fit, `stale` where the entry that is to be replaced is not as the owner saw it. */
export function checkChoices(operation: ProposalOperation, choices: ApproveChoices, { find, now }: { find: Find; now: Timestamp }): void {
	const { target, replaces, validFrom, validUntil, dueAt } = choices;
	const { kind } = operation;
	if ((target || replaces) && kind !== 'append') throw unfit('Only what is added to memory can go to another place or replace an entry.');
	if (target && replaces) throw unfit('What replaces an entry stands where that entry does: choose one or the other.');
	const remembers = kind === 'append' || kind === 'patch' || kind === 'supersede';
	if ((validFrom !== undefined || validUntil !== undefined) && !remembers) throw unfit('Only what goes into memory can hold for a time.');
	if (typeof validFrom === 'number' && typeof validUntil === 'number' && validUntil <= validFrom)
		throw unfit('An entry can’t end to be valid before it begins.');
	if (dueAt !== undefined && kind !== 'task') throw unfit('Only what is to be done has a time.');
	if (kind === 'task') checkTime(dueAt ?? operation.dueAt, now);
	if (replaces) checkReplaced(find(replaces.entryId), replaces.baseHash);
}

function checkTime(dueAt: Timestamp | null, now: Timestamp): void {
	if (dueAt === null) throw unfit('Choose when you want to be reminded of it.');
	if (dueAt <= now) throw unfit('That time is past: choose when you want to be reminded of it.');
}

function checkReplaced(entry: Target | undefined, baseHash: string): void {
	if (entry?.live && entry.hash === baseHash && entry.supersededBy === null && !entry.quarantined) return;
	throw terminal('stale', 'The entry that this is to replace is no longer as you saw it.', {
		safe: 'Nothing was done; it still waits.',
		action: 'Look at that entry as it is now, and choose again.',
	});
}

/** `edited`: the text as the owner changed it. */
export function chosen(operation: ProposalOperation, edited: string | undefined, choices: ApproveChoices, find: Find): Chosen {
	const text = edited ?? proposedText(operation);
	const { validFrom, validUntil } = choices;
	return { operation: asChosen(operation, choices, find), text, validity: { validFrom, validUntil } };
}

function asChosen(operation: ProposalOperation, { target, replaces, dueAt }: ApproveChoices, find: Find): ProposalOperation {
	if (operation.kind === 'task') return { ...operation, dueAt: dueAt ?? operation.dueAt };
	if (operation.kind !== 'append') return operation;
	if (target) return { ...operation, ...target };
	if (!replaces) return operation;
	const { text } = operation;
	const entry = find(replaces.entryId);
	return { kind: 'supersede', file: entry?.file ?? operation.file, ...replaces, before: entry?.text ?? '', text };
}

function unfit(message: string): HearthError {
	return terminal('invalid_input', message, { safe: 'Nothing was done; it still waits.' });
}
