import type { CallOrigin } from '../net/purpose.ts';
import type { ToolContext } from './port.ts';

/** Which call leaves the machine, for the audit log. */
export function originOf(context: ToolContext, tool: string): CallOrigin {
	const { runId, sessionId, step, label } = context;
	return { runId, sessionId, step, callId: callIdOf(context), tool, label };
}

export function callIdOf({ idempotencyKey, runId, step }: Pick<ToolContext, 'idempotencyKey' | 'runId' | 'step'>): string {
	return idempotencyKey.slice(`${runId}:${step}:`.length);
}
