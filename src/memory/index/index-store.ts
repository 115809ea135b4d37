import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { asStorageError } from '../../db/errors.ts';
import { identityOf } from '../../db/place.ts';
import { transact } from '../../db/transact.ts';
import type { LedgerUnit } from './ledger-units.ts';
import { SignTable } from './sign-table.ts';
import { countMatches, countUnits, datedRange, dropUnit, knownUnits, listPeople, putUnit, unitsOfHashes } from './unit-store.ts';
import {
	attachVectors,
	copyVectors,
	detachAll,
	detachUnit,
	findVector,
	type IndexedModel,
	lastSlot,
	takeModel as markModel,
	modelInUse,
	modelNamed,
	putVector,
	type StoredVector,
	slotsOf,
	sweepVectors,
} from './vector-store.ts';

/** Vectors kept although no entry has them: an undo, or the former model chosen again, then costs nothing. */
const KEPT_VECTORS = 20_000;

export interface EmbeddedUnit {
	readonly id: number;
	readonly hash: string;
	readonly windows: readonly { readonly textHash: string; readonly vector: ArrayLike<number>; readonly bytes: Uint8Array }[];
}

interface Counts {
	readonly done: number;
	readonly waiting: number;
}

/** One open index file, with what of it is held in memory. Throws what SQLite throws; `isDamage` then means: build anew. */
export class IndexStore {
	readonly db: WriteDb;
	readonly file: string;
	/** Grows with each change of the units: what was derived from them is stale. */
	version = 0;
	readonly #identity: string | undefined;
	#signs: SignTable | undefined;
	#counts: Counts;
	#years: { version: number; years: readonly number[] } | undefined;
	#frequencies = { version: -1, known: new Map<string, number>() };
	#people: { version: number; names: readonly string[] } | undefined;

	constructor(db: WriteDb, file: string) {
		this.db = db;
		this.file = file;
		this.#counts = countUnits(db);
		this.#identity = file === ':memory:' ? undefined : identityOf(file);
	}

	get read(): ReadDb {
		return this.db;
	}

	/** Entries in it, and those of them that wait for vectors. */
	counts(): Counts {
		return this.#counts;
	}

	/** False once somebody deleted or replaced the file. */
	isInPlace(): boolean {
		return this.#identity === undefined || identityOf(this.file) === this.#identity;
	}

