import type { WorkStatus } from '../../contract/methods/runs.ts';
import type { BudgetChange, BudgetState, SpendingReport } from '../../contract/methods/spending.ts';
import type { Noticed } from '../../domain/noticed.ts';
import type { ConfigStore } from '../config.ts';
import type { Work } from '../work.ts';

export interface WorkHandlersDeps {
	readonly work: Pick<Work, 'status' | 'spending' | 'pauseAll' | 'resumeAll' | 'noticed'>;
	readonly config: Pick<ConfigStore, 'update'>;
}

/** `work.*` of the contract. */
export function createWorkHandlers({ work, config }: WorkHandlersDeps) {
	return {
		status: async (): Promise<WorkStatus> => work.status(),
		pauseAll: async (): Promise<WorkStatus> => work.pauseAll(),
		resumeAll: async (): Promise<WorkStatus> => work.resumeAll(),
		spending: async ({ days }: { days: number }): Promise<SpendingReport> => work.spending(days),
		setBudget: async ({ budget, tokens, costUsd }: BudgetChange): Promise<BudgetState> => {
			await config.update((current) => {
				const { budgets } = current.settings;
				const limit = { ...budgets[budget], ...(tokens !== undefined && { tokens }), ...(costUsd !== undefined && { costUsd }) };
				return { ...current, settings: { ...current.settings, budgets: { ...budgets, [budget]: limit } } };
			});
			const state = work.status().budgets.find((each) => each.budget === budget);
			if (!state) throw new Error(`no budget ${budget}`);
			return state;
		},
		noticed: async (noticed: Noticed): Promise<void> => work.noticed(noticed),
	};
}
