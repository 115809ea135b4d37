import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { createLiveReader } from '../../../src/contract/live-reader.ts';
import { DRAFT_LIMIT } from '../../../src/contract/methods/sessions.ts';
import { type AttachmentId, type MessageId, ProviderId, type SessionId } from '../../../src/domain/ids.ts';
import { type MessagePart, messageText } from '../../../src/domain/message.ts';
import { SessionExport } from '../../../src/sessions/export-json.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { startModelServer } from '../../support/model-server/index.ts';
import { makePdf } from '../../support/pdf.ts';

/** For what comes by itself, on a machine under any load. */
const SOON = { timeout: 20_000 };

async function start(home = newHome()): Promise<RunningApp> {
	const running = await startApp(home);
	onTestFinished(() => running.close());
	return running;
}

function newHome(): string {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	return home;
}

const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString('base64');

async function attach({ rpc }: RunningApp, sessionId: SessionId, name: string, content: string | Uint8Array) {
	return rpc.chat.attach({ sessionId, name, mime: '', content: base64(content) });
}

/** Sends and waits for the reply of the built-in responder. */
async function say({ rpc }: RunningApp, sessionId: SessionId, text: string, attachmentIds: AttachmentId[] = []): Promise<MessageId> {
	const { messageId } = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text, attachmentIds });
	await expect
		.poll(async () => (await rpc.sessions.messages({ sessionId })).messages.find((message) => message.id === messageId)?.status, {
			timeout: 20_000,
		})
		.toBe('complete');
	return messageId;
}

test('a chat is made, named after its first message, renamed, pinned and listed; the owner’s name stays', async () => {
	const app = await start();
	const { rpc } = app;
	const { id } = await rpc.sessions.create({});
	expect(await rpc.sessions.get({ sessionId: id })).toMatchObject({ title: 'New chat', messageCount: 0, activity: 'idle', pinned: false });
	await say(app, id, '# When is the boiler service?\nI forgot.');
	expect(await rpc.sessions.get({ sessionId: id })).toMatchObject({
		title: 'When is the boiler service?',
		messageCount: 2,
		activity: 'idle',
	});
	expect((await rpc.sessions.rename({ sessionId: id, title: '  Boiler\n visit ' })).title).toBe('Boiler visit');
	await say(app, id, 'And the letter?');
	const other = await rpc.sessions.create({ title: 'Household' });
	await say(app, other.id, 'A first message');
	expect((await rpc.sessions.get({ sessionId: other.id })).title).toBe('Household');
	await rpc.sessions.pin({ sessionId: id, pinned: true });
	const { sessions } = await rpc.sessions.list();
	expect(sessions.map(({ title, pinned }) => ({ title, pinned }))).toEqual([
		{ title: 'Boiler visit', pinned: true },
		{ title: 'Household', pinned: false },
	]);
});

test('a first message makes its chat in the same step: refused, it leaves none; repeated, it makes one', async () => {
	const { rpc } = await start();
	const attachmentIds = ['018f0000-0000-7000-8000-00000000000a' as AttachmentId];
	const requestId = crypto.randomUUID();
	await expect(rpc.chat.send({ requestId, text: 'Look at this', attachmentIds })).rejects.toMatchObject({ code: 'not_found' });
	expect((await rpc.sessions.list()).sessions).toEqual([]);
	const sent = await rpc.chat.send({ requestId, text: 'Look at this' });
	expect(await rpc.chat.send({ requestId, text: 'Look at this' })).toEqual(sent);
	expect((await rpc.sessions.list()).sessions).toMatchObject([{ id: sent.sessionId, title: 'Look at this', messageCount: 2 }]);
});

