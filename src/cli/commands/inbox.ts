import type { HearthClient } from '../../contract/contract.ts';
import type { ApproveChoices } from '../../contract/methods/memory.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { ProposalId } from '../../domain/memory.ts';
import type { Proposal } from '../../domain/proposal.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { marked, oneLine } from '../memory-text.ts';
import { printable, table } from '../output.ts';
import { describeOutcome, describeProposal, placeOfProposal, stateOf, textOf } from '../proposal-text.ts';

export async function listInbox({ rpc, output }: CommandContext, options: { decided?: boolean; limit?: number }): Promise<number> {
	const status = options.decided ? 'decided' : 'pending';
	const { proposals } = await rpc.inbox.list({ status, limit: Math.min(options.limit ?? 500, 1000) });
	const rows = proposals.map((proposal) => [
		proposal.id,
		when(proposal.decidedAt ?? proposal.createdAt),
		stateOf(proposal),
		proposal.label,
		`${proposal.operation.kind} ${placeOfProposal(proposal.operation)}: ${oneLine(textOf(proposal.operation), 80)}`,
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

/** What the owner gives with their yes. `hash`: of what they were shown, instead of an answer at a terminal. */
export interface YesOptions {
	readonly text?: string | undefined;
	readonly choices?: ApproveChoices | undefined;
	readonly hash?: string | undefined;
}

/**
 * The owner's yes or no. At a terminal, after the whole of it was shown there; or with the hash of exactly what was shown (B3). A tool's program
 * has neither: in the sandbox it can't reach the runtime, and while one without a sandbox runs, nothing is decided here (`OwnerDoors`).
 */
export async function approveProposal({ rpc, output }: CommandContext, id: string, options: YesOptions): Promise<number> {
	const proposal = await toDecide(rpc, id, options.hash);
	const { text, choices } = options;
	if (options.hash === undefined) {
		if (text !== undefined) process.stderr.write(`Instead of it, your text:\n${printable(marked('+', text))}\n\n`);
		const word = await ask(`Type “approve” ${APPROVES[proposal.operation.kind] ?? 'to let it into memory'}; Enter leaves it waiting: `);
		if (word.trim().toLowerCase() !== 'approve') return leftWaiting(output, proposal);
	}
	const decided = await rpc.inbox.approve({
		proposalId: proposal.id,
		shownHash: options.hash ?? proposal.shownHash,
		...(text !== undefined && { text }),
		...(choices && { choices }),
	});
	output.result(decided, `Approved. ${describeOutcome(decided)}`.trim());
	return EXIT.ok;
}

const APPROVES: Partial<Record<Proposal['operation']['kind'], string>> = {
	skill: 'to let it be used',
	notice: 'to keep it among what you decided',
	task: 'to be reminded of it',
};

export async function rejectProposal(
	{ rpc, output }: CommandContext,
	id: string,
	options: { reason?: string | undefined; hash?: string | undefined },
): Promise<number> {
	const proposal = await toDecide(rpc, id, options.hash);
	if (options.hash === undefined) {
		const word = await ask('Type “reject” to turn it down; Enter leaves it waiting: ');
		if (word.trim().toLowerCase() !== 'reject') return leftWaiting(output, proposal);
	}
	const reason = options.reason === undefined ? {} : { reason: options.reason };
	const decided = await rpc.inbox.reject({ proposalId: proposal.id, shownHash: options.hash ?? proposal.shownHash, ...reason });
	output.result(decided, `Rejected. ${describeOutcome(decided)}`.trim());
	return EXIT.ok;
}

/** Without a hash, whoever decides is at a terminal and sees all of it there. */
async function toDecide(rpc: HearthClient, id: string, hash: string | undefined): Promise<Proposal> {
	if (hash === undefined) onlyAtTerminal();
	const proposal = await findProposal(rpc, id);
	if (hash === undefined) showAtTerminal(proposal);
	return proposal;
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

export async function findProposal(rpc: HearthClient, given: string, list = 'hearth inbox list'): Promise<Proposal> {
	if (given.length === 36) return rpc.inbox.get({ proposalId: given as ProposalId });
	const lists = await Promise.all((['pending', 'snoozed', 'decided'] as const).map((status) => rpc.inbox.list({ status, limit: 1000 })));
	const matches = given === '' ? [] : lists.flatMap(({ proposals }) => proposals).filter(({ id }) => id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1
			? `“${given}” fits ${matches.length} of them.`
			: `There is nothing with the id “${given.slice(0, 80)}” in the inbox.`,
		{ action: `List them with: ${list}` },
	);
}
