import { z } from 'zod';

/** The explicit plan of a run: what it means to do, and how far it is. Pure. */

export const PlanStepState = z.enum(['pending', 'doing', 'done', 'skipped', 'failed']);
export type PlanStepState = z.infer<typeof PlanStepState>;

export const PlanStep = z.object({
	/** `1`, `2` …: chosen when the step is added, never used again. */
	id: z.string().min(1).max(20),
	text: z.string().trim().min(1).max(500),
	state: PlanStepState,
	/** Why it failed or was skipped, or what came of it. */
	note: z.string().max(1_000).optional(),
});
export type PlanStep = z.infer<typeof PlanStep>;

export const MOST_PLAN_STEPS = 100;
export const Plan = z.object({ steps: z.array(PlanStep).max(MOST_PLAN_STEPS) });
export type Plan = z.infer<typeof Plan>;

/** What the model asks for. A change to a step names it by id; new steps get ids and go to the end, or right after `after`. */
export const PlanChange = z.object({
	add: z
		.array(z.object({ text: PlanStep.shape.text, after: PlanStep.shape.id.optional() }))
		.max(MOST_PLAN_STEPS)
		.optional(),
	update: z
		.array(
			z.object({ id: PlanStep.shape.id, state: PlanStepState.optional(), note: PlanStep.shape.note, text: PlanStep.shape.text.optional() }),
		)
		.max(MOST_PLAN_STEPS)
		.optional(),
});
export type PlanChange = z.infer<typeof PlanChange>;

const FOLLOWS: Record<PlanStepState, readonly PlanStepState[]> = {
	pending: ['doing', 'done', 'skipped', 'failed'],
	doing: ['pending', 'done', 'skipped', 'failed'],
	failed: ['doing', 'done', 'skipped'],
	// What is done or skipped stays so: what comes after it is a new step.
	done: [],
	skipped: [],
};

export type PlanOutcome = { ok: true; plan: Plan } | { ok: false; problem: string };

/** The plan with the change, or why it can't be, in words for the model. All of a change or nothing of it. */
export function changePlan(plan: Plan | undefined, change: PlanChange): PlanOutcome {
	let steps: PlanStep[] = [...(plan?.steps ?? [])];
	for (const { id, state, note, text } of change.update ?? []) {
		const at = steps.findIndex((step) => step.id === id);
		const old = steps[at];
		if (!old) return { ok: false, problem: `There is no step ${id}. The steps are: ${steps.map((step) => step.id).join(', ') || 'none'}.` };
		if (state !== undefined && state !== old.state && !FOLLOWS[old.state].includes(state))
			return { ok: false, problem: `Step ${id} is ${old.state} and can't become ${state}. Add a new step instead.` };
		if (text !== undefined && text !== old.text && old.state !== 'pending')
			return { ok: false, problem: `Step ${id} is ${old.state}: its text stays. Add a new step instead.` };
		steps = steps.with(at, {
			...old,
			...(text !== undefined && { text }),
			...(state !== undefined && { state }),
			...(note !== undefined && { note }),
		});
	}
	let next = steps.reduce((most, step) => Math.max(most, Number(step.id) || 0), 0) + 1;
	for (const { text, after } of change.add ?? []) {
		const at = after === undefined ? steps.length - 1 : steps.findIndex((step) => step.id === after);
		if (after !== undefined && at < 0) return { ok: false, problem: `There is no step ${after} to add one after.` };
		steps = steps.toSpliced(at + 1, 0, { id: String(next), text, state: 'pending' });
		next += 1;
	}
	const doing = steps.filter((step) => step.state === 'doing').map((step) => step.id);
	if (doing.length > 1) return { ok: false, problem: `Only one step can be under way: ${doing.join(' and ')} would be.` };
	if (steps.length > MOST_PLAN_STEPS) return { ok: false, problem: `A plan has at most ${MOST_PLAN_STEPS} steps.` };
	return { ok: true, plan: { steps } };
}

/** Whether a run's plan may become this one: no step vanishes or goes back, and only one is under way. */
export function planFollows(before: Plan | undefined, after: Plan): boolean {
	const still = new Map(after.steps.map((step) => [step.id, step]));
	if (still.size !== after.steps.length || after.steps.length > MOST_PLAN_STEPS) return false;
	if (after.steps.filter((step) => step.state === 'doing').length > 1) return false;
	return (before?.steps ?? []).every((old) => {
		const now = still.get(old.id);
		return now !== undefined && (now.state === old.state || FOLLOWS[old.state].includes(now.state));
	});
}

/** The plan as a model is told of it: a line for each step. */
export function planText({ steps }: Plan): string {
	return steps.map(({ id, text, state, note }) => `${id}. [${state}] ${text}${note === undefined ? '' : ` (${note})`}`).join('\n');
}
