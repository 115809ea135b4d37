import { expect, test } from 'vitest';
import type { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { type MemoryEntry, MemoryPath, type ProposalId, type Source } from '../../../src/domain/memory.ts';
import { sessionDeleted } from '../../../src/memory/session-deleted.ts';
import { byAgent, byOwner, entryOf, type MemoryHarness, openMemory, ownersGrant, written } from '../../support/memory.ts';
import { failureOf } from '../../support/storage/folders.ts';

const MEMORY = MemoryPath.parse('MEMORY.md');
const DAY = MemoryPath.parse('memory/2026-11-29.md');
const NOTES = MemoryPath.parse('memory/notes.md');
const base = (more = {}) => ({ grant: ownersGrant, key: crypto.randomUUID(), provenance: byOwner(), ...more });
const seen = ({ id, hash }: MemoryEntry) => ({ entryId: id, baseHash: hash });

async function clean({ memory }: MemoryHarness): Promise<void> {
	expect((await memory.verify()).problems.filter(({ kind }) => !kind.startsWith('index'))).toEqual([]);
}

const START = `# Mine

A paragraph. <!-- importance: 7 -->

- one
- two <!-- trigger: x -->
  - nested
- three
`;

async function withFile(): Promise<MemoryHarness> {
	const harness = await openMemory();
	harness.edit('MEMORY.md', START);
	await harness.memory.reconcile();
	return harness;
}

test('M4 a patch can be undone, the undo too, and again; each gives back every byte', async () => {
	const harness = await withFile();
	const { patch, entry, read, undo, memory } = harness;
	const before = entry('two');
	const patched = await patch(before, 'two, changed');
	const changed = read('MEMORY.md');
	expect(changed).toContain('- two, changed <!-- trigger: x -->\n  - nested');
	const undone = await undo(patched.changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('two')).toMatchObject({ id: before.id, provenance: before.provenance });
	const again = await undo(undone.changeId);
	expect(read('MEMORY.md')).toBe(changed);
	expect(entry('two, changed')).toMatchObject({ id: before.id, provenance: { author: 'owner' } });
	await undo(again.changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(memory.history({ entryId: before.id }, 10).map(({ kind, before, after }) => [kind, before, after])).toEqual([
		['undo', 'two, changed', 'two'],
		['undo', 'two', 'two, changed'],
		['undo', 'two, changed', 'two'],
		['patch', 'two', 'two, changed'],
		['file_edit', null, 'two'],
	]);
	await clean(harness);
});

test('M4 a change that was undone says by what, can’t be undone twice, and can after the undo was undone', async () => {
	const { append, undo, memory, read } = await openMemory();
	const { changeId } = await append('Once', { file: 'MEMORY.md' });
	const undone = await undo(changeId);
	expect(memory.history({ file: MEMORY }, 10).at(-1)).toMatchObject({ changeId, undoneBy: undone.changeId });
	expect((await failureOf(() => undo(changeId))).code).toBe('conflict');
	await undo(undone.changeId);
	expect(memory.history({ file: MEMORY }, 10).at(-1)?.undoneBy).toBeUndefined();
	await undo(changeId);
	expect(read('MEMORY.md')).toBe('');
});

test('M4 an older change is undone around everything that was changed since', async () => {
	const harness = await withFile();
	const { append, patch, entry, edit, read, undo } = harness;
	const appended = await append('four', { file: 'MEMORY.md' });
	await append('five', { file: 'MEMORY.md' });
	await patch(entry('one'), 'one, and more of it');
	edit('MEMORY.md', `At the top.\n\n${read('MEMORY.md')}\n## At the end\n\n- six\n`);
	await undo(appended.changeId);
	expect(read('MEMORY.md')).toBe(`At the top.\n\n${START.replace('- one', '- one, and more of it')}- five\n\n## At the end\n\n- six\n`);
	await clean(harness);
});

test('M4 what was changed again since is not undone by itself, and nothing changes', async () => {
	const { append, entry, patch, undo, read } = await openMemory();
	const { changeId } = await append('Lives in Berlin', { file: 'MEMORY.md' });
	const second = await patch(entry('Lives in Berlin'), 'Lives in Hamburg');
	const refused = await failureOf(() => undo(changeId));
	expect(refused.code).toBe('stale');
	expect(refused.message).toContain('changed again since');
	expect(read('MEMORY.md')).toBe('- Lives in Hamburg\n');
	// Once the later one is taken back it goes.
	await undo(second.changeId);
	await undo(changeId);
	expect(read('MEMORY.md')).toBe('');
});

test('M4 an edit from outside is undone too, in all its places', async () => {
	const harness = await withFile();
	const { edit, memory, read, undo, entry } = harness;
	const two = entry('two');
	edit(
		'MEMORY.md',
		START.replace('- two', '- TWO, and what else there was to say').replace('A paragraph', 'Another paragraph').replace('- three\n', ''),
	);
	await memory.reconcile();
	const [{ changeId } = { changeId: undefined }] = memory.history({ file: MEMORY }, 1);
	if (!changeId) throw new Error('no change');
	await undo(changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('two').id).toBe(two.id);
	await clean(harness);
});

test('M4 a removal is undone in its place, with what another program wrote behind it', async () => {
	const harness = await withFile();
	const { remove, entry, entries, append, read, undo, memory } = harness;
	const two = entry('two');
	const removed = await remove(two);
	expect(read('MEMORY.md')).not.toContain('two');
	expect(memory.entry(two.id).state).toBe('gone');
	await append('four', { file: 'MEMORY.md' });
	await undo(removed.changeId);
	expect(read('MEMORY.md')).toBe(`${START}- four\n`);
	expect(entries().find(({ text }) => text === 'two')).toMatchObject({ id: two.id, provenance: two.provenance, state: 'current' });
	await clean(harness);
});

test('M4 any text that an entry had comes back, also one that is gone: to its place, its section, or the end', async () => {
	const harness = await withFile();
	const { remove, patch, entry, edit, read, memory } = harness;
	const two = entry('two');
	await patch(two, 'two b');
	await patch(entry('two b'), 'two c');
	const versions = memory.history({ entryId: two.id }, 10);
	const first = versions.at(-1);
	if (!first) throw new Error('no version');
	const restore = (changeId: string) => memory.writer.restore({ ...base(), entryId: two.id, changeId: changeId as never });
	await restore(first.changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('two').provenance).toEqual(first.provenance);
	expect((await failureOf(() => restore(first.changeId))).code).toBe('invalid_input');

	const { changeId: removal } = await remove(entry('two'));
	await restore(removal);
	expect(read('MEMORY.md')).toBe(START);

	await remove(entry('two'));
	edit('MEMORY.md', '# Mine\n\n- something else altogether\n\n# Other\n\n- other\n');
	await memory.reconcile();
	await restore(first.changeId);
	expect(read('MEMORY.md')).toBe('# Mine\n\n- something else altogether\n- two\n\n# Other\n\n- other\n');
	expect(entry('two').id).toBe(two.id);

	await remove(entry('two'));
	edit('MEMORY.md', 'Nothing as it was.\n');
	await memory.reconcile();
	await restore(first.changeId);
	expect(read('MEMORY.md')).toBe('Nothing as it was.\n\n- two\n');
	expect(entry('two').id).toBe(two.id);
	await clean(harness);
});

test('mem-8 the new text stands behind the old one, which stays as it is and counts as past', async () => {
	const harness = await withFile();
	const { memory, entry, entries, read, clock, undo } = harness;
	const old = entry('one');
	clock.at += 5_000;
	const receipt = written(await memory.writer.supersede({ ...base({ provenance: byAgent() }), ...seen(old), text: 'one, since today' }));
	expect(read('MEMORY.md')).toBe(START.replace('- one\n', '- one\n- one, since today\n'));
	const now = clock.at;
	expect(entry('one')).toMatchObject({
		id: old.id,
		state: 'superseded',
		validUntil: now,
		supersededBy: entryOf(receipt),
		provenance: old.provenance,
	});
	expect(entry('one, since today')).toMatchObject({ state: 'current', validFrom: now, supersedes: old.id });
	expect(memory.entries({ states: ['current'] }, { offset: 0, limit: 50 }).entries.map(({ text }) => text)).not.toContain('one');
	expect((await failureOf(() => memory.writer.supersede({ ...base(), ...seen(entry('one')), text: 'again' }))).code).toBe('stale');
	const chain = memory.why(entryOf(receipt));
	expect(chain.map(({ version }) => [version.kind, version.after])).toEqual([
		['supersede', 'one, since today'],
		['supersede', 'one'],
		['file_edit', 'one'],
	]);
	const undone = await undo(receipt.changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('one')).toMatchObject({ state: 'current' });
	expect(entry('one').supersededBy).toBeUndefined();
	await undo(undone.changeId);
	expect(entry('one')).toMatchObject({ state: 'superseded', supersededBy: entryOf(receipt) });
	expect(entries().map(({ id }) => id)).toContain(entryOf(receipt));
	await clean(harness);
});

test('mem-8 validity is the ledger’s alone, has its times, and can be undone', async () => {
	const harness = await withFile();
	const { memory, entry, read, clock, undo } = harness;
	const one = entry('one');
	const until = clock.at + 1_000;
	const receipt = written(await memory.writer.setValidity({ ...base(), ...seen(one), validFrom: null, validUntil: until }));
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('one').state).toBe('current');
	clock.at = until;
	expect(entry('one').state).toBe('expired');
	expect(memory.entries({ states: ['expired'] }, { offset: 0, limit: 5 }).total).toBe(1);
	expect(memory.history({ entryId: one.id }, 1)).toMatchObject([{ kind: 'validity', before: 'one', after: 'one' }]);
	await undo(receipt.changeId);
	expect(entry('one')).toMatchObject({ state: 'current' });
	await memory.writer.setValidity({ ...base(), ...seen(one), validFrom: until + 5, validUntil: null });
	expect(entry('one').state).toBe('not_yet');
	expect((await failureOf(() => memory.writer.setValidity({ ...base(), ...seen(one), validFrom: 5, validUntil: 5 }))).code).toBe(
		'invalid_input',
	);
	await clean(harness);
});

test('M2 M4 an entry moves within its file and to another one as the same entry, and back again', async () => {
	const harness = await withFile();
	const { memory, entry, read, undo, append } = harness;
	const one = entry('one');
	const within = written(await memory.writer.move({ ...base(), ...seen(one), file: MEMORY, headingPath: ['Mine', 'Deeper'] }));
	expect(entry('one')).toMatchObject({ id: one.id, headingPath: ['Mine', 'Deeper'], provenance: one.provenance });
	await undo(within.changeId);
	expect(read('MEMORY.md')).toBe(START);

	const across = written(await memory.writer.move({ ...base(), ...seen(one), file: NOTES, headingPath: [] }));
	expect(read('MEMORY.md')).toBe(START.replace('- one\n', ''));
	expect(read('memory/notes.md')).toBe('- one\n');
	expect(entry('one')).toMatchObject({ id: one.id, file: NOTES, provenance: one.provenance });
	await append('a note', { file: NOTES });
	await append('a line', { file: 'MEMORY.md' });
	await undo(across.changeId);
	expect(read('MEMORY.md')).toBe(`${START}- a line\n`);
	expect(read('memory/notes.md')).toBe('- a note\n');
	expect(entry('one')).toMatchObject({ id: one.id, file: MEMORY, provenance: one.provenance });
	await clean(harness);
});

test('M4 a move is not undone once the entry was taken out where it had gone to; it is once that was undone', async () => {
	const harness = await withFile();
	const { memory, entry, read, undo, remove } = harness;
	const one = entry('one');
	const moved = written(await memory.writer.move({ ...base(), ...seen(one), file: DAY, headingPath: [] }));
	const removed = await remove(entry('one'));
	expect((await failureOf(() => undo(moved.changeId))).code).toBe('stale');
	expect(read('MEMORY.md')).not.toContain('- one');
	await undo(removed.changeId);
	await undo(moved.changeId);
	expect(read('MEMORY.md')).toBe(START);
	expect(entry('one')).toMatchObject({ id: one.id, file: MEMORY });
	await clean(harness);
});

test('M4 where the place was touched, a change is undone by what its entry says, if it says that again', async () => {
	const harness = await withFile();
	const { patch, entry, edit, read, undo, memory } = harness;
	const two = entry('two');
	const patched = await patch(two, 'two, changed');
	const lines = read('MEMORY.md');
	edit('MEMORY.md', lines.replace('- two, changed <!-- trigger: x -->', '- two, changed'));
	await memory.reconcile();
	await undo(patched.changeId);
	expect(read('MEMORY.md')).toBe(START.replace('- two <!-- trigger: x -->', '- two'));
	expect(entry('two')).toMatchObject({ id: two.id, provenance: two.provenance });
	await clean(harness);
});

test('mem-7 undoing the first note of a day keeps the day where there are others, and takes it along where not', async () => {
	const { append, undo, read } = await openMemory();
	const first = await append('First');
	const second = await append('Second');
	await undo(first.changeId);
	expect(read('memory/2026-11-29.md')).toBe('# 2026-11-29\n\n- Second\n');
	await undo(second.changeId);
	expect(read('memory/2026-11-29.md').trim()).toBe('# 2026-11-29');
});

const said: Source = {
	kind: 'message',
	sessionId: 'session-1' as SessionId,
	messageId: 'm1' as MessageId,
	sessionTitle: 'Tea',
	role: 'user',
	quote: 'I like green tea',
	deleted: false,
};

test('M2 when a conversation is deleted, its quotes stay and say so, also in former texts', async () => {
	const { memory, db, entry, patch } = await openMemory();
	const provenance = byAgent({ sources: [said, { ...said, sessionId: 'session-10' as SessionId }] });
	await memory.writer.append({ ...base({ provenance }), file: MEMORY, text: 'Likes green tea' });
	await patch(entry('Likes green tea'), 'Likes tea');
	db.write((tx) => sessionDeleted(tx, 'session-1' as SessionId));
	const sources = memory.why(entry('Likes tea').id).at(-1)?.sources;
	expect(sources).toEqual([
		{ ...said, deleted: true },
		{ ...said, sessionId: 'session-10', deleted: false },
	]);
});

test('B4 outside text that was approved keeps its origin, and the approval says what was shown', async () => {
	const { memory, entry } = await openMemory();
	const approval = { at: 5, shownHash: 'a'.repeat(64), proposalId: 'p1' as never };
	const provenance = byAgent({ label: 'approved', origin: 'external', approval });
	await memory.writer.append({ ...base({ provenance }), file: MEMORY, text: 'From the web' });
	expect(entry('From the web').provenance).toMatchObject({ label: 'approved', origin: 'external', approval });
	expect(memory.entries({ origins: ['external'] }, { offset: 0, limit: 5 }).total).toBe(1);
	expect(memory.entries({ labels: ['owner'] }, { offset: 0, limit: 5 }).total).toBe(0);
});

test('M4 what is forgotten in a file is kept neither by its change nor by a version, and can’t be brought back', async () => {
	const first = await openMemory();
	await first.append('Keep this', { file: 'MEMORY.md' });
	await first.memory.forgetInFile({
		grant: ownersGrant,
		key: 'forget',
		provenance: byOwner(),
		file: MEMORY,
		change: (text) => text.replace('- Keep this\n', '- Keep\n'),
	});
	const kept = first.db.read.prepare("SELECT hunks FROM memory_changes WHERE kind = 'forget' AND file <> ''").pluck().get();
	expect(kept).not.toContain('this');
	const [version] = first.memory.history({ file: MEMORY }, 1);
	expect(version).toMatchObject({ kind: 'forget', before: null, after: null, forgotten: true });
	expect((await failureOf(() => first.undo(version?.changeId as never))).code).toBe('conflict');
	await clean(first);
});

test('B4 outside text that was approved stays outside text when it is edited, in Hearth and by hand, until it is other words', async () => {
	const { memory, entry, entries, patch, edit, read } = await openMemory();
	const provenance = byAgent({
		label: 'approved',
		origin: 'external',
		sources: [{ kind: 'file', path: 'museum.pdf', quote: 'Open from nine' }],
		approval: { at: 1, shownHash: 'shown', proposalId: 'proposal' as ProposalId },
	});
	await memory.writer.append({ ...base({ provenance }), file: MEMORY, text: 'The museum opens at nine on Mondays and Fridays' });
	await patch(entry('The museum opens at nine on Mondays and Fridays'), 'The museum opens at ten on Mondays and Fridays');
	expect(entry('The museum opens at ten on Mondays and Fridays').provenance).toMatchObject({
		author: 'owner',
		label: 'approved',
		origin: 'external',
	});
	edit('MEMORY.md', read('MEMORY.md').replace('Mondays', 'Tuesdays'));
	await memory.reconcile();
	const edited = entry('The museum opens at ten on Tuesdays and Fridays');
	expect(edited.provenance).toMatchObject({ author: 'file_edit', label: 'approved', origin: 'external', sources: provenance.sources });
	expect(edited.provenance.approval).toEqual(provenance.approval);
	// A copy by hand, into another file or the same one, is no text of the owner's either.
	edit('memory/copy.md', '- The museum opens at ten on Tuesdays and Fridays\n- My own line\n');
	await memory.reconcile();
	const copies = entries('memory/copy.md').map(({ provenance: { label, origin } }) => [label, origin]);
	expect(copies).toEqual([
		['approved', 'external'],
		['owner', 'owner'],
	]);
	await patch(edited, 'I never liked that place');
	expect(entry('I never liked that place').provenance).toMatchObject({ author: 'owner', label: 'owner', origin: 'owner' });
});
