import { z } from 'zod';
import { ApproveChoices } from '../contract/methods/memory.ts';
import type { ReadDb } from '../db/brands.ts';
import { all, get, type Query, sql } from '../db/sql.ts';
import { joinLabels } from '../domain/label.ts';
import { Proposal, ProposalReceipt } from '../domain/proposal.ts';
import type { ProposalState } from './proposal-machine.ts';

/** A row of `proposals` as it is read. Whether it is stale, and what says the same, is read off memory's ledger and off `skills` in the same query. */

/** What the owner decided, and what came of it. */
export const Decision = z.object({
	edited: z.string().optional(),
	choices: ApproveChoices.optional(),
	reason: z.string().optional(),
	receipt: ProposalReceipt.optional(),
	/** By how much the trust in its source changed: given back when the decision is taken back. */
	trust: z.number().optional(),
});
export type Decision = z.infer<typeof Decision>;

export interface StoredProposal {
	readonly proposal: Proposal;
	readonly state: ProposalState;
	readonly decision: Decision;
}

interface Row {
	id: string;
	operation: string;
	provenance: string;
	label: string;
	rule: string;
	reason: string;
	session_id: string | null;
	run_id: string | null;
	shown_hash: string;
	folded: number;
	status: string;
	attempt: number;
	todo: string | null;
	decision: string | null;
	created_at: number;
	decided_at: number | null;
	finding: string | null;
	snoozed_until: number | null;
	opened_hash: string | null;
	folded_into: string | null;
	stale: number;
	same: number;
}

/** What entries say now, as one text: the hash of each, empty for one that holds no more. `ids`: a JSON array. */
export function saidBy(ids: Query): Query {
	return sql`(SELECT coalesce(group_concat(CASE WHEN c.live = 1 AND c.superseded_by IS NULL THEN c.hash ELSE '' END, ','), '')
		FROM json_each(${ids}) i LEFT JOIN memory_entries c ON c.id = i.value)`;
}

const SELECT = sql`
	SELECT p.*,
		CASE WHEN json_extract(p.operation, '$.kind') = 'skill' THEN coalesce(s.seen_hash, '') <> p.target_hash
		ELSE (p.target_hash IS NOT NULL AND (
			e.id IS NULL OR e.live = 0 OR e.hash <> p.target_hash OR e.file <> json_extract(p.operation, '$.file')
			OR (e.superseded_by IS NOT NULL AND json_extract(p.operation, '$.kind') IN ('patch', 'supersede'))
		)) OR (p.finding IS NOT NULL AND json_extract(p.finding, '$.against') <> ${saidBy(sql`json_extract(p.finding, '$.conflicts')`)})
		END AS stale,
		(SELECT count(*) FROM proposals o WHERE o.text_hash = p.text_hash AND o.id <> p.id AND o.status = 'pending')
		+ (SELECT count(*) FROM memory_entries m WHERE m.hash = p.text_hash AND m.live = 1
			AND m.id IS NOT json_extract(p.operation, '$.entryId')) AS same
	FROM proposals p LEFT JOIN memory_entries e ON e.id = json_extract(p.operation, '$.entryId')
		LEFT JOIN skills s ON s.name = json_extract(p.operation, '$.name')`;

/** `rest`: from WHERE on; the row is `p`. */
export function readProposal(db: ReadDb, rest: Query): StoredProposal | undefined {
	const row = get<Row>(db, sql`${SELECT} ${rest}`);
	return row && storedOf(row);
}

export function readProposals(db: ReadDb, rest: Query): StoredProposal[] {
	return all<Row>(db, sql`${SELECT} ${rest}`).map(storedOf);
}

function storedOf(row: Row): StoredProposal {
	const decision = row.decision === null ? {} : Decision.parse(JSON.parse(row.decision));
	const pending = row.status === 'pending';
	const proposal = Proposal.parse({
		id: row.id,
		operation: JSON.parse(row.operation),
		provenance: JSON.parse(row.provenance),
		label: row.label,
		rule: row.rule,
		reason: row.reason,
		...(row.session_id !== null && { sessionId: row.session_id }),
		...(row.run_id !== null && { runId: row.run_id }),
		shownHash: row.shown_hash,
		status: row.status,
		stale: pending && row.stale === 1,
		duplicates: pending ? row.folded + row.same : row.folded,
		...(row.finding !== null && { finding: JSON.parse(row.finding) }),
		...(row.snoozed_until !== null && { snoozedUntil: row.snoozed_until }),
		opened: row.opened_hash === row.shown_hash,
		...(row.folded_into !== null && { foldedInto: row.folded_into }),
		createdAt: row.created_at,
		...(row.decided_at !== null && { decidedAt: row.decided_at }),
		...(decision.receipt && { receipt: decision.receipt }),
		...(decision.reason !== undefined && { rejection: decision.reason }),
	});
	const state: ProposalState = {
		kind: proposal.operation.kind,
		status: proposal.status,
		shownHash: proposal.shownHash,
		stale: proposal.stale,
		todo: row.todo as ProposalState['todo'],
		changed: changedSomething(decision.receipt),
		attempt: row.attempt,
		outside: joinLabels(proposal.label, proposal.provenance.origin) === 'external',
		openedHash: row.opened_hash,
		snoozedUntil: row.snoozed_until,
	};
	return { proposal, state, decision };
}

/** There is something to be taken back. */
export function changedSomething(receipt: ProposalReceipt | undefined): boolean {
	return receipt !== undefined && receipt.outcome !== 'held' && receipt.outcome !== 'noted';
}
