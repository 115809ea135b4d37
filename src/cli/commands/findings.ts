import type { SourceText } from '../../contract/methods/heartbeat.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import { LONG_TERM_FILE, MemoryPath } from '../../domain/memory.ts';
import type { Proposal } from '../../domain/proposal.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { printable, table } from '../output.ts';
import { describeProposal, placeOfProposal, stateOf, textOf } from '../proposal-text.ts';
import { approveProposal, findProposal, rejectProposal } from './inbox.ts';

/** What background work found: proposals of the inbox that are findings, with where they come from. */

export async function listFindings(
	{ rpc, output }: CommandContext,
	options: { decided?: boolean; snoozed?: boolean; limit?: number },
): Promise<number> {
	const status = options.decided ? 'decided' : options.snoozed ? 'snoozed' : 'pending';
	const { proposals } = await rpc.inbox.list({ status, findings: true, limit: Math.min(options.limit ?? 500, 1000) });
	const rows = proposals.map((proposal) => [
		proposal.id,
		proposal.finding?.sourceTitle ?? '',
		ageOf(proposal.createdAt),
		proposal.finding?.urgency ?? '',
		proposal.label,
		markOf(proposal),
		`${proposal.operation.kind} ${placeOfProposal(proposal.operation)}: ${oneLine(textOf(proposal.operation), 80)}`,
	]);
	const none = { pending: 'No finding waits for you.', snoozed: 'No finding is put off.', decided: 'No finding was decided yet.' }[status];
	output.result(proposals, rows.length > 0 ? table([['ID', 'SOURCE', 'AGE', 'URGENCY', 'LABEL', 'STATE', 'WHAT'], ...rows]) : none);
	return EXIT.ok;
}

export async function showFinding(context: CommandContext, id: string): Promise<number> {
	const { rpc, output } = context;
	const proposal = await findFinding(context, id);
	const texts = proposal.finding && proposal.finding.flagged > 0 ? await rpc.inbox.sourceTexts({ proposalId: proposal.id }) : [];
	const next = `Decide with: hearth findings approve ${proposal.id}, or: hearth findings reject ${proposal.id}`;
	output.result(
		proposal,
		[describeProposal(proposal), ...texts.flatMap(flagLines), ...(proposal.status === 'pending' ? [next] : [])].join('\n'),
	);
	return EXIT.ok;
}

/** The very words, so that they can be judged at a terminal. */
function flagLines({ text, inspection }: SourceText): string[] {
	return inspection.flags.map(
		({ kind, start, end }) => `Flagged as ${kind.replaceAll('_', ' ')}: “${printable(oneLine(text.slice(start, end), 300))}”`,
	);
}

export interface ApproveFindingOptions {
	readonly text?: string;
	readonly file?: string;
	readonly heading?: readonly string[];
	readonly due?: string;
	readonly hash?: string;
}

export async function approveFinding(context: CommandContext, id: string, options: ApproveFindingOptions): Promise<number> {
	needsHash(context, options.hash);
	const { id: proposalId, operation } = await findFinding(context, id);
	// Of what is no memory the runtime refuses a place, in words.
	const file = options.file ?? (operation.kind === 'append' ? operation.file : LONG_TERM_FILE);
	const moves = options.file !== undefined || options.heading !== undefined;
	const choices = {
		...(moves && { target: { file: memoryFile(file), headingPath: [...(options.heading ?? [])] } }),
		...(options.due !== undefined && { dueAt: timeOf(options.due) }),
	};
	return approveProposal(context, proposalId, { text: options.text, hash: options.hash, choices });
}

export async function rejectFinding(context: CommandContext, id: string, options: { reason?: string; hash?: string }): Promise<number> {
	needsHash(context, options.hash);
	return rejectProposal(context, (await findFinding(context, id)).id, options);
}

async function findFinding({ rpc }: CommandContext, id: string): Promise<Proposal> {
	const proposal = await findProposal(rpc, id, 'hearth findings list');
	if (proposal.finding) return proposal;
	throw terminal('not_found', `“${id}” waits in the inbox, but background work did not find it.`, { action: 'See: hearth inbox show ID' });
}

/** A script says what it decides on; whoever is at a terminal is shown it. */
function needsHash({ output }: CommandContext, hash: string | undefined): void {
	if (!output.json || hash !== undefined) return;
	throw needsOwner('invalid_input', 'With --json a decision must name the hash of what was shown.', {
		safe: 'It still waits, and nothing happened.',
		action: 'Give --hash with the shownHash of: hearth findings show ID --json',
	});
}

function memoryFile(given: string): MemoryPath {
	const file = MemoryPath.safeParse(given);
	if (file.success) return file.data;
	throw terminal('invalid_input', `“${given}” is no file of memory.`, { action: 'Give MEMORY.md or a path such as memory/travel.md.' });
}

function timeOf(given: string): number {
	const at = Date.parse(given);
	if (!Number.isNaN(at)) return at;
	throw terminal('invalid_input', `“${given}” is no time.`, { action: 'Give a local date and time such as 2026-12-03T09:00.' });
}

/** What there is to know before it is opened. */
function markOf(proposal: Proposal): string {
	const { finding, foldedInto, snoozedUntil } = proposal;
	const marks = [
		stateOf(proposal),
		...(snoozedUntil !== undefined && snoozedUntil > Date.now() ? [`until ${when(snoozedUntil)}`] : []),
		...(foldedInto === undefined ? [] : ['folded']),
		...(finding && finding.conflicts.length > 0 ? ['contradicts memory'] : []),
		...(finding && finding.flagged > 0 ? [`${finding.flagged} flagged`] : []),
	];
	return marks.join(', ');
}

const UNITS = [
	['w', 7 * 86_400_000],
	['d', 86_400_000],
	['h', 3_600_000],
	['min', 60_000],
] as const;

/** In the largest whole unit. */
function ageOf(at: number): string {
	const passed = Math.max(0, Date.now() - at);
	for (const [unit, length] of UNITS) if (passed >= length) return `${Math.floor(passed / length)} ${unit}`;
	return 'now';
}
