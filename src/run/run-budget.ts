import type { ReadDb } from '../db/brands.ts';
import type { RunId, WorkflowInstanceId } from '../domain/ids.ts';
import type { RunBudget } from '../domain/task.ts';
import type { RunEventOf } from './events.ts';
import { budgetError, usedSince } from './reduce-budget.ts';
import { rootRun } from './root-kind.ts';
import type { RunLog } from './run-log.ts';
import { usedByInstance, usedByRun } from './run-use.ts';

export interface RunBudgetDeps {
	readonly db: ReadDb;
	readonly log: Pick<RunLog, 'load'>;
	/** Of an instance of a workflow that a task started. */
	readonly ofInstance?: ((id: WorkflowInstanceId) => RunBudget | undefined) | undefined;
}

/** That nothing is left of what the run at the root of this one's tree may use; undefined while something is, or nothing is limited. */
export function budgetUsedBy({ db, log, ofInstance }: RunBudgetDeps, runId: RunId): Omit<RunEventOf<'budget_used'>, 'type'> | undefined {
	const root = rootRun(db, runId);
	if (!root || root.kind === 'chat') return undefined;
	const { id, instanceId } = root;
	const { terms, budgetFrom } = instanceId === undefined ? log.load(id).state.progress : {};
	const budget = instanceId === undefined ? terms?.budget : ofInstance?.(instanceId);
	if (!budget || Object.values(budget).every((limit) => limit === undefined)) return undefined;
	const total = instanceId === undefined ? usedByRun(db, id) : usedByInstance(db, instanceId);
	const used = usedSince(total, budgetFrom);
	return budgetError(budget, used) && { budget, used, total };
}
