import type { Logger } from '../../base/logger.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Programs } from './programs.ts';
import type { Reconciler } from './reconciler.ts';

/** How soon to look again where the disk had no room for what was found. */
const AGAIN_MS = 1_000;

interface WatchProgramDeps {
	readonly programs: Programs;
	readonly reconciler: Reconciler;
	readonly logger: Logger;
}

/**
 * Runs a program that can reach the memory files. What the owner changed before it is the owner's; what changes while it runs, and
 * Hearth did not write, is held against the program: recorded as outside text, and quarantined (bg-2). Resolves and rejects as the work
 * does. A process that dies meanwhile leaves a row, and the next start looks with the same eyes.
 */
export async function watchProgram<T>(deps: WatchProgramDeps, program: { runId: RunId; tool: string }, work: () => Promise<T>): Promise<T> {
	await deps.reconciler.look();
	const end = deps.programs.begin(program.runId, program.tool);
	try {
		return await work();
	} finally {
		await lookAndEnd(deps, end);
	}
}

/** Until what it did is written down, it counts as running. */
async function lookAndEnd(deps: WatchProgramDeps, end: () => void): Promise<void> {
	try {
		await deps.reconciler.look();
		end();
	} catch (error) {
		deps.logger.warn('program_not_compared', { error });
		setTimeout(() => void lookAndEnd(deps, end), AGAIN_MS).unref();
	}
}