test('a draft is kept over a restart until it is sent; an oversized one is refused (chat-1)', async () => {
	const home = newHome();
	const first = await startApp(home);
	const { id } = await first.rpc.sessions.create({});
	const file = await attach(first, id, 'notes.md', '# Notes');
	await first.rpc.sessions.saveDraft({ sessionId: id, text: 'half a thought', attachmentIds: [file.id, 'long gone'] });
	await expect(first.rpc.sessions.saveDraft({ sessionId: id, text: 'x'.repeat(DRAFT_LIMIT + 1), attachmentIds: [] })).rejects.toMatchObject(
		{
			shape: { code: 'invalid_input' },
		},
	);
	await first.close();
	const app = await start(home);
	expect(await app.rpc.sessions.draft({ sessionId: id })).toEqual({
		text: 'half a thought',
		attachmentIds: [file.id],
		attachments: [file],
	});
	await app.rpc.sessions.saveDraft({ sessionId: id, text: '', attachmentIds: [] });
	expect(await app.rpc.sessions.draft({ sessionId: id })).toEqual({ text: '', attachmentIds: [], attachments: [] });
	await app.rpc.sessions.saveDraft({ sessionId: id, text: 'once more', attachmentIds: [] });
	await say(app, id, 'once more');
	expect(await app.rpc.sessions.draft({ sessionId: id })).toEqual({ text: '', attachmentIds: [], attachments: [] });
});

