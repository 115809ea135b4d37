import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, run, sql, value } from '../../db/sql.ts';

/** An entry as search finds it. */
export interface Unit {
	readonly id: number;
	readonly hash: string;
	readonly body: string;
	readonly heading: string;
	readonly dated: number;
	readonly speaker: string | null;
	readonly firstPerson: boolean;
}

/** Adds the unit, or renews it. Where its words changed, it waits for new vectors; the old ones are for the caller to take off. */
export function putUnit(db: WriteDb, unit: Unit): void {
	run(
		db,
		sql`INSERT INTO units (id, hash, body, heading, dated, speaker, first_person, model)
			VALUES (${unit.id}, ${unit.hash}, ${unit.body}, ${unit.heading}, ${unit.dated}, ${unit.speaker}, ${unit.firstPerson}, NULL)
			ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, body = excluded.body, heading = excluded.heading, dated = excluded.dated,
				speaker = excluded.speaker, first_person = excluded.first_person,
				model = CASE WHEN hash = excluded.hash AND heading = excluded.heading THEN model END`,
	);
}

/** Removes the unit; false where there was none. */
export function dropUnit(db: WriteDb, id: number): boolean {
	return run(db, sql`DELETE FROM units WHERE id = ${id}`) > 0;
}

export function unitsOfHashes(db: ReadDb, hashes: readonly string[]): number[] {
	return all<{ id: number }>(db, sql`SELECT id FROM units WHERE hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`).map(
		({ id }) => id,
	);
}

/** What tells whether a unit is as the ledger has it. */
export interface UnitKey {
	readonly id: number;
	readonly hash: string;
	readonly heading: string;
	readonly dated: number;
}

export interface KnownUnit extends UnitKey {
	/** 1: it has no vectors. */
	readonly waits: 0 | 1;
}

export function unitKeys(db: ReadDb, after: number, limit: number): UnitKey[] {
	return all<UnitKey>(db, sql`SELECT id, hash, heading, dated FROM units WHERE id > ${after} ORDER BY id LIMIT ${limit}`);
}

export function knownUnits(db: ReadDb, ids: readonly number[]): KnownUnit[] {
	return all<KnownUnit>(
		db,
		sql`SELECT id, hash, heading, dated, model IS NULL AS waits FROM units WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
	);
}

export function countUnits(db: ReadDb): { done: number; waiting: number } {
	return {
		done: value<number>(db, sql`SELECT count(*) FROM units`) ?? 0,
		waiting: value<number>(db, sql`SELECT count(*) FROM units INDEXED BY units_waiting WHERE model IS NULL`) ?? 0,
	};
}

export function datedRange(db: ReadDb): { first: number; last: number } {
	const first = value<number>(db, sql`SELECT dated FROM units ORDER BY dated LIMIT 1`) ?? 0;
	return { first, last: value<number>(db, sql`SELECT dated FROM units ORDER BY dated DESC LIMIT 1`) ?? first };
}

/** How many units hold what FTS5 is asked for. */
export function countMatches(db: ReadDb, match: string): number {
	return value<number>(db, sql`SELECT count(*) FROM words WHERE words MATCH ${match}`) ?? 0;
}

/** Names in front of enough entries, in some of which they speak of themselves: people, rather than labels such as "Price:". */
export function listPeople(db: ReadDb): string[] {
	return all<{ speaker: string }>(
		db,
		sql`SELECT speaker FROM units WHERE speaker IS NOT NULL
			GROUP BY speaker HAVING count(*) >= 3 AND sum(first_person) * 5 >= count(*) ORDER BY count(*) DESC LIMIT 500`,
	).map(({ speaker }) => speaker);
}

/** Entries that wait for vectors, the newest first: what was just written is asked for soonest. */
export function waitingUnits(db: ReadDb, limit: number): { id: number; hash: string }[] {
	return all(db, sql`SELECT id, hash FROM units INDEXED BY units_waiting WHERE model IS NULL ORDER BY id DESC LIMIT ${limit}`);
}
