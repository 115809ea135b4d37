import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/driver.ts';
import { type AttachmentId, ProviderId, type SessionId } from '../../src/domain/ids.ts';
import { createSecretStore } from '../../src/secrets/secret-store.ts';
import { type RunningApp, startApp, temporaryHome } from '../support/apps.ts';
import { type Life, NEW, PASSPHRASE } from '../support/crash/main.ts';
import { programOf } from '../support/program.ts';
import { stride } from '../support/thorough.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/crash/main.ts', import.meta.url)));
const OLD = 'old';

interface Prepared {
	readonly home: string;
	readonly sessionId: SessionId;
	readonly attachmentId: AttachmentId;
}

function newHome(): string {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	return home;
}

/** A profile with a chat, a file in it, a provider with its key behind a passphrase, and a document. */
async function prepare(): Promise<Prepared> {
	const home = newHome();
	const { rpc, close } = await startApp(home);
	await rpc.secrets.choose({ store: 'passphrase', passphrase: PASSPHRASE });
	const provider = { id: ProviderId.parse('mine'), kind: 'openai-compatible', name: OLD, baseUrl: 'http://127.0.0.1:9/v1' } as const;
	await rpc.models.saveProvider({ provider, key: OLD });
	await rpc.settings.set({ theme: 'light' });
	await rpc.documents.save({ name: 'USER.md', text: OLD, baseHash: (await rpc.documents.get({ name: 'USER.md' })).hash });
	const { id: sessionId } = await rpc.sessions.create({});
	const { id: attachmentId } = await rpc.chat.attach({
		sessionId,
		name: 'old.txt',
		mime: '',
		content: Buffer.from(OLD).toString('base64'),
	});
	const sent = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text: 'Hello', attachmentIds: [attachmentId] });
	const status = async () => (await rpc.sessions.messages({ sessionId })).messages.find(({ id }) => id === sent.messageId)?.status;
	await expect.poll(status, { timeout: 20_000 }).toBe('complete');
	await close();
	return { home, sessionId, attachmentId };
}

/** One life; the acts that it began, and whether it was killed. */
async function live(life: Life): Promise<{ acts: string[]; killed: boolean }> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'pipe', 'inherit'] });
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (signal === null) expect(code).toBe(0);
	return { acts: said.trim().split('\n'), killed: signal === 'SIGKILL' };
}

/** Every file of an attachment has a row that names it, and every row its file. */
async function checkFiles({ profileFolder }: RunningApp): Promise<void> {
	const db = connect(join(profileFolder, 'state.db'), { readonly: true });
	try {
		const named = db.prepare('SELECT DISTINCT hash FROM attachments ORDER BY hash').pluck().all();
		await expect.poll(() => readdirSync(join(profileFolder, 'attachments')).toSorted(), { timeout: 20_000 }).toEqual(named);
	} finally {
		db.close();
	}
}

/** Each thing is as it was before the act or as it is after it; what was done before the last act stays done. */
async function check(app: RunningApp, { sessionId, attachmentId }: Prepared, acts: readonly string[]): Promise<void> {
	const { rpc } = app;
	const at = (act: string) => acts.indexOf(act);
	const done = (act: string) => at(act) >= 0 && at(act) < acts.length - 1;
	const either = (act: string, before: string, after: string) => (done(act) ? [after] : at(act) < 0 ? [before] : [before, after]);

	await checkFiles(app);
	const { sessions } = await rpc.sessions.list();
	if (done('delete')) expect(sessions).toEqual([]);
	if (at('delete') < 0) expect(sessions).toHaveLength(1);
	if (sessions.length > 0) {
		expect((await rpc.sessions.messages({ sessionId })).messages.map(({ status }) => status)).toEqual(['complete', 'complete']);
		expect((await rpc.chat.attachment({ attachmentId })).text).toBe(OLD);
	}
	expect((await rpc.sessions.search({ query: 'Hello' })).length > 0).toBe(sessions.length > 0);
	expect(either('settings', 'light', 'dark')).toContain((await rpc.settings.get()).theme);
	expect(either('document', OLD, NEW)).toContain((await rpc.documents.get({ name: 'USER.md' })).text);
	const mine = (await rpc.models.providers({})).find(({ provider }) => provider.id === 'mine');
	expect(either('key', OLD, NEW)).toContain(mine?.provider.name);
	const secrets = createSecretStore({ profileFolder: app.profileFolder, onChange: () => undefined, now: Date.now });
	await secrets.unlock(PASSPHRASE);
	expect(either('key', OLD, NEW)).toContain(await secrets.get('provider:mine'));
	const report = await rpc.system.doctor({ fast: true });
	expect(report.checks.filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual([]);
	expect(report.checks.find(({ id }) => id === 'audit')).toMatchObject({ state: 'ok' });
}

test('R1 M3 dur-2 killed on either side of each transaction and each file: everything is as before or as after', async () => {
	const prepared = await prepare();
	const reached = new Set<string>();
	const liveAndCheck = async (nth: number): Promise<boolean> => {
		const home = newHome();
		cpSync(prepared.home, home, { recursive: true });
		const { acts, killed } = await live({ home, sessionId: prepared.sessionId, nth });
		if (killed) reached.add(acts.at(-1) ?? '');
		const app = await startApp(home);
		try {
			await check(app, prepared, acts);
		} finally {
			await app.close();
		}
		return !killed;
	};
	let survived = false;
	// Two at a time: each has a folder of its own.
	const every = stride(1);
	for (let nth = 1; nth <= 80 && !survived; nth += 2 * every)
		survived = (await Promise.all([liveAndCheck(nth), liveAndCheck(nth + every)])).includes(true);
	expect(survived).toBe(true);
	// The end of the runtime is written down, too: `over` may be among them.
	expect([...reached]).toEqual(expect.arrayContaining(['attach', 'delete', 'document', 'key', 'settings']));
});
