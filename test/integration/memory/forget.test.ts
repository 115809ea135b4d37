import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openArchive } from '../../../src/app/backup/read-archive.ts';
import { connect } from '../../../src/db/driver.ts';
import { findDamage } from '../../../src/db/integrity.ts';
import { type MessageId, ProviderId, type SessionId } from '../../../src/domain/ids.ts';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { messageText } from '../../../src/domain/message.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { startModelServer } from '../../support/model-server/index.ts';
import { makePdf } from '../../support/pdf.ts';

const SECRET = 'The locker at the station opens with 4711-Rosebud';
const OLDER = 'The locker at the station opens with 0815-Rosebud';
const SOON = { timeout: 20_000 };
const LONG_TERM = MemoryPath.parse('MEMORY.md');

async function start(): Promise<RunningApp> {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	const app = await startApp(home);
	onTestFinished(() => app.close());
	await app.rpc.memory.chooseEmbedding({ kind: 'off' });
	return app;
}

/** Every file below the folder, links not followed. */
function allFiles(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());
}

/** Files whose bytes hold the words, with any white space between them, as UTF-8, UTF-16 or JSON: not by the code that is under test. */
function filesWith(folder: string, text: string): string[] {
	const plain = (value: string) =>
		value
			.toLowerCase()
			.replaceAll(/\\[nrt]/g, ' ')
			.replaceAll(/[\s>\0\\]+/g, ' ');
	const wanted = plain(text);
	const squeezed = wanted.replaceAll(' ', '');
	return allFiles(folder).filter((name) => {
		const bytes = readFileSync(join(folder, name));
		const readings = [bytes.toString('utf8'), bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le')];
		return (
			readings.some((reading) => plain(reading).includes(wanted)) ||
			bytes
				.toString('latin1')
				.toLowerCase()
				.replaceAll(/[\s\0]/g, '')
				.includes(squeezed)
		);
	});
}

async function say({ rpc }: RunningApp, sessionId: SessionId, text: string, attachmentIds: never[] | { id: string }[] = []): Promise<void> {
	const ids = attachmentIds.map(({ id }) => id) as Parameters<typeof rpc.chat.send>[0]['attachmentIds'];
	const { messageId } = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text, attachmentIds: ids });
	await expect
		.poll(async () => (await rpc.sessions.messages({ sessionId })).messages.find(({ id }) => id === messageId)?.status, SOON)
		.toBe('complete');
}

const add = ({ rpc }: RunningApp, text: string, file = LONG_TERM) => rpc.memory.add({ text, file, requestId: crypto.randomUUID() });
const entries = async ({ rpc }: RunningApp) => (await rpc.memory.entries({ limit: 500 })).entries;

async function entrySaying(app: RunningApp, text: string) {
	const found = (await entries(app)).find((entry) => entry.text === text);
	if (!found) throw new Error(`no entry says ${text}`);
	return found;
}

