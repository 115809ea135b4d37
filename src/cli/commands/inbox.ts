import type { HearthClient } from '../../contract/contract.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { ProposalId } from '../../domain/memory.ts';
import type { Proposal, ProposalOperation } from '../../domain/proposal.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { marked, oneLine, sourceText } from '../memory-text.ts';
import { printable, table } from '../output.ts';

export async function listInbox({ rpc, output }: CommandContext, options: { decided?: boolean; limit?: number }): Promise<number> {
	const status = options.decided ? 'decided' : 'pending';
	const { proposals } = await rpc.inbox.list({ status, limit: Math.min(options.limit ?? 500, 1000) });
	const rows = proposals.map((proposal) => [
		proposal.id,
		when(proposal.decidedAt ?? proposal.createdAt),
		stateOf(proposal),
		proposal.label,
		`${proposal.operation.kind} ${fileOf(proposal.operation)}: ${oneLine(textOf(proposal.operation), 80)}`,
	]);
	const none = options.decided ? 'Nothing was decided yet.' : 'Nothing waits for you.';
	output.result(proposals, rows.length > 0 ? table([['ID', 'SINCE', 'STATE', 'LABEL', 'WHAT'], ...rows]) : none);
	return EXIT.ok;
}

export async function showProposal({ rpc, output }: CommandContext, id: string): Promise<number> {
	const proposal = await findProposal(rpc, id);
	output.result(proposal, describeProposal(proposal));
	return EXIT.ok;
}

/**
 * The owner's yes or no. Only at a terminal, after the whole of it was shown there: a script, a tool or a model's output can't decide
 * (product.md, "One owner per folder, many doors"; B3).
 */
export async function approveProposal({ rpc, output }: CommandContext, id: string, options: { text?: string }): Promise<number> {
	onlyAtTerminal();
	const proposal = await findProposal(rpc, id);
	showAtTerminal(proposal);
	if (options.text !== undefined) process.stderr.write(`Instead of it, your text:\n${printable(marked('+', options.text))}\n\n`);
	const word = (
		await ask(`Type “approve” to let it ${proposal.operation.kind === 'skill' ? 'be used' : 'into memory'}; Enter leaves it waiting: `)
	)
		.trim()
		.toLowerCase();
	if (word !== 'approve') return leftWaiting(output, proposal);
	const decided = await rpc.inbox.approve({
		proposalId: proposal.id,
		shownHash: proposal.shownHash,
		...(options.text !== undefined && { text: options.text }),
	});
	output.result(decided, `Approved. ${describeOutcome(decided)}`.trim());
	return EXIT.ok;
}

export async function rejectProposal({ rpc, output }: CommandContext, id: string, options: { reason?: string }): Promise<number> {
	onlyAtTerminal();
	const proposal = await findProposal(rpc, id);
	showAtTerminal(proposal);
	const word = (await ask('Type “reject” to turn it down; Enter leaves it waiting: ')).trim().toLowerCase();
	if (word !== 'reject') return leftWaiting(output, proposal);
	const reason = options.reason === undefined ? {} : { reason: options.reason };
	const decided = await rpc.inbox.reject({ proposalId: proposal.id, shownHash: proposal.shownHash, ...reason });
	output.result(decided, `Rejected. ${describeOutcome(decided)}`.trim());
	return EXIT.ok;
}

/** Decides nothing: what is shown is new, and it goes on waiting. */
export async function rebaseProposal({ rpc, output }: CommandContext, id: string): Promise<number> {
	const { id: proposalId } = await findProposal(rpc, id);
	const rebased = await rpc.inbox.rebase({ proposalId });
	output.result(rebased, `Pointed at what is there now. It goes on waiting:\n\n${describeProposal(rebased)}`);
	return EXIT.ok;
}

export async function undoDecision({ rpc, output }: CommandContext, id: string): Promise<number> {
	onlyAtTerminal();
	const proposal = await findProposal(rpc, id);
	showAtTerminal(proposal);
	const word = (await ask('Type “undo” to take the decision back; Enter leaves it: ')).trim().toLowerCase();
	if (word !== 'undo') {
		output.result(proposal, 'Left as it is.');
		return EXIT.ok;
	}
	output.result(await rpc.inbox.undo({ proposalId: proposal.id }), 'Taken back. It waits for you again.');
	return EXIT.ok;
}

function leftWaiting(output: CommandContext['output'], proposal: Proposal): number {
	output.result(proposal, 'Left as it is; it goes on waiting.');
	return EXIT.needsOwner;
}

function onlyAtTerminal(): void {
	if (atTerminal()) return;
	throw needsOwner('unauthorised', 'A decision is taken only from you, at a terminal or in the app.', {
		safe: 'It still waits, and nothing happened.',
		action: 'Run this command in a terminal, or decide in Hearth’s window.',
	});
}

function showAtTerminal(proposal: Proposal): void {
	process.stderr.write(`${printable(describeProposal(proposal))}\n\n`);
}

async function findProposal(rpc: HearthClient, given: string): Promise<Proposal> {
	if (given.length === 36) return rpc.inbox.get({ proposalId: given as ProposalId });
	const lists = await Promise.all((['pending', 'decided'] as const).map((status) => rpc.inbox.list({ status, limit: 1000 })));
	const matches = given === '' ? [] : lists.flatMap(({ proposals }) => proposals).filter(({ id }) => id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1
			? `“${given}” fits ${matches.length} of them.`
			: `There is nothing with the id “${given.slice(0, 80)}” in the inbox.`,
		{ action: 'List them with: hearth inbox list' },
	);
}

function stateOf(proposal: Proposal): string {
	if (proposal.stale) return 'stale';
	if (proposal.duplicates > 0 && proposal.status === 'pending') return `pending (+${proposal.duplicates} the same)`;
	return proposal.status;
}

function textOf(operation: ProposalOperation): string {
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
	const { id, operation, label, rule, reason, provenance } = proposal;
	const why = provenance.reason === undefined ? [] : [`It says why: ${provenance.reason}`];
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
		...why,
		...sources,
		...stale,
	].join('\n');
}

function fileOf(operation: ProposalOperation): string {
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
			if (operation.found) return `Let the agent use ${fileOf(operation)}, which lies there already, as it is:`;
			return `${operation.before === null ? 'Make' : 'Change'} the skill ${fileOf(operation)}, and let the agent use it:`;
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

function describeOutcome({ receipt }: Proposal): string {
	if (!receipt || receipt.outcome === 'held') return '';
	if (receipt.outcome === 'skill') return 'The agent may use it now. Take it back with: hearth inbox undo ID';
	if (receipt.outcome === 'noted') return 'It is kept among what you decided.';
	if (receipt.outcome === 'reminder_set') return `You are reminded on ${when(receipt.dueAt)}. Take it back with: hearth inbox undo ID`;
	return `${receipt.file} was changed. Take it back with: hearth inbox undo ID`;
}
