import type { z } from 'zod';
import { changePlan, PlanChange, planText } from '../domain/plan.ts';
import type { Tool } from './port.ts';

const Arguments = PlanChange.extend({
	add: PlanChange.shape.add.describe('New steps, at the end or right after the step with the id given as after.'),
	update: PlanChange.shape.update.describe(
		'Changes to steps by id. state: pending, doing, done, skipped or failed; note: why, or what came of it.',
	),
});

/** The run's explicit plan. What it may become is decided by `changePlan`, and once more by the reducer. */
export const planTool: Tool<z.infer<typeof Arguments>> = {
	name: 'plan',
	title: 'Plan',
	description:
		'Keeps your plan for work of several steps: add steps before you begin, mark one as doing when you start it, and as done, skipped or failed when it ends. What is done or skipped stays so.',
	schema: Arguments,
	effect: 'pure',
	timeoutMs: 1_000,
	outputCap: 60_000,
	run: async (change, { plan: before }) => {
		if ((change.add ?? []).length + (change.update ?? []).length === 0) return { text: 'Give steps to add or to update.', isError: true };
		const outcome = changePlan(before, change);
		if (!outcome.ok) return { text: outcome.problem, isError: true };
		const { steps } = outcome.plan;
		const over = steps.filter(({ state }) => state === 'done' || state === 'skipped').length;
		return { text: planText(outcome.plan), isError: false, summary: `${over} of ${steps.length}`, plan: outcome.plan };
	},
};
