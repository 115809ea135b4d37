// One life of sources over a folder's database, for crash tests: `node source-life.ts JSON`. Adds what is not there, reads all that is due, and says
// what it has; dies by SIGKILL where it passes that crash point for the nth time.
import { join } from 'node:path';
import { z } from 'zod';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb } from '../../../src/db/open.ts';
import { Die, dieAt } from '../dying.ts';
import { setClock } from '../timers.ts';
import { NEVER_STOPPED, sourceLife } from './sources.ts';

const Life = z.object({
	folder: z.string(),
	urls: z.array(z.string()),
	at: z.number(),
	die: Die.optional(),
});
export type SourceLifeOptions = z.infer<typeof Life>;

async function main({ folder, urls, at, die }: SourceLifeOptions): Promise<void> {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const life = sourceLife(db, { clock: setClock(at) });
	const there = new Set(life.sources.list().map(({ title }) => title));
	for (const url of urls) if (!there.has(url)) await life.addFeed(url, { title: url });
	dieAt(die);
	const read = await life.forLook.readDue({ signal: NEVER_STOPPED });
	const titles = db.read.prepare('SELECT title FROM watched_items ORDER BY rowid').all() as { title: string }[];
	process.stdout.write(JSON.stringify({ read: read.length, ok: read.every(({ ok }) => ok), titles: titles.map(({ title }) => title) }));
	db.close();
}

if (process.argv[2]) await main(Life.parse(JSON.parse(process.argv[2])));
