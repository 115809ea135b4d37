import type { SendQuestion } from '../domain/heartbeat.ts';
import type { BudgetName } from '../domain/spending.ts';
import type { HeartbeatStatus } from './methods/heartbeat.ts';
import type { WorkStatus } from './methods/runs.ts';
import { type UsedBudget, usedBudgetOf } from './used-budget.ts';

/** How background work stands, in the order in which it matters to the owner. */
export type BackgroundState =
	| { readonly kind: 'paused'; readonly at: number; readonly restoredFrom: number | undefined }
	| { readonly kind: 'looking' }
	| { readonly kind: 'stopped'; readonly problem: NonNullable<HeartbeatStatus['problem']> }
	| { readonly kind: 'asks'; readonly question: SendQuestion }
	| { readonly kind: 'active_hours'; readonly at: number }
	/** `budget`: the one that is used up, of all that goes on by itself or of one kind of it. */
	| { readonly kind: 'budget_used'; readonly at: number; readonly budget: BudgetName }
	/** `refused`: the owner said no to the one place where text would go. */
	| { readonly kind: 'off' | 'refused' | 'no_sources' | 'no_interests' | 'waits' }
	| { readonly kind: 'on'; readonly nextAt: number | undefined };

/** For a line of the tray's menu. */
export const BACKGROUND_LINES = ['on', 'off', 'paused', 'held', 'asks', 'stopped'] as const;
export type BackgroundLine = (typeof BACKGROUND_LINES)[number];

export function backgroundLine({ kind }: BackgroundState): BackgroundLine {
	if (kind === 'looking') return 'on';
	return BACKGROUND_LINES.find((line) => line === kind) ?? 'held';
}

/** `status`: undefined until the runtime said so. Hours, budget and Pause all hold workflows too, whether looks are on or not. */
export function backgroundState(work: WorkStatus, status: HeartbeatStatus | undefined): BackgroundState {
	if (work.paused) return { kind: 'paused', at: work.pausedAt ?? 0, restoredFrom: work.restoredFrom };
	if (status?.current) return { kind: 'looking' };
	if (status?.problem && status.held === 'stopped') return { kind: 'stopped', problem: status.problem };
	if (status?.asks) return { kind: 'asks', question: status.asks };
	if (work.held?.why === 'active_hours') return { kind: 'active_hours', at: work.held.until };
	const used = usedBudgetOf(work, 'heartbeat');
	if (used) return stateOf(used);
	// What holds other work says less to the owner than what looks want of them.
	const other = usedBudgetOf(work, 'task') ?? usedBudgetOf(work, 'workflow');
	if (!status?.on) return other ? stateOf(other) : { kind: 'off' };
	if (status.held === 'no_sources' || status.held === 'no_interests') return { kind: status.held };
	if (status.held === 'asks') return { kind: 'refused' };
	if (status.held !== undefined) return { kind: 'waits' };
	return other ? stateOf(other) : { kind: 'on', nextAt: status.nextAt };
}

function stateOf({ budget, until }: UsedBudget): BackgroundState {
	return { kind: 'budget_used', at: until, budget };
}
