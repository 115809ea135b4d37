import { z } from 'zod';
import type { ReadDb } from '../../db/brands.ts';
import { all, type Query, sql } from '../../db/sql.ts';

/** What ranking needs of the ledger, read at the time of the search: a hit is never older than the ledger (mem-3). */

export interface CandidateRow {
	readonly rowid: number;
	readonly id: string;
	readonly hash: string;
	readonly rank: string;
	readonly position: number;
	readonly kind: string;
	readonly heading_path: string;
	readonly text: string;
	readonly dated: number;
	readonly superseded_by: string | null;
	readonly valid_from: number | null;
	readonly valid_until: number | null;
}

const COLUMNS = sql`e.rowid, e.id, e.hash, e.rank, e.position, e.kind, e.heading_path, e.text, e.dated, e.superseded_by, e.valid_from, e.valid_until`;

export function candidateRows(read: ReadDb, rowids: Iterable<number>): CandidateRow[] {
	return all<CandidateRow>(
		read,
		sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify([...rowids])}) i CROSS JOIN memory_entries e ON e.rowid = i.value
			WHERE e.live = 1 AND e.quarantined = 0`,
	);
}

/** The entries right before and after these, in the same file. */
export function neighbourRows(read: ReadDb, rows: readonly CandidateRow[]): CandidateRow[] {
	const known = new Set(rows.map(({ rank, position }) => `${position} ${rank}`));
	const places: [string, number][] = [];
	for (const { rank, position } of rows) {
		for (const beside of [position - 1, position + 1]) {
			const key = `${beside} ${rank}`;
			if (known.has(key)) continue;
			known.add(key);
			places.push([rank, beside]);
		}
	}
	return all<CandidateRow>(
		read,
		sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(places)}) p
			CROSS JOIN memory_entries e ON e.rank = p.value ->> 0 AND e.position = p.value ->> 1 WHERE e.live = 1 AND e.quarantined = 0`,
	);
}

/** What superseded these, at the end of each chain. */
export function successorRows(read: ReadDb, rows: readonly CandidateRow[]): CandidateRow[] {
	const ids = rows.flatMap(({ superseded_by }) => (superseded_by === null ? [] : [superseded_by]));
	if (ids.length === 0) return [];
	return all<CandidateRow>(
		read,
		sql`WITH RECURSIVE later (id) AS (
				SELECT value FROM json_each(${JSON.stringify(ids)})
				UNION SELECT s.superseded_by FROM later l JOIN memory_entries s ON s.id = l.id WHERE s.superseded_by IS NOT NULL
			)
			SELECT ${COLUMNS} FROM later l CROSS JOIN memory_entries e ON e.id = l.id WHERE e.live = 1 AND e.quarantined = 0`,
	);
}

export function allowedRowids(read: ReadDb, conditions: Query): number[] {
	return all<{ rowid: number }>(read, sql`SELECT rowid FROM memory_entries WHERE live = 1 AND quarantined = 0 AND ${conditions}`).map(
		({ rowid }) => rowid,
	);
}

const HeadingPath = z.array(z.string());

export function headingsOf(row: CandidateRow): string[] {
	return row.heading_path === '[]' ? [] : HeadingPath.parse(JSON.parse(row.heading_path));
}