/** A profile that holds the text wherever it can. */
async function fill(app: RunningApp): Promise<{ sessionId: SessionId }> {
	const { rpc, profileFolder: folder } = app;
	const file = (name: string) => join(folder, name);
	await add(app, 'The boiler is from 2019.');
	await add(app, OLDER);
	const older = await entrySaying(app, OLDER);
	await rpc.memory.edit({ entryId: older.id, baseHash: older.hash, text: SECRET });
	await add(app, SECRET, MemoryPath.parse('memory/2026-11-29.md'));
	await add(app, 'Ada likes tea.');
	mkdirSync(file('memory/people'), { recursive: true });
	writeFileSync(
		file('memory/people/ada.md'),
		`# Ada\n\n> She said: ${SECRET.toUpperCase().replace(' AT ', ' AT\n> ')}, and left.\n\n- Her bike is red.\n`,
	);
	await expect.poll(async () => (await entries(app)).some(({ text }) => text === 'Her bike is red.'), SOON).toBe(true);

	const { id: sessionId } = await rpc.sessions.create({});
	const attach = (name: string, content: Uint8Array) =>
		rpc.chat.attach({ sessionId, name, mime: '', content: Buffer.from(content).toString('base64') });
	const attached = [
		await attach('list.txt', Buffer.from(`one\n${SECRET}\nthree`)),
		await attach('wide.txt', Buffer.from(`\uFEFF${SECRET}`, 'utf16le')),
		await attach('print.pdf', makePdf({ pages: [SECRET] })),
	];
	await say(app, sessionId, `${SECRET}. Please keep it to yourself.`, attached);
	await say(app, sessionId, `search "${SECRET}"`);
	await rpc.sessions.saveDraft({ sessionId, text: `draft: ${SECRET}`, attachmentIds: [] });
	const named = await rpc.sessions.create({});
	await rpc.sessions.rename({ sessionId: named.id, title: SECRET });

	await rpc.backup.create();
	const db = connect(join(folder, 'state.db'), { mustExist: true });
	db.prepare('VACUUM INTO ?').run(file('backups/state-v3-20261128T000000000Z.db'));
	db.close();
	appendFileSync(
		file('logs/hearth-2026-11-28.log'),
		`${JSON.stringify({ event: 'x', says: SECRET })}\n${JSON.stringify({ event: 'y' })}\n`,
	);
	writeFileSync(file('memory/x.md.123-0123abcd.tmp'), SECRET);
	writeFileSync(file('index.db.new'), SECRET);
	writeFileSync(file('AGENT.md'), `# Agent\n\nBe brief.\n${SECRET}\n`);
	mkdirSync(file('workspace'), { recursive: true });
	writeFileSync(file('workspace/plan.txt'), Buffer.from(`a\nb\n${SECRET}`, 'utf16le'));
	return { sessionId };
}

