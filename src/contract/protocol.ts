import { type HearthError, terminal } from '../domain/errors.ts';

/**
 * The protocol between a view and the runtime. The number changes when a method or event changes shape; both sides say
 * theirs in `system.hello` and refuse a different one with `protocol_mismatch` (the owner is told to restart).
 */
export const PROTOCOL_VERSION = 1;

/** Both sides say it the same way. `theirs` is the protocol that the other side speaks. */
export function protocolMismatch(theirs: number): HearthError {
	return terminal('protocol_mismatch', `Two parts of Hearth are of different versions (protocols ${PROTOCOL_VERSION} and ${theirs}).`, {
		safe: 'Everything you saved is safe.',
		action: 'Close Hearth everywhere and start it again.',
	});
}
