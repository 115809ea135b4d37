import type { WriteDb } from '../db/brands.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { newAuditEntry } from './audit-entries.ts';
import { AUDIT_RULES } from './audit-rules.ts';
import { blankDetail } from './audit-store.ts';

export type AppendRecords = (tx: WriteDb, entries: readonly AuditEntry[]) => void;

/** Most runs of numbers that one record names. */
const MOST_RANGES = 500;

/**
 * M4: the details of these records go, and a record says of which. In the transaction in which the text leaves the rest of the database.
 * `append`: of the log whose rows they are.
 */
export function forgetDetails(tx: WriteDb, seqs: readonly number[], append: (tx: WriteDb, entries: readonly AuditEntry[]) => void): void {
	if (seqs.length === 0) return;
	for (const seq of seqs) blankDetail(tx, seq);
	const ranges = rangesOf(seqs);
	for (let at = 0; at < ranges.length; at += MOST_RANGES) append(tx, [forgottenEntry(ranges.slice(at, at + MOST_RANGES))]);
}

/** Says nothing in words: they could be the very ones that are being forgotten. */
function forgottenEntry(blanked: [number, number][]): AuditEntry {
	return newAuditEntry({
		sink: 'audit',
		decision: 'forgotten',
		rule: AUDIT_RULES.forgotten,
		label: 'owner',
		blanked,
		detail: { from: '', to: '', reason: '' },
	});
}

/** First and last of each run of numbers without a gap. */
function rangesOf(seqs: readonly number[]): [number, number][] {
	const ranges: [number, number][] = [];
	for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
		const last = ranges.at(-1);
		if (last && last[1] === seq - 1) last[1] = seq;
		else ranges.push([seq, seq]);
	}
	return ranges;
}
