import { execFileSync } from 'node:child_process';
import {
	existsSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { byStep, openWorkspace, type WorkspaceHarness, whole } from '../../support/workspace/harness.ts';

/** Each tool that takes a path; what it gives or throws, as text. */
async function attempts({ call }: WorkspaceHarness, path: string): Promise<string[]> {
	const tries: [string, Record<string, unknown>][] = [
		['read_file', { path }],
		['write_file', { path, content: 'mine' }],
		['write_file', { path, content: 'mine', mode: 'append' }],
		['patch_file', { path, edits: [{ find: 'secret', replace: 'mine' }] }],
		['delete_file', { path }],
		['move_file', { from: path, to: 'taken.md' }],
		['move_file', { from: 'own.md', to: path }],
		['list_files', { folder: path }],
		['search_files', { folder: path, query: 'secret' }],
	];
	const said: string[] = [];
	for (const [tool, args] of tries)
		said.push(
			await call(tool, args).then(
				({ text }) => text,
				(error: Error) => error.message,
			),
		);
	return said;
}

async function outside(make: (secret: string, harness: WorkspaceHarness) => string): Promise<void> {
	const harness = openWorkspace();
	const secret = join(harness.folder, 'secret.md');
	writeFileSync(secret, 'the secret');
	harness.edit('own.md', 'own');
	const path = make(secret, harness);
	for (const said of await attempts(harness, path)) expect(said).not.toContain('the secret');
	expect(readFileSync(secret, 'utf8')).toBe('the secret');
	expect(harness.text('own.md')).toBe('own');
	expect(harness.text('taken.md')).toBeUndefined();
	expect(harness.rows()).toEqual([]);
	expect(
		readdirSync(harness.folder)
			.filter((name) => !name.startsWith('state.db'))
			.sort(),
	).toEqual(expect.arrayContaining(['secret.md', 'workspace']));
}

test('no path leads out of the workspace: ..', () => outside(() => '../secret.md'));
test('no path leads out of the workspace: absolute', () => outside((secret) => secret));
test('no path leads out of the workspace: a link to a file', () =>
	outside((secret, { at }) => {
		symlinkSync(secret, at('link.md'));
		return 'link.md';
	}));
test('no path leads out of the workspace: a link to a folder', () =>
	outside((secret, { at }) => {
		symlinkSync(join(secret, '..'), at('up'));
		return 'up/secret.md';
	}));
test('no path leads out of the workspace: a link to a link', () =>
	outside((_, { at }) => {
		symlinkSync('..', at('one'));
		symlinkSync('one', at('two'));
		return 'two/secret.md';
	}));
test('no path leads out of the workspace: a new file through a link', async () => {
	const harness = openWorkspace();
	symlinkSync('..', harness.at('up'));
	await expect(harness.call('write_file', { path: 'up/new.md', content: 'x' })).rejects.toThrow(/leads out of the workspace/);
	await expect(harness.call('write_file', { path: 'up/deep/new.md', content: 'x' })).rejects.toThrow(/leads out of the workspace/);
	expect(existsSync(join(harness.folder, 'new.md'))).toBe(false);
	expect(existsSync(join(harness.folder, 'deep'))).toBe(false);
});

test('a link inside the workspace counts as the file it leads to: one file has one path in the ledger', async () => {
	const { call, at, edit, files, text } = openWorkspace();
	edit('real/plan.md', 'plan');
	symlinkSync('real', at('link'));
	symlinkSync(join('real', 'plan.md'), at('short.md'));
	await call('write_file', { path: 'link/plan.md', content: 'from a page' }, { label: 'external' });
	expect(files.changes({})).toMatchObject([{ path: 'real/plan.md', label: 'external' }]);
	await call('patch_file', { path: 'short.md', edits: [{ find: 'page', replace: 'site' }] });
	expect(text('real/plan.md')).toBe('from a site');
	expect(lstatSync(at('short.md')).isSymbolicLink()).toBe(true);
	expect(await call('read_file', { path: 'real/plan.md' })).toMatchObject({ label: 'external' });
	symlinkSync('nowhere', at('broken.md'));
	symlinkSync('circle', at('circle'));
	await expect(call('write_file', { path: 'broken.md', content: 'x' })).rejects.toThrow(/link to nowhere/);
	await expect(call('read_file', { path: 'circle/x.md' })).rejects.toThrow(/in a circle/);
});

test.each([
	['write_file', { path: 'notes/plan.md', content: 'mine' }, 'workspace.intended'],
	['write_file', { path: 'notes/plan.md', content: 'mine' }, 'file.written'],
	['write_file', { path: 'notes/new.md', content: 'mine' }, 'workspace.intended'],
	['write_file', { path: 'notes/new.md', content: 'mine' }, 'file.written'],
	['delete_file', { path: 'notes/plan.md' }, 'workspace.intended'],
] as const)('%s %j while its folder becomes a link, at %s: nothing is done outside, nor inside', async (tool, args, moment) => {
	const { call, at, edit, folder, rows } = openWorkspace();
	edit('notes/plan.md', 'plan');
	const elsewhere = join(folder, 'elsewhere');
	mkdirSync(elsewhere);
	writeFileSync(join(elsewhere, 'plan.md'), 'plan');
	// Contents are kept in blobs/ by the same function before.
	const isInWorkspace = () => moment !== 'file.written' || readdirSync(at('notes')).some((name) => name.endsWith('.tmp'));
	const swap = () => {
		renameSync(at('notes'), at('away'));
		symlinkSync(elsewhere, at('notes'));
	};
	let swapped = false;
	onTestFinished(
		onCrashPoint((name) => {
			if (swapped || name !== moment || !isInWorkspace()) return;
			swapped = true;
			swap();
		}),
	);
	await expect(call(tool, args)).rejects.toMatchObject({ message: expect.stringMatching(/behind a link at this moment/) });
	expect(swapped).toBe(true);
	expect(readdirSync(elsewhere)).toEqual(['plan.md']);
	expect(readFileSync(join(elsewhere, 'plan.md'), 'utf8')).toBe('plan');
	expect(readFileSync(at('away/plan.md'), 'utf8')).toBe('plan');
	expect(rows()).toMatchObject([{ status: 'given_up' }]);
});

test('a pipe, a device or a folder in the place of a file is left alone and never waited for', async () => {
	const harness = openWorkspace();
	const { at, call, edit } = harness;
	execFileSync('mkfifo', [at('pipe')]);
	mkdirSync(at('folder.md'));
	edit('own.md', 'own');
	for (const path of ['pipe', 'folder.md']) {
		await expect(call('read_file', { path })).rejects.toThrow(/neither a file nor a folder|is a folder/);
		await expect(call('write_file', { path, content: 'x' })).rejects.toThrow(/neither a file nor a folder|is a folder/);
		await expect(call('delete_file', { path })).rejects.toThrow(/neither a file nor a folder|is a folder/);
		await expect(call('move_file', { from: path, to: 'x.md' })).rejects.toThrow(/neither a file nor a folder|is a folder/);
		await expect(call('move_file', { from: 'own.md', to: path })).rejects.toThrow(/is there already/);
	}
	await expect(call('read_file', { path: 'own.md/x' })).rejects.toThrow(/own\.md is a file, not a folder/);
	expect((await call('list_files', {})).text).toContain('pipe · a link or device');
	expect((await call('search_files', { query: 'own' })).text).toContain('own.md:1: own');
	expect(harness.rows()).toEqual([]);
});

test('a file that becomes a pipe between the look and the write is left alone', async () => {
	const { at, call, edit, rows } = openWorkspace();
	edit('own.md', 'own');
	let done = false;
	onTestFinished(
		onCrashPoint((name) => {
			if (name !== 'workspace.intended' || done) return;
			done = true;
			rmSync(at('own.md'));
			execFileSync('mkfifo', [at('own.md')]);
		}),
	);
	await expect(call('write_file', { path: 'own.md', content: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
	expect(lstatSync(at('own.md')).isFIFO()).toBe(true);
	expect(rows()).toMatchObject([{ path: 'own.md', status: 'given_up' }]);
});

test('names that not every system takes, and names that differ only in case, are refused for new files; the owner’s are read', async () => {
	const { call, edit, text } = openWorkspace();
	for (const path of ['con.md', 'LPT1', 'a:b.md', 'trailing.', 'a/nul/b.md'])
		await expect(call('write_file', { path, content: 'x' })).rejects.toMatchObject({ code: 'invalid_input' });
	edit('what?.md', 'odd');
	expect((await call('read_file', { path: 'what?.md' })).text).toContain('odd');
	await call('write_file', { path: 'what?.md', content: 'new' });
	expect(text('what?.md')).toBe('new');
	edit('Notes/Plan.md', 'plan');
	await expect(call('write_file', { path: 'notes/plan.md', content: 'x' })).rejects.toThrow(/“Notes” is there/);
	await expect(call('read_file', { path: 'Notes/plan.md' })).rejects.toThrow(/“Plan\.md” is there/);
	edit('u\u0308ber.md', 'decomposed');
	expect((await call('read_file', { path: 'über.md' })).text).toContain('decomposed');
	await call('write_file', { path: '\u00fcber.md', content: 'composed' });
	expect(text('u\u0308ber.md')).toBe('composed');
});

test('a file too large to be kept is not changed, and says so; one that is too large to be read neither', async () => {
	const { call, at, edit, files, rows } = openWorkspace();
	edit('large.txt', 'x');
	truncateSync(at('large.txt'), 10_000_001);
	for (const [tool, args] of [
		['write_file', { path: 'large.txt', content: 'x' }],
		['delete_file', { path: 'large.txt' }],
		['move_file', { from: 'large.txt', to: 'other.txt' }],
	] as const)
		await expect(call(tool, args)).rejects.toMatchObject({ code: 'file_too_large', message: expect.stringContaining('10 MB') });
	await expect(files.change('new.bin', () => ({ bytes: Buffer.alloc(10_000_001), keepsLabel: false }), byStep('k'))).rejects.toMatchObject({
		code: 'file_too_large',
	});
	truncateSync(at('large.txt'), 50_000_001);
	await expect(call('read_file', { path: 'large.txt' })).rejects.toMatchObject({ code: 'file_too_large' });
	expect(lstatSync(at('large.txt')).size).toBe(50_000_001);
	expect(rows()).toEqual([]);
});

test('a file that has a second name outside gets a new content of its own: the other name keeps the old', async () => {
	const { files, at, edit, folder, text } = openWorkspace();
	edit('own.md', 'old');
	linkSync(at('own.md'), join(folder, 'second.md'));
	await files.change('own.md', whole('new'), byStep('k'));
	expect(text('own.md')).toBe('new');
	expect(readFileSync(join(folder, 'second.md'), 'utf8')).toBe('old');
});

test('the workspace itself may be a link that the owner made, or be gone', async () => {
	const { call, at, folder } = openWorkspace();
	rmSync(at(''), { recursive: true });
	expect((await call('list_files', {})).text).toBe('The workspace is empty.');
	rmSync(at(''), { recursive: true });
	mkdirSync(join(folder, 'elsewhere'));
	symlinkSync(join(folder, 'elsewhere'), join(folder, 'workspace'));
	await call('write_file', { path: 'plan.md', content: 'plan' });
	expect(readFileSync(join(folder, 'elsewhere', 'plan.md'), 'utf8')).toBe('plan');
	await expect(call('write_file', { path: '.', content: 'x' })).rejects.toThrow(/workspace folder itself/);
});
