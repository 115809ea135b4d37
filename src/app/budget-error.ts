import type { BudgetState } from '../contract/methods/spending.ts';
import { type HearthError, needsOwner } from '../domain/errors.ts';
import { localMinute } from '../domain/local-day.ts';
import type { BudgetName } from '../domain/spending.ts';

const OF: Record<BudgetName, string> = {
	unattended: 'all that goes on by itself',
	chat: 'chats',
	heartbeat: 'looks at sources',
	task: 'tasks',
	workflow: 'workflows',
};

/** Why no model is called for it any more today: what was used, what is kept, what the owner can do. */
export function budgetError({ budget, limit, tokens, costUsd, until }: BudgetState): HearthError {
	const isTokens = limit.tokens !== null && tokens >= limit.tokens;
	const used = isTokens
		? `${number(tokens)} of ${number(limit.tokens ?? 0)} tokens are used`
		: `$${costUsd.toFixed(2)} of $${(limit.costUsd ?? 0).toFixed(2)} are used`;
	return needsOwner('budget_used', `The budget of the day for ${OF[budget]} is used up: ${used}. No model was called.`, {
		safe: 'Your message and everything that was done so far are kept.',
		action: `Raise it in Settings, Spending, or wait until ${until === undefined ? 'tomorrow' : localMinute(until)}. Then choose Retry.`,
	});
}

function number(value: number): string {
	return value.toLocaleString('en-GB');
}
