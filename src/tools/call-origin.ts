import type { CallOrigin } from '../net/purpose.ts';
import type { ToolContext } from './port.ts';

/** Which call leaves the machine, for the audit log. */
export function originOf({ runId, sessionId, step, label }: ToolContext, tool: string): CallOrigin {
	return { runId, sessionId, step, tool, label };
}
