import { type HearthError, terminal } from '../domain/errors.ts';
import type { EntryId } from '../domain/memory.ts';
import type { ProposalOperation } from '../domain/proposal.ts';
import type { Target } from './proposal-store.ts';

export type MemoryOperation = Exclude<ProposalOperation, { kind: 'skill' | 'notice' | 'task' }>;

/**
 * The same wish, pointed at the target as it is now: at what follows a superseded entry; at the end of its heading where the entry is
 * gone. Throws `conflict` where nothing is left to do.
 */
export function rebased(operation: MemoryOperation, find: (id: EntryId) => Target | undefined): MemoryOperation {
	if (operation.kind === 'append') return operation;
	if (operation.kind === 'drift') return rebasedDrift(operation, find);
	const target = operation.kind === 'forget' ? find(operation.entryId) : newest(operation.entryId, find);
	if (operation.kind === 'forget') {
		if (!target?.live) throw nothingLeft();
		return { ...operation, file: target.file, before: target.text, baseHash: target.hash };
	}
	if (target?.live) return { ...operation, file: target.file, entryId: target.entryId, before: target.text, baseHash: target.hash };
	return { kind: 'append', file: operation.file, headingPath: target?.headingPath ?? [], text: operation.text };
}

/** What a program wrote counts as its own until somebody changed it; then it is theirs, and there is nothing to decide. */
function rebasedDrift(
	operation: Extract<ProposalOperation, { kind: 'drift' }>,
	find: (id: EntryId) => Target | undefined,
): MemoryOperation {
	if (operation.entryId === null) return operation;
	const target = find(operation.entryId);
	if (!target?.live || !target.quarantined) throw nothingLeft();
	return { ...operation, file: target.file, text: target.text };
}

/** `there`: what lies in the file now. Where it is the very text, what is left to decide is whether it may be used. */
export function rebasedSkill(operation: Extract<ProposalOperation, { kind: 'skill' }>, there: string | null): ProposalOperation {
	if (operation.found && there !== operation.text) throw nothingLeft();
	return there === operation.text ? { ...operation, found: true } : { ...operation, before: there };
}

function newest(id: EntryId, find: (id: EntryId) => Target | undefined): Target | undefined {
	const seen = new Set<EntryId>();
	let target = find(id);
	for (; target?.supersededBy && !seen.has(target.entryId); target = find(target.supersededBy)) seen.add(target.entryId);
	return target;
}

function nothingLeft(): HearthError {
	return terminal('conflict', 'What this was about is no longer there, so there is nothing to rebase it onto.', {
		safe: 'Nothing was changed.',
		action: 'Reject it.',
	});
}
