import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock, isLocked } from '../../../src/app/lock.ts';
import { startChild } from '../../support/storage/child.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

test('dur-1 a second process is refused, told who holds the profile, and its end leaves the lock where it is', async () => {
	const folder = temporaryFolder();
	const lock = join(folder, 'lock');
	const first = startChild(['hold-lock', folder]);
	const { locked } = await first.next();
	const inode = statSync(lock).ino;
	for (let attempt = 0; attempt < 2; attempt++) {
		const second = startChild(['hold-lock', folder]);
		expect(await second.next()).toEqual({ failed: 'profile_locked', message: `Another Hearth (process ${locked}) has this profile open.` });
		await second.end();
	}
	expect(isLocked(lock)).toBe(true);
	expect(statSync(lock).ino).toBe(inode);

	first.say('release');
	await first.end();
	expect(existsSync(lock)).toBe(true);
	acquireLock(lock).release();
});

test('dur-1 a killed owner frees the profile at once', async () => {
	const folder = temporaryFolder();
	const first = startChild(['hold-lock', folder]);
	await first.next();
	expect(await first.end('SIGKILL')).toBe('SIGKILL');
	const second = startChild(['hold-lock', folder]);
	expect(await second.next()).toEqual({ locked: second.process.pid });
});

test('dur-1 of many that start at once exactly one owns the profile, and it is the one that is named', async () => {
	const folder = temporaryFolder();
	const children = Array.from({ length: 5 }, () => startChild(['hold-lock', folder]));
	const answers = await Promise.all(children.map((child) => child.next()));
	const owners = answers.filter((answer) => 'locked' in answer);
	expect(owners).toHaveLength(1);
	expect((await failureOf(() => acquireLock(join(folder, 'lock'), { patienceMs: 0 }))).message).toContain(`process ${owners[0]?.locked}`);
});

test('dur-1 a second owner in the same process is refused too, and its failure frees nothing', async () => {
	const file = join(temporaryFolder(), 'lock');
	const lock = acquireLock(file);
	expect((await failureOf(() => acquireLock(file, { patienceMs: 0 }))).code).toBe('profile_locked');
	const other = startChild(['hold-lock', join(file, '..')]);
	expect(await other.next()).toMatchObject({ failed: 'profile_locked' });
	lock.release();
	expect(isLocked(file)).toBe(false);
});

test('a lock file that holds something else is emptied in place and works', () => {
	const file = join(temporaryFolder(), 'lock');
	writeFileSync(file, 'pid 12345, written by some other program '.repeat(30));
	const inode = statSync(file).ino;
	const lock = acquireLock(file);
	expect(isLocked(file)).toBe(true);
	lock.release();
	expect(statSync(file).ino).toBe(inode);
	expect(readFileSync(file).toString('latin1', 0, 15)).toBe('SQLite format 3');
});

test('a folder without a lock file is free, and asking creates none', () => {
	const file = join(temporaryFolder(), 'lock');
	expect(isLocked(file)).toBe(false);
	expect(existsSync(file)).toBe(false);
});
