/**
 * What a text is like, in 64 bytes: the least hash of its words and pairs of words in each of 32 buckets. Two sketches say how much of two texts
 * is the same, without either.
 */
const BUCKETS = 32;
const EMPTY = 0xffff;
const WORD = /[\p{L}\p{N}]+/gu;
/** Of a long text the beginning tells enough. */
const MOST_UNITS = 20_000;

export function sketchOf(text: string): Uint8Array {
	const least = new Uint16Array(BUCKETS).fill(EMPTY);
	let before = 0;
	for (const [word] of text.slice(0, MOST_UNITS).toLowerCase().matchAll(WORD)) {
		const hash = hashOf(word);
		put(least, hash);
		put(least, mixed(hash ^ Math.imul(before, 0x85ebca6b)));
		before = hash;
	}
	return new Uint8Array(least.buffer);
}

/** About the share of words and pairs that both texts have, of those that either has: 0 to 1, give or take 0.1. */
export function likeness(a: Uint8Array, b: Uint8Array): number {
	if (a.length !== b.length) return 0;
	let same = 0;
	let either = 0;
	for (let at = 0; at < a.length; at += 2) {
		const [one, other] = [unit(a, at), unit(b, at)];
		if (one === EMPTY && other === EMPTY) continue;
		either += 1;
		if (one === other) same += 1;
	}
	return either === 0 ? 1 : same / either;
}

function unit(bytes: Uint8Array, at: number): number {
	return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function put(least: Uint16Array, hash: number): void {
	const bucket = hash & (BUCKETS - 1);
	const value = (hash >>> 5) % EMPTY;
	if (value < (least[bucket] ?? EMPTY)) least[bucket] = value;
}

/** FNV-1a, mixed. */
function hashOf(word: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
	return mixed(hash);
}

function mixed(hash: number): number {
	let mix = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
	mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
	return (mix ^ (mix >>> 16)) >>> 0;
}