test('M4 forget: no file of the profile holds the text, and all else is as it was', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	const { sessionId } = await fill(app);
	await add(app, 'Bought on Friday: milk.');
	const undoLater = await rpc.memory.history({ limit: 1 });
	const { id: entryId, hash: baseHash } = await entrySaying(app, SECRET);

	const preview = await rpc.memory.forgetPreview({ entryId });
	const places = Object.fromEntries(preview.places.map(({ where, count }) => [where, count]));
	expect(Object.keys(places).toSorted()).toEqual([
		'attachments',
		'audit',
		'backups',
		'chats',
		'history',
		'index',
		'logs',
		'memory',
		'other',
		'runs',
	]);
	expect(places).toMatchObject({ memory: 3, logs: 1, backups: 2, other: 2 });
	const kept = [
		{ path: 'AGENT.md', line: 4 },
		{ path: 'workspace/plan.txt', line: 3 },
	];
	expect(preview.kept.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(kept);
	expect((await entries(app)).filter(({ text }) => text === SECRET)).toHaveLength(2);

	await expect(rpc.memory.forget({ entryId, baseHash: 'another' })).rejects.toMatchObject({ code: 'stale' });
	const report = await rpc.memory.forget({ entryId, baseHash });
	expect(report).toMatchObject({ places: preview.places, scope: 'everywhere' });
	expect(report.kept.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(kept);
	expect(report.scannedFiles).toBeGreaterThan(10);

	for (const text of [SECRET, OLDER, '4711-Rosebud', 'rosebud']) {
		expect(filesWith(folder, text).toSorted(), text).toEqual(text === OLDER ? [] : kept.map(({ path }) => path));
	}
	for (const { path, bytes } of await rpc.backup.list().then((list) => list.map(({ path, bytes }) => ({ path, bytes })))) {
		const archive = await openArchive(path, bytes);
		for (const [index, archived] of archive.manifest.files.entries()) {
			if (kept.some((one) => one.path === archived.path)) continue;
			await archive.extract(archived, join(folder, `workspace/unpacked-${index}`));
		}
		archive.close();
	}
	expect(filesWith(folder, SECRET).toSorted()).toEqual(kept.map(({ path }) => path));

	const chain = await rpc.audit.verify();
	expect(chain).toMatchObject({ whole: true });
	expect(chain.forgotten).toBeGreaterThan(0);
	expect((await rpc.memory.verify()).problems).toEqual([]);
	expect((await entries(app)).map(({ text }) => text)).toEqual(
		expect.arrayContaining(['The boiler is from 2019.', 'Ada likes tea.', 'Her bike is red.', 'Bought on Friday: milk.']),
	);
	expect(readFileSync(join(folder, 'memory/people/ada.md'), 'utf8')).toBe(
		'# Ada\n\n> She said: [forgotten], and left.\n\n- Her bike is red.\n',
	);
	const history = await rpc.memory.history({ entryId });
	expect(history.length).toBeGreaterThan(2);
	for (const version of history) expect(version).toMatchObject({ before: null, after: null, forgotten: true });
	const [first] = undoLater;
	if (!first) throw new Error('no history');
	await rpc.memory.undo({ changeId: first.changeId });
	expect((await entries(app)).some(({ text }) => text.includes('milk'))).toBe(false);
	for (const { changeId } of history) await expect(rpc.memory.undo({ changeId })).rejects.toMatchObject({ code: 'conflict' });

	const { messages } = await rpc.sessions.messages({ sessionId });
	expect(messageText(messages[0] ?? { parts: [] })).toBe('[forgotten]. Please keep it to yourself.');
	expect((await rpc.sessions.draft({ sessionId })).text).toBe('draft: [forgotten]');
	expect((await rpc.sessions.list()).sessions.map(({ title }) => title).toSorted()).toEqual([
		'[forgotten]',
		'[forgotten]. Please keep it to yourself.',
	]);
	expect(await rpc.sessions.search({ query: 'Rosebud' })).toEqual([]);
	const files = (messages[0]?.parts ?? []).flatMap((part) => (part.type === 'attachment' ? [part.attachment] : []));
	const contents = await Promise.all(
		files.map(({ id }) =>
			rpc.chat.attachment({ attachmentId: id }).then(
				({ text }) => text,
				(error) => error.code,
			),
		),
	);
	expect(contents).toEqual(['one\n[forgotten]\nthree', '[forgotten]', 'not_found']);
	expect(readFileSync(join(folder, 'logs/hearth-2026-11-28.log'), 'utf8')).toBe('{"event":"x","says":"[forgotten]"}\n{"event":"y"}\n');
	await expect(rpc.memory.forgetPreview({ entryId })).rejects.toMatchObject({ code: 'not_found' });
	await app.close();
	for (const name of ['state.db', 'backups/state-v3-20261128T000000000Z.db']) {
		const db = connect(join(folder, name), { readonly: true });
		expect(findDamage(db, 'full'), name).toEqual([]);
		db.close();
	}
	expect(filesWith(folder, SECRET).toSorted()).toEqual(kept.map(({ path }) => path));
});

test('M4 forget: also what names of chats and found passages hold of it, cut off; and in what came from those chats', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	const { id: sessionId } = await rpc.sessions.create({});
	const long = Array.from({ length: 190 }, (_, index) => `rosebud${index}`).join(' ');
	await say(app, sessionId, 'Remember that the safe combination in the cellar of my aunt Hildegard in Buxtehude is 4711-Rosebud');
	await say(app, sessionId, 'Remember that my bike is red.');
	await say(app, sessionId, `Remember that ${long}.`);
	await rpc.sessions.branch({ messageId: (await rpc.sessions.messages({ sessionId })).messages[1]?.id as MessageId });
	const other = await rpc.sessions.create({});
	await say(app, other.id, 'search Buxtehude');
	await rpc.backup.create();
	const db = connect(join(folder, 'state.db'), { mustExist: true });
	db.prepare('VACUUM INTO ?').run(join(folder, 'backups/state-v3-20261128T000000000Z.db'));
	db.close();
	await rpc.sessions.delete({ sessionId });
	expect((await entrySaying(app, 'My bike is red.')).provenance.sources).toMatchObject([
		{ deleted: true, sessionTitle: expect.stringMatching(/^Remember that the safe.*…$/) },
	]);
	for (const beginning of ['The safe', 'Rosebud0']) {
		const entry = (await entries(app)).find(({ text }) => text.startsWith(beginning));
		if (!entry) throw new Error(`no entry begins with ${beginning}`);
		await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	}
	expect((await entrySaying(app, 'My bike is red.')).provenance.sources).toMatchObject([{ sessionTitle: 'Remember that [forgotten]' }]);
	for (const text of ['safe combination', 'aunt', 'Rosebud', 'rosebud77']) expect(filesWith(folder, text), text).toEqual([]);
	expect((await rpc.memory.verify()).problems).toEqual([]);
});

