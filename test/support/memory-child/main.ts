// One life of memory over a profile folder, for crash tests: `node main.ts JSON`. It makes the writes of `WORK` one after the other, each
// under a key of its own as a run does that is taken up again, and dies by SIGKILL at the crash point that it was told.
import { join } from 'node:path';
import { z } from 'zod';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb } from '../../../src/db/open.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { type MemoryEntry, MemoryPath, type MemoryReceipt, type Provenance } from '../../../src/domain/memory.ts';
import { mintWriteGrant } from '../../../src/domain/write-grant.ts';
import { createMemory, type OpenMemory } from '../../../src/memory/memory.ts';
import { Die, dieAt } from '../dying.ts';

export const MemoryLife = z.object({
	folder: z.string(),
	die: Die.optional(),
	/** How many of the writes to make; all unless told. */
	writes: z.number().optional(),
});
export type MemoryLife = z.input<typeof MemoryLife>;

/** No later than that of the tests that look at it afterwards. */
const MEMORY_LIFE_NOW = Date.UTC(2026, 10, 29, 9);
const MEMORY = MemoryPath.parse('MEMORY.md');
const NOTES = MemoryPath.parse('memory/notes.md');
const provenance: Provenance = {
	author: 'agent',
	label: 'agent',
	origin: 'agent',
	sources: [],
	runId: 'run-1' as RunId,
	step: 3,
	modelName: 'test model',
	at: 1_000,
};

/** The entry as it is, or as it last was. */
function find(memory: OpenMemory, text: string): MemoryEntry {
	const { entries } = memory.entries({ states: ['current', 'superseded', 'gone'] }, { offset: 0, limit: 100 });
	const known = entries.find((entry) => memory.history({ entryId: entry.id }, 100).some(({ after }) => after === text));
	if (!known) throw new Error(`no entry ever said: ${text}`);
	return known;
}

type Work = (
	memory: OpenMemory,
	base: { grant: ReturnType<typeof mintWriteGrant>; key: string; provenance: Provenance },
) => Promise<MemoryReceipt>;

const seen = ({ id, hash }: MemoryEntry) => ({ entryId: id, baseHash: hash });

export const WORK: readonly Work[] = [
	(memory, base) => memory.writer.append({ ...base, file: MEMORY, text: 'Likes green tea' }),
	(memory, base) => memory.writer.append({ ...base, file: MEMORY, headingPath: ['Home'], text: 'Has a cat' }),
	(memory, base) => memory.writer.patch({ ...base, ...seen(find(memory, 'Likes green tea')), text: 'Likes black coffee' }),
	(memory, base) => memory.writer.supersede({ ...base, ...seen(find(memory, 'Has a cat')), text: 'Has two cats' }),
	(memory, base) => memory.writer.move({ ...base, ...seen(find(memory, 'Likes black coffee')), file: NOTES, headingPath: ['Drinks'] }),
	(memory, base) => memory.writer.append({ ...base, file: NOTES, text: 'To be removed' }),
	(memory, base) => memory.writer.remove({ ...base, ...seen(find(memory, 'To be removed')) }),
	(memory, base) => {
		const [removal] = memory.history({ entryId: find(memory, 'To be removed').id }, 1);
		if (!removal) throw new Error('nothing was removed');
		return memory.writer.undo({ ...base, changeId: removal.changeId });
	},
];

/** What the files say once all of it is done. */
export const DONE: Readonly<Record<string, string>> = {
	'MEMORY.md': '## Home\n\n- Has a cat\n- Has two cats\n',
	'memory/notes.md': '## Drinks\n\n- Likes black coffee\n\n## Notes\n\n- To be removed\n',
};

async function main({ folder, die, writes }: z.output<typeof MemoryLife>): Promise<void> {
	dieAt(die);
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const clock = { now: () => MEMORY_LIFE_NOW, monotonic: () => performance.now() };
	const memory = createMemory({ db, folder, clock, logger: silentLogger, embedding: undefined, timeZone: () => 'UTC', watch: false });
	await memory.ready;
	for (const [index, work] of WORK.slice(0, writes).entries()) {
		const receipt = await work(memory, { grant: mintWriteGrant({ by: 'gate' }), key: `run-1:${index}`, provenance });
		process.stdout.write(`${JSON.stringify({ index, ...receipt })}\n`);
	}
	await memory.settled();
	await memory.close();
	db.close();
}

if (process.argv[2]) await main(MemoryLife.parse(JSON.parse(process.argv[2])));
