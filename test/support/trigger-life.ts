// One life of a task that waits for files, for crash tests: `node trigger-life.ts JSON`. Makes the task where it is not there, lets files come one after
// another, and waits until each has its run. Dies by SIGKILL at the crash point that it was told. Prints the files of each occurrence.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import type { Json } from '../../src/domain/json.ts';
import { Claims } from '../../src/tasks/claims.ts';
import { getTask, listTasks } from '../../src/tasks/task-store.ts';
import { Die, dieAt } from './dying.ts';
import { addTask, filesOf, openTriggers, QUICK } from './triggers.ts';

const Options = z.object({
	/** The owner's home, without links. */
	home: z.string(),
	files: z.array(z.string()),
	die: Die.optional(),
});
export type TriggerLifeOptions = z.input<typeof Options>;

async function main({ home, files, die }: z.output<typeof Options>): Promise<void> {
	const inbox = join(home, 'Inbox');
	mkdirSync(inbox, { recursive: true });
	const db = openStateDb({ file: join(home, 'state.db'), backupsFolder: join(home, 'backups'), logger: silentLogger });
	const opened = openTriggers(db, {
		home,
		clock: systemClock,
		paces: QUICK,
		isNetwork: false,
		claim: (tx, taskId, fired) => void claims.occur(tx, getTask(tx, taskId), { ...fired, by: 'trigger' }, systemClock.now()),
	});
	const { triggers, background } = opened;
	const claims = new Claims({ clock: systemClock, timers: background.timers, zone: () => 'UTC', hindrance: () => undefined });
	if (listTasks(db.read).length === 0) await addTask(db, triggers, { kind: 'files', path: inbox, mine: false }, { now: Date.now() });
	const occurrences = (): string[][] =>
		(db.read.prepare('SELECT payload FROM task_occurrences ORDER BY slot').all() as { payload: string }[]).map(({ payload }) =>
			filesOf(JSON.parse(payload) as Json, inbox),
		);
	dieAt(die);
	triggers.start({ stays: true });
	background.timers.start();
	for (const file of files) {
		if (!existsSync(join(inbox, file))) writeFileSync(join(inbox, file), file);
		while (!occurrences().flat().includes(file)) await sleep(5);
	}
	const waiting = db.read.prepare('SELECT COUNT(*) AS count FROM task_events').get() as { count: number };
	process.stdout.write(JSON.stringify({ occurrences: occurrences(), waiting: waiting.count }));
	await opened.close();
	db.close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
