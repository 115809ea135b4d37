import type { WorkStatus } from '../contract/methods/runs.ts';
import type { Check } from '../contract/methods/system.ts';
import { usedBudgets } from '../contract/used-budget.ts';
import { localMinute } from '../domain/local-day.ts';

type Finding = Pick<Check, 'state' | 'detail' | 'action'>;

/** Whether work that goes on by itself does, in a sentence or two. `status` absent: the runtime did not start. */
export function workFinding(status: WorkStatus | undefined): Finding {
	if (!status) return { state: 'warning', detail: 'Not looked at: the runtime did not start.' };
	const { pausedAt, restoredFrom, held, timers, nextDueAt } = status;
	if (restoredFrom !== undefined)
		return {
			state: 'warning',
			detail: `Nothing runs by itself since this profile was restored from a back-up of ${localMinute(restoredFrom)}.`,
			action: 'Let it go on in the app, or with: hearth work resume',
		};
	if (pausedAt !== undefined)
		return {
			state: 'warning',
			detail: `Pause all is on since ${localMinute(pausedAt)}: only chats go on.`,
			action: 'Take it back in the app, or with: hearth work resume',
		};
	if (held)
		return {
			state: 'ok',
			detail: `${held.why === 'active_hours' ? 'Outside the active hours' : 'The day’s budget for all that goes on by itself is used up'} until ${localMinute(held.until)}.`,
		};
	const used = usedBudgets(status).map(({ budget }) => budget);
	if (used.length > 0)
		return {
			state: 'ok',
			detail: `Used up today: the ${used.length === 1 ? 'budget' : 'budgets'} for ${used.join(', ')}. See: hearth work spending`,
		};
	const next = nextDueAt === undefined ? '' : `, the next due ${localMinute(nextDueAt)}`;
	return { state: 'ok', detail: `Nothing is paused; ${timers} timers${next}.` };
}
