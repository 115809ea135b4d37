import { type HearthError, terminal } from '../domain/errors.ts';
import type { EntryId } from '../domain/memory.ts';
import type { Proposal, ProposalOperation } from '../domain/proposal.ts';
import type { SkillName } from '../domain/skill.ts';
import type { Target } from './proposal-store.ts';

type Find = (id: EntryId) => Target | undefined;

/** What waits, pointed at what is there now. Throws `conflict` where nothing is left to do. */
export function rebasedProposal(
	{ operation, finding }: Pick<Proposal, 'operation' | 'finding'>,
	at: { find: Find; skillText(name: SkillName): string | null },
): Pick<Proposal, 'operation' | 'finding'> {
	const about = finding && { finding: { ...finding, conflicts: rebasedConflicts(finding.conflicts, at.find) } };
	return { operation: rebasedOperation(operation, at), ...about };
}

function rebasedOperation(operation: ProposalOperation, { find, skillText }: Parameters<typeof rebasedProposal>[1]): ProposalOperation {
	if (operation.kind === 'notice' || operation.kind === 'task') return operation;
	return operation.kind === 'skill' ? rebasedSkill(operation, skillText(operation.name)) : rebased(operation, find);
}

/** What it contradicted is what holds now: what followed an entry counts in its place, and what is gone contradicts nothing. */
function rebasedConflicts(conflicts: readonly EntryId[], find: Find): EntryId[] {
	const now = conflicts.map((id) => newest(id, find)).filter((target) => target?.live);
	return [...new Set(now.flatMap((target) => target?.entryId ?? []))];
}

export type MemoryOperation = Exclude<ProposalOperation, { kind: 'skill' | 'notice' | 'task' }>;

/**
 * The same wish, pointed at the target as it is now: at what follows a superseded entry; at the end of its heading where the entry is
 * gone. Throws `conflict` where nothing is left to do.
 */
export function rebased(operation: MemoryOperation, find: Find): MemoryOperation {
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
function rebasedDrift(operation: Extract<ProposalOperation, { kind: 'drift' }>, find: Find): MemoryOperation {
	if (operation.entryId === null) return operation;
	const target = find(operation.entryId);
	if (!target?.live || !target.quarantined) throw nothingLeft();
	return { ...operation, file: target.file, text: target.text };
}

/** `there`: what lies in the file now. Where it is the very text, what is left to decide is whether it may be used. */
function rebasedSkill(operation: Extract<ProposalOperation, { kind: 'skill' }>, there: string | null): ProposalOperation {
	if (operation.found && there !== operation.text) throw nothingLeft();
	return there === operation.text ? { ...operation, found: true } : { ...operation, before: there };
}

function newest(id: EntryId, find: Find): Target | undefined {
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
