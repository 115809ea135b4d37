import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/db/driver.ts';
import type { EntryVersion, MemoryEntry, MemoryHit, MemoryReceipt } from '../../../src/domain/memory.ts';
import type { Proposal } from '../../../src/domain/proposal.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { cli, cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { append, openParts, toHold } from '../../support/memory-parts.ts';

/** A profile whose memory is searched by words only, which needs no model. */
function prepare(files: Record<string, string> = {}) {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(join(profileFolder, 'memory'), { recursive: true });
	writeFileSync(join(profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(profileFolder, name), text);
	const hearth = (...words: string[]) => cliHere(home, words);
	return {
		home,
		profileFolder,
		hearth,
		json: async <T>(...words: string[]): Promise<T> => JSON.parse((await hearth(...words, '--json')).stdout) as T,
		text: (file = 'MEMORY.md') => readFileSync(join(profileFolder, file), 'utf8'),
	};
}

/** Beside a running app, which the commands then talk to. */
async function besideApp(home: string): Promise<void> {
	const app = await startApp(home);
	onTestFinished(() => app.close());
}

async function withProposal(text: string) {
	const place = prepare();
	const parts = await openParts(place.profileFolder);
	const { proposalId } = parts.proposals.port.hold(toHold(append(text)));
	await parts.close();
	parts.db.close();
	return { ...place, proposalId };
}

test('M1 M2 M5 add, list, search: file, lines, text, score parts and provenance; ids, their beginnings and places name an entry', async () => {
	const { home, hearth, json, text } = prepare({ 'MEMORY.md': '# Home\n\n- The bin is emptied on Tuesdays.\n' });
	await besideApp(home);
	const added = await hearth('memory', 'add', '--file', 'MEMORY', '--heading', 'Home', 'The', 'door', 'code', 'is', '4711.');
	expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('hearth memory undo') });
	expect(text()).toBe('# Home\n\n- The bin is emptied on Tuesdays.\n- The door code is 4711.\n');
	const entries = await json<MemoryEntry[]>('memory', 'list', 'MEMORY.md');
	const code = entries.find((entry) => entry.text === 'The door code is 4711.');
	expect(code).toMatchObject({ lineStart: 4, provenance: { author: 'owner', sources: [] } });
	const { hits } = await json<{ hits: MemoryHit[] }>('memory', 'search', 'door', 'code');
	expect(hits[0]?.entry.id).toBe(code?.id);
	const shown = (await hearth('memory', 'search', 'door', 'code')).stdout;
	expect(shown).toContain('MEMORY.md:4  Home');
	expect(shown).toContain('The door code is 4711.');
	expect(shown).toMatch(/score \d\.\d+ \(.+\d\)/);
	expect(shown).toContain('by you,');
	expect(shown).toContain('no source');
	for (const name of ['MEMORY.md:4', code?.id ?? '', (code?.id ?? '').slice(0, 30)])
		expect((await hearth('memory', 'why', name)).stdout).toContain('The door code is 4711.');
	expect(await hearth('memory', 'why', 'MEMORY.md:99')).toMatchObject({ code: 1, stderr: expect.stringContaining('no entry at line 99') });
	expect(await hearth('memory', 'list', '../etc/passwd')).toMatchObject({ code: 2, stderr: expect.stringContaining('not a memory file') });
	expect(await hearth('memory', 'list', '--author', 'nobody')).toMatchObject({ code: 2 });
	expect(await json<MemoryEntry[]>('memory', 'list', '--author', 'agent')).toEqual([]);
	expect((await hearth('memory', 'search', 'nothing-like-this')).stdout).toBe('Nothing found.\n');
}, 120_000);

