import type { SpendingDay } from '../../../src/contract/methods/spending.ts';
import { SPENDING_KINDS, type SpendingKind } from '../../../src/domain/spending.ts';

/** What the chart shows of each kind. */
export type Measure = 'tokens' | 'cost';

export interface ChartBar {
	/** The first of its days. */
	readonly day: string;
	/** From the foot up; kinds that used nothing are not in it. `from`, `size`: of the highest bar, 0 to 1. */
	readonly pieces: readonly { readonly kind: SpendingKind; readonly from: number; readonly size: number }[];
}

/** More bars than this are too thin to be told apart: then each stands for several days. */
const MOST_BARS = 100;
const DAY_MS = 86_400_000;

/** Bars for all days from `from` to `today`, also those on which nothing was used; and the most of one bar. Pure. */
export function chartDays(
	days: readonly SpendingDay[],
	from: string,
	today: string,
	measure: Measure,
): { bars: ChartBar[]; most: number; daysEach: number } {
	const start = Date.parse(from);
	const count = Math.round((Date.parse(today) - start) / DAY_MS) + 1;
	const daysEach = Math.ceil(count / MOST_BARS);
	const sums = Array.from({ length: Math.ceil(count / daysEach) }, () => new Map<SpendingKind, number>());
	for (const { day, kinds } of days) {
		const sum = sums[Math.floor((Date.parse(day) - start) / DAY_MS / daysEach)];
		for (const used of kinds)
			sum?.set(used.kind, (sum.get(used.kind) ?? 0) + (measure === 'cost' ? used.costUsd : used.inputTokens + used.outputTokens));
	}
	const most = Math.max(0, ...sums.map((sum) => [...sum.values()].reduce((all, each) => all + each, 0)));
	const bars = sums.map((sum, index) => ({
		day: new Date(start + index * daysEach * DAY_MS).toISOString().slice(0, 10),
		pieces: piecesOf(sum, most),
	}));
	return { bars, most, daysEach };
}

/** Those that used anything, in their own order. */
export function kindsUsed(days: readonly SpendingDay[]): SpendingKind[] {
	const used = new Set(days.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)));
	return SPENDING_KINDS.filter((kind) => used.has(kind));
}

function piecesOf(sum: ReadonlyMap<SpendingKind, number>, most: number): ChartBar['pieces'] {
	let from = 0;
	return SPENDING_KINDS.flatMap((kind) => {
		const size = most === 0 ? 0 : (sum.get(kind) ?? 0) / most;
		if (size === 0) return [];
		from += size;
		return [{ kind, from: from - size, size }];
	});
}
