// Claims what is due from a state.db beside other processes: `node timers-child.ts FILE`. Prints the claimed slots as JSON at the end.
import { dirname, join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { RunKind } from '../../src/domain/run.ts';
import { claimDue } from '../../src/timer/timer-store.ts';

const [file] = process.argv.slice(2);
if (!file) throw new Error('no file given');
const db = openStateDb({ file, backupsFolder: join(dirname(file), 'backups'), logger: silentLogger });
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
	const claimed: string[] = [];
	for (let more = true; more; ) {
		const timers = db.write((tx) => claimDue(tx, RunKind.options, Date.now(), 3));
		claimed.push(...timers.map(({ ref }) => ref));
		more = timers.length > 0;
		// Leaves the others a turn.
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	db.close();
	process.stdout.write(`${JSON.stringify(claimed)}\n`);
	process.exit(0);
});
