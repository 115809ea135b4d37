import type { ReadDb } from '../../db/brands.ts';
import type { IndexStore } from './index-store.ts';
import { ledgerKeys } from './ledger-units.ts';
import { type UnitKey, unitKeys } from './unit-store.ts';

const SLICE = 4000;

export interface Difference {
	/** In the ledger, and not in the index as the ledger has it. */
	readonly missing: number[];
	/** In the index only. */
	readonly ghosts: number[];
}

/** What differs between ledger and index, found slice by slice, so that other work goes on in between. */
export function* compare(read: ReadDb, store: IndexStore): Generator<Difference, void> {
	for (let after = 0; ; ) {
		const wanted = ledgerKeys(read, after, SLICE);
		const last = wanted.length < SLICE ? Number.MAX_SAFE_INTEGER : (wanted.at(-1)?.id ?? Number.MAX_SAFE_INTEGER);
		const known = new Map<number, UnitKey>();
		for (let from = after; ; ) {
			const keys = unitKeys(store.read, from, SLICE).filter(({ id }) => id <= last);
			for (const key of keys) known.set(key.id, key);
			if (keys.length < SLICE) break;
			from = keys.at(-1)?.id ?? last;
		}
		const missing: number[] = [];
		for (const key of wanted) {
			const unit = known.get(key.id);
			if (unit?.hash !== key.hash || unit.heading !== key.heading || unit.dated !== key.dated) missing.push(key.id);
			known.delete(key.id);
		}
		yield { missing, ghosts: [...known.keys()] };
		if (last === Number.MAX_SAFE_INTEGER) return;
		after = last;
	}
}
