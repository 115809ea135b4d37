import { expect, test } from 'vitest';
import { chartDays, kindsUsed } from '../../../renderer/settings/spending/chart-days.ts';
import type { SpendingDay } from '../../../src/contract/methods/spending.ts';
import type { SpendingKind } from '../../../src/domain/spending.ts';

const used = (kind: SpendingKind, inputTokens: number, costUsd = 0) => ({
	kind,
	inputTokens,
	outputTokens: 0,
	costUsd,
	unpricedTokens: 0,
	estimatedTokens: 0,
});
const DAYS: SpendingDay[] = [
	{ day: '2026-03-02', kinds: [used('chat', 30), used('task', 10, 2)] },
	{ day: '2026-02-27', kinds: [used('workflow', 20, 1)] },
];

test('each day has a bar, also one on which nothing was used; the highest one fills the chart', () => {
	const { bars, most } = chartDays(DAYS, '2026-02-26', '2026-03-02', 'tokens');
	expect(most).toBe(40);
	expect(bars.map(({ day }) => day)).toEqual(['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
	expect(bars.map(({ pieces }) => pieces)).toEqual([
		[],
		[{ kind: 'workflow', from: 0, size: 0.5 }],
		[],
		[],
		[
			{ kind: 'chat', from: 0, size: 0.75 },
			{ kind: 'task', from: 0.75, size: 0.25 },
		],
	]);
	expect(chartDays(DAYS, '2026-02-26', '2026-03-02', 'cost').bars.at(-1)?.pieces).toEqual([{ kind: 'task', from: 0, size: 1 }]);
	expect(chartDays([], '2026-02-26', '2026-03-02', 'tokens')).toMatchObject({ most: 0, daysEach: 1 });
});

test('of many days a bar stands for several', () => {
	const { bars, daysEach, most } = chartDays(DAYS, '2025-01-27', '2026-03-02', 'tokens');
	expect([bars.length, daysEach, most]).toEqual([100, 4, 60]);
	expect(kindsUsed(DAYS)).toEqual(['chat', 'task', 'workflow']);
	expect(bars.at(-1)?.pieces.map(({ kind }) => kind)).toEqual(['chat', 'task', 'workflow']);
});
