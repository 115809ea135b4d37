import type { ReadDb, WriteDb } from '../db/brands.ts';
import { FORGOTTEN } from '../db/needle.ts';
import { all, run, sql, value } from '../db/sql.ts';
import { type EntryId, type ProposalId, Provenance } from '../domain/memory.ts';
import { FindingInfo, ProposalOperation } from '../domain/proposal.ts';
import { Decision } from './proposal-row.ts';

interface Row {
	rowid: number;
	operation: string;
	provenance: string;
	/** Null: it waits. */
	decision: string | null;
	finding: string | null;
}

/** Letters and digits of the shortest words that are looked for everywhere: fewer stand in what has nothing to do with it. */
const LEAST_TELLING = 12;

/** What these entries came of: in an older back-up it may still be waiting. */
export function proposalsBehind(db: ReadDb, entryIds: readonly EntryId[]): ProposalId[] {
	return all<{ id: ProposalId }>(
		db,
		sql`SELECT id FROM proposals WHERE json_extract(decision, '$.receipt.entryId') IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`,
	).map(({ id }) => id);
}

/**
 * What findings said before they became these entries: as they were proposed, and what they rest on. It stands in items, in what looks were
 * given, and in back-ups of all that. Not what another entry says, nor what another finding that was not turned down rests on.
 */
export function wordsBehind(db: ReadDb, entryIds: readonly EntryId[]): string[] {
	const ids = JSON.stringify(proposalsBehind(db, entryIds));
	return all<{ said: string }>(
		db,
		sql`WITH behind AS (SELECT operation, finding FROM proposals WHERE finding IS NOT NULL AND id IN (SELECT value FROM json_each(${ids}))),
			words AS (SELECT json_extract(operation, '$.text') AS said FROM behind
				UNION SELECT json_extract(q.value, '$.quote') FROM behind, json_each(finding, '$.quotes') q)
		SELECT said FROM words WHERE said IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM memory_entries e WHERE e.live = 1 AND instr(e.text, said) > 0
				AND e.id NOT IN (SELECT value FROM json_each(${JSON.stringify(entryIds)})))
			AND NOT EXISTS (SELECT 1 FROM proposals p, json_each(p.finding, '$.quotes') q WHERE p.status <> 'rejected'
				AND p.id NOT IN (SELECT value FROM json_each(${ids})) AND json_extract(q.value, '$.quote') = said)`,
	)
		.map(({ said }) => said)
		.filter((said) => said !== FORGOTTEN && (said.match(/[\p{L}\p{N}]/gu) ?? []).length >= LEAST_TELLING);
}

/**
 * What came to be entries that are being forgotten, in the same transaction: it keeps that it was decided, by whom and from where, and none of its
 * words. They need not be the entry's own: the owner may have edited them, and a quote says the same in other words. Also in a back-up from before
 * it was decided, or from before there were findings, or proposals. `withoutWords`: as the ledger has it.
 */
export function emptyProposals(db: WriteDb, ids: readonly ProposalId[], withoutWords: (provenance: Provenance) => Provenance): void {
	const columns = value<string>(db, sql`SELECT group_concat(name) FROM pragma_table_info('proposals')`)?.split(',') ?? [];
	if (!columns.includes('decision')) return;
	const hasFindings = columns.includes('finding');
	const rows = all<Row>(
		db,
		sql`SELECT rowid, operation, provenance, decision, ${hasFindings ? sql`finding` : sql`NULL AS finding`} FROM proposals
			WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
	);
	for (const { rowid, ...row } of rows) {
		const operation = ProposalOperation.parse(JSON.parse(row.operation));
		const emptied = operation.kind === 'forget' || operation.text === null ? operation : { ...operation, text: FORGOTTEN };
		run(
			db,
			sql`UPDATE proposals SET operation = ${JSON.stringify(emptied)}, decision = ${emptiedDecision(row.decision)}, reason = ${FORGOTTEN},
				provenance = ${JSON.stringify(withoutWords(Provenance.parse(JSON.parse(row.provenance))))}, text_hash = NULL WHERE rowid = ${rowid}`,
		);
		if (row.finding !== null)
			run(db, sql`UPDATE proposals SET finding = ${JSON.stringify(withoutQuotes(row.finding))} WHERE rowid = ${rowid}`);
	}
}

function emptiedDecision(json: string | null): string | null {
	if (json === null) return null;
	const { edited, ...decision } = Decision.parse(JSON.parse(json));
	return JSON.stringify({ ...decision, ...(edited !== undefined && { edited: FORGOTTEN }) });
}

function withoutQuotes(json: string): FindingInfo {
	const finding = FindingInfo.parse(JSON.parse(json));
	return { ...finding, quotes: finding.quotes.map((quote) => ({ ...quote, quote: FORGOTTEN })) };
}
