import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openMemory } from '../support/memory.ts';
import type { MemoryLife } from '../support/memory-child/main.ts';
import { programOf } from '../support/program.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/memory-child/main.ts', import.meta.url)));

test('dur-5 killed when the new index is whole and the old one not yet replaced: the next start builds it again', async () => {
	const first = await openMemory();
	first.edit('MEMORY.md', Array.from({ length: 500 }, (_, at) => `- Fact ${at} of the lighthouse\n`).join(''));
	await first.memory.reconcile();
	await first.close();
	const file = join(first.folder, 'index.db');
	rmSync(file);
	const life: MemoryLife = { folder: first.folder, die: { at: 'index.rebuilt', nth: 1 }, writes: 0 };
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
	expect(existsSync(file)).toBe(false);
	expect(existsSync(`${file}.new`)).toBe(true);

	const again = await openMemory({ folder: first.folder });
	await again.memory.settled();
	expect(again.memory.status()).toMatchObject({ state: 'ready', total: 500, done: 500 });
	expect((await again.memory.verify()).problems).toEqual([]);
	expect(existsSync(`${file}.new`)).toBe(false);
	const { hits } = await again.memory.search({ query: 'fact 417 lighthouse', mode: 'keyword', filter: {}, limit: 3 });
	expect(hits[0]?.entry.text).toBe('Fact 417 of the lighthouse');
});
