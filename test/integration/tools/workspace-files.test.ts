import { appendFileSync, chmodSync, closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import type { RestoreId } from '../../../src/domain/ids.ts';
import { lastWorkspaceChanges, lastWorkspaceSeq } from '../../../src/tools/workspace/change-store.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { byStep, openWorkspace, whole } from '../../support/workspace/harness.ts';

const RESTORE = 'restore-1' as RestoreId;

/** Does this once, the first time the point is passed. */
function onceAt(point: Parameters<Parameters<typeof onCrashPoint>[0]>[0], act: () => void): void {
	let done = false;
	onTestFinished(
		onCrashPoint((name) => {
			if (name !== point || done) return;
			done = true;
			act();
		}),
	);
}

test('R1 a change is a row with what was before and after it, and both contents are kept', async () => {
	const { files, blobs, db, edit, text } = openWorkspace();
	edit('plan.md', 'by the owner');
	const { change, repeated } = await files.change('plan.md', whole('by the agent'), byStep('key'));
	expect(repeated).toBe(false);
	expect(change).toMatchObject({ seq: 1, path: 'plan.md', status: 'done', runId: 'run-1', step: 1, label: 'agent', bytes: 12 });
	expect(Buffer.from((await blobs.read(change.before ?? '')) ?? []).toString()).toBe('by the owner');
	expect(Buffer.from((await blobs.read(change.after ?? '')) ?? []).toString()).toBe('by the agent');
	expect(text('plan.md')).toBe('by the agent');
	expect(files.changes({ paths: ['plan.md'] })).toEqual([change]);
	expect(lastWorkspaceSeq(db.read)).toBe(1);
});

test('R2 the same key again changes nothing and gives the same outcome, whatever was done to the file since', async () => {
	const { files, edit, text } = openWorkspace();
	const first = await files.change('plan.md', whole('one'), byStep('key'));
	edit('plan.md', 'the owner went on');
	let composed = false;
	const again = await files.change(
		'./plan.md',
		() => {
			composed = true;
			return { bytes: Buffer.from('two'), keepsLabel: false };
		},
		byStep('key'),
	);
	expect(again).toEqual({ change: first.change, repeated: true });
	expect(composed).toBe(false);
	expect(text('plan.md')).toBe('the owner went on');
});

test('R2 a write of what is there already is a change too: the same call again does not undo what the owner did since', async () => {
	const { call, edit, text } = openWorkspace();
	edit('plan.md', 'same');
	await call('write_file', { path: 'plan.md', content: 'same' }, { idempotencyKey: 'call' });
	edit('plan.md', 'changed by the owner');
	await call('write_file', { path: 'plan.md', content: 'same' }, { idempotencyKey: 'call' });
	expect(text('plan.md')).toBe('changed by the owner');
});

test('M3 the owner saves while a file is being written: theirs stays, and the call says so however often it is made', async () => {
	const { call, edit, text, rows } = openWorkspace();
	edit('plan.md', 'old');
	onceAt('workspace.intended', () => edit('plan.md', 'saved by the owner'));
	for (let tries = 0; tries < 2; tries++) {
		await expect(call('write_file', { path: 'plan.md', content: 'mine' }, { idempotencyKey: 'call' })).rejects.toMatchObject({
			code: 'conflict',
			message: expect.stringContaining('changed by somebody else'),
		});
		expect(text('plan.md')).toBe('saved by the owner');
	}
	expect(rows()).toMatchObject([{ status: 'given_up' }]);
	// Another call has read it anew.
	await call('write_file', { path: 'plan.md', content: 'mine' });
	expect(text('plan.md')).toBe('mine');
});

test('M3 the owner saves, makes or removes a file while one is made, deleted or replaced', async () => {
	const { call, edit, at, text } = openWorkspace();
	onceAt('workspace.intended', () => edit('new.md', 'made by the owner'));
	await expect(call('write_file', { path: 'new.md', content: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
	expect(text('new.md')).toBe('made by the owner');
	onceAt('workspace.intended', () => appendFileSync(at('new.md'), ', and more'));
	await expect(call('delete_file', { path: 'new.md' })).rejects.toMatchObject({ code: 'conflict' });
	expect(text('new.md')).toBe('made by the owner, and more');
	onceAt('workspace.intended', () => rmSync(at('new.md')));
	await expect(call('write_file', { path: 'new.md', content: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
	expect(text('new.md')).toBeUndefined();
});

test('M3 what another program writes to the file it had open, in the moment in which it is replaced or deleted, is kept beside it', async () => {
	const { call, edit, at, all } = openWorkspace();
	for (const [tool, args, left] of [
		['write_file', { path: 'plan.md', content: 'mine' }, 'mine'],
		['delete_file', { path: 'plan.md' }, undefined],
	] as const) {
		edit('plan.md', 'old');
		const file = openSync(at('plan.md'), 'r+');
		// Contents for blobs/ pass the same point: the one in the workspace is the last.
		onceAt('workspace.intended', () => onceAt('file.looked', () => writeSync(file, 'late and longer', 0)));
		const { text } = await call(tool, args);
		closeSync(file);
		expect(text).toContain('Another program wrote to it at the same moment: what it wrote is in plan (changed meanwhile');
		expect(all()['plan.md']).toBe(left);
	}
	expect(all()).toEqual({ 'plan (changed meanwhile).md': 'late and longer', 'plan (changed meanwhile 2).md': 'late and longer' });
});

test('S5 a full disk says so, nothing is lost, and the same call goes through when there is room', async () => {
	const { call, edit, text, rows, folder } = openWorkspace();
	edit('plan.md', 'old');
	const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
	for (const nth of [1, 2, 3]) {
		let writes = 0;
		const remove = onCrashPoint((name) => {
			// The content before, the content after, the file itself.
			if (name === 'file.written' && ++writes === nth) throw full;
		});
		const content = `mine ${nth}`;
		await expect(call('write_file', { path: 'plan.md', content }, { idempotencyKey: `call ${nth}` })).rejects.toMatchObject({
			code: 'disk_full',
		});
		remove();
		expect(text('plan.md')).toBe(nth === 1 ? 'old' : `mine ${nth - 1}`);
		await call('write_file', { path: 'plan.md', content }, { idempotencyKey: `call ${nth}` });
		expect(text('plan.md')).toBe(content);
		edit('plan.md', `mine ${nth}`);
		rmSync(join(folder, 'blobs'), { recursive: true });
	}
	expect(rows().filter(({ status }) => status === 'intended')).toEqual([]);
});

test('S5 a database that is full takes no intent, so nothing is written; one that is full after the write is made good later', async () => {
	const { files, db, edit, text, rows } = openWorkspace();
	edit('plan.md', 'old');
	// A path this long does not fit into what is left of a page.
	const long = `${'folder of a long name/'.repeat(18)}plan.md`;
	fillDisk(db);
	let refused = 0;
	for (let tries = 0; tries < 60 && refused === 0; tries++)
		await files.change(long, whole(`${tries}`), byStep(`fill ${tries}`)).catch((error: unknown) => {
			expect(error).toMatchObject({ code: 'disk_full' });
			refused += 1;
		});
	expect(refused).toBe(1);
	freeDisk(db);
	const written = rows().length;
	let failing = false;
	const remove = onCrashPoint((name) => {
		if (name === 'workspace.written') failing = true;
		if (name === 'transaction.open' && failing) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
	});
	await expect(files.change('plan.md', whole('new'), byStep('key'))).rejects.toMatchObject({ code: 'disk_full' });
	remove();
	expect(text('plan.md')).toBe('new');
	expect(rows().slice(written)).toMatchObject([{ status: 'intended' }]);
	expect(await files.change('plan.md', whole('new'), byStep('key'))).toMatchObject({ change: { status: 'done' } });
	expect(rows().slice(written)).toMatchObject([{ status: 'done' }]);
});

test('a change that is under way is ended before the next one of its file', async () => {
	const { files, edit, text, rows } = openWorkspace();
	edit('plan.md', 'old');
	onceAt('workspace.written', () => {
		throw new Error('something broke');
	});
	await expect(files.change('plan.md', whole('one'), byStep('first'))).rejects.toThrow('something broke');
	expect(rows()).toMatchObject([{ status: 'intended' }]);
	await files.change('plan.md', (now) => ({ bytes: Buffer.from(`${now?.bytes} two`), keepsLabel: true }), byStep('second'));
	expect(text('plan.md')).toBe('one two');
	expect(rows()).toMatchObject([{ status: 'done' }, { status: 'done' }]);
});

test('permissions of a file stay; one that may not be read is told of in words', async () => {
	const { files, at, edit, call } = openWorkspace();
	edit('run.sh', 'old');
	chmodSync(at('run.sh'), 0o755);
	await files.change('run.sh', whole('new'), byStep('key'));
	expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755);
	await files.change('private.md', whole('new'), byStep('key'));
	expect(statSync(at('private.md')).mode & 0o777).toBe(0o600);
	if (process.getuid?.() === 0) return;
	chmodSync(at('run.sh'), 0o000);
	await expect(call('read_file', { path: 'run.sh' })).rejects.toMatchObject({ code: 'read_only' });
});

test('R2 a move that is made again after only half of it was done is brought to its end; over nothing of the owner’s', async () => {
	const { call, edit, all, at } = openWorkspace();
	const move = () => call('move_file', { from: 'a.md', to: 'b.md' }, { idempotencyKey: 'move' });
	edit('a.md', 'text');
	// The second intent: the file is there under its new name, and under its old one.
	let intents = 0;
	const remove = onCrashPoint((name) => {
		if (name === 'workspace.intended' && ++intents === 2) throw new Error('cut off');
	});
	await expect(move()).rejects.toThrow('cut off');
	remove();
	expect(all()).toEqual({ 'a.md': 'text', 'b.md': 'text' });
	await move();
	expect(all()).toEqual({ 'b.md': 'text' });
	edit('a.md', 'a new one of the owner');
	expect((await move()).text).toBe('Moved a.md to b.md.');
	expect(all()).toEqual({ 'a.md': 'a new one of the owner', 'b.md': 'text' });

	edit('c.md', 'text');
	onceAt('workspace.done', () => writeFileSync(at('c.md'), 'edited by the owner'));
	await expect(call('move_file', { from: 'c.md', to: 'd.md' })).rejects.toMatchObject({ code: 'conflict' });
	expect(all()).toMatchObject({ 'c.md': 'edited by the owner', 'd.md': 'text' });
});

test('R4 contents are put back, what is there now is kept first, and that can be undone', async () => {
	const { files, edit, text, all } = openWorkspace();
	edit('plan.md', 'v0');
	edit('gone.md', 'to be deleted');
	await files.change('plan.md', whole('v1'), byStep('1'));
	await files.change('plan.md', whole('v2'), byStep('2'));
	await files.change('gone.md', whole(null), byStep('3'));
	await files.change('made.md', whole('made'), byStep('4'));
	edit('plan.md', 'v2, edited by the owner');
	const changed = files.changes({ runIds: [byStep('').runId], afterSeq: 0 });
	const first = new Map(changed.toReversed().map((change) => [change.path, change.before]));
	const wanted = [...first].map(([path, hash]) => ({ path, hash }));
	const outcomes = await files.putBack(wanted, { restoreId: RESTORE, key: 'restore-1' });
	expect(outcomes.map(({ outcome }) => outcome)).toEqual(['put_back', 'put_back', 'put_back']);
	expect(all()).toEqual({ 'plan.md': 'v0', 'gone.md': 'to be deleted' });
	// The same again, as after a crash, leaves what was done since.
	edit('plan.md', 'v0 and on');
	expect((await files.putBack(wanted, { restoreId: RESTORE, key: 'restore-1' })).map(({ outcome }) => outcome)).toEqual(
		outcomes.map(({ outcome }) => outcome),
	);
	expect(text('plan.md')).toBe('v0 and on');
	edit('plan.md', 'v0');
	const undo = files.changes({ restoreId: RESTORE }).map(({ path, before: hash }) => ({ path, hash }));
	await files.putBack(undo, { restoreId: RESTORE, key: 'restore-1:undo' });
	expect(all()).toEqual({ 'plan.md': 'v2, edited by the owner', 'made.md': 'made' });
	expect(await files.putBack(undo, { restoreId: RESTORE, key: 'once more' })).toEqual(
		undo.map(({ path }) => ({ path, outcome: 'as_wanted' })),
	);
});

test('R4 what hinders one file is said of that file, and the others are put back; a content keeps its label', async () => {
	const { files, edit, text, at, blobs } = openWorkspace();
	await files.change('page.md', whole('from a page'), byStep('1', 'external'));
	await files.change('page.md', whole('forgotten'), byStep('2'));
	await files.change('page.md', whole('new'), byStep('3'));
	edit('in the way', 'a file');
	await blobs.remove([sha256('forgotten')], (hashes) => hashes);
	const outcomes = await files.putBack(
		[
			{ path: 'page.md', hash: sha256('from a page') },
			{ path: 'in the way/x.md', hash: sha256('from a page') },
			{ path: '../outside.md', hash: sha256('from a page') },
			{ path: 'forgotten.md', hash: sha256('forgotten') },
		],
		{ restoreId: RESTORE, key: 'key' },
	);
	expect(outcomes).toMatchObject([
		{ outcome: 'put_back' },
		{ outcome: 'failed', why: expect.stringContaining('is a file, not a folder') },
		{ outcome: 'failed', why: expect.stringContaining('may not lead out') },
		{ outcome: 'failed', why: expect.stringContaining('no longer kept') },
	]);
	expect(text('page.md')).toBe('from a page');
	expect(await files.read('page.md')).toMatchObject({ label: 'external' });
	expect(readdirSync(at('')).sort()).toEqual(['in the way', 'page.md']);
});

test('the ledger tells what each file held at any of its numbers', async () => {
	const { files, db } = openWorkspace();
	await files.change('a.md', whole('a1'), byStep('1'));
	await files.change('b.md', whole('b1'), byStep('2'));
	await files.change('a.md', whole('a2'), byStep('3'));
	await files.change('b.md', whole(null), byStep('4'));
	const at = (seq: number) => lastWorkspaceChanges(db.read, seq).map(({ path, after }) => [path, after]);
	expect([at(0), at(2), at(4)]).toEqual([
		[],
		[
			['a.md', sha256('a1')],
			['b.md', sha256('b1')],
		],
		[
			['a.md', sha256('a2')],
			['b.md', null],
		],
	]);
	expect(files.changes({ paths: ['a.md'], afterSeq: 1 }).map(({ seq }) => seq)).toEqual([3]);
	expect(files.changes({ upToSeq: 2 }).map(({ path }) => path)).toEqual(['a.md', 'b.md']);
});