test('M3 M4 edit, supersede, move, remove, history, undo, restore; text from standard input', async () => {
	const { home, hearth, json, text } = prepare({ 'MEMORY.md': '- Tea.\n- Rent is 900.\n' });
	await besideApp(home);
	expect(await cli(home, ['memory', 'edit', 'MEMORY.md:1'], 'Green tea.\n')).toMatchObject({ code: 0 });
	expect(text()).toBe('- Green tea.\n- Rent is 900.\n');
	expect(await cli(home, ['memory', 'edit', 'MEMORY.md:1'], '')).toMatchObject({ code: 2, stderr: expect.stringContaining('no text') });
	expect(await hearth('memory', 'supersede', 'MEMORY.md:2', 'Rent', 'is', '950.')).toMatchObject({ code: 0 });
	expect((await json<MemoryEntry[]>('memory', 'list', '--state', 'superseded')).map((entry) => entry.text)).toEqual(['Rent is 900.']);
	expect(await hearth('memory', 'move', 'MEMORY.md:1', 'drinks')).toMatchObject({ code: 0 });
	expect(text('memory/drinks.md')).toContain('Green tea.');
	const removed = await json<MemoryReceipt>('memory', 'remove', 'memory/drinks.md:1');
	expect(text('memory/drinks.md')).not.toContain('Green tea.');
	const history = await json<EntryVersion[]>('memory', 'history');
	expect(history[0]).toMatchObject({ kind: 'remove', before: 'Green tea.', after: null });
	const shown = (await hearth('memory', 'history', 'MEMORY.md')).stdout;
	const missing = await hearth('memory', 'history', 'nothing.md');
	expect(missing).toMatchObject({ stdout: '', stderr: expect.stringContaining('There is no memory file memory/nothing.md.') });
	expect(missing.code).not.toBe(0);
	expect(shown).toContain('  - Tea.\n  + Green tea.');
	expect(await hearth('memory', 'undo', 'last')).toMatchObject({ code: 0 });
	expect(text('memory/drinks.md')).toContain('Green tea.');
	if (removed.outcome === 'written')
		expect(await hearth('memory', 'undo', removed.changeId)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/already|taken back/i),
		});
	expect(await hearth('memory', 'undo', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('no change') });
}, 120_000);

test('M1 verify fails where ledger and files differ, and says where; reindex makes the index anew', async () => {
	const { hearth, json, profileFolder } = prepare({ 'MEMORY.md': '- Tea.\n' });
	// What was not looked at yet differs, and looking for differences takes nothing in.
	for (let time = 0; time < 2; time++) expect((await hearth('memory', 'verify')).code).toBe(1);
	await hearth('memory', 'list');
	expect(await hearth('memory', 'verify')).toMatchObject({ code: 0, stdout: '1 entries in 1 files: disk, ledger and index agree.\n' });
	const db = connect(join(profileFolder, 'state.db'));
	db.prepare("UPDATE memory_entries SET text = 'Coffee.', hash = 'wrong'").run();
	db.close();
	const failed = await hearth('memory', 'verify');
	expect(failed.code).toBe(1);
	expect(failed.stdout).toContain('MEMORY.md');
	expect((await json<{ problems: unknown[] }>('memory', 'verify')).problems.length).toBeGreaterThan(0);
	expect(await hearth('memory', 'reindex')).toMatchObject({ code: 0, stdout: expect.stringContaining('of 1 entries can be found') });
}, 120_000);

test('M4 forget shows what goes and asks; without a terminal it needs --yes', async () => {
	const { hearth, text, json } = prepare({ 'MEMORY.md': '- Tea.\n- My old password was hunter-twenty-two.\n' });
	const refused = await hearth('memory', 'forget', 'MEMORY.md:2');
	expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('Forget removes this text from:') });
	expect(text()).toContain('hunter');
	const done = await hearth('memory', 'forget', 'MEMORY.md:2', '--yes');
	expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('none holds it any more') });
	expect(text()).toBe('- Tea.\n');
	expect(JSON.stringify(await json('memory', 'history'))).not.toContain('hunter');
	// What was forgotten is not what “last” means.
	expect(await hearth('memory', 'undo', 'last')).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/no change left|can’t be undone/),
	});
	expect(await hearth('memory', 'add', 'Bread.', '--file', 'MEMORY.md')).toMatchObject({ code: 0 });
	expect(await hearth('memory', 'undo', 'last')).toMatchObject({ code: 0 });
	expect(text()).toBe('- Tea.\n');
}, 120_000);

