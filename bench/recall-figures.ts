import type { SearchMode } from '../src/domain/memory.ts';

export const MODES = ['hybrid', 'keyword', 'vector'] as const satisfies readonly SearchMode[];
/** Of LoCoMo, by number. */
export const CATEGORIES: Readonly<Record<number, string>> = {
	1: 'multi_hop',
	2: 'temporal',
	3: 'open_domain',
	4: 'single_hop',
	5: 'adversarial',
};
const ADVERSARIAL = 5;
/** Hits asked for. */
export const DEPTH = 50;

interface Sums {
	count: number;
	r5: number;
	r10: number;
	r20: number;
	mrr: number;
}

/** Gathers how much of the evidence is among the first 5, 10 and 20 hits, and how high the first of it stands. */
export class RecallFigures {
	readonly #sums = new Map<string, Sums>();

	/** `found`: hits in order. Evidence in no hit at all counts as not found. */
	add(mode: SearchMode, category: number, found: readonly string[], evidence: readonly string[]): void {
		const wanted = new Set(evidence);
		const within = (depth: number) => found.slice(0, depth).filter((id) => wanted.has(id)).length / wanted.size;
		const first = found.slice(0, DEPTH).findIndex((id) => wanted.has(id));
		// Questions put to the wrong person have no right answer: they stand apart.
		for (const group of [CATEGORIES[category] ?? `category_${category}`, ...(category === ADVERSARIAL ? [] : ['all'])]) {
			const key = `${mode} ${group}`;
			const sums = this.#sums.get(key) ?? { count: 0, r5: 0, r10: 0, r20: 0, mrr: 0 };
			this.#sums.set(key, sums);
			sums.count++;
			sums.r5 += within(5);
			sums.r10 += within(10);
			sums.r20 += within(20);
			sums.mrr += first < 0 ? 0 : 1 / (first + 1);
		}
	}

	/** In percent; null where there was no such question. */
	result(): Record<string, Record<string, Record<string, number | null>>> {
		const of = (mode: SearchMode, group: string, names: readonly (keyof Sums)[]) => {
			const sums = this.#sums.get(`${mode} ${group}`);
			return Object.fromEntries(names.map((name) => [name, sums ? Math.round((1000 * sums[name]) / sums.count) / 10 : null]));
		};
		return Object.fromEntries(
			MODES.map((mode) => [
				mode,
				{
					all: of(mode, 'all', ['r5', 'r10', 'r20', 'mrr']),
					...Object.fromEntries(
						['single_hop', 'multi_hop', 'temporal', 'open_domain', 'adversarial'].map((group) => [group, of(mode, group, ['r5', 'r10'])]),
					),
				},
			]),
		);
	}
}
