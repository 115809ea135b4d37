import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setStatus } from '../../../src/tasks/task-store.ts';
import { lookAt } from '../../../src/tasks/triggers/file-scan.ts';
import { temporaryFolder, temporaryStateDb } from '../../support/sessions.ts';
import { triggersLife } from '../../support/triggers.ts';

type Given = Partial<Parameters<typeof triggersLife>[1]>;

function place(given: Given = {}) {
	const home = realpathSync(temporaryFolder());
	const inbox = join(home, 'Inbox');
	mkdirSync(inbox);
	const db = temporaryStateDb();
	const write = (name: string, text = name) => writeFileSync(join(inbox, name), text);
	return { home, inbox, db, write, life: (more: Given = {}) => triggersLife(db, { home, ...given, ...more }) };
}
const files = (path: string, more: { names?: string; mine?: boolean } = {}) => ({ kind: 'files' as const, path, mine: false, ...more });

test('a file that comes fires once; what lay there before does not, nor what only looks at it', async () => {
	const { inbox, write, life } = place();
	write('old.pdf');
	const on = life();
	const taskId = await on.task(files(inbox));
	write('new.pdf');
	await expect.poll(() => on.files(inbox)).toEqual(['new.pdf']);
	expect(on.fired).toMatchObject([{ taskId, cause: { name: `Files in ${inbox}`, label: 'external', events: 1 } }]);
	write('next.pdf');
	await expect.poll(() => on.files(inbox)).toEqual(['new.pdf', 'next.pdf']);
});

test('each version of a file fires once: one that is written to later fires again', async () => {
	const { inbox, write, life } = place();
	const on = life();
	await on.task(files(inbox, { mine: true }));
	write('notes.md', 'one');
	await expect.poll(() => on.files(inbox)).toEqual(['notes.md']);
	write('notes.md', 'one and two');
	await expect.poll(() => on.files(inbox)).toEqual(['notes.md', 'notes.md']);
	expect(on.fired[0]?.cause.label).toBe('workspace');
});