test('M4 forget: texts in quotation marks, and such as look like JSON, are forgotten to the end', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	for (const text of ['"rosebud4711"', '{"rosebud": "4711", "list": [1, 2]}', '[1, "rosebud4711"]']) {
		await add(app, text);
		const { id: sessionId } = await rpc.sessions.create({});
		await say(app, sessionId, `Remember that: ${text}`);
		await rpc.sessions.saveDraft({ sessionId, text, attachmentIds: [] });
		const { id: entryId, hash: baseHash } = await entrySaying(app, text);
		await rpc.memory.forget({ entryId, baseHash });
		expect(filesWith(folder, 'rosebud'), text).toEqual([]);
	}
	expect((await rpc.memory.verify()).problems).toEqual([]);
});

test('M4 forget: what Markdown writes otherwise than the entry says it, in back-ups and in the history of other entries too', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	const text = '1. rosebud *4711*\n2. second | line';
	await add(app, text);
	const written = readFileSync(join(folder, 'MEMORY.md'), 'utf8');
	expect(written).toContain('1\\. rosebud');
	// One change by hand that holds it among other entries.
	mkdirSync(join(folder, 'memory'), { recursive: true });
	writeFileSync(join(folder, 'memory/copy.md'), `- mine\n${written}- yours\n`);
	await expect.poll(async () => (await entries(app)).some(({ text: said }) => said === 'yours'), SOON).toBe(true);
	const db = connect(join(folder, 'state.db'), { mustExist: true });
	db.prepare('VACUUM INTO ?').run(join(folder, 'backups/state-v3-20261128T000000000Z.db'));
	db.close();
	const { id: entryId, hash: baseHash } = await entrySaying(app, text);
	await rpc.memory.forget({ entryId, baseHash });
	expect(filesWith(folder, 'rosebud')).toEqual([]);
	expect(readFileSync(join(folder, 'memory/copy.md'), 'utf8')).toBe('- mine\n- yours\n');
});

test('M4 a text too short or too common is taken from entries that say exactly it, and nowhere else', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	await add(app, 'ok');
	await add(app, 'assistant');
	await add(app, 'ok, agreed with the assistant');
	const { id: sessionId } = await rpc.sessions.create({});
	await say(app, sessionId, 'ok');
	for (const text of ['ok', 'assistant']) {
		const { id: entryId, hash: baseHash } = await entrySaying(app, text);
		expect(await rpc.memory.forget({ entryId, baseHash })).toMatchObject({ scope: 'entry', places: [{ where: 'memory', count: 1 }] });
		for (const version of await rpc.memory.history({ entryId }))
			expect(version).toMatchObject({ before: null, after: null, forgotten: true });
	}
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe('- ok, agreed with the assistant\n');
	expect(messageText((await rpc.sessions.messages({ sessionId })).messages[0] ?? { parts: [] })).toBe('ok');
	expect((await rpc.memory.verify()).problems).toEqual([]);
});

test('M4 while a reply is being made nothing is begun; afterwards it is forgotten in the reply too', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	const server = await startModelServer({
		script: {
			replies: [
				{ steps: [{ type: 'text', text: 'Here.' }] },
				{
					steps: [
						{ type: 'text', text: `You told me: ${SECRET}` },
						{ type: 'silence', ms: 60_000 },
					],
				},
			],
		},
	});
	onTestFinished(() => server.close());
	const provider = { id: ProviderId.parse('scripted'), kind: 'openai-compatible', name: 'scripted', baseUrl: server.openaiUrl } as const;
	await rpc.models.saveProvider({ provider });
	await rpc.models.choose({ work: 'chat', model: { providerId: provider.id, modelId: 'scripted' } });
	await add(app, SECRET);
	const { id: entryId, hash: baseHash } = await entrySaying(app, SECRET);
	const { id: sessionId } = await rpc.sessions.create({});
	const { runId } = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text: 'What did I tell you?', attachmentIds: [] });
	const reply = async () => messageText((await rpc.sessions.messages({ sessionId })).messages[1] ?? { parts: [] });
	await expect.poll(reply, SOON).toContain(SECRET);
	await expect(rpc.memory.forget({ entryId, baseHash })).rejects.toMatchObject({
		code: 'conflict',
		shape: { safe: 'Nothing was forgotten.' },
	});
	expect((await entrySaying(app, SECRET)).state).toBe('current');
	await rpc.chat.stop({ runId });
	await rpc.memory.forget({ entryId, baseHash });
	expect(await reply()).toBe('You told me: [forgotten]');
	expect(filesWith(folder, SECRET)).toEqual([]);
});

