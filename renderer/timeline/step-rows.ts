import type { RunBreak, RunDetail, RunStep } from '../../src/contract/methods/runs.ts';
import type { Label } from '../../src/domain/label.ts';

/** From this long on nothing happening is worth a line, in milliseconds. */
export const GAP_MS = 60_000;

/** Between the owner and the agent a run goes back and forth with each step: that is no change worth a mark. */
const OURS: readonly Label[] = ['owner', 'agent'];

/** Whom or what a step of this kind waits for. */
const WAITS = {
	approval: 'owner',
	question: 'owner',
	did_it_happen: 'owner',
	timer: 'timer',
	event: 'event',
	child: 'child',
} as const;

export type GapWhy = (typeof WAITS)[keyof typeof WAITS] | 'idle';

export type StepRow =
	| {
			readonly kind: 'step';
			readonly key: string;
			readonly step: RunStep;
			/** A quiet chip says enough: the label is the one above, or text from outside has no part in it and it was said before. */
			readonly quiet: boolean;
			/** How long it worked, in milliseconds; absent where it mostly waited, or is not finished. */
			readonly took?: number;
	  }
	| { readonly kind: 'gap'; readonly key: string; readonly why: GapWhy; readonly from: number; readonly to: number }
	| { readonly kind: 'break'; readonly key: string; readonly at: RunBreak };

function waitOf(kind: RunStep['kind']): GapWhy | undefined {
	return kind in WAITS ? WAITS[kind as keyof typeof WAITS] : undefined;
}

/**
 * The steps with what lies between them: where the process died, and where nothing happened for long. A step that waited stands with the gap
 * after it, and without a time of its own.
 */
export function stepRows({ steps, breaks }: Pick<RunDetail, 'steps' | 'breaks'>): StepRow[] {
	const rows: StepRow[] = [];
	let above: Label | undefined;
	const said = new Set<Label>();
	let before: RunStep | undefined;
	for (const step of steps) {
		const here = breaks.filter((each) => each.step === step.step);
		const idle = here.length === 0 ? idleBefore(before, step) : undefined;
		if (idle) rows.push({ kind: 'gap', key: `gap-before-${step.step}`, why: 'idle', ...idle });
		for (const at of here) rows.push({ kind: 'break', key: `break-${step.step}-${at.wentOnAt}`, at });
		const took = tookOf(step);
		const why = waitOf(step.kind);
		const waited = why !== undefined && took !== undefined && took >= GAP_MS;
		rows.push({
			kind: 'step',
			key: String(step.step),
			step,
			quiet: step.label !== undefined && (step.label === above || (OURS.includes(step.label) && said.has(step.label))),
			...(took !== undefined && !waited && { took }),
		});
		if (waited && step.startedAt !== undefined && step.finishedAt !== undefined)
			rows.push({ kind: 'gap', key: `gap-in-${step.step}`, why, from: step.startedAt, to: step.finishedAt });
		above = step.label ?? above;
		if (step.label) said.add(step.label);
		before = step;
	}
	const last = steps.at(-1)?.step ?? 0;
	// It died before the step that would have come next was written down.
	for (const at of breaks.filter((each) => each.step > last)) rows.push({ kind: 'break', key: `break-${at.step}-${at.wentOnAt}`, at });
	return rows;
}

function tookOf({ startedAt, finishedAt }: RunStep): number | undefined {
	return startedAt === undefined || finishedAt === undefined ? undefined : Math.max(0, finishedAt - startedAt);
}

function idleBefore(before: RunStep | undefined, step: RunStep): { from: number; to: number } | undefined {
	const from = before?.finishedAt;
	const to = step.startedAt;
	return from !== undefined && to !== undefined && to - from >= GAP_MS ? { from, to } : undefined;
}

export interface Totals {
	readonly input: number;
	readonly output: number;
	/** Only where a price is known for at least one step. */
	readonly costUsd?: number;
}

export function totalsOf(steps: readonly RunStep[]): Totals {
	const used = steps.flatMap(({ usage }) => usage ?? []);
	const costs = used.flatMap(({ costUsd }) => costUsd ?? []);
	return {
		input: used.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
		output: used.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
		...(costs.length > 0 && { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
	};
}
