import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { scanSigns, signBytes, toSigns } from './quantise.ts';
import { putSignBlock, readSignBlocks, unitsOfSlot } from './vector-store.ts';

const BLOCK = 256;
/** Several units have this slot: ask the database whose it is. */
const SHARED = -1;

/**
 * The signs of all attached vectors, in memory: 52 bytes each at 384 numbers. Row = slot. Kept in the database in blocks, read at first use;
 * a change is in memory at once and in the database with `save`, inside the transaction that changed the vectors.
 */
export class SignTable {
	readonly #db: ReadDb;
	readonly #width: number;
	#signs = new Uint8Array(0);
	/** The unit of each slot; 0: none. */
	#units = new Int32Array(0);
	#rows = 0;
	readonly #changed = new Set<number>();

	constructor(db: ReadDb, dims: number) {
		this.#db = db;
		this.#width = signBytes(dims);
		const blocks = readSignBlocks(db);
		this.#grow(((blocks.at(-1)?.block ?? -1) + 1) * BLOCK);
		for (const { block, signs, units } of blocks) {
			if (signs.byteLength !== BLOCK * this.#width || units.byteLength !== BLOCK * 4) continue;
			this.#signs.set(signs, block * BLOCK * this.#width);
			this.#units.set(new Int32Array(units.buffer.slice(units.byteOffset, units.byteOffset + units.byteLength)), block * BLOCK);
		}
	}

	get bytes(): number {
		return this.#signs.byteLength + this.#units.byteLength;
	}

	/** Notes who has the slot now, by the database. `vector`: its numbers, where it may be new. */
	renew(slot: number, vector?: ArrayLike<number>): void {
		this.#grow(slot + 1);
		const owners = unitsOfSlot(this.#db, slot);
		this.#units[slot] = owners.length > 1 ? SHARED : (owners[0] ?? 0);
		if (vector) toSigns(vector, this.#signs, slot * this.#width);
		if (owners.length === 0) this.#signs.fill(0, slot * this.#width, (slot + 1) * this.#width);
		this.#changed.add(Math.floor(slot / BLOCK));
	}

	save(tx: WriteDb): void {
		for (const block of this.#changed) {
			const units = this.#units.slice(block * BLOCK, (block + 1) * BLOCK);
			putSignBlock(tx, {
				block,
				signs: this.#signs.slice(block * BLOCK * this.#width, (block + 1) * BLOCK * this.#width),
				units: new Uint8Array(units.buffer),
			});
		}
		this.#changed.clear();
	}

	/** Units near the query, roughly in order; `similarities` tells how near. `allowed`: which units may be found. */
	nearest(query: Float32Array, count: number, allowed?: (unit: number) => boolean): number[] {
		const units = this.#units;
		const wanted = (row: number): boolean => {
			const unit = units[row] as number;
			return unit !== 0 && (unit === SHARED || !allowed || allowed(unit));
		};
		const slots = scanSigns(this.#signs, this.#width, this.#rows, query, count, wanted);
		const found = new Set<number>();
		for (const slot of slots) {
			const unit = units[slot] as number;
			for (const one of unit === SHARED ? unitsOfSlot(this.#db, slot) : [unit]) if (!allowed || allowed(one)) found.add(one);
		}
		return [...found];
	}

	#grow(rows: number): void {
		if (rows <= this.#rows) return;
		const room = this.#units.length >= rows ? this.#units.length : Math.ceil(Math.max(rows, this.#units.length * 1.5) / BLOCK) * BLOCK;
		if (room > this.#units.length) {
			const signs = new Uint8Array(room * this.#width);
			signs.set(this.#signs);
			const units = new Int32Array(room);
			units.set(this.#units);
			this.#signs = signs;
			this.#units = units;
		}
		this.#rows = rows;
	}
}
