import { z } from 'zod';
import type { ReadDb } from '../../db/brands.ts';
import { all, sql, value } from '../../db/sql.ts';
import { isFirstPerson, parseSpeaker } from '../search/speakers.ts';
import type { Unit, UnitKey } from './unit-store.ts';

/** The ledger as the index sees it: entries that are live and not quarantined. */

const HeadingPath = z.array(z.string());
const SEPARATOR = ' › ';

interface KeyRow {
	id: number;
	hash: string;
	heading_path: string;
	dated: number;
}
interface UnitRow extends KeyRow {
	text: string;
	file: string;
}

export interface LedgerUnit extends Unit {
	readonly file: string;
	readonly headingPath: readonly string[];
}

export function ledgerKeys(read: ReadDb, after: number, limit: number): UnitKey[] {
	return all<KeyRow>(
		read,
		sql`SELECT rowid AS id, hash, heading_path, dated FROM memory_entries
			WHERE rowid > ${after} AND live = 1 AND quarantined = 0 ORDER BY rowid LIMIT ${limit}`,
	).map(({ id, hash, heading_path, dated }) => ({ id, hash, dated, heading: headingOf(headings(heading_path)) }));
}

export function ledgerUnits(read: ReadDb, ids: readonly number[]): LedgerUnit[] {
	return all<UnitRow>(
		read,
		sql`SELECT e.rowid AS id, e.hash, e.text, e.file, e.heading_path, e.dated
			FROM json_each(${JSON.stringify(ids)}) i CROSS JOIN memory_entries e ON e.rowid = i.value WHERE e.live = 1 AND e.quarantined = 0`,
	).map(({ id, hash, text, file, heading_path, dated }) => {
		const headingPath = headings(heading_path);
		const { speaker } = parseSpeaker(text);
		const firstPerson = speaker !== undefined && isFirstPerson(text);
		return { id, hash, body: text, heading: headingOf(headingPath), dated, speaker: speaker ?? null, firstPerson, file, headingPath };
	});
}

export function countLedger(read: ReadDb): number {
	return value<number>(read, sql`SELECT count(*) FROM memory_entries WHERE live = 1 AND quarantined = 0`) ?? 0;
}

/** Who speaks in a file, each at least twice. */
export function speakersOf(read: ReadDb, file: string): string[] {
	const counts = new Map<string, number>();
	const rows = all<{ beginning: string }>(
		read,
		sql`SELECT substr(text, 1, 80) AS beginning FROM memory_entries WHERE live = 1 AND file = ${file} AND instr(substr(text, 1, 80), ': ') > 0 LIMIT 2000`,
	);
	for (const { beginning } of rows) {
		const { speaker } = parseSpeaker(beginning);
		if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
	}
	return [...counts].filter(([, count]) => count > 1).map(([speaker]) => speaker);
}

function headings(json: string): string[] {
	return json === '[]' ? [] : HeadingPath.parse(JSON.parse(json));
}

function headingOf(path: readonly string[]): string {
	return path.join(SEPARATOR);
}
