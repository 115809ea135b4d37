import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	renameSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderReader } from '../../../src/heartbeat/readers/folder.ts';
import { describeSourceReader } from '../../spec/source-reader.ts';
import { readerLife } from '../../support/heartbeat/reader-life.ts';
import { makePdf } from '../../support/pdf.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

function folder() {
	const path = temporaryFolder();
	const hearth = temporaryFolder();
	const own = { hearth, workspace: join(hearth, 'workspace') };
	let at = 0;
	/** Each file is younger than the one before. */
	const write = (name: string, content: string | Uint8Array): string => {
		const file = join(path, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
		at += 1;
		utimesSync(file, NOW / 1_000 - 10_000 + at, NOW / 1_000 - 10_000 + at);
		return file;
	};
	const reader = createFolderReader({ own });
	const life = readerLife(reader, { kind: 'folder', path }, { now: NOW });
	return { path, own, write, reader, life };
}

describeSourceReader('folder', async () => {
	const { path, write, reader } = folder();
	return {
		reader,
		place: { kind: 'folder', path },
		put: async (name, words) => void write(`${name}.md`, words),
		hide: async () => renameSync(path, `${path}-away`),
		show: async () => renameSync(`${path}-away`, path),
		contents: async () => readdirSync(path).map((name) => [name, statSync(join(path, name)).mtimeMs, statSync(join(path, name)).size]),
	};
});

test('text, Markdown, pages and PDFs, in folders below, by their path, oldest first', async () => {
	const { path, write, life } = folder();
	write('plan.md', '# The plan');
	write('below/deeper/notes.txt', 'Notes.');
	write('paper.pdf', makePdf({ pages: ['On the first page'] }));
	write('saved.html', '<html><body><p>Kept page.</p><p style="display:none">hidden</p></body></html>');
	write('README', 'Without an ending.');
	const items = await life.news();
	expect(items.map(({ title, text }) => [title, text])).toEqual([
		['plan.md', '# The plan'],
		['below/deeper/notes.txt', 'Notes.'],
		['paper.pdf', 'On the first page'],
		['saved.html', 'Kept page.'],
		['README', 'Without an ending.'],
	]);
	expect(items[1]?.url).toBe(`file://${path}/below/deeper/notes.txt`);
	expect(items[0]?.publishedAt).toBe(NOW - 10_000_000 + 1_000);
});

test('a file comes again when its content is another, not when only its time is', async () => {
	const { path, write, life } = folder();
	const file = write('plan.md', 'first');
	await life.news();
	utimesSync(file, NOW / 1_000 - 50, NOW / 1_000 - 50);
	expect(await life.news()).toEqual([]);
	const { bytes } = await life.read();
	expect(bytes).toBe(0);
	write('plan.md', 'second');
	expect((await life.news()).map(({ text }) => text)).toEqual(['second']);
	renameSync(file, join(path, 'renamed.md'));
	expect((await life.news()).map(({ title }) => title)).toEqual(['renamed.md']);
});

test('a file that changes within the moment it is read in is seen as it is then', async () => {
	const { write, life } = folder();
	const file = write('log.txt', 'aaaa');
	const [now, seconds] = [life.now, life.now / 1_000];
	utimesSync(file, seconds, seconds);
	expect(await life.news()).toHaveLength(1);
	writeFileSync(file, 'bbbb');
	utimesSync(file, seconds, seconds);
	expect((await life.news()).map(({ text }) => text)).toEqual(['bbbb']);
	life.now = now + 60_000;
	expect(await life.news()).toEqual([]);
});

test('hidden files, pictures, empty files and links are left out; no link leads out of the folder', async () => {
	const { path, write, life } = folder();
	const outside = temporaryFolder();
	writeFileSync(join(outside, 'secret.txt'), 'out of the folder');
	write('.hidden.md', 'hidden');
	write('.git/config.txt', 'hidden');
	write('empty.txt', '');
	write('picture.png', 'not text');
	write('binary.txt', new Uint8Array([0, 1, 2, 3, 0, 0, 255, 0]));
	symlinkSync(join(outside, 'secret.txt'), join(path, 'link.txt'));
	symlinkSync(outside, join(path, 'folder-link'));
	linkSync(join(outside, 'secret.txt'), join(path, 'hard.txt'));
	write('mine.txt', 'mine');
	const reading = await life.read();
	expect(reading.items.map(({ text }) => text)).toEqual(['mine']);
	expect(reading.note).toContain('another name');
	expect(JSON.stringify(reading)).not.toContain('out of the folder');
});

test('what is too large or can’t be read is counted, and the rest is read', async () => {
	const { write, life } = folder();
	write('huge.txt', new Uint8Array(20_000_001).fill(97));
	write('broken.pdf', '%PDF-1.4 and then nothing of the kind');
	write('good.txt', 'good');
	if (process.getuid?.() !== 0) chmodSync(write('closed.txt', 'closed'), 0);
	const reading = await life.read();
	expect(reading.items.map(({ text }) => text)).toEqual(['good']);
	expect(reading.note).toMatch(/Left out: .*can’t be read.*larger than 20\.0 MB/);
	expect(reading.note).not.toContain('huge');
	life.keep(reading);
	// A broken one is not opened again while it is the same.
	expect((await life.read()).bytes).toBe(0);
});

test('many files: a piece at a time, and then nothing is opened', async () => {
	const { write, life } = folder();
	for (let at = 0; at < 600; at += 1) write(`f${at % 30}/n${at}.txt`, `note ${at}`);
	const items = await life.news({ limits: { maxBytes: 16_000_000, maxItems: 150 } });
	expect(items).toHaveLength(600);
	expect(new Set(items.map(({ text }) => text)).size).toBe(600);
	expect(items[0]?.text).toBe('note 0');
	expect(await life.read()).toMatchObject({ items: [], bytes: 0, more: false });
});

test('places that are shut: Hearth’s own folder, keys, the system; and what is no folder', async () => {
	const { own, path, write, reader } = folder();
	mkdirSync(own.workspace, { recursive: true });
	symlinkSync(own.hearth, join(path, 'profile'));
	const file = write('a.txt', 'a');
	for (const shut of [own.hearth, own.workspace, join(path, 'profile'), '/proc', 'relative/path', file])
		expect((await failureOf(() => readerLife(reader, { kind: 'folder', path: shut }).read())).code, shut).toBe('invalid_input');
	if (existsSync(join(homedir(), '.ssh')))
		expect((await failureOf(() => readerLife(reader, { kind: 'folder', path: '~/.ssh' }).read())).code).toBe('invalid_input');
	expect((await failureOf(() => readerLife(reader, { kind: 'folder', path: join(path, 'none') }).read())).code).toBe('source_missing');
});

test('of a folder that holds the profile, the profile is left out', async () => {
	const { path, write } = folder();
	write('hearth/memory/MEMORY.md', 'what is remembered');
	write('hearth/workspace/draft.md', 'of the agent');
	write('mine.md', 'mine');
	const hearth = join(path, 'hearth');
	const reader = createFolderReader({ own: { hearth, workspace: join(hearth, 'workspace') } });
	const items = await readerLife(reader, { kind: 'folder', path }, { now: NOW }).news();
	expect(items.map(({ title }) => title)).toEqual(['mine.md']);
	expect(basename(hearth)).toBe('hearth');
});

test('for a glance the newest few are enough', async () => {
	const { write, life } = folder();
	for (let at = 0; at < 30; at += 1) write(`n${at}.txt`, `note ${at}`);
	const { items, more } = await life.read({ glance: true });
	expect([items.length, items.at(-1)?.text, more]).toEqual([10, 'note 29', true]);
});