test('an attachment comes back whole, is stored once for equal content, and S5 names what can’t be attached', async () => {
	const app = await start();
	const { rpc, profileFolder } = app;
	const { id } = await rpc.sessions.create({});
	const pdf = makePdf({ pages: ['The boiler visit is on Thursday'] });
	const info = await attach(app, id, 'letters/boiler.pdf', pdf);
	expect(info).toMatchObject({ name: 'boiler.pdf', kind: 'pdf', mime: 'application/pdf', bytes: pdf.length, textChars: 31 });
	const back = await rpc.chat.attachment({ attachmentId: info.id });
	expect(back).toEqual({ info, content: base64(pdf), text: 'The boiler visit is on Thursday' });
	const again = await attach(app, id, 'copy.pdf', pdf);
	expect(again.id).not.toBe(info.id);
	const folder = join(profileFolder, 'attachments');
	const [name, ...others] = readdirSync(folder);
	expect(others).toEqual([]);
	if (name === undefined) throw new Error('no file');
	if (process.platform !== 'win32') expect(statSync(join(folder, name)).mode & 0o077).toBe(0);

	await expect(attach(app, id, 'big.bin', new Uint8Array(20 * 1024 * 1024 + 1))).rejects.toMatchObject({
		shape: { code: 'file_too_large', message: '“big.bin” is larger than 20 MiB, the most that can be attached.' },
	});
	await expect(attach(app, id, 'program', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).rejects.toMatchObject({
		shape: { code: 'invalid_input' },
	});
	await expect(attach(app, 'nobody' as SessionId, 'a.txt', 'a')).rejects.toMatchObject({ shape: { code: 'not_found' } });
	await expect(rpc.chat.attachment({ attachmentId: 'nobody' as AttachmentId })).rejects.toMatchObject({ shape: { code: 'not_found' } });
	expect(readdirSync(folder)).toEqual([name]);

	writeFileSync(join(folder, name), 'damaged');
	await expect(rpc.chat.attachment({ attachmentId: info.id })).rejects.toMatchObject({
		shape: { code: 'not_found', safe: expect.stringContaining('text is kept') },
	});
	await attach(app, id, 'copy.pdf', pdf);
	expect((await rpc.chat.attachment({ attachmentId: info.id })).content).toBe(base64(pdf));
});

test('a branch holds copies up to the message, attachments too, and lives on without its origin', async () => {
	const app = await start();
	const { rpc } = app;
	const { id } = await rpc.sessions.create({});
	const file = await attach(app, id, 'notes.md', '# Notes');
	const reply = await say(app, id, 'Read my notes', [file.id]);
	await say(app, id, 'Something else');
	const branch = await rpc.sessions.branch({ messageId: reply });
	expect(branch).toMatchObject({ title: 'Branch of Read my notes', messageCount: 2 });
	const { messages } = await rpc.sessions.messages({ sessionId: branch.id });
	expect(messages.map(messageText)).toEqual((await rpc.sessions.messages({ sessionId: id })).messages.slice(0, 2).map(messageText));
	await rpc.sessions.delete({ sessionId: id });
	const part = messages[0]?.parts.find((given) => given.type === 'attachment');
	if (part?.type !== 'attachment') throw new Error('no attachment');
	expect(part.attachment.id).not.toBe(file.id);
	expect((await rpc.chat.attachment({ attachmentId: part.attachment.id })).text).toBe('# Notes');
	await say(app, branch.id, 'Go on here');
	expect((await rpc.sessions.get({ sessionId: branch.id })).messageCount).toBe(4);
	await expect(rpc.chat.retry({ messageId: messages[1]?.id as MessageId })).rejects.toMatchObject({
		shape: { action: expect.stringContaining('Regenerate') },
	});
	const regenerated = await rpc.chat.regenerate({ messageId: messages[1]?.id as MessageId, requestId: crypto.randomUUID() });
	expect(regenerated.sessionId).toBe(branch.id);
});

test('deleting a chat takes its messages, files and words out of the profile', async () => {
	const app = await start();
	const { rpc, profileFolder } = app;
	const { id } = await rpc.sessions.create({});
	const file = await attach(app, id, 'secret.txt', 'content of the attachment: xylophone');
	await say(app, id, 'The zeppelin lands at noon', [file.id]);
	await rpc.sessions.saveDraft({ sessionId: id, text: 'a draft about marzipan', attachmentIds: [] });
	const kept = await rpc.sessions.create({ title: 'kept' });
	await say(app, kept.id, 'The umbrella stays');
	await rpc.sessions.delete({ sessionId: id });
	for (const call of [
		() => rpc.sessions.get({ sessionId: id }),
		() => rpc.sessions.messages({ sessionId: id }),
		() => rpc.sessions.delete({ sessionId: id }),
		() => rpc.sessions.draft({ sessionId: id }),
		() => rpc.sessions.export({ sessionId: id, format: 'json' }),
	]) {
		await expect(call()).rejects.toMatchObject({ shape: { code: 'not_found' } });
	}
	expect(await rpc.sessions.search({ query: 'zeppelin' })).toEqual([]);
	expect(await rpc.sessions.search({ query: 'umbrella' })).not.toEqual([]);
	expect(readdirSync(join(profileFolder, 'attachments'))).toEqual([]);
	await app.close();
	const bytes = readFileSync(join(profileFolder, 'state.db')).toString('latin1');
	for (const word of ['zeppelin', 'xylophone', 'marzipan']) expect(bytes.includes(word), word).toBe(false);
	expect(bytes).toContain('umbrella');
});

test('files that a crash left unnamed are removed at the next start', async () => {
	const home = newHome();
	const first = await startApp(home);
	const { id } = await first.rpc.sessions.create({});
	const file = await attach(first, id, 'notes.md', '# Notes');
	await first.close();
	const folder = join(first.profileFolder, 'attachments');
	const [kept] = readdirSync(folder);
	writeFileSync(join(folder, 'a'.repeat(64)), 'row never written');
	writeFileSync(join(folder, `${'b'.repeat(64)}.123-0a0b0c0d.tmp`), 'half');
	writeFileSync(join(folder, 'readme.txt'), 'not ours');
	const app = await start(home);
	await expect.poll(() => readdirSync(folder).toSorted(), SOON).toEqual([kept, 'readme.txt'].toSorted());
	expect((await app.rpc.chat.attachment({ attachmentId: file.id })).text).toBe('# Notes');
});

test('exports hold the whole chat, as Markdown to read and as JSON with every version', async () => {
	const app = await start();
	const { rpc } = app;
	const { id } = await rpc.sessions.create({});
	const file = await attach(app, id, 'notes.md', '# Notes');
	const reply = await say(app, id, 'What is: in/my notes?', [file.id]);
	await rpc.chat.regenerate({ messageId: reply, requestId: crypto.randomUUID() });
	await expect.poll(async () => (await rpc.sessions.get({ sessionId: id })).activity, SOON).toBe('idle');
	const markdown = await rpc.sessions.export({ sessionId: id, format: 'markdown' });
	expect(markdown).toMatchObject({ filename: 'What is in my notes.md', mime: 'text/markdown' });
	expect(markdown.text).toContain('## You');
	expect(markdown.text).toContain('Attached: **notes.md** (text/plain, 7 bytes)');
	const json = await rpc.sessions.export({ sessionId: id, format: 'json' });
	const parsed = SessionExport.parse(JSON.parse(json.text));
	expect(parsed.messages).toHaveLength(3);
	expect(parsed.messages.filter((message) => message.versions.length === 2)).toHaveLength(2);
});

/** An app whose chats go to a scripted model, with all events it announces. */
async function startScripted(home?: string) {
	const server = await startModelServer({ script: { replies: [], fallback: { steps: [{ type: 'text', text: 'yes' }] } } });
	onTestFinished(() => server.close());
	const app = await start(home);
	const id = ProviderId.parse('scripted');
	await app.rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl } });
	await app.rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
	const events: { seq: number; event: LiveEvent }[] = [];
	const reader = createLiveReader({ onEvent: (event, seq) => void events.push({ seq, event }), onSnapshotNeeded: () => {} });
	const following = reader.follow(app.rpc);
	onTestFinished(async () => {
		reader.stop();
		await following;
	});
	return { app, server, events };
}