	/** Brings these units to what the ledger has: `units` are those that are to be found, any other of `ids` is not. */
	apply(ids: readonly number[], units: readonly LedgerUnit[]): void {
		this.#write((tx) => {
			const known = new Map(knownUnits(tx, ids).map((key) => [key.id, key]));
			const wanted = new Map(units.map((unit) => [unit.id, unit]));
			const freed: number[] = [];
			let { done, waiting } = this.#counts;
			for (const id of ids) {
				const before = known.get(id);
				const unit = wanted.get(id);
				const isSame = before && unit && before.hash === unit.hash && before.heading === unit.heading;
				if (before && !isSame) {
					freed.push(...slotsOf(tx, id));
					detachUnit(tx, id);
				}
				if (unit) putUnit(tx, unit);
				else dropUnit(tx, id);
				done += Number(unit !== undefined) - Number(before !== undefined);
				waiting += Number(unit !== undefined && (isSame ? before.waits === 1 : true)) - (before?.waits ?? 0);
			}
			this.#renew(tx, freed);
			return { done, waiting };
		});
		this.version++;
	}

	/** The vectors of these units, made by `model`. Units that changed meanwhile are left out. */
	attach(model: number, dims: number, embedded: readonly EmbeddedUnit[]): void {
		this.#write((tx) => {
			const signs = this.signs(dims);
			let { waiting } = this.#counts;
			for (const { id, hash, windows } of embedded) {
				const slots = windows.map(({ textHash, bytes }) => putVector(tx, model, textHash, bytes));
				if (!attachVectors(tx, id, hash, model, slots)) continue;
				waiting--;
				slots.forEach((slot, number) => {
					signs.renew(slot, windows[number]?.vector);
				});
			}
			signs.save(tx);
			return { done: this.#counts.done, waiting };
		});
	}

	/** Makes this the model whose vectors units have: those of another one are taken off. Returns its number. */
	takeModel(name: string, dims: number): number {
		const before = this.model();
		if (before?.name === name && before.dims === dims) return before.id;
		let number = 0;
		this.#write((tx) => {
			if (before) detachAll(tx);
			number = markModel(tx, name, dims);
			return { done: this.#counts.done, waiting: this.#counts.done };
		});
		this.#signs = undefined;
		return number;
	}

	model(): IndexedModel | undefined {
		return modelInUse(this.db);
	}

	modelNamed(name: string): IndexedModel | undefined {
		return modelNamed(this.db, name);
	}

	/** Takes over vectors of another index, so that they need not be made again; returns where to go on, undefined at the end. */
	copyVectors(from: IndexStore, after: number, limit: number): number | undefined {
		let last: number | undefined;
		this.#write((tx) => {
			last = copyVectors(tx, from.read, after, limit);
			return undefined;
		});
		return last;
	}

	vectorOf(model: number, textHash: string): StoredVector | undefined {
		return findVector(this.db, model, textHash);
	}

	signs(dims: number): SignTable {
		this.#signs ??= new SignTable(this.db, dims);
		return this.#signs;
	}

	get signBytes(): number {
		return this.#signs?.bytes ?? 0;
	}

	/** Removes every unit with one of these hashes, and its vectors from the cache, so that no file of the index holds the text. */
	purge(hashes: readonly string[]): number[] {
		const ids = unitsOfHashes(this.db, hashes);
		this.#write((tx) => {
			const freed = ids.flatMap((id) => slotsOf(tx, id));
			for (const id of ids) dropUnit(tx, id);
			this.#renew(tx, freed);
			// The cache does not know whose a vector was once: all that nobody has goes.
			sweepVectors(tx, 0);
			return countUnits(tx);
		});
		this.version++;
		this.emptyLog();
		return ids;
	}

	/** Where many vectors belong to no entry any more, lets go of the oldest of them. */
	sweep(): void {
		if (lastSlot(this.db) < this.#counts.done * 1.5 + KEPT_VECTORS) return;
		this.#write((tx) => {
			sweepVectors(tx, KEPT_VECTORS);
			return undefined;
		});
	}

	people(): readonly string[] {
		if (this.#people?.version !== this.version) this.#people = { version: this.version, names: listPeople(this.db) };
		return this.#people.names;
	}

	/** Years that entries are from, the latest first: a day without a year is of one of them. */
	years(): readonly number[] {
		if (this.#years?.version !== this.version) {
			const { first, last } = datedRange(this.db);
			const years: number[] = [];
			for (let year = new Date(last).getFullYear(); year >= new Date(first).getFullYear() && years.length < 20; year--) years.push(year);
			this.#years = { version: this.version, years };
		}
		return this.#years.years;
	}

	/** How many entries hold what FTS5 is asked for. */
	frequency(match: string): number {
		if (this.#frequencies.version !== this.version) this.#frequencies = { version: this.version, known: new Map() };
		const { known } = this.#frequencies;
		const found = known.get(match) ?? countMatches(this.db, match);
		if (known.size < 2000) known.set(match, found);
		return found;
	}

	detachModel(): void {
		this.#write((tx) => {
			detachAll(tx);
			return { done: this.#counts.done, waiting: this.#counts.done };
		});
		this.#signs = undefined;
	}

	/** All of the write-ahead log goes into the database, and the log is emptied: it holds old pages otherwise. */
	emptyLog(): void {
		this.db.pragma('wal_checkpoint(TRUNCATE)');
	}

	close(): void {
		if (this.db.open) this.db.close();
	}

	#renew(tx: WriteDb, slots: readonly number[]): void {
		if (slots.length === 0) return;
		const dims = this.model()?.dims;
		if (dims === undefined) return;
		const signs = this.signs(dims);
		for (const slot of slots) signs.renew(slot);
		signs.save(tx);
	}

	/** Runs it in one transaction. It returns the counts where they changed. */
	#write(change: (tx: WriteDb) => Counts | undefined): void {
		try {
			const counts = transact(this.db, () => change(this.db));
			if (counts) this.#counts = counts;
		} catch (error) {
			// What is in memory may be ahead of what was rolled back.
			this.#signs = undefined;
			throw asStorageError(error);
		}
	}
}
