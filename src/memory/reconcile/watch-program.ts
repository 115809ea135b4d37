import type { Logger } from '../../base/logger.ts';
import { HearthError } from '../../domain/errors.ts';
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
export async function watchProgram<T>(
	deps: WatchProgramDeps,
	program: { runId: RunId; tool: string },
	work: (lingers: (ended: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
	await deps.reconciler.look();
	const end = deps.programs.begin(program.runId, program.tool);
	const lingering: Promise<unknown>[] = [];
	try {
		return await work((ended) => void lingering.push(ended));
	} finally {
		await look(deps, lingering.length === 0 ? end : () => undefined);
		if (lingering.length > 0) void Promise.allSettled(lingering).then(() => look(deps, end));
	}
}

/** Until what it did is written down, the program counts as running. Never rejects: what it gave is not lost for a full disk. */
async function look(deps: WatchProgramDeps, end: () => void): Promise<void> {
	try {
		await deps.reconciler.look();
		end();
	} catch (error) {
		deps.logger.warn('program_not_compared', { error });
		const mayPass = error instanceof HearthError && ['disk_full', 'read_only'].includes(error.code);
		if (mayPass) setTimeout(() => void look(deps, end), AGAIN_MS).unref();
	}
}