test('M4 what Hearth can’t or mustn’t write is told: a memory file that is no text, one whose name says it, one that is no memory', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	await add(app, 'Project Falcon');
	await add(app, 'The budget of Project Falcon is small.');
	mkdirSync(join(folder, 'memory/.trash'), { recursive: true });
	writeFileSync(join(folder, 'memory/Project Falcon.md'), '# Project Falcon\n\n- Starts in May.\n');
	writeFileSync(join(folder, 'memory/broken.md'), Buffer.concat([Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from(' Project Falcon')]));
	writeFileSync(join(folder, 'memory/.trash/old.md'), 'Project\nFalcon');
	const { id: entryId, hash: baseHash } = await entrySaying(app, 'Project Falcon');
	const { kept } = await rpc.memory.forget({ entryId, baseHash });
	expect(kept.map(({ path }) => path).toSorted()).toEqual(['memory/.trash/old.md', 'memory/Project Falcon.md', 'memory/broken.md']);
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe('- The budget of [forgotten] is small.\n');
	expect(readFileSync(join(folder, 'memory/Project Falcon.md'), 'utf8').trim()).toBe('- Starts in May.');
	expect((await entrySaying(app, 'Starts in May.')).file).toBe('memory/Project Falcon.md');
	expect((await rpc.memory.verify()).problems.map(({ file }) => file)).toEqual(['memory/broken.md']);
});

test('M4 a file that could not be read while its text was forgotten is taken in anew when it can', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	const path = MemoryPath.parse('memory/note.md');
	await add(app, SECRET);
	await add(app, SECRET, path);
	const text = readFileSync(join(folder, path));
	const problem = async () => (await rpc.memory.files()).files.find((file) => file.path === path)?.problem?.code;
	writeFileSync(join(folder, path), Buffer.from([0xff, 0xfe, 0xfd]));
	await expect.poll(problem, SOON).toBe('invalid_input');
	const { id: entryId, hash: baseHash } = (await entries(app)).find(({ file }) => file === LONG_TERM) ?? (await entrySaying(app, SECRET));
	await rpc.memory.forget({ entryId, baseHash });
	expect(filesWith(folder, SECRET)).toEqual([]);
	expect(await entries(app)).toEqual([]);
	writeFileSync(join(folder, path), text);
	await expect.poll(async () => (await entries(app)).map((entry) => entry.text), SOON).toEqual([SECRET]);
	expect((await entrySaying(app, SECRET)).provenance).toMatchObject({ author: 'file_edit', label: 'owner' });
	expect((await rpc.memory.verify()).problems).toEqual([]);
});

test('M4 forgetting while back-ups are being made waits for them, and takes it out of them', async () => {
	const app = await start();
	const { rpc, profileFolder: folder } = app;
	for (let index = 0; index < 40; index++)
		await add(app, `Entry number ${index} ${'about the weather '.repeat(200)}`, MemoryPath.parse(`memory/${index}.md`));
	await add(app, SECRET);
	const { id: entryId, hash: baseHash } = await entrySaying(app, SECRET);
	const outcomes = await Promise.allSettled([rpc.backup.create(), rpc.memory.forget({ entryId, baseHash }), rpc.backup.create()]);
	expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
	expect((await rpc.memory.history({ entryId })).every(({ forgotten }) => forgotten)).toBe(true);
	expect(filesWith(folder, SECRET)).toEqual([]);
	for (const { path, bytes } of await rpc.backup.list()) {
		const archive = await openArchive(path, bytes);
		for (const [index, archived] of archive.manifest.files.entries())
			await archive.extract(archived, join(folder, `unpacked-${bytes}-${index}`));
		archive.close();
	}
	expect(filesWith(folder, SECRET)).toEqual([]);
});
