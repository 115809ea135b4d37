import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, sql, value } from '../../db/sql.ts';

/** A vector in the cache: its slot, and one signed byte a number. */
export interface StoredVector {
	readonly slot: number;
	readonly bytes: Uint8Array;
}

export interface IndexedModel {
	readonly id: number;
	readonly name: string;
	readonly dims: number;
}

/** The model whose vectors units have; there is one at a time. */
export function modelInUse(db: ReadDb): IndexedModel | undefined {
	return get<IndexedModel>(db, sql`SELECT id, name, dims FROM models WHERE in_use = 1`);
}

export function modelNamed(db: ReadDb, name: string): IndexedModel | undefined {
	return get<IndexedModel>(db, sql`SELECT id, name, dims FROM models WHERE name = ${name}`);
}

/** Makes this the model in use; returns its number. */
export function takeModel(db: WriteDb, name: string, dims: number): number {
	run(db, sql`UPDATE models SET in_use = 0 WHERE in_use = 1`);
	run(
		db,
		sql`INSERT INTO models (name, dims, in_use) VALUES (${name}, ${dims}, 1) ON CONFLICT (name) DO UPDATE SET in_use = 1, dims = excluded.dims`,
	);
	return value<number>(db, sql`SELECT id FROM models WHERE name = ${name}`) as number;
}

/** Takes the vectors of all units off: another model makes new ones. They stay in the cache. */
export function detachAll(db: WriteDb): void {
	run(db, sql`UPDATE units SET model = NULL WHERE model IS NOT NULL`);
	run(db, sql`DELETE FROM windows`);
	run(db, sql`DELETE FROM sign_blocks`);
}

export function findVector(db: ReadDb, model: number, textHash: string): StoredVector | undefined {
	return get<StoredVector>(db, sql`SELECT slot, bytes FROM vectors WHERE model = ${model} AND text_hash = ${textHash}`);
}

/** Returns the slot. */
export function putVector(db: WriteDb, model: number, textHash: string, bytes: Uint8Array): number {
	run(
		db,
		sql`INSERT INTO vectors (model, text_hash, bytes) VALUES (${model}, ${textHash}, ${bytes}) ON CONFLICT (model, text_hash) DO NOTHING`,
	);
	return value<number>(db, sql`SELECT slot FROM vectors WHERE model = ${model} AND text_hash = ${textHash}`) as number;
}

export function slotsOf(db: ReadDb, unit: number): number[] {
	return all<{ slot: number }>(db, sql`SELECT slot FROM windows WHERE unit = ${unit} ORDER BY number`).map(({ slot }) => slot);
}

export function unitsOfSlot(db: ReadDb, slot: number): number[] {
	return all<{ unit: number }>(db, sql`SELECT unit FROM windows WHERE slot = ${slot}`).map(({ unit }) => unit);
}

export function detachUnit(db: WriteDb, unit: number): void {
	run(db, sql`DELETE FROM windows WHERE unit = ${unit}`);
}

/** Gives the unit these vectors; false where it is no longer what was embedded, or has its vectors. */
export function attachVectors(db: WriteDb, unit: number, unitHash: string, model: number, slots: readonly number[]): boolean {
	if (run(db, sql`UPDATE units SET model = ${model} WHERE id = ${unit} AND hash = ${unitHash} AND model IS NULL`) === 0) return false;
	detachUnit(db, unit);
	slots.forEach((slot, number) => {
		run(db, sql`INSERT INTO windows (unit, number, slot) VALUES (${unit}, ${number}, ${slot})`);
	});
	return true;
}

/** Cosine similarity of each unit with the query, of its best window; units without vectors are missing. */
export function similarities(db: ReadDb, units: readonly number[], query: Int8Array): Map<number, number> {
	const bytes = new Uint8Array(query.buffer, query.byteOffset, query.byteLength);
	const rows = all<{ unit: number; distance: number }>(
		db,
		sql`SELECT w.unit, min(vec_distance_cosine(vec_int8(v.bytes), vec_int8(${bytes}))) AS distance
			FROM json_each(${JSON.stringify(units)}) u CROSS JOIN windows w ON w.unit = u.value CROSS JOIN vectors v ON v.slot = w.slot
			GROUP BY w.unit`,
	);
	return new Map(rows.map(({ unit, distance }) => [unit, 1 - distance]));
}

export function lastSlot(db: ReadDb): number {
	return value<number>(db, sql`SELECT max(slot) FROM vectors`) ?? 0;
}

/** Deletes vectors that no unit has, but for the newest `keep`; returns their number. */
export function sweepVectors(db: WriteDb, keep: number): number {
	return run(
		db,
		sql`DELETE FROM vectors WHERE slot IN (
			SELECT slot FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM windows w WHERE w.slot = v.slot) ORDER BY slot DESC LIMIT -1 OFFSET ${keep}
		)`,
	);
}

/** Copies vectors of another index, from the slot after `after` on; returns the last one, undefined when there are no more. */
export function copyVectors(db: WriteDb, from: ReadDb, after: number, limit: number): number | undefined {
	const rows = all<{ slot: number; name: string; dims: number; text_hash: string; bytes: Uint8Array }>(
		from,
		sql`SELECT v.slot, m.name, m.dims, v.text_hash, v.bytes FROM vectors v JOIN models m ON m.id = v.model
			WHERE v.slot > ${after} ORDER BY v.slot LIMIT ${limit}`,
	);
	for (const { name, dims, text_hash, bytes } of rows) {
		const model = modelNamed(db, name)?.id ?? takeModel(db, name, dims);
		putVector(db, model, text_hash, bytes);
	}
	return rows.at(-1)?.slot;
}

export interface SignBlock {
	readonly block: number;
	readonly signs: Uint8Array;
	readonly units: Uint8Array;
}

export function readSignBlocks(db: ReadDb): SignBlock[] {
	return all<SignBlock>(db, sql`SELECT block, signs, units FROM sign_blocks ORDER BY block`);
}

export function putSignBlock(db: WriteDb, { block, signs, units }: SignBlock): void {
	run(
		db,
		sql`INSERT INTO sign_blocks (block, signs, units) VALUES (${block}, ${signs}, ${units})
			ON CONFLICT (block) DO UPDATE SET signs = excluded.signs, units = excluded.units`,
	);
}
