import { type ErrorShape, terminal } from '../domain/errors.ts';
import type { FinishReason } from '../model/port.ts';
import type { RequestedCall } from './events.ts';
import type { Progress } from './state.ts';

/** The tool calls of one answer of a model, as they are written down. Pure. */

/** Calls of one answer. A model that prints or makes more is caught in a loop, and each of them would be a step. */
export const MOST_CALLS = 100;
export const TOO_MANY_CALLS: ErrorShape = terminal('model_bad_response', 'The model asked for far too many tools at once.', {
	safe: 'None of them was run.',
	action: 'Retry, or choose another model.',
}).shape;

/** At the length limit a call may be cut off; repaired, it would do something else than was meant. */
export function wholeCalls(calls: readonly RequestedCall[], reason: FinishReason): readonly RequestedCall[] {
	return reason === 'length' ? calls.filter((call) => !call.fromText && isJson(call.args)) : calls;
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Providers number their calls anew with each reply, or not at all; a run needs each id once, for ever (R2: idempotency keys). */
export function uniqueIds(calls: readonly RequestedCall[], progress: Progress): RequestedCall[] {
	const used = new Set(progress.callIds);
	return calls.map((call, index) => {
		const own = call.callId.slice(0, 40);
		const callId = own !== '' && !used.has(own) ? own : `call_${progress.step}_${progress.callIds.length + index}`;
		used.add(callId);
		return { ...call, callId };
	});
}
