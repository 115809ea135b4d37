import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { type MemoryEntry, MemoryPath } from '../../../src/domain/memory.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { append, openParts, toHold } from '../../support/memory-parts.ts';
import { calls, says, startModelServer } from '../../support/model-server/index.ts';
import { failureOf } from '../../support/storage/folders.ts';

const MEMORY = MemoryPath.parse('MEMORY.md');

interface Life extends RunningApp {
	entry(text: string): Promise<MemoryEntry>;
	text(file?: string): string;
	/** What was announced since the start, so far. */
	readonly events: LiveEvent[];
}

async function begin(home: string): Promise<Life> {
	const app = await startApp(home);
	onTestFinished(() => app.close());
	const events: LiveEvent[] = [];
	const stream = await app.rpc.system.live({});
	void (async () => {
		for await (const item of stream) if (item.type === 'event') events.push(item.event);
	})().catch(() => undefined);
	return {
		...app,
		events,
		text: (file = 'MEMORY.md') => readFileSync(join(app.profileFolder, file), 'utf8'),
		entry: async (text) => {
			const { entries } = await app.rpc.memory.entries({});
			const [found, ...more] = entries.filter((one) => one.text === text);
			if (!found || more.length > 0) throw new Error(`${found ? more.length + 1 : 0} entries say “${text}”`);
			return found;
		},
	};
}

