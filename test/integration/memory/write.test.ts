import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MessageId, RunId, SessionId } from '../../../src/domain/ids.ts';
import { MemoryPath, type Source } from '../../../src/domain/memory.ts';
import { byAgent, byOwner, entryOf, openMemory, ownersGrant, written } from '../../support/memory.ts';
import { failureOf } from '../../support/storage/folders.ts';

const MEMORY = MemoryPath.parse('MEMORY.md');
const base = (more = {}) => ({ grant: ownersGrant, key: crypto.randomUUID(), provenance: byOwner(), ...more });

const said: Source = {
	kind: 'message',
	sessionId: 's1' as SessionId,
	messageId: 'm1' as MessageId,
	sessionTitle: 'Tea',
	role: 'user',
	quote: 'I like green tea',
	deleted: false,
};

test('M1 an append is a clean list item; nothing else is put into the file', async () => {
	const { append, read, entries } = await openMemory();
	await append('Likes green tea', { file: 'MEMORY.md' });
	await append('Has a cat called Miso', { file: 'MEMORY.md', headingPath: ['Home'] });
	await append('Likes jazz', { file: 'MEMORY.md', headingPath: ['Home'] });
	expect(read('MEMORY.md')).toBe('- Likes green tea\n\n## Home\n\n- Has a cat called Miso\n- Likes jazz\n');
	expect(entries('MEMORY.md').map(({ text, headingPath }) => [text, headingPath])).toEqual([
		['Likes green tea', []],
		['Has a cat called Miso', ['Home']],
		['Likes jazz', ['Home']],
	]);
});

test('M2 each entry has its provenance in full, and keeps it over edits of its neighbours and a restart', async () => {
	const first = await openMemory();
	const provenance = byAgent({ sources: [said], reason: 'The owner said so' });
	const receipt = written(await first.memory.writer.append({ ...base({ provenance }), file: MEMORY, text: 'Likes green tea' }));
	first.edit('MEMORY.md', `# Me\n\n- A line of mine\n${first.read('MEMORY.md')}`);
	await first.memory.reconcile();
	await first.close();
	const { entry, entries } = await openMemory({ folder: first.folder });
	const tea = entry('Likes green tea');
	expect(tea).toMatchObject({ id: entryOf(receipt), provenance, headingPath: ['Me'], lineStart: 4, versions: 1 });
	expect(entries().find(({ text }) => text === 'A line of mine')?.provenance).toMatchObject({
		author: 'file_edit',
		label: 'owner',
		sources: [],
	});
});

test('M2 an entry keeps who it is over a patch, and has the provenance of the text that it has', async () => {
	const { memory, append, entry } = await openMemory();
	await append('The cat is called Miso', { file: 'MEMORY.md' });
	const before = entry('The cat is called Miso');
	const provenance = byAgent({ sources: [said] });
	await memory.writer.patch({ ...base({ provenance }), entryId: before.id, baseHash: before.hash, text: 'Nothing alike at all' });
	const after = entry('Nothing alike at all');
	expect(after).toMatchObject({ id: before.id, provenance, versions: 2 });
	expect(memory.history({ entryId: before.id }, 10).map((version) => [version.kind, version.before, version.after])).toEqual([
		['patch', 'The cat is called Miso', 'Nothing alike at all'],
		['append', null, 'The cat is called Miso'],
	]);
});

test('mem-5 the same key writes once, whatever became of the entry; so does the agent’s same text in the same place', async () => {
	const { memory, read, patch, entry, db } = await openMemory();
	const write = { ...base({ provenance: byAgent() }), file: MEMORY, headingPath: ['Notes'], text: 'The gate code is 4711' };
	const first = written(await memory.writer.append(write));
	const again = written(await memory.writer.append(write));
	expect(again).toEqual({ ...first, repeated: true });
	const otherKey = written(await memory.writer.append({ ...write, key: 'another' }));
	expect(otherKey).toEqual({ ...first, repeated: true });
	expect(read('MEMORY.md').match(/4711/g)).toHaveLength(1);
	const otherRun = await memory.writer.append({ ...write, key: 'other run', provenance: byAgent({ runId: 'run-2' as RunId }) });
	expect(otherRun).toEqual({ ...first, repeated: true });
	await patch(entry('The gate code is 4711'), 'The gate code is 4712');
	expect(await memory.writer.append(write)).toEqual({ ...first, repeated: true });
	// It does not stand there any more.
	await memory.writer.append({ ...write, key: 'third', provenance: byAgent({ runId: 'run-2' as RunId }) });
	expect(read('MEMORY.md').match(/4711/g)).toHaveLength(1);
	expect(db.read.prepare("SELECT kind FROM memory_changes WHERE file <> '' ORDER BY seq").pluck().all()).toEqual([
		'append',
		'patch',
		'append',
	]);
});

