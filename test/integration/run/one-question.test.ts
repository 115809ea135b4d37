import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, says } from '../../support/model-server/index.ts';
import { memoryApp, toolParts } from '../../support/run/memory-app.ts';

/** How often the owner is asked with the settings that a new profile has. */

test('S2 a coding task over files that somebody put into workspace/ asks one question: a yes for this run lets all of it go on', async () => {
	const app = await memoryApp({
		replies: [
			calls('list_files', {}),
			calls('read_file', { path: 'sum.sh' }),
			calls('write_file', { path: 'test.sh', content: 'test "$(sh sum.sh 2 3)" = 5 && echo passed\n' }),
			calls('patch_file', { path: 'sum.sh', edits: [{ find: '$1 - $2', replace: '$1 + $2' }] }),
			calls('run_command', { command: 'sh test.sh', reason: 'To see that it adds.' }),
			calls('move_file', { from: 'test.sh', to: 'tests/sum.sh' }),
			calls('delete_file', { path: 'old.txt' }),
			says('It adds now.'),
		],
	});
	const workspace = join(app.profileFolder, 'workspace');
	mkdirSync(workspace, { recursive: true });
	writeFileSync(join(workspace, 'sum.sh'), 'echo $(( $1 - $2 ))\n');
	writeFileSync(join(workspace, 'old.txt'), 'old');
	const asking = await app.turn('sum.sh subtracts. Mend it, with a test.');
	expect(asking.status).toBe('waiting');
	const [asked] = await app.rpc.chat.interrupts({});
	expect(asked?.detail).toMatchObject({
		kind: 'approval',
		tool: 'write_file',
		label: 'external',
		touches: [{ sink: 'file', access: 'write', path: 'workspace/test.sh', root: 'workspace' }],
		offers: [{ reach: 'run' }, { reach: 'standing' }],
	});
	const reply = await app.allow(asking.sessionId, 'run');
	expect(await app.rpc.chat.interrupts({})).toEqual([]);
	expect(reply.status).toBe('complete');
	expect(toolParts(reply).map(({ tool, status }) => [tool, status])).toEqual([
		['list_files', 'done'],
		['read_file', 'done'],
		['write_file', 'done'],
		['patch_file', 'done'],
		['run_command', 'done'],
		['move_file', 'done'],
		['delete_file', 'done'],
	]);
	expect(toolParts(reply)[4]?.result?.text).toContain('passed');
	expect(readFileSync(join(workspace, 'tests/sum.sh'), 'utf8')).toContain('passed');
	expect(reply.sources).toContainEqual(expect.objectContaining({ kind: 'file', name: 'workspace/sum.sh', label: 'external' }));
	// S1: each write and each command that was let through is a record of its own, with what became of it.
	const { records } = await app.rpc.audit.list({ ...(asking.runId && { runId: asking.runId }), limit: 200 });
	const told = records.map(({ sink, decision, rule, label, detail }) => `${sink} ${decision} ${rule} ${label} ${detail?.to}`).reverse();
	const written = told.filter((line) => / (?:written|done) /.test(line));
	expect(written).toEqual([
		'file written file.written external workspace/test.sh',
		'file written file.written external workspace/sum.sh',
		'shell done shell.command external workspace',
		expect.stringMatching(/^file written file\.written external workspace\/(?:tests\/sum|test)\.sh$/),
		expect.stringMatching(/^file written file\.written external workspace\/(?:tests\/sum|test)\.sh$/),
		'file written file.written external workspace/old.txt',
	]);
	const allowed = ['workspace/sum.sh', 'sh test.sh', 'workspace/test.sh', 'workspace/tests/sum.sh', 'workspace/old.txt'];
	for (const to of allowed) expect(told.filter((line) => line.endsWith(` allowed permitted external ${to}`))).toHaveLength(1);
	// Before it, the question and the owner's yes to it.
	const question = ['file asked effect_from_outside', 'file approved effect_from_outside', 'permission granted owner'];
	expect(told.slice(0, told.indexOf(written[0] ?? '')).filter((line) => question.some((begin) => line.startsWith(begin)))).toHaveLength(3);
});

test('S2 a writing task from nothing asks no question', async () => {
	const app = await memoryApp({
		replies: [
			calls('list_files', {}),
			calls('write_file', { path: 'letter.md', content: 'Dear Ada,\n' }),
			calls('read_file', { path: 'letter.md' }),
			calls('patch_file', { path: 'letter.md', edits: [{ find: 'Ada', replace: 'Grace' }] }),
			calls('list_files', {}),
			says('Written.'),
		],
	});
	const reply = await app.turn('Write a letter.');
	expect(reply.status).toBe('complete');
	expect(toolParts(reply).map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done', 'done']);
	expect(reply.label).toBe('workspace');
});

test('S2 a folder that is the owner’s own words needs no question at all', async () => {
	const app = await memoryApp({
		replies: [calls('read_file', { path: 'draft.md' }), calls('write_file', { path: 'final.md', content: 'Final.' }), says('Done.')],
	});
	writeFileSync(join(app.profileFolder, 'workspace', 'draft.md'), 'A draft.');
	const scope = { kind: 'folder' as const, path: join(app.profileFolder, 'workspace'), access: 'read' as const, mine: true };
	await app.rpc.permissions.add({ terms: { scope, label: 'approved', job: { kind: 'any' } } });
	const reply = await app.turn('Finish the draft.');
	expect(reply.status).toBe('complete');
	expect(reply.label).toBe('workspace');
});