/** A profile whose memory is searched by words only, which needs no model. */
function prepare(files: Record<string, string> = {}): string {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(join(profileFolder, 'memory'), { recursive: true });
	writeFileSync(join(profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(profileFolder, name), text);
	return home;
}

test('M1 M2 mem-7 what the owner adds lies in the file, is theirs, and a repeated request adds it once', async () => {
	const life = await begin(prepare());
	const request = { text: 'The door code is 4711.', requestId: crypto.randomUUID(), file: MEMORY, headingPath: ['Home'] };
	const first = await life.rpc.memory.add(request);
	expect(first).toMatchObject({ outcome: 'written', kind: 'append', file: 'MEMORY.md', repeated: false });
	expect(await life.rpc.memory.add(request)).toEqual({ ...first, repeated: true });
	expect(life.text()).toBe('## Home\n\n- The door code is 4711.\n');
	const entry = await life.entry('The door code is 4711.');
	expect(entry).toMatchObject({ headingPath: ['Home'], provenance: { author: 'owner', label: 'owner', origin: 'owner', sources: [] } });
	const day = await life.rpc.memory.add({ text: 'Paid the invoice.', requestId: crypto.randomUUID() });
	expect(day).toMatchObject({ file: expect.stringMatching(/^memory\/\d{4}-\d{2}-\d{2}\.md$/) });
	const { files, index } = await life.rpc.memory.files();
	expect(files.map(({ path, kind }) => [path, kind])).toEqual([
		['MEMORY.md', 'long_term'],
		[day.outcome === 'written' && day.file, 'daily'],
	]);
	expect(index).toMatchObject({ model: null });
	await expect.poll(() => life.events).toContainEqual({ type: 'memory_changed', files: ['MEMORY.md'] });
	await expect.poll(() => life.events.some(({ type }) => type === 'index_changed')).toBe(true);
});

test('M3 M4 edit, supersede, move, remove, undo and restore: each by what was seen, each with a history', async () => {
	const life = await begin(prepare({ 'MEMORY.md': '- Tea.\n- Rent is 900.\n' }));
	const { memory } = life.rpc;
	const tea = await life.entry('Tea.');
	const edited = await memory.edit({ entryId: tea.id, baseHash: tea.hash, text: 'Green tea.' });
	expect((await failureOf(() => memory.edit({ entryId: tea.id, baseHash: tea.hash, text: 'Coffee.' }))).code).toBe('stale');
	expect((await memory.entry({ entryId: tea.id })).provenance).toMatchObject({ author: 'owner', label: 'owner' });

	const rent = await life.entry('Rent is 900.');
	await memory.supersede({ entryId: rent.id, baseHash: rent.hash, text: 'Rent is 950.' });
	expect(await memory.entry({ entryId: rent.id })).toMatchObject({
		state: 'superseded',
		supersededBy: (await life.entry('Rent is 950.')).id,
	});

	const green = await life.entry('Green tea.');
	await memory.move({ entryId: green.id, baseHash: green.hash, file: MemoryPath.parse('memory/drinks.md'), headingPath: ['Hot'] });
	expect(life.text('memory/drinks.md')).toBe('## Hot\n\n- Green tea.\n');
	expect(await memory.entry({ entryId: green.id })).toMatchObject({ file: 'memory/drinks.md', headingPath: ['Hot'] });

	const removed = await memory.remove({ entryId: green.id, baseHash: green.hash });
	expect(await memory.entry({ entryId: green.id })).toMatchObject({ state: 'gone' });
	if (removed.outcome !== 'written' || edited.outcome !== 'written') throw new Error('nothing was written');
	await memory.undo({ changeId: removed.changeId });
	expect(life.text('memory/drinks.md')).toContain('Green tea.');
	expect((await failureOf(() => memory.undo({ changeId: removed.changeId }))).code).toBe('conflict');

	const history = await memory.history({ entryId: tea.id });
	expect(history.map(({ kind, before, after }) => [kind, before, after])).toContainEqual(['patch', 'Tea.', 'Green tea.']);
	const ofOne = await memory.history({ changeId: edited.changeId });
	expect(ofOne.map(({ entryId, after }) => [entryId, after])).toEqual([[tea.id, 'Green tea.']]);
	const { chain, entry } = await memory.why({ entryId: tea.id });
	expect(entry.id).toBe(tea.id);
	expect(chain.length).toBeGreaterThan(1);
	const again = await memory.entry({ entryId: tea.id });
	const validity = { entryId: tea.id, baseHash: again.hash, validFrom: null, validUntil: 1 };
	await memory.setValidity(validity);
	expect((await memory.entry({ entryId: tea.id })).state).toBe('expired');
	const everything = await memory.verify();
	expect(everything.problems).toEqual([]);
});

test('M5 search, filters, reindex and verify over the contract', async () => {
	const life = await begin(prepare({ 'MEMORY.md': '- The bin is emptied on Tuesdays.\n- Tea, not coffee.\n' }));
	const { memory } = life.rpc;
	await memory.reindex();
	const { hits, mode } = await memory.search({ query: 'when is the bin emptied' });
	expect(mode).toBe('keyword');
	expect(hits[0]).toMatchObject({ entry: { file: 'MEMORY.md', lineStart: 1, lineEnd: 1, provenance: { author: 'unknown' } } });
	expect(Object.keys(hits[0]?.parts ?? {}).length).toBeGreaterThan(0);
	expect((await memory.search({ query: 'bin', filter: { authors: ['agent'] } })).hits).toEqual([]);
	expect(await memory.verify()).toEqual({ files: 1, entries: 2, problems: [] });
	expect((await failureOf(() => memory.entry({ entryId: 'none' as MemoryEntry['id'] }))).code).toBe('not_found');
	const report = await life.rpc.system.doctor({ fast: true });
	expect(report.checks.find(({ id }) => id === 'memory')).toMatchObject({
		state: 'ok',
		detail: expect.stringContaining('2 entries in 1 files'),
	});
});

test('M5 S5 another model is saved only after it has worked; without one search goes on by words', async () => {
	const home = prepare({ 'MEMORY.md': '- Tea.\n' });
	const life = await begin(home);
	const { memory } = life.rpc;
	expect(await memory.embedding()).toEqual({ kind: 'off' });
	const away = { kind: 'ollama', baseUrl: 'http://127.0.0.1:9', modelId: 'nomic-embed-text' } as const;
	expect((await failureOf(() => memory.chooseEmbedding(away))).code).toBe('embedding_unreachable');
	expect(await memory.embedding()).toEqual({ kind: 'off' });
	const status = await memory.chooseEmbedding({ kind: 'embedded' });
	expect(status.model).toMatch(/MiniLM/);
	expect(JSON.parse(readFileSync(join(life.profileFolder, 'config.json'), 'utf8'))).toMatchObject({ embedding: { kind: 'embedded' } });
	await expect.poll(async () => (await memory.files()).index.embedded, { timeout: 20_000 }).toBe(1);
	expect((await memory.search({ query: 'hot drink' })).mode).toBe('hybrid');
	// Also by an edit of the file itself.
	writeFileSync(join(life.profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	await expect.poll(async () => (await memory.files()).index.model, { timeout: 20_000 }).toBeNull();
	expect((await memory.search({ query: 'tea' })).mode).toBe('keyword');
	expect((await memory.chooseEmbedding({ kind: 'embedded' })).model).toMatch(/MiniLM/);
	expect((await memory.chooseEmbedding({ kind: 'off' })).model).toBeNull();
	expect((await memory.search({ query: 'tea' })).mode).toBe('keyword');
});

test('B2 B3 B4 the inbox over the contract; the owner’s later edit of approved outside text keeps its origin for ever', async () => {
	const home = prepare();
	const parts = await openParts(join(home, 'profiles', 'default'));
	const { proposalId } = parts.proposals.port.hold(toHold(append('The bin is emptied on Tuesdays.')));
	await parts.close();
	parts.db.close();
	const life = await begin(home);
	const { inbox, memory } = life.rpc;
	expect(await inbox.counts()).toEqual({ actions: 0, proposals: 1, findings: 0 });
	const [waiting] = (await inbox.list({})).proposals;
	expect(waiting).toMatchObject({ id: proposalId, status: 'pending' });
	if (!waiting) return;
	expect((await failureOf(() => inbox.approve({ proposalId, shownHash: '0'.repeat(64) }))).code).toBe('stale');
	await inbox.approve({ proposalId, shownHash: waiting.shownHash });
	expect((await inbox.list({ status: 'decided' })).proposals).toMatchObject([{ id: proposalId, status: 'approved' }]);
	await expect.poll(() => life.events).toContainEqual({ type: 'inbox_changed', counts: { actions: 0, proposals: 0, findings: 0 } });
	const entry = await life.entry('The bin is emptied on Tuesdays.');
	await memory.edit({ entryId: entry.id, baseHash: entry.hash, text: 'The bin is emptied on Tuesdays at 7.' });
	const edited = await memory.entry({ entryId: entry.id });
	expect(edited.provenance).toMatchObject({ author: 'owner', label: 'approved', origin: 'external', sources: entry.provenance.sources });
	expect(edited.provenance.approval).toEqual(entry.provenance.approval);
	const later = await memory.supersede({ entryId: entry.id, baseHash: edited.hash, text: 'The bin is emptied on Tuesdays at 8.' });
	if (later.outcome !== 'written' || later.entryId === undefined) throw new Error('not written');
	expect((await memory.entry({ entryId: later.entryId })).provenance).toMatchObject({ label: 'approved', origin: 'external' });
	// Taking back the yes would take out words of the owner's own: memory refuses, and the decision stands.
	expect((await failureOf(() => inbox.undo({ proposalId }))).code).toMatch(/stale|conflict/);
	expect(await inbox.get({ proposalId })).toMatchObject({ status: 'approved' });
});

test('M4 B3 what waits for a yes to a text that is forgotten waits no more; a yes to forgetting does it, and can’t be taken back', async () => {
	const home = prepare({ 'MEMORY.md': '- The old password was hunter-twenty-two.\n- The locker is number 4711-0815.\n' });
	const parts = await openParts(join(home, 'profiles', 'default'));
	const { port } = parts.proposals;
	const { id, hash, text, file } = parts.entry('The locker is number 4711-0815.');
	const holds = port.hold(toHold(append('Remember: The old password was hunter-twenty-two.')));
	const forgets = port.hold(toHold({ kind: 'forget', file, entryId: id, baseHash: hash, before: text }));
	await parts.close();
	parts.db.close();
	const life = await begin(home);
	const { inbox, memory } = life.rpc;
	const secret = await life.entry('The old password was hunter-twenty-two.');
	await memory.forget({ entryId: secret.id, baseHash: secret.hash });
	const withdrawn = await inbox.get({ proposalId: holds.proposalId });
	expect(withdrawn).toMatchObject({ status: 'rejected', rejection: expect.stringContaining('forgotten') });
	expect(JSON.stringify(withdrawn)).not.toContain('hunter');
	await expect.poll(() => life.events).toContainEqual({ type: 'inbox_changed', counts: { actions: 0, proposals: 1, findings: 0 } });

	const waiting = await inbox.get({ proposalId: forgets.proposalId });
	const done = await inbox.approve({ proposalId: waiting.id, shownHash: waiting.shownHash });
	expect(done).toMatchObject({ status: 'approved', receipt: { outcome: 'written', kind: 'forget' } });
	expect(JSON.stringify(done)).not.toContain('4711-0815');
	expect(life.text()).not.toContain('4711-0815');
	expect((await failureOf(() => inbox.undo({ proposalId: waiting.id }))).code).toBe('conflict');
});

test('the inbox counts what a run waits for, too', async () => {
	const server = await startModelServer();
	onTestFinished(() => server.close());
	const home = prepare();
	const provider = { id: 'scripted', kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl };
	const config = {
		version: 1,
		embedding: { kind: 'off' },
		providers: [provider],
		models: { chat: { providerId: 'scripted', modelId: 'scripted' } },
	};
	writeFileSync(join(home, 'profiles', 'default', 'config.json'), JSON.stringify(config));
	server.reply(calls('ask_owner', { question: 'Which colour?' }), says('Green it is.'));
	const life = await begin(home);
	await life.rpc.chat.send({ text: 'Paint it.', attachmentIds: [], requestId: crypto.randomUUID() });
	await expect
		.poll(() => life.events, { timeout: 10_000 })
		.toContainEqual({ type: 'inbox_changed', counts: { actions: 1, proposals: 0, findings: 0 } });
	expect(await life.rpc.inbox.counts()).toEqual({ actions: 1, proposals: 0, findings: 0 });
	const [interrupt] = await life.rpc.chat.interrupts({});
	if (!interrupt) throw new Error('nothing waits');
	await life.rpc.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer: { type: 'reply', text: 'green' } });
	await expect
		.poll(() => life.events.filter(({ type }) => type === 'inbox_changed').at(-1), { timeout: 10_000 })
		.toEqual({ type: 'inbox_changed', counts: { actions: 0, proposals: 0, findings: 0 } });
});

test('M2 a deleted conversation: the quote stays in memory and in what waits, and it is said that the conversation is gone', async () => {
	const home = prepare();
	const parts = await openParts(join(home, 'profiles', 'default'));
	const source = {
		kind: 'message',
		sessionId: 's-1',
		messageId: 'm-1',
		sessionTitle: 'Bins',
		role: 'user',
		quote: 'on Tuesdays',
		deleted: false,
	};
	const provenance = { author: 'agent', label: 'agent', origin: 'agent', sources: [source], at: 1 };
	const request = (text: string) => toHold(append(text), { label: 'agent', provenance: provenance as never });
	const first = parts.proposals.port.hold(request('The bin is emptied on Tuesdays.'));
	await parts.proposals.decisions.approve(first.proposalId, parts.proposals.decisions.get(first.proposalId).shownHash, undefined);
	const second = parts.proposals.port.hold(request('The paper is taken on Fridays.'));
	const { shownHash } = parts.proposals.decisions.get(second.proposalId);
	await parts.close();
	parts.db.write((tx) => {
		tx.exec("INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES ('s-1', 'Bins', 'auto', 0, 0)");
	});
	parts.db.close();
	const life = await begin(home);
	await life.rpc.sessions.delete({ sessionId: 's-1' as never });
	const gone = { sources: [{ ...source, deleted: true }] };
	const entry = await life.entry('The bin is emptied on Tuesdays.');
	expect(entry.provenance).toMatchObject(gone);
	expect((await life.rpc.memory.history({ entryId: entry.id }))[0]?.provenance).toMatchObject(gone);
	const waiting = await life.rpc.inbox.get({ proposalId: second.proposalId });
	expect(waiting.provenance).toMatchObject(gone);
	// The owner words it anew: theirs, and still out of what it was made from.
	await life.rpc.memory.edit({ entryId: entry.id, baseHash: entry.hash, text: 'The bin is emptied on Tuesday mornings.' });
	expect((await life.rpc.memory.entry({ entryId: entry.id })).provenance).toMatchObject({ ...gone, author: 'owner', origin: 'owner' });
	// B3: what is shown is another now, so an answer to what was shown before does not count.
	expect(waiting.shownHash).not.toBe(shownHash);
	expect((await failureOf(() => life.rpc.inbox.approve({ proposalId: second.proposalId, shownHash }))).code).toBe('stale');
	await life.rpc.inbox.approve({ proposalId: second.proposalId, shownHash: waiting.shownHash });
	await expect.poll(() => life.events).toContainEqual({ type: 'memory_changed', files: ['MEMORY.md'] });
});

test('M1 M2 a back-up over the contract: chats, memory with provenance, what waits and settings are there in the new profile, and found', async () => {
	const home = prepare();
	const parts = await openParts(join(home, 'profiles', 'default'));
	const { port, decisions } = parts.proposals;
	const approved = port.hold(toHold(append('The bin is emptied on Tuesdays.')));
	await decisions.approve(approved.proposalId, decisions.get(approved.proposalId).shownHash, undefined);
	const waits = port.hold(toHold(append('The paper is taken on Fridays.')));
	await parts.close();
	parts.db.close();
	const life = await begin(home);
	await life.rpc.settings.set({ theme: 'dark' });
	await life.rpc.sessions.create({ title: 'About bins' });
	const before = await life.entry('The bin is emptied on Tuesdays.');
	const made = await life.rpc.backup.create();
	expect(await life.rpc.backup.list()).toEqual([made]);
	expect((await life.rpc.backup.verify({ path: made.path })).problems).toEqual([]);
	const { profileFolder } = await life.rpc.backup.restore({ path: made.path, profile: 'second' });
	expect(existsSync(join(profileFolder, 'index.db'))).toBe(false);
	expect((await failureOf(() => life.rpc.backup.restore({ path: made.path, profile: 'second' }))).code).toBe('conflict');

	const second = await startApp(home, { profileFolder });
	onTestFinished(() => second.close());
	const { entries } = await second.rpc.memory.entries({});
	expect(entries).toMatchObject([{ id: before.id, text: before.text, provenance: before.provenance }]);
	expect((await second.rpc.memory.history({ entryId: before.id })).map(({ kind }) => kind)).toEqual(['append']);
	expect((await second.rpc.inbox.list({})).proposals).toMatchObject([{ id: waits.proposalId }]);
	expect((await second.rpc.sessions.list()).sessions).toMatchObject([{ title: 'About bins' }]);
	expect((await second.rpc.settings.get()).theme).toBe('dark');
	await expect.poll(async () => (await second.rpc.memory.search({ query: 'bin' })).hits.length, { timeout: 10_000 }).toBe(1);
	expect((await second.rpc.memory.verify()).problems).toEqual([]);
});
