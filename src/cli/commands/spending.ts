import type { BudgetState, SpendingReport } from '../../contract/methods/spending.ts';
import { addSpent, type BudgetName, type Limit, NOTHING_SPENT, type Spent } from '../../domain/spending.ts';
import { BUDGET_OF } from '../at-work.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

export interface SpendingOptions {
	readonly days?: number;
}

export async function showSpending({ rpc, output }: CommandContext, { days = 7 }: SpendingOptions): Promise<number> {
	const report = await rpc.work.spending({ days });
	output.result(report, [`Today, ${report.today}:`, budgetTable(report.budgets), '', history(report), ...remarks(report)].join('\n'));
	return EXIT.ok;
}

export async function showBudgets({ rpc, output }: CommandContext): Promise<number> {
	const { budgets } = await rpc.work.status();
	output.result(budgets, budgetTable(budgets));
	return EXIT.ok;
}

/** What is given is changed; null takes a limit away. */
export async function setBudget({ rpc, output }: CommandContext, budget: BudgetName, change: Partial<Limit>): Promise<number> {
	const state = await rpc.work.setBudget({ budget, ...change });
	const until = state.until === undefined ? '' : ` It is used up: held until ${when(state.until)}.`;
	output.result(state, `The budget of a day for ${BUDGET_OF[budget]} is now: ${limitText(state.limit)}.${until}`);
	return EXIT.ok;
}

function budgetTable(budgets: readonly BudgetState[]): string {
	const rows = budgets.map((state) => [
		state.budget,
		`${whole(state.tokens)}${state.limit.tokens === null ? '' : ` of ${whole(state.limit.tokens)}`}`,
		`${cost(state)}${state.limit.costUsd === null ? '' : ` of ${state.limit.costUsd.toFixed(2)}`}`,
		state.until === undefined ? '' : `used up until ${when(state.until)}`,
	]);
	return table([['BUDGET', 'TOKENS', 'USD', ''], ...rows]);
}

function history({ days, from }: SpendingReport): string {
	if (days.length === 0) return `Nothing was used since ${from}.`;
	const rows = days.flatMap(({ day, kinds }) =>
		kinds.map((used) => [
			day,
			used.kind,
			`${whole(used.inputTokens)} + ${whole(used.outputTokens)}`,
			cost({ ...used, tokens: used.inputTokens + used.outputTokens }),
		]),
	);
	return table([['DAY', 'KIND', 'TOKENS IN + OUT', 'USD'], ...rows]);
}

/** What of the figures is not known. */
function remarks({ days }: SpendingReport): string[] {
	const all = days.flatMap(({ kinds }) => kinds).reduce((sum, used) => addSpent(sum, { ...used, tokens: 0 }), NOTHING_SPENT);
	return [
		...(all.unpricedTokens > 0
			? [
					`? ${whole(all.unpricedTokens)} tokens went through models that no price is entered for: what they cost is not in it (Settings, Models).`,
				]
			: []),
		...(all.estimatedTokens > 0
			? [`${whole(all.estimatedTokens)} tokens were not counted by their provider; they are estimated by length.`]
			: []),
	];
}

function limitText({ tokens, costUsd }: Limit): string {
	const parts = [...(tokens === null ? [] : [`${whole(tokens)} tokens`]), ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`])];
	return parts.length === 0 ? 'no limit' : parts.join(', ');
}

function cost({ costUsd, unpricedTokens, tokens }: Spent): string {
	if (unpricedTokens > 0 && unpricedTokens >= tokens) return '?';
	const known = costUsd > 0 ? costUsd.toFixed(4) : '0';
	return unpricedTokens > 0 ? `${known} + ?` : known;
}

function whole(count: number): string {
	return count.toLocaleString('en-GB');
}
