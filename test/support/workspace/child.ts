// One life of the files of a workspace, for crash tests: `node child.ts JSON`. It makes the calls of `WORK` one after the other, each under a
// key of its own as a run does that is taken up again, and dies by SIGKILL at the crash point that it was told.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb } from '../../../src/db/open.ts';
import type { RestoreId } from '../../../src/domain/ids.ts';
import type { ToolOutput } from '../../../src/tools/port.ts';
import type { WorkspaceFiles } from '../../../src/tools/workspace/port.ts';
import { Die, dieAt } from '../dying.ts';
import { createHarness, type WorkspaceHarness } from './harness.ts';

export const WorkspaceLife = z.object({
	folder: z.string(),
	die: Die.optional(),
});
export type WorkspaceLife = z.input<typeof WorkspaceLife>;

export const WORK: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
	['write_file', { path: 'notes/plan.md', content: 'one\ntwo\n' }],
	['write_file', { path: 'notes/log.md', content: 'begun\n' }],
	['patch_file', { path: 'notes/plan.md', edits: [{ find: 'two', replace: 'zwei' }] }],
	['write_file', { path: 'notes/log.md', content: 'planned\n', mode: 'append' }],
	['move_file', { from: 'notes/plan.md', to: 'done/plan.md' }],
	['write_file', { path: 'notes/old.md', content: 'old\n' }],
	['delete_file', { path: 'notes/old.md' }],
];

/** What is there once all of it is done, and once the run's changes are put back. */
export const DONE: Readonly<Record<string, string>> = { 'done/plan.md': 'one\nzwei\n', 'notes/log.md': 'begun\nplanned\n' };

/** What each of the first calls says; the same keys in each life. */
export async function makeCalls(
	{ call }: Pick<WorkspaceHarness, 'call'>,
	calls = WORK.length,
): Promise<Pick<ToolOutput, 'isError' | 'text'>[]> {
	const said: Pick<ToolOutput, 'isError' | 'text'>[] = [];
	for (const [index, [tool, args]] of WORK.slice(0, calls).entries())
		said.push(
			await call(tool, args, { idempotencyKey: `run-1:${index}:call` }).catch((error: Error) => ({ isError: true, text: error.message })),
		);
	return said;
}

/** As a restore does: to before the first change of each file. */
export async function putAllBack(files: WorkspaceFiles): Promise<void> {
	const first = new Map(
		files
			.changes({ afterSeq: 0 })
			.filter(({ restoreId }) => restoreId === undefined)
			.toReversed()
			.map(({ path, before }) => [path, before]),
	);
	const wanted = [...first].map(([path, hash]) => ({ path, hash }));
	await files.putBack(wanted, { restoreId: 'restore-1' as RestoreId, key: 'restore-1' });
}

async function main({ folder, die }: z.output<typeof WorkspaceLife>): Promise<void> {
	mkdirSync(join(folder, 'workspace'), { recursive: true });
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	dieAt(die);
	const { files, call } = createHarness(folder, db);
	await files.settle();
	await makeCalls({ call });
	await putAllBack(files);
	await files.idle();
	db.close();
}

if (process.argv[2]) await main(WorkspaceLife.parse(JSON.parse(process.argv[2])));