test('mem-5 without a heading it goes to none of the file’s sections, and the agent’s same text there is there already', async () => {
	const { memory, edit, read, undo } = await openMemory();
	const garden = '## Garden\n\n- roses\n';
	edit('MEMORY.md', garden);
	const write = { ...base({ provenance: byAgent() }), file: MEMORY, text: 'The passport number is C01X' };
	const first = written(await memory.writer.append(write));
	expect(read('MEMORY.md')).toBe(`${garden}\n## Notes\n\n- The passport number is C01X\n`);
	expect(await memory.writer.append({ ...write, key: 'another' })).toEqual({ ...first, repeated: true });
	// The same words in a section are something else.
	const roses = written(await memory.writer.append({ ...write, key: 'third', text: 'roses' }));
	expect(read('MEMORY.md')).toBe(`${garden}\n## Notes\n\n- The passport number is C01X\n- roses\n`);
	// The heading that was made for it goes with it.
	await undo(roses.changeId);
	await undo(first.changeId);
	expect(read('MEMORY.md')).toBe(garden);
});

test('mem-5 two calls with one key at the same time write once', async () => {
	const { memory, read } = await openMemory();
	const write = { ...base(), text: 'Once only' };
	const receipts = await Promise.all([memory.writer.append(write), memory.writer.append(write), memory.writer.append(write)]);
	expect(receipts.map((receipt) => written(receipt).repeated).toSorted()).toEqual([false, true, true]);
	expect(read('memory/2026-11-29.md')).toBe('# 2026-11-29\n\n- Once only\n');
});

test('mem-6 adding a note leaves every byte of the rest of the file as it was', async () => {
	const { append, edit, read, undo } = await openMemory();
	const old = `\uFEFF# Mine\r\n\r\n* an item <!-- importance: 7 -->\r\n\r\n${'A long paragraph of mine.\r\n'.repeat(400)}\r\n\tcode\r\n`;
	edit('MEMORY.md', old);
	const { changeId } = await append('A new note', { file: 'MEMORY.md' });
	const now = read('MEMORY.md');
	expect(now.length).toBeGreaterThan(old.length);
	expect(now.startsWith(old)).toBe(true);
	await undo(changeId);
	expect(read('MEMORY.md')).toBe(old);
});

test('mem-7 a note belongs to the day that the owner’s clock shows', async () => {
	for (const [timeZone, at, day] of [
		['America/Los_Angeles', Date.UTC(2026, 10, 30, 7, 30), '2026-11-29'],
		['Pacific/Kiritimati', Date.UTC(2026, 10, 29, 10, 30), '2026-11-30'],
		['Asia/Kolkata', Date.UTC(2026, 10, 29, 18, 29), '2026-11-29'],
		['UTC', Date.UTC(2026, 11, 31, 23, 59), '2026-12-31'],
	] as const) {
		const { append, read, clock, entries } = await openMemory({ timeZone: () => timeZone });
		clock.at = at;
		const { file } = await append('A late note');
		expect(file).toBe(`memory/${day}.md`);
		expect(read(file)).toBe(`# ${day}\n\n- A late note\n`);
		expect(entries()).toHaveLength(1);
	}
});

test('mem-9 no new file gets a name that is not found again, or that another system does not take; the owner’s own keep theirs', async () => {
	const { memory, append, edit, entries, entry } = await openMemory();
	const refused = ['memory/.hidden.md', 'memory/.notes/x.md', 'memory/con.md', 'memory/a:b.md', 'memory/ x.md', 'memory/x./y.md'];
	for (const file of [...refused, `memory/${'é'.repeat(120)}.md`, 'memory/\u202Egnp.md']) {
		const failed = await failureOf(() => append('Lost', { file }));
		expect(failed, file).toMatchObject({ code: 'invalid_input' });
		expect(failed.message.length).toBeLessThan(140);
	}
	expect(MemoryPath.safeParse('memory/x\n1. MEMORY.md.md').success).toBe(false);
	expect(entries()).toEqual([]);
	const kept = process.platform === 'win32' ? 'memory/own name.md' : 'memory/con: mine.md';
	edit(kept, '- Mine\n');
	await memory.reconcile();
	await append('More', { file: kept });
	expect(entry('More').file).toBe(kept);
	expect((await memory.verify()).problems).toEqual([]);
});

