/**
 * Vectors made small (docs/retrieval.md). A sign per number finds the nearest few hundred in memory; one byte per number, read from the
 * database, then puts those in order. Cosine similarity does not change with length, so each vector has a scale of its own.
 */

/** One byte a number, -127 to 127. */
export function toBytes(vector: Float32Array): Int8Array {
	let largest = 0;
	for (const number of vector) largest = Math.max(largest, Math.abs(number));
	const bytes = new Int8Array(vector.length);
	if (largest === 0) return bytes;
	const scale = 127 / largest;
	vector.forEach((number, index) => {
		bytes[index] = Math.round(number * scale);
	});
	return bytes;
}

/** Bytes of the signs of a vector of `dims` numbers: a multiple of four, filled up with zeros. */
export function signBytes(dims: number): number {
	return Math.ceil(dims / 32) * 4;
}

/** One bit a number, set where it is above zero; the lowest bit of a byte is its first number. */
export function toSigns(vector: ArrayLike<number>, into: Uint8Array, at: number): void {
	const length = signBytes(vector.length);
	for (let byte = 0; byte < length; byte++) {
		let bits = 0;
		for (let bit = 0; bit < 8; bit++) if ((vector[byte * 8 + bit] ?? 0) > 0) bits |= 1 << bit;
		into[at + byte] = bits;
	}
}

/**
 * What each possible byte of signs adds to the inner product of the query with a vector of ±1: 256 sums for each byte. The query keeps its
 * full precision, which finds more of the true neighbours than comparing signs with signs (99 % instead of 97 % of the nearest 20).
 */
export function signTable(query: Float32Array): Float32Array {
	const bytes = signBytes(query.length);
	const table = new Float32Array(bytes * 256);
	for (let byte = 0; byte < bytes; byte++) {
		let base = 0;
		for (let bit = 0; bit < 8; bit++) base -= query[byte * 8 + bit] ?? 0;
		table[byte * 256] = base;
		for (let value = 1; value < 256; value++) {
			const lowest = 31 - Math.clz32(value & -value);
			table[byte * 256 + value] = (table[byte * 256 + (value & (value - 1))] ?? 0) + 2 * (query[byte * 8 + lowest] ?? 0);
		}
	}
	return table;
}

/** The `count` best of `signs` (rows of `width` bytes) for which `wanted` is set, best first. Rows are numbered from 0. */
export function scanSigns(
	signs: Uint8Array,
	width: number,
	rows: number,
	query: Float32Array,
	count: number,
	wanted: (row: number) => boolean,
): number[] {
	const table = signTable(query);
	const best = new Best(count);
	for (let row = 0, at = 0; row < rows; row++, at += width) {
		// Four sums side by side: one alone would wait for each addition before the next, which takes three times as long.
		let a = 0;
		let b = 0;
		let c = 0;
		let d = 0;
		for (let byte = at, base = 0; byte < at + width; byte += 4, base += 1024) {
			a += table[base + (signs[byte] as number)] as number;
			b += table[base + 256 + (signs[byte + 1] as number)] as number;
			c += table[base + 512 + (signs[byte + 2] as number)] as number;
			d += table[base + 768 + (signs[byte + 3] as number)] as number;
		}
		const sum = a + b + c + d;
		if (sum > best.worst && wanted(row)) best.offer(row, sum);
	}
	return best.inOrder();
}

/** Keeps the best few of many: a heap with the worst of them on top. */
export class Best {
	/** What the next one has to beat. */
	worst = -Infinity;
	readonly #count: number;
	readonly #rows: number[] = [];
	readonly #scores: number[] = [];

	constructor(count: number) {
		this.#count = count;
	}

	offer(row: number, score: number): void {
		if (this.#count === 0 || score <= this.worst) return;
		if (this.#rows.length < this.#count) {
			this.#rows.push(row);
			this.#scores.push(score);
			this.#rise(this.#rows.length - 1);
		} else {
			this.#rows[0] = row;
			this.#scores[0] = score;
			this.#sink();
		}
		if (this.#rows.length === this.#count) this.worst = this.#scores[0] as number;
	}

	inOrder(): number[] {
		return this.#rows
			.map((row, index) => ({ row, score: this.#scores[index] as number }))
			.sort((a, b) => b.score - a.score || a.row - b.row)
			.map(({ row }) => row);
	}

	#rise(from: number): void {
		for (let at = from; at > 0; ) {
			const parent = (at - 1) >> 1;
			if ((this.#scores[parent] as number) <= (this.#scores[at] as number)) return;
			this.#swap(at, parent);
			at = parent;
		}
	}

	#sink(): void {
		for (let at = 0; ; ) {
			let least = at;
			for (const child of [2 * at + 1, 2 * at + 2])
				if (child < this.#rows.length && (this.#scores[child] as number) < (this.#scores[least] as number)) least = child;
			if (least === at) return;
			this.#swap(at, least);
			at = least;
		}
	}

	#swap(a: number, b: number): void {
		[this.#rows[a], this.#rows[b]] = [this.#rows[b] as number, this.#rows[a] as number];
		[this.#scores[a], this.#scores[b]] = [this.#scores[b] as number, this.#scores[a] as number];
	}
}
