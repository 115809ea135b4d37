import type { IndexStore } from '../index/index-store.ts';
import { toBytes } from '../index/quantise.ts';
import { similarities } from '../index/vector-store.ts';
import type { Allowed } from './candidates.ts';

/** Signs only estimate: at least so many are looked at, and so many for each one that is taken. */
const LOOKED_AT = 300;
const OVERSAMPLING = 3;

/**
 * The units nearest in meaning, nearest first, with their cosine similarity, in two stages: a scan of all signs in memory names more than
 * are wanted, and sqlite-vec compares those by their stored bytes.
 */
export function nearestUnits(store: IndexStore, vector: Float32Array, count: number, allowed?: Allowed): Map<number, number> {
	const units = store.signs(vector.length).nearest(vector, Math.max(LOOKED_AT, count * OVERSAMPLING), allowed);
	const compared = [...similarities(store.read, units, toBytes(vector))].sort((a, b) => b[1] - a[1]);
	return new Map(compared.slice(0, count));
}