test('mem-9 a receipt names what was written, and none is given where nothing was', async () => {
	const { memory, append, read } = await openMemory();
	const receipt = await append('Real');
	expect(receipt).toMatchObject({ outcome: 'written', kind: 'append', file: 'memory/2026-11-29.md', repeated: false });
	expect(memory.entry(entryOf(receipt)).text).toBe('Real');
	expect((await failureOf(() => append('   '))).code).toBe('invalid_input');
	const failed = await failureOf(() => append('Too large', { file: 'MEMORY.md', headingPath: ['x'.repeat(2_000_000)] }));
	expect(failed.code).toBe('file_too_large');
	expect(read('MEMORY.md')).toBe('');
	expect(memory.history({}, 100)).toHaveLength(2);
});

test('mem-10 a write on what was seen before an edit from outside is refused, and the edit stays', async () => {
	const { append, edit, entry, patch, read, memory } = await openMemory();
	await append('Lives in Berlin', { file: 'MEMORY.md' });
	const seen = entry('Lives in Berlin');
	const mine = `# About me\n\n- Lives in Hamburg\n\n${'- A line that I wrote\n'.repeat(300)}`;
	edit('MEMORY.md', mine);
	const refused = await failureOf(() => patch(seen, 'Lives in Potsdam'));
	expect(refused.code).toBe('stale');
	expect(refused.shape.action).toBeTruthy();
	expect(read('MEMORY.md')).toBe(mine);
	// It was taken in on the way, as the owner's, and is the same entry.
	expect(memory.entry(seen.id)).toMatchObject({ text: 'Lives in Hamburg', provenance: { author: 'file_edit', label: 'owner' } });
});

test('M3 mem-10 an append takes in what was changed outside meanwhile and keeps it', async () => {
	const { append, edit, read, entries, memory } = await openMemory();
	await append('One', { file: 'MEMORY.md' });
	edit('MEMORY.md', '- One\n- Two, by hand\n');
	await append('Three', { file: 'MEMORY.md' });
	expect(read('MEMORY.md')).toBe('- One\n- Two, by hand\n- Three\n');
	expect(entries().map(({ text, provenance }) => [text, provenance.author])).toEqual([
		['One', 'owner'],
		['Two, by hand', 'file_edit'],
		['Three', 'owner'],
	]);
	expect((await memory.verify()).problems).toEqual([]);
});

test('M3 writes to one file go one after the other, and none is lost', async () => {
	const { append, entries, memory, read } = await openMemory();
	await Promise.all(
		Array.from({ length: 40 }, (_, index) => append(`Note ${index}`, { file: index % 2 ? 'MEMORY.md' : 'memory/notes.md' })),
	);
	expect(entries()).toHaveLength(40);
	expect(read('MEMORY.md').trim().split('\n')).toHaveLength(20);
	expect((await memory.verify()).problems).toEqual([]);
});

test('a file that is too large, not text or not a file is left alone, in words', async () => {
	const { append, edit, memory, folder, read } = await openMemory();
	const large = 'x'.repeat(2_000_001);
	edit('MEMORY.md', large);
	await memory.reconcile();
	const refused = await failureOf(() => append('More', { file: 'MEMORY.md' }));
	expect(refused.code).toBe('file_too_large');
	expect(read('MEMORY.md')).toBe(large);
	expect(memory.files().find(({ path }) => path === MEMORY)?.problem?.code).toBe('file_too_large');
	mkdirSync(`${folder}/memory/folder.md`, { recursive: true });
	expect((await failureOf(() => append('More', { file: 'memory/folder.md' }))).code).toBe('read_only');
	writeFileSync(`${folder}/memory/latin.md`, Buffer.from([0x2d, 0x20, 0xe9, 0x0a]));
	expect((await failureOf(() => append('More', { file: 'memory/latin.md' }))).code).toBe('invalid_input');
});
