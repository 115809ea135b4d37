import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cli } from '../../support/cli.ts';

test('S1 the audit log on the command line: listed, one record whole, verified, saved once', async () => {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	const { rpc, close } = await startApp(home);
	onTestFinished(close);
	await rpc.memory.chooseEmbedding({ kind: 'off' });
	await rpc.memory.add({ text: 'The boiler is from 2019.', file: MemoryPath.parse('MEMORY.md'), requestId: crypto.randomUUID() });
	const audit = (...words: string[]) => cli(home, ['audit', ...words]);
	const [listed, json, verified] = await Promise.all([
		audit('list', '--sink', 'memory', '--decision', 'written'),
		audit('list', '--text', 'memory.written', '--json'),
		audit('verify'),
	]);
	expect(listed.stdout).toMatch(/NUMBER .*FROM → TO/);
	expect(listed.stdout).toContain('You → MEMORY.md');
	const { records } = JSON.parse(json.stdout) as { records: { seq: number; hash: string }[] };
	expect(records.length).toBeGreaterThan(0);
	expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('The chain is whole: ') });
	const [record] = records;
	const file = join(home, 'log.jsonl');
	const [shown, saved] = await Promise.all([audit('show', `${record?.seq}`), audit('export', file, '--sink', 'memory')]);
	expect(shown.stdout).toContain(`This        ${record?.hash}`);
	expect(saved.stdout).toContain(`Saved ${records.length} records`);
	expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(records.length);
	expect(await audit('export', file)).toMatchObject({ code: 3, stderr: expect.stringContaining('exists already') });
});