test('what a program writes under a name of its making counts under the name that it is given in the end', async () => {
	const { inbox, write, life } = place();
	const on = life();
	await on.task(files(inbox));
	for (const name of ['moved.pdf.part', '.hidden', '~$lock.docx', 'loading.pdf', 'loading.pdf.crdownload']) write(name);
	write('whole.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['whole.txt']);
	renameSync(join(inbox, 'moved.pdf.part'), join(inbox, 'moved.pdf'));
	await expect.poll(() => on.files(inbox)).toEqual(['whole.txt', 'moved.pdf']);
	rmSync(join(inbox, 'loading.pdf.crdownload'));
	await expect.poll(() => on.files(inbox)).toEqual(['whole.txt', 'moved.pdf', 'loading.pdf']);
});

test('only names that fit fire, in any folder below, and a folder that is moved in brings all of its files', async () => {
	const { home, inbox, write, life } = place();
	const on = life();
	await on.task(files(inbox, { names: '*.pdf' }), { quietSeconds: 1 });
	mkdirSync(join(home, 'elsewhere', 'deep'), { recursive: true });
	writeFileSync(join(home, 'elsewhere', 'a.PDF'), 'a');
	writeFileSync(join(home, 'elsewhere', 'deep', 'b.pdf'), 'b');
	writeFileSync(join(home, 'elsewhere', 'deep', 'c.txt'), 'c');
	renameSync(join(home, 'elsewhere'), join(inbox, 'moved'));
	write('d.txt');
	await expect.poll(() => on.files(inbox).toSorted(), { timeout: 10_000 }).toEqual(['moved/a.PDF', 'moved/deep/b.pdf']);
});

test('what comes within the quiet time is one run with all of it', async () => {
	const { inbox, write, life } = place();
	const on = life();
	await on.task(files(inbox), { quietSeconds: 1 });
	for (let at = 0; at < 30; at += 1) write(`${at}.txt`);
	await expect.poll(() => on.fired.length, { timeout: 10_000 }).toBe(1);
	expect(on.fired[0]?.cause.events).toBe(30);
	expect(on.files(inbox)).toHaveLength(30);
});

test('what came while Hearth was closed is found at the next start, once, and what was written to, and not what has another name', async () => {
	const { inbox, write, life } = place();
	write('known.txt');
	write('edited.txt');
	const first = life();
	await first.task(files(inbox));
	write('seen.txt');
	await expect.poll(() => first.files(inbox)).toEqual(['seen.txt']);
	await first.close();
	write('while-closed.txt');
	write('edited.txt', 'and edited');
	renameSync(join(inbox, 'known.txt'), join(inbox, 'renamed.txt'));
	const second = life();
	await expect.poll(() => second.files(inbox).toSorted()).toEqual(['edited.txt', 'while-closed.txt']);
	await second.close();
	const third = life();
	write('last.txt');
	await expect.poll(() => third.files(inbox)).toEqual(['last.txt']);
});

test('without signs of the system, as on a network drive, it is looked at again and again', async () => {
	const { inbox, write, life } = place({ isNetwork: true });
	const on = life();
	await on.task(files(inbox));
	write('a.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['a.txt']);
	write('b.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['a.txt', 'b.txt']);
});

test('S2 links are not followed, and what is shut to tools can’t be watched', async () => {
	const { home, inbox, write, life } = place();
	const outside = join(home, 'outside');
	mkdirSync(outside);
	symlinkSync(outside, join(inbox, 'out'));
	mkdirSync(join(home, '.ssh'));
	mkdirSync(join(home, '.hearth', 'profiles'), { recursive: true });
	const on = life();
	await on.task(files(inbox));
	writeFileSync(join(outside, 'secret.txt'), 'x');
	symlinkSync(join(outside, 'secret.txt'), join(inbox, 'link.txt'));
	write('plain.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['plain.txt']);
	for (const shut of ['/etc', join(home, '.ssh'), join(home, '.hearth', 'profiles')])
		await expect(on.task(files(shut))).rejects.toMatchObject({ code: 'invalid_input' });
	await expect(on.task(files('Inbox'))).rejects.toMatchObject({ code: 'invalid_input' });
	await expect(on.task(files(join(home, 'Inbxo')))).rejects.toMatchObject({ code: 'source_missing' });
	await expect(on.task(files(inbox, { names: 'a/*.pdf' }))).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a folder that goes away says so, forgets nothing, and goes on when it is back', async () => {
	const { home, inbox, write, life } = place();
	write('known.txt');
	const on = life();
	const taskId = await on.task(files(inbox));
	expect(on.triggers.problem(taskId)).toBeUndefined();
	renameSync(inbox, join(home, 'unplugged'));
	await expect.poll(() => on.triggers.problem(taskId)?.code).toBe('source_missing');
	// The empty place where a drive is not connected.
	mkdirSync(inbox);
	await expect.poll(() => on.triggers.problem(taskId)?.message).toContain('another folder than before');
	rmSync(inbox, { recursive: true });
	renameSync(join(home, 'unplugged'), inbox);
	await expect.poll(() => on.triggers.problem(taskId)).toBeUndefined();
	write('new.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['new.txt']);
});

test('one file can be watched that is not there yet, and again after it was taken away', async () => {
	const { inbox, write, life } = place();
	const on = life();
	await on.task(files(join(inbox, 'report.csv')));
	write('other.csv');
	write('report.csv');
	await expect.poll(() => on.files(inbox)).toEqual(['report.csv']);
	rmSync(join(inbox, 'report.csv'));
	write('report.csv', 'again, and longer');
	await expect.poll(() => on.files(inbox)).toEqual(['report.csv', 'report.csv']);
});

test('a folder that holds too much is refused, and says what to do', async () => {
	const { home, inbox, write } = place();
	const own = { hearth: join(home, '.hearth'), workspace: join(home, '.hearth', 'workspace'), home };
	for (const name of ['a', 'b', 'c']) write(name);
	await expect(lookAt({ path: inbox }, own, { wasFile: false, most: 3 })).resolves.toMatchObject({ files: { size: 3 } });
	mkdirSync(join(inbox, 'd'));
	await expect(lookAt({ path: inbox }, own, { wasFile: false, most: 3 })).rejects.toMatchObject({
		code: 'file_too_large',
		shape: { action: expect.any(String) },
	});
});

test('a task that is paused misses what comes meanwhile, and begins anew', async () => {
	const { inbox, db, write, life } = place();
	const on = life();
	const taskId = await on.task(files(inbox));
	db.write((tx) => {
		setStatus(tx, taskId, 'paused');
		on.triggers.paused(tx, taskId);
	});
	on.triggers.changed();
	write('meanwhile.txt');
	const listen = await on.triggers.prepare({ kind: 'trigger', trigger: files(inbox), quietSeconds: 0 });
	db.write((tx) => {
		setStatus(tx, taskId, 'on');
		listen(tx, taskId);
	});
	on.triggers.changed();
	write('after.txt');
	await expect.poll(() => on.files(inbox)).toEqual(['after.txt']);
});
