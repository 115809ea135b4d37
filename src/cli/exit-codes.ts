import type { ErrorShape } from '../domain/errors.ts';

/** What the command line's exit codes mean; the same list is in `hearth --help`. */
export const EXIT = {
	ok: 0,
	/** It was tried and did not work. */
	failed: 1,
	/** The command itself was not understood. */
	usage: 2,
	/** Something waits for the owner: a decision, a key, a locked profile. */
	needsOwner: 3,
	/** Stopped by Ctrl-C. */
	stopped: 130,
} as const;

export function exitCodeOf(error: ErrorShape): number {
	if (error.code === 'invalid_input') return EXIT.usage;
	return error.kind === 'needs_owner' ? EXIT.needsOwner : EXIT.failed;
}
