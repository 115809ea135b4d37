import { terminal } from '../../domain/errors.ts';
import type { RunId, SessionId } from '../../domain/ids.ts';
import type { TouchOf } from '../../domain/sink.ts';
import type { ToolContext } from '../port.ts';
import { WORKSPACE } from './place.ts';
import type { Changed, ChangedByStep, Grant, GrantedFolders, Moved, WorkspaceFiles } from './port.ts';
import type { Trash } from './trash.ts';

/** How a call reaches files: only what it was allowed to touch, and nothing that its path has come to lead to since. */

export interface FilesOfCalls {
	readonly files: WorkspaceFiles;
	readonly granted: GrantedFolders;
	readonly trash: Trash;
}

/** A path as a model gave it, and what is to be done there. */
export type Wanted = readonly [path: string, access: Grant['access']];

export async function touchesOf(
	{ files, granted }: Pick<FilesOfCalls, 'files' | 'granted'>,
	wanted: readonly Wanted[],
	at: { runId: RunId; sessionId: SessionId },
): Promise<TouchOf<'file'>[]> {
	const grants = granted(at);
	return Promise.all(wanted.map(([path, access]) => files.touch(path, access, grants)));
}

/** The folders in which the call may do so. Rejects where a path leads elsewhere than when it was allowed. */
export async function grantsFor(
	{ files, granted }: Pick<FilesOfCalls, 'files' | 'granted'>,
	wanted: readonly Wanted[],
	context: ToolContext,
): Promise<Grant[]> {
	const allowed = context.touches.filter((touch) => touch.sink === 'file');
	const once = allowed.flatMap(({ path, access, root }): Grant[] =>
		root === WORKSPACE ? [] : [{ path, access, mine: false, once: true }],
	);
	const grants = [...granted(context), ...once];
	for (const [path, access] of wanted) {
		const now = await files.touch(path, access, grants);
		if (!allowed.some((touch) => touch.path === now.path && touch.access === access))
			throw terminal('conflict', `${path} leads elsewhere than it did a moment ago. Try again.`, { safe: 'Nothing was changed.' });
	}
	return grants;
}

/** A change by this call: the same again does nothing (R2), and what it writes is trusted as little as what the call has seen. */
export function byCall({ runId, step, idempotencyKey, label, sources }: ToolContext, grants: readonly Grant[]): ChangedByStep {
	return { runId, step, stepKey: idempotencyKey, label, sources, grants };
}

export function tellSavedBeside({ savedBeside }: Pick<Changed | Moved, 'savedBeside'>): string {
	return savedBeside === undefined
		? ''
		: ` Another program wrote to it at the same moment: what it wrote is in ${savedBeside}. Tell the owner.`;
}
