import type { ToolContext } from '../port.ts';
import type { Changed, ChangedByStep, Moved } from './port.ts';

/** A change by this call: the same again does nothing (R2), and what it writes is trusted as little as what the call has seen. */
export function byCall({ runId, step, idempotencyKey, label }: ToolContext): ChangedByStep {
	return { runId, step, stepKey: idempotencyKey, label };
}

export function tellSavedBeside({ savedBeside }: Pick<Changed | Moved, 'savedBeside'>): string {
	return savedBeside === undefined
		? ''
		: ` Another program wrote to it at the same moment: what it wrote is in ${savedBeside}. Tell the owner.`;
}