test('B3 a proposal is decided at a terminal only, after all of it was shown, and only with the word itself', async () => {
	const { home, hearth, json, text, proposalId, profileFolder } = await withProposal('The bin is emptied on Tuesdays.');
	expect((await json<Proposal[]>('inbox', 'list')).map(({ id, status }) => [id, status])).toEqual([[proposalId, 'pending']]);
	expect((await hearth('inbox', 'list')).stdout).toContain('append MEMORY.md: The bin is emptied on Tuesdays.');
	for (const act of ['approve', 'reject', 'undo'])
		expect(await hearth('inbox', act, proposalId)).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('only from you, at a terminal'),
		});
	// Neither a word that is piped in nor a flag is a terminal.
	expect(await cli(home, ['inbox', 'approve', proposalId, '--json'], 'approve\n')).toMatchObject({ code: 3 });
	expect(existsSync(join(profileFolder, 'MEMORY.md'))).toBe(false);

	const hesitant = startCliAtTerminal(home, ['inbox', 'approve', proposalId]);
	await hesitant.says('Type “approve”');
	hesitant.child.stdin?.write('yes\n');
	expect((await hesitant.ended).stdout).toContain('goes on waiting');
	expect(existsSync(join(profileFolder, 'MEMORY.md'))).toBe(false);

	const approving = startCliAtTerminal(home, ['inbox', 'approve', proposalId.slice(0, 30)]);
	await approving.says('Type “approve”');
	// B3: what the hash stands for was shown, the whole source with it.
	for (const part of [
		'Add to MEMORY.md',
		'+ The bin is emptied on Tuesdays.',
		'Trust label: external',
		'https://town.example/bins',
		'It has read a page.',
	])
		expect(approving.stdout).toContain(part);
	approving.child.stdin?.write('approve\n');
	expect(await approving.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Approved.') });
	expect(text()).toBe('- The bin is emptied on Tuesdays.\n');
	expect((await hearth('memory', 'list')).stdout).toContain('external, approved');

	const undoing = startCliAtTerminal(home, ['inbox', 'undo', proposalId]);
	await undoing.says('Type “undo”');
	undoing.child.stdin?.write('undo\n');
	expect(await undoing.ended).toMatchObject({ code: 0 });
	expect(text()).toBe('');
	const rejecting = startCliAtTerminal(home, ['inbox', 'reject', proposalId, '--reason', 'Not ours.']);
	await rejecting.says('Type “reject”');
	rejecting.child.stdin?.write('reject\n');
	expect(await rejecting.ended).toMatchObject({ code: 0 });
	expect(await json<Proposal[]>('inbox', 'list', '--decided')).toMatchObject([{ status: 'rejected', rejection: 'Not ours.' }]);
	expect((await hearth('inbox', 'show', proposalId)).stdout).toContain('rejected');
	expect(await hearth('inbox', 'show', 'nothing')).toMatchObject({ code: 1, stderr: expect.stringContaining('hearth inbox list') });
}, 120_000);

