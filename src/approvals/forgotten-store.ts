import type { WriteDb } from '../db/brands.ts';
import { FORGOTTEN } from '../db/needle.ts';
import { all, run, sql, value } from '../db/sql.ts';
import { type EntryId, Provenance } from '../domain/memory.ts';
import { FindingInfo, ProposalOperation } from '../domain/proposal.ts';
import { Decision } from './proposal-row.ts';

interface Row {
	rowid: number;
	operation: string;
	provenance: string;
	decision: string;
	finding: string | null;
}

/**
 * These entries are being forgotten, in the same transaction: what they came of keeps that it was decided, by whom and from where, and none of its
 * words. They need not be the entry's own: the owner may have edited them, and a quote says the same in other words. Also in a back-up from before
 * there were findings, or proposals. `withoutWords`: as the ledger has it.
 */
export function emptyProposals(db: WriteDb, entryIds: readonly EntryId[], withoutWords: (provenance: Provenance) => Provenance): void {
	const columns = value<string>(db, sql`SELECT group_concat(name) FROM pragma_table_info('proposals')`)?.split(',') ?? [];
	if (!columns.includes('decision')) return;
	const hasFindings = columns.includes('finding');
	const rows = all<Row>(
		db,
		sql`SELECT rowid, operation, provenance, decision, ${hasFindings ? sql`finding` : sql`NULL AS finding`} FROM proposals
			WHERE json_extract(decision, '$.receipt.entryId') IN (SELECT value FROM json_each(${JSON.stringify(entryIds)}))`,
	);
	for (const { rowid, ...row } of rows) {
		const operation = ProposalOperation.parse(JSON.parse(row.operation));
		const emptied = operation.kind === 'forget' || operation.text === null ? operation : { ...operation, text: FORGOTTEN };
		const { edited, ...decision } = Decision.parse(JSON.parse(row.decision));
		const decided = { ...decision, ...(edited !== undefined && { edited: FORGOTTEN }) };
		run(
			db,
			sql`UPDATE proposals SET operation = ${JSON.stringify(emptied)}, decision = ${JSON.stringify(decided)}, reason = ${FORGOTTEN},
				provenance = ${JSON.stringify(withoutWords(Provenance.parse(JSON.parse(row.provenance))))}, text_hash = NULL WHERE rowid = ${rowid}`,
		);
		if (row.finding !== null)
			run(db, sql`UPDATE proposals SET finding = ${JSON.stringify(withoutQuotes(row.finding))} WHERE rowid = ${rowid}`);
	}
}

function withoutQuotes(json: string): FindingInfo {
	const finding = FindingInfo.parse(JSON.parse(json));
	return { ...finding, quotes: finding.quotes.map((quote) => ({ ...quote, quote: FORGOTTEN })) };
}
