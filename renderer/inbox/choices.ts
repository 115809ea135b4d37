import type { ApproveChoices } from '../../src/contract/methods/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { snoozeUntil } from './snooze-times.ts';

/** What can be chosen with a yes to this. Of an entry that is changed the place stands already. */
export function canChoose({ operation }: Pick<Proposal, 'operation'>): { place: boolean; validity: boolean; dueAt: boolean } {
	const { kind } = operation;
	return { place: kind === 'append', validity: kind === 'append' || kind === 'patch' || kind === 'supersede', dueAt: kind === 'task' };
}

/** When the owner would be reminded: as proposed while that is to come, else tomorrow morning. Undefined for what is no task. */
export function dueAtFor({ operation }: Pick<Proposal, 'operation'>, now: number): number | undefined {
	if (operation.kind !== 'task') return undefined;
	return operation.dueAt !== null && operation.dueAt > now ? operation.dueAt : snoozeUntil('tomorrow', now);
}

/** What goes with a yes: what the owner chose, and what the proposal itself leaves open. `incomplete`: a choice that can't be. */
export function choicesFor(proposal: Proposal, chosen: ApproveChoices | undefined, now: number): ApproveChoices | 'incomplete' {
	const can = canChoose(proposal);
	const { target, replaces, validFrom, validUntil } = chosen ?? {};
	const choices: ApproveChoices = {};
	// What takes an entry's place stands where that stood.
	if (can.place && replaces) choices.replaces = replaces;
	else if (can.place && target) choices.target = target;
	if (can.validity) {
		if (validFrom != null) choices.validFrom = validFrom;
		if (validUntil != null) choices.validUntil = validUntil;
		if (validFrom != null && validUntil != null && validUntil <= validFrom) return 'incomplete';
	}
	if (proposal.operation.kind === 'task') {
		const dueAt = chosen?.dueAt ?? dueAtFor(proposal, now);
		if (dueAt === undefined || dueAt <= now) return 'incomplete';
		if (dueAt !== proposal.operation.dueAt) choices.dueAt = dueAt;
	}
	return choices;
}