test('bg-5 a stale proposal says so in the terminal, and a rebase shows it anew', async () => {
	const { home, hearth, text, profileFolder } = prepare({ 'MEMORY.md': '- The bin is emptied on Mondays.\n' });
	const parts = await openParts(profileFolder);
	const { id, hash, text: before, file } = parts.entry('The bin is emptied on Mondays.');
	const operation = { kind: 'patch', file, entryId: id, baseHash: hash, before, text: 'The bin is emptied on Tuesdays.' } as const;
	const { proposalId } = parts.proposals.port.hold(toHold(operation));
	await parts.close();
	parts.db.close();
	writeFileSync(join(profileFolder, 'MEMORY.md'), '- The bin is emptied on Sundays.\n');
	expect((await hearth('inbox', 'list')).stdout).toContain('stale');
	const approving = startCliAtTerminal(home, ['inbox', 'approve', proposalId]);
	await approving.says('Stale: ');
	await approving.says('Type “approve”');
	approving.child.stdin?.write('approve\n');
	expect(await approving.ended).toMatchObject({ code: 3, stdout: expect.stringContaining('no longer what was shown') });
	expect(text()).toBe('- The bin is emptied on Sundays.\n');
	expect(await hearth('inbox', 'rebase', proposalId)).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('- The bin is emptied on Sundays.'),
	});
	expect(text()).toBe('- The bin is emptied on Sundays.\n');
}, 120_000);

test('M1 S5 back-ups from the command line: make, list, verify, restore, export; a cut one fails with reasons', async () => {
	const { home, hearth, json, profileFolder } = prepare({ 'MEMORY.md': '- Tea.\n' });
	const made = await json<{ name: string; path: string }>('backup', 'create');
	expect(await json<{ path: string }[]>('backup', 'list')).toMatchObject([{ path: made.path }]);
	expect((await hearth('backup', 'list')).stdout).toContain(made.path);
	// By its name, too.
	expect(await hearth('backup', 'verify', made.name)).toMatchObject({ code: 0, stdout: expect.stringContaining('Whole') });
	expect(await hearth('export', 'mine.zip')).toMatchObject({ code: 0, stdout: expect.stringContaining('Keys are not in it.') });
	expect(existsSync(join(home, 'mine.zip'))).toBe(true);
	expect(await hearth('export', 'mine.zip')).toMatchObject({ code: 3, stderr: expect.stringContaining('exists already') });
	const restored = await hearth('backup', 'restore', 'mine.zip', '--into', 'second');
	expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('second') });
	expect((await cli(home, ['--profile', 'second', 'memory', 'list'])).stdout).toContain('Tea.');
	expect(await hearth('backup', 'restore', 'mine.zip', '--into', 'default')).toMatchObject({ code: 3 });
	expect(await hearth('backup', 'restore', 'mine.zip')).toMatchObject({ code: 2 });
	writeFileSync(join(home, 'cut.zip'), readFileSync(made.path).subarray(0, 500));
	expect(await hearth('backup', 'verify', 'cut.zip')).toMatchObject({ code: 1, stdout: expect.stringContaining('not a whole zip file') });
	expect(await hearth('backup', 'verify', 'none.zip')).toMatchObject({ code: 1, stderr: expect.stringContaining('no back-up file') });
	expect(existsSync(join(profileFolder, 'backups', made.name))).toBe(true);
}, 120_000);

test('M5 the same commands reach the running app through its door', async () => {
	const { home } = prepare({ 'MEMORY.md': '- Tea.\n' });
	const app = await startApp(home);
	onTestFinished(() => app.close());
	expect(await cli(home, ['memory', 'add', 'Coffee', 'is', 'out.'])).toMatchObject({ code: 0 });
	expect((await app.rpc.memory.entries({})).entries.map(({ text }) => text)).toContain('Coffee is out.');
	expect((await cli(home, ['memory', 'search', 'coffee'])).stdout).toContain('Coffee is out.');
}, 120_000);

test('the help of each group names its commands', async () => {
	const { hearth } = prepare();
	const { stdout } = await hearth('memory', '--help');
	for (const name of ['list', 'search', 'add', 'edit', 'supersede', 'move', 'forget', 'history', 'undo', 'why', 'reindex', 'verify'])
		expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
	expect((await hearth('inbox', '--help')).stdout).toContain('rebase');
	expect((await hearth('backup', '--help')).stdout).toContain('restore');
	expect((await hearth('memory')).code).toBe(2);
}, 120_000);
