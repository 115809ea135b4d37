// One life of the runtime over tasks, for crash tests: `node task-life.ts JSON`. Makes the tasks that are not there yet, takes up what the last life left,
// and does all that is due by the time that it was told. Dies by SIGKILL at the crash point that it was told. Prints what became of each slot.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { TaskDraft } from '../../src/domain/task.ts';
import { taskMadeFor } from '../../src/tasks/task-store.ts';
import { Die, dieAt } from './dying.ts';
import { Machine, openTasksLife, scheduled } from './task-lives.ts';

const Options = z.object({
	folder: z.string(),
	/** What the wall clock shows. */
	at: z.number().int(),
	die: Die.optional(),
});
export type TaskLifeOptions = z.input<typeof Options>;
export interface TaskLifeSaid {
	readonly rows: readonly {
		readonly task: string;
		readonly slot: number;
		readonly state: string;
		readonly why?: string;
		readonly runId?: string;
	}[];
	/** Each run that ever began, with how often it was tried. */
	readonly runs: readonly { readonly id: string; readonly state: string; readonly tries: number }[];
	readonly timers: number;
}

const TASKS = {
	often: scheduled({ kind: 'every', seconds: 600, anchor: 0 }, { missed: { kind: 'every', most: 3 } }),
	hourly: scheduled({ kind: 'cron', expression: '0 * * * *', zone: 'UTC' }, { missed: { kind: 'skip' } }),
	once: scheduled({ kind: 'at', local: '2026-06-01T09:00', zone: 'UTC' }),
};

async function main({ folder, at, die }: z.output<typeof Options>): Promise<void> {
	dieAt(die);
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const life = await openTasksLife(db, new Machine(at), {
		atOnce: 'done',
		delivered: (id) => appendFileSync(join(folder, 'delivered.txt'), `${id}\n`),
	});
	for (const [key, draft] of Object.entries(TASKS)) await life.tasks.make({ draft: TaskDraft.parse(draft), label: 'owner', makeKey: key });
	const ids = Object.keys(TASKS).map((key) => ({ key, id: taskMadeFor(db.read, key) }));
	const rows = () => ids.flatMap(({ key, id }) => (id ? life.rows(id).map((row) => ({ task: key, ...row })) : []));
	do await life.settle();
	while (rows().some((row) => row.state === 'queued' || row.state === 'running' || (row.state === 'done' && !row.delivered)));
	const said: TaskLifeSaid = {
		rows: rows().map(({ task, slot, state, why, runId }) => ({ task, slot, state, ...(why && { why }), ...(runId && { runId }) })),
		runs: life.runs.all(),
		timers: life.work.status().timers,
	};
	process.stdout.write(`${JSON.stringify(said)}\n`);
	await life.close();
	db.close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