test('a chat can be deleted and branched while a reply streams; every view is told', async () => {
	const { app, server, events } = await startScripted();
	const { rpc } = app;
	server.reply({ steps: [{ type: 'stream', text: 'quicksilver '.repeat(2000), perSecond: 50 }] });
	const { id } = await rpc.sessions.create({});
	const { messageId } = await rpc.chat.send({ sessionId: id, requestId: crypto.randomUUID(), text: 'Go' });
	const shown = async () => messageText((await rpc.sessions.messages({ sessionId: id })).messages.at(-1) ?? { parts: [] });
	await expect.poll(shown, SOON).toContain('quicksilver quicksilver');
	const branch = await rpc.sessions.branch({ messageId });
	const copy = (await rpc.sessions.messages({ sessionId: branch.id })).messages.at(-1);
	expect(copy).toMatchObject({ status: 'stopped', runId: null });
	expect(messageText(copy ?? { parts: [] })).toContain('quicksilver quicksilver');
	await rpc.sessions.delete({ sessionId: id });
	await expect.poll(() => events.some(({ event }) => event.type === 'session_deleted' && event.sessionId === id), SOON).toBe(true);
	await rpc.sessions.rename({ sessionId: branch.id, title: 'Kept' });
	await expect.poll(() => events.some(({ event }) => event.type === 'session_changed' && event.session.title === 'Kept'), SOON).toBe(true);
	const after = events.slice(events.findIndex(({ event }) => event.type === 'session_deleted') + 1);
	expect(after.map(({ event }) => event.type).filter((type) => type !== 'audit_grew')).toEqual(['inbox_changed', 'session_changed']);
	expect((await rpc.sessions.list()).sessions.map((session) => session.id)).toEqual([branch.id]);
});

test('a page taken while a reply streams, and the deltas after its seq, make the whole text', async () => {
	const words = Array.from({ length: 120 }, (_, index) => `word${index} 😀`).join(' ');
	const { app, server, events } = await startScripted();
	const { rpc } = app;
	server.reply({
		steps: [
			{ type: 'reasoning', text: 'thinking first' },
			{ type: 'stream', text: words, perSecond: 150 },
		],
	});
	const { id: sessionId } = await rpc.sessions.create({});
	const { messageId } = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text: 'Go' });
	const snapshots: { seq: number; parts: MessagePart[] }[] = [];
	for (let status = 'streaming'; status === 'streaming'; ) {
		const { messages, seq } = await rpc.sessions.messages({ sessionId });
		const reply = messages.find((message) => message.id === messageId);
		status = reply?.status ?? 'gone';
		if (reply && status === 'streaming') snapshots.push({ seq, parts: reply.parts });
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	const whole = (await rpc.sessions.messages({ sessionId })).messages.at(-1);
	expect(whole?.parts).toEqual([
		{ type: 'reasoning', text: 'thinking first' },
		{ type: 'text', text: words },
	]);
	expect(snapshots.length).toBeGreaterThan(1);
	const finished = ({ event }: { event: LiveEvent }) =>
		event.type === 'message_changed' && event.message.id === messageId && event.message.status === 'complete';
	await expect.poll(() => events.some(finished), SOON).toBe(true);
	for (const { seq, parts } of snapshots) {
		const seen = structuredClone(parts);
		for (const { event } of events.filter((item) => item.seq > seq)) {
			if (event.type !== 'message_delta' || event.messageId !== messageId) continue;
			const part = seen[event.part] ?? { type: event.kind, text: '' };
			if (part.type !== event.kind) throw new Error('a delta of another kind than its part');
			expect(part.text.length).toBe(event.offset);
			seen[event.part] = { ...part, text: part.text + event.text };
		}
		expect(seen).toEqual(whole?.parts);
	}
	const json = await rpc.sessions.export({ sessionId, format: 'json' });
	expect(json.text).toContain('word119');
});
