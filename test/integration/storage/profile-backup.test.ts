import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkArchive } from '../../../src/app/backup/check-archive.ts';
import { createProfileBackups } from '../../../src/app/backup/profile-backups.ts';
import { restoreProfile, sweepUnfinishedRestores } from '../../../src/app/backup/restore.ts';
import { profilePaths } from '../../../src/app/profile-folder.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { connect } from '../../../src/db/driver.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { claiming, readZip, renamed, writeZip, type ZipPiece } from '../../support/storage/archives.ts';
import { startChild } from '../../support/storage/child.ts';
import { addSession, failureOf, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const NOTE = '- Der Müll wird dienstags geleert.\r\n';

/** A home with one profile that has a little of everything. */
function prepare() {
	const home = temporaryFolder();
	const folder = join(home, 'profiles', 'first');
	const put = (path: string, text: string | Buffer) => {
		mkdirSync(join(folder, path, '..'), { recursive: true });
		writeFileSync(join(folder, path), text);
	};
	put('MEMORY.md', NOTE);
	put('memory/2026-11-29.md', '- Paid the invoice 4711.\n');
	put('memory/deep/er.md', '# Notes\n');
	put('AGENT.md', 'Be brief.\n');
	put('config.json', '{"version":1}\n');
	put('attachments/ab', Buffer.from([0, 255, 1]));
	put('blobs/cd', 'A large result.');
	put('workflows/hire.yaml', 'name: hire\n');
	put('workspace/run.sh', '#!/bin/sh\n');
	chmodSync(join(folder, 'workspace/run.sh'), 0o700);
	// Not for anybody else, or made anew.
	put('secrets.json', '{"key":"sk-very-secret"}');
	put('hearth.token', 'token-very-secret');
	put('index.db', 'derived');
	put('logs/today.log', 'log');
	symlinkSync('/etc/hostname', join(folder, 'workspace', 'link'));
	const db = openIn(folder);
	addSession(db, 's1', 'the first chat');
	const clock = { wall: Date.UTC(2026, 10, 29), now: () => clock.wall, monotonic: () => 0 };
	const backups = createProfileBackups({
		db,
		paths: profilePaths(folder),
		clock,
		logger: silentLogger,
		redactor: createRedactor(Buffer.alloc(32)),
	});
	return { home, folder, db, clock, backups };
}

const profilesIn = (home: string) => readdirSync(join(home, 'profiles')).toSorted();

test('M1 M2 a back-up holds the files, the ledger and the chats; no keys, nothing derived', async () => {
	const { folder, backups } = prepare();
	const made = await backups.create();
	expect(made.name).toBe('profile-v6-20261129T000000000Z.zip');
	expect(statSync(made.path).mode & 0o777).toBe(0o600);
	const pieces = await readZip(made.path);
	expect(pieces.map(({ name }) => name).toSorted()).toEqual([
		'AGENT.md',
		'MEMORY.md',
		'attachments/ab',
		'blobs/cd',
		'config.json',
		'manifest.json',
		'memory/2026-11-29.md',
		'memory/deep/er.md',
		'state.db',
		'workflows/hire.yaml',
		'workspace/run.sh',
	]);
	const everything = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1');
	expect(everything).not.toContain('very-secret');
	expect(made.leftOut).toEqual([{ path: 'workspace/link', why: 'It is a link.' }]);
	expect(await backups.list()).toEqual([made]);
	expect(await checkArchive(made.path)).toEqual({ backup: made, problems: [] });
	expect(readdirSync(join(folder, 'backups'))).toEqual([made.name]);
});

test('M1 M2 restored into a new profile, everything is there, byte for byte', async () => {
	const { home, backups } = prepare();
	const made = await backups.create();
	const restored = await restoreProfile({ home, path: made.path, profile: 'second' });
	expect(restored).toBe(join(home, 'profiles', 'second'));
	expect(readFileSync(join(restored, 'MEMORY.md'), 'utf8')).toBe(NOTE);
	expect(readFileSync(join(restored, 'memory/deep/er.md'), 'utf8')).toBe('# Notes\n');
	expect([...readFileSync(join(restored, 'attachments/ab'))]).toEqual([0, 255, 1]);
	expect(readFileSync(join(restored, 'blobs/cd'), 'utf8')).toBe('A large result.');
	expect(readFileSync(join(restored, 'workflows/hire.yaml'), 'utf8')).toBe('name: hire\n');
	expect(statSync(join(restored, 'workspace/run.sh')).mode & 0o777).toBe(0o700);
	expect(statSync(restored).mode & 0o777).toBe(0o700);
	expect(readdirSync(restored).toSorted()).toEqual([
		'AGENT.md',
		'MEMORY.md',
		'attachments',
		'audit-head',
		'blobs',
		'config.json',
		'memory',
		'state.db',
		'workflows',
		'workspace',
	]);
	const copy = connect(join(restored, 'state.db'), { readonly: true });
	expect(copy.prepare('SELECT title FROM sessions').pluck().all()).toEqual(['the first chat']);
	// The original may go on beside it: nothing of it goes on in both by itself.
	expect(copy.prepare('SELECT name FROM switches ORDER BY name').pluck().all()).toEqual(['paused', 'restored']);
	copy.close();
	expect(profilesIn(home)).toEqual(['first', 'second']);
});

test('S5 a restore never touches a profile that is there', async () => {
	const { home, folder, backups } = prepare();
	const { path } = await backups.create();
	mkdirSync(join(home, 'profiles', 'empty'));
	for (const profile of ['first', 'empty']) expect((await failureOf(() => restoreProfile({ home, path, profile }))).code).toBe('conflict');
	expect((await failureOf(() => restoreProfile({ home, path, profile: '../out' }))).code).toBe('invalid_input');
	expect((await failureOf(() => restoreProfile({ home, path: `${path}.no`, profile: 'new' }))).code).toBe('not_found');
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe(NOTE);
	expect(profilesIn(home)).toEqual(['empty', 'first']);
});

test('M4 three are kept, the newest; what a kill left is removed; the clock may jump back (dur-6)', async () => {
	const { folder, clock, backups } = prepare();
	mkdirSync(join(folder, 'backups'), { recursive: true });
	for (const name of ['profile-v2-x.zip.12-0123abcd.tmp', 'profile-v2.zip.12-0123abcd.tmp.db', 'profile-v2.zip.12-0123abcd.tmp.db-wal'])
		writeFileSync(join(folder, 'backups', name), 'half');
	writeFileSync(join(folder, 'backups', 'my own.zip'), 'mine');
	const made: string[] = [];
	for (let index = 0; index < 5; index++) {
		made.push((await backups.create()).name);
		clock.wall -= 3_600_000;
	}
	expect(readdirSync(join(folder, 'backups')).toSorted()).toEqual(['my own.zip', ...made.slice(2)]);
	expect((await backups.list()).map(({ name }) => name)).toEqual(made.slice(2).toReversed());
	// M4: what holds a forgotten text goes; names of anything else are not archives.
	const [first = '', second = ''] = made.slice(2);
	expect(await backups.remove([first, '../state.db', 'my own.zip'])).toBe(true);
	expect(await backups.remove([first])).toBe(false);
	expect((await backups.list()).map(({ name }) => name)).not.toContain(first);
	expect((await backups.list()).map(({ name }) => name)).toContain(second);
	expect(existsSync(join(folder, 'state.db'))).toBe(true);
	expect(existsSync(join(folder, 'backups', 'my own.zip'))).toBe(true);
});

test('S3 S5 an export goes where the owner says, never over a file, never into the profile, never with keys', async () => {
	const { home, folder, backups } = prepare();
	const path = join(home, 'mine.zip');
	const done = await backups.export(path);
	expect(done).toEqual({ path, bytes: statSync(path).size, files: 10 });
	expect((await readZip(path)).map(({ name }) => name)).not.toContain('secrets.json');
	expect((await failureOf(() => backups.export(path))).code).toBe('conflict');
	expect((await failureOf(() => backups.export('mine.zip'))).code).toBe('invalid_input');
	expect((await failureOf(() => backups.export(join(home, 'no', 'mine.zip')))).code).toBe('not_found');
	expect((await failureOf(() => backups.export(join(folder, 'workspace', 'mine.zip')))).code).toBe('invalid_input');
	expect(readdirSync(home).toSorted()).toEqual(['mine.zip', 'profiles']);
});

/** Neither verify nor restore takes it, and nothing is left behind. */
async function expectRefused(home: string, path: string, words: RegExp): Promise<void> {
	const { problems } = await checkArchive(path);
	expect(problems.join(' ')).toMatch(words);
	const error = await failureOf(() => restoreProfile({ home, path, profile: 'second' }));
	expect(error.code).toBe('invalid_input');
	expect(error.message).toMatch(words);
	expect(profilesIn(home)).toEqual(['first']);
}

test('S5 an archive that is cut anywhere is refused in words and leaves nothing behind', async () => {
	const { home, backups } = prepare();
	const whole = readFileSync((await backups.create()).path);
	const path = join(home, 'cut.zip');
	const cuts = Array.from({ length: 12 }, (_, index) => Math.floor((whole.length * index) / 12));
	for (const length of [...cuts, whole.length - 1]) {
		writeFileSync(path, whole.subarray(0, length));
		await expectRefused(home, path, /not a whole (zip file|back-up)/);
	}
});

test('S5 an archive with a changed byte anywhere is refused', async () => {
	const { home, backups } = prepare();
	const whole = readFileSync((await backups.create()).path);
	const path = join(home, 'changed.zip');
	let refused = 0;
	for (let index = 0; index < 60; index++) {
		const at = Math.floor((whole.length * index) / 60);
		const changed = Buffer.from(whole);
		changed[at] = (changed[at] ?? 0) ^ 0x41;
		writeFileSync(path, changed);
		// A date or a comment may change without harm; then what is restored is what was put in.
		const error = await restoreProfile({ home, path, profile: `try-${index}` }).then(
			() => undefined,
			(thrown: { code: string }) => thrown,
		);
		if (error) {
			refused += 1;
			expect(error.code).toBe('invalid_input');
			expect(existsSync(join(home, 'profiles', `try-${index}`))).toBe(false);
		} else {
			expect(readFileSync(join(home, 'profiles', `try-${index}`, 'MEMORY.md'), 'utf8')).toBe(NOTE);
		}
	}
	expect(refused).toBeGreaterThan(30);
	expect(profilesIn(home).filter((name) => name.startsWith('.'))).toEqual([]);
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The archive with pieces added or changed, and its manifest made to agree. */
function forged(pieces: readonly ZipPiece[], more: readonly ZipPiece[]): ZipPiece[] {
	const names = new Set(more.map(({ name }) => name));
	const files = [...pieces.filter(({ name }) => name !== 'manifest.json' && !names.has(name)), ...more];
	const before = JSON.parse(pieces.find(({ name }) => name === 'manifest.json')?.bytes.toString() ?? '{}') as object;
	const manifest = { ...before, files: files.map(({ name, bytes }) => ({ path: name, bytes: bytes.length, sha256: sha256(bytes) })) };
	return [...files, { name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) }];
}

test('S2 S5 names that lead out of the profile, keys, links and strangers in an archive are refused', async () => {
	const { home, backups } = prepare();
	const pieces = await readZip((await backups.create()).path);
	const path = join(home, 'forged.zip');
	const refuse = async (more: ZipPiece, words: RegExp) => {
		await writeZip(path, forged(pieces, [more]));
		await expectRefused(home, path, words);
	};
	const evil = Buffer.from('evil');
	await refuse({ name: 'secrets.json', bytes: evil }, /not part of a profile/);
	await refuse({ name: 'lock', bytes: evil }, /not part of a profile/);
	await refuse({ name: 'else/where.md', bytes: evil }, /not part of a profile/);
	await refuse({ name: 'workspace/link', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }, /is not a file/);
	await refuse({ name: 'workspace/a:b', bytes: evil }, /not part of a profile/);
	for (const name of ['memory/../../../../evil.md', '/etc/cron.d/evil', 'memory/..\\..\\evil.md']) {
		const harmless = `memory/${'x'.repeat(Buffer.byteLength(name) - 7)}`;
		await writeZip(path, forged(pieces, [{ name: harmless, bytes: evil }]));
		writeFileSync(path, renamed(readFileSync(path), harmless, name));
		await expectRefused(home, path, /not a whole (zip file|back-up)/);
	}
	expect(existsSync(join(home, 'evil.md'))).toBe(false);
	const doubled = forged(pieces, []);
	await writeZip(path, [...doubled, ...doubled.filter(({ name }) => name === 'MEMORY.md')]);
	await expectRefused(home, path, /twice/);
	await writeZip(path, [...doubled, { name: 'memory/extra.md', bytes: evil }]);
	await expectRefused(home, path, /does not name/);
	await writeZip(
		path,
		doubled.filter(({ name }) => name !== 'MEMORY.md'),
	);
	await expectRefused(home, path, /missing/);
	await writeZip(path, [{ name: 'readme.txt', bytes: evil }]);
	await expectRefused(home, path, /not part of a profile/);
});

test('S5 a bomb is refused before anything is unpacked', async () => {
	const { home, backups } = prepare();
	const pieces = await readZip((await backups.create()).path);
	const path = join(home, 'bomb.zip');
	// A gigabyte and more of zeros is a megabyte packed; here the lists say so, which is all that is looked at before.
	const packed = forged(pieces, [{ name: 'workspace/zeros', bytes: Buffer.alloc(1_000_000) }]);
	const huge = 2_000_000_000;
	await writeZip(
		path,
		packed.map((piece) =>
			piece.name === 'manifest.json' ? { ...piece, bytes: Buffer.from(piece.bytes.toString().replace('1000000', String(huge))) } : piece,
		),
	);
	writeFileSync(path, claiming(readFileSync(path), 'workspace/zeros', huge));
	expect(statSync(path).size).toBeLessThan(100_000);
	await expectRefused(home, path, /far too much/);
});

test('S5 a damaged database inside an archive is told, and not restored; a newer one neither', async () => {
	const { home, backups } = prepare();
	const pieces = await readZip((await backups.create()).path);
	const path = join(home, 'damaged.zip');
	const state = Buffer.from(pieces.find(({ name }) => name === 'state.db')?.bytes ?? '');
	state.fill(0x55, 4096, 3 * 4096);
	await writeZip(path, forged(pieces, [{ name: 'state.db', bytes: state }]));
	await expectRefused(home, path, /database in the back-up is damaged/);
	await writeZip(path, forged(pieces, [{ name: 'state.db', bytes: Buffer.from('no database') }]));
	await expectRefused(home, path, /database in the back-up is damaged/);
	const newer = forged(pieces, []).map((piece) =>
		piece.name === 'manifest.json'
			? { ...piece, bytes: Buffer.from(piece.bytes.toString().replace('"schemaVersion":6', '"schemaVersion":99')) }
			: piece,
	);
	await writeZip(path, newer);
	expect((await failureOf(() => restoreProfile({ home, path, profile: 'second' }))).code).toBe('database_newer');
	expect(profilesIn(home)).toEqual(['first']);
});

test('dur-2 S5 a disk that takes no more, while a back-up or a restore is made: said in words, and nothing is left behind', async () => {
	const { home, folder, db, backups } = prepare();
	writeFileSync(join(folder, 'attachments', 'large'), randomBytes(3_000_000));
	const { path } = await backups.create();
	const before = readdirSync(join(folder, 'backups'));
	db.close();
	for (const args of [
		['back-up', folder],
		['back-up', folder, path],
	]) {
		const child = startChild(args, 'ulimit -S -f 2000;');
		expect(await child.next()).toMatchObject({ failed: 'read_only' });
		await child.end();
		expect(readdirSync(join(folder, 'backups'))).toEqual(before);
		expect(profilesIn(home)).toEqual(['first']);
	}
});

test('S5 what a crash left of a restore is removed once it is surely no longer under way', async () => {
	const home = temporaryFolder();
	const old = join(home, 'profiles', '.restoring-0190');
	const young = join(home, 'profiles', '.restoring-0191');
	for (const folder of [old, young]) mkdirSync(folder, { recursive: true });
	utimesSync(old, 0, 0);
	await sweepUnfinishedRestores(home, Date.now(), silentLogger);
	expect(profilesIn(home)).toEqual(['.restoring-0191']);
});
