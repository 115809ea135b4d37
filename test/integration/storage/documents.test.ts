import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDocumentsHandlers } from '../../../src/app/handlers/documents.ts';
import { prepareProfileFolder, profilePaths } from '../../../src/app/profile-folder.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

async function profile() {
	const folder = temporaryFolder();
	await prepareProfileFolder(profilePaths(folder));
	const reported: unknown[] = [];
	const announced: string[] = [];
	return {
		folder,
		reported,
		announced,
		documents: createDocumentsHandlers({
			profileFolder: folder,
			health: { report: (error) => reported.push(error) },
			announce: ({ type }) => announced.push(type),
		}),
	};
}

test('a document is read and saved as its bytes are', async () => {
	const { folder, documents } = await profile();
	const first = await documents.get({ name: 'USER.md' });
	expect(first.text).toContain('# About me');
	const saved = await documents.save({ name: 'USER.md', text: 'Call me Ada. 你好\r\n', baseHash: first.hash });
	expect(readFileSync(join(folder, 'USER.md'), 'utf8')).toBe('Call me Ada. 你好\r\n');
	expect(await documents.get({ name: 'USER.md' })).toEqual(saved);
	expect(await documents.save({ name: 'USER.md', text: 'again', baseHash: saved.hash })).toMatchObject({ text: 'again' });
});

test('M3 an edit made outside is never overwritten', async () => {
	const { folder, documents } = await profile();
	const opened = await documents.get({ name: 'AGENT.md' });
	writeFileSync(join(folder, 'AGENT.md'), 'changed in vim');
	const failure = await failureOf(() => documents.save({ name: 'AGENT.md', text: 'from the app', baseHash: opened.hash }));
	expect(failure.shape).toMatchObject({ code: 'conflict', kind: 'needs_owner' });
	expect(failure.shape.safe).toContain('Neither version was overwritten');
	expect(readFileSync(join(folder, 'AGENT.md'), 'utf8')).toBe('changed in vim');
});

test('M3 of two saves from the same start one wins and the other is told', async () => {
	const { documents, announced } = await profile();
	const { hash } = await documents.get({ name: 'HEARTBEAT.md' });
	const outcomes = await Promise.allSettled(['one', 'two'].map((text) => documents.save({ name: 'HEARTBEAT.md', text, baseHash: hash })));
	expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected']);
	expect((await documents.get({ name: 'HEARTBEAT.md' })).text).toBe('one');
	expect(announced).toEqual(['heartbeat_changed']);
});

test('a document that is gone reads as empty and can be written anew', async () => {
	const { folder, documents } = await profile();
	rmSync(join(folder, 'USER.md'));
	expect(await documents.get({ name: 'USER.md' })).toEqual({ name: 'USER.md', text: '', hash: '' });
	await documents.save({ name: 'USER.md', text: 'back', baseHash: '' });
	expect(readFileSync(join(folder, 'USER.md'), 'utf8')).toBe('back');
});

test.each<[string, (file: string) => void]>([
	['a folder', (file) => mkdirSync(file)],
	['a pipe', (file) => execFileSync('mkfifo', [file])],
	['a link to itself', (file) => symlinkSync(file, file)],
	['a device', (file) => symlinkSync('/dev/zero', file)],
	['a huge file', (file) => writeFileSync(file, Buffer.alloc(5_000_000, 'x'))],
])('S5 %s in place of a document is said, holds nothing up and is left as it is', async (_, put) => {
	const { folder, documents } = await profile();
	const file = join(folder, 'AGENT.md');
	rmSync(file);
	put(file);
	const refused = { code: 'config_invalid', shape: { kind: 'needs_owner', action: expect.stringContaining(file) } };
	await expect(documents.get({ name: 'AGENT.md' })).rejects.toMatchObject(refused);
	await expect(documents.save({ name: 'AGENT.md', text: 'x', baseHash: '' })).rejects.toMatchObject(refused);
});

test('S5 a save that fails is reported to health and leaves no part behind', async () => {
	const { folder, documents, reported } = await profile();
	const { hash } = await documents.get({ name: 'USER.md' });
	const before = readdirSync(folder);
	await expect(documents.save({ name: 'USER.md', text: '\0'.repeat(10), baseHash: hash })).resolves.toBeDefined();
	rmSync(folder, { recursive: true });
	await expect(documents.save({ name: 'USER.md', text: 'x', baseHash: '' })).rejects.toThrow();
	expect(reported).toHaveLength(1);
	expect(before).toContain('USER.md');
});
