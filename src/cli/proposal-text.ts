import { assertNever } from '../domain/assert-never.ts';
import type { FindingInfo, Proposal, ProposalOperation } from '../domain/proposal.ts';
import { when } from './context.ts';
import { marked, sourceText } from './memory-text.ts';
import { printable } from './output.ts';

/** What waits for the owner in words, for the terminal. */

export function stateOf(proposal: Proposal): string {
	if (proposal.stale) return 'stale';
	if (proposal.duplicates > 0 && proposal.status === 'pending') return `pending (+${proposal.duplicates} the same)`;
	return proposal.status;
}

export function textOf(operation: ProposalOperation): string {
	switch (operation.kind) {
		case 'forget':
			return operation.before;
		case 'drift':
			return operation.text ?? operation.before ?? '';
		default:
			return operation.text;
	}
}

/** All that a decision's hash stands for (`shownHashOfProposal`): the owner decides on what was shown, and nothing else (B3). */
export function describeProposal(proposal: Proposal): string {
	const { id, operation, label, rule, reason, provenance, finding } = proposal;
	const why = provenance.reason === undefined || provenance.reason === reason ? [] : [`It says why: ${provenance.reason}`];
	const sources =
		provenance.sources.length > 0
			? provenance.sources.map((source) => `Source: ${sourceText(source, Number.POSITIVE_INFINITY)}`)
			: ['Source: none'];
	const stale = proposal.stale ? [`Stale: what it would change is no longer as shown. See: hearth inbox rebase ${id}`] : [];
	return [
		`${id}  ${when(proposal.createdAt)}  ${stateOf(proposal)}`,
		targetOf(operation),
		...diffOf(operation),
		`Trust label: ${label}, origin ${provenance.origin}. Rule: ${rule}. ${reason}`,
		`Proposed by: ${provenance.author}${provenance.modelName === undefined ? '' : ` (${provenance.modelName})`}`,
		...(finding ? findingLines(finding) : []),
		...why,
		...sources,
		...stale,
		`Hash of what is shown: ${proposal.shownHash}`,
	].join('\n');
}

function findingLines({ sourceTitle, task, urgency, conflicts, conflictsWith, flagged }: FindingInfo): string[] {
	const against = [
		...conflicts.map((entryId) => `Contradicts the entry ${entryId}; see: hearth memory show ${entryId}`),
		...conflictsWith.map((other) => `Contradicts another finding that waits: ${other}`),
	];
	const flags = flagged > 0 ? [`Detectors flagged ${flagged} ${flagged === 1 ? 'place' : 'places'} in the text that it comes from.`] : [];
	if (task) return [`Result of the task: ${printable(sourceTitle)}`, ...flags];
	return [`Found in: ${printable(sourceTitle)}, urgency ${urgency}`, ...against, ...flags];
}

export function placeOfProposal(operation: ProposalOperation): string {
	switch (operation.kind) {
		case 'skill':
			return `skills/${operation.name}/SKILL.md`;
		case 'notice':
			return 'for you to know';
		case 'task':
			return 'your reminders';
		default:
			return operation.file;
	}
}

function targetOf(operation: ProposalOperation): string {
	switch (operation.kind) {
		case 'append':
			return `Add to ${[operation.file, ...operation.headingPath].join(' > ')}:`;
		case 'patch':
			return `Change in ${operation.file} (entry ${operation.entryId}):`;
		case 'supersede':
			return `Let it follow this in ${operation.file} (entry ${operation.entryId}), which then counts as past:`;
		case 'forget':
			return `Forget everywhere, without a way back, from ${operation.file} (entry ${operation.entryId}):`;
		case 'drift':
			return `A program that a tool ran has changed ${operation.file}; approve keeps it, reject puts back what was before:`;
		case 'skill':
			if (operation.found) return `Let the agent use ${placeOfProposal(operation)}, which lies there already, as it is:`;
			return `${operation.before === null ? 'Make' : 'Change'} the skill ${placeOfProposal(operation)}, and let the agent use it:`;
		case 'notice':
			return 'For you to know; approve keeps it among what you decided:';
		case 'task': {
			const due = operation.dueAt === null ? 'at a time that you choose' : `on ${when(operation.dueAt)}`;
			return `For you to do; approve reminds you of it ${due}:`;
		}
		default:
			return assertNever(operation);
	}
}

function diffOf(operation: ProposalOperation): string[] {
	const before = 'before' in operation ? operation.before : null;
	const after = 'text' in operation ? operation.text : null;
	return [...(before === null ? [] : [marked('-', before)]), ...(after === null ? [] : [marked('+', after)])];
}

export function describeOutcome({ receipt }: Proposal): string {
	if (!receipt || receipt.outcome === 'held') return '';
	if (receipt.outcome === 'skill') return 'The agent may use it now. Take it back with: hearth inbox undo ID';
	if (receipt.outcome === 'noted') return 'It is kept among what you decided.';
	if (receipt.outcome === 'reminder_set') return `You are reminded on ${when(receipt.dueAt)}. Take it back with: hearth inbox undo ID`;
	return `${receipt.file} was changed. Take it back with: hearth inbox undo ID`;
}
