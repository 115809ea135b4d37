import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../../src/contract/protocol.ts';
import { connect } from '../../../src/db/driver.ts';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';

const LONG_TERM = MemoryPath.parse('MEMORY.md');
const SAID = 'The spare key of the shed lies under the third stone';

async function newHome(): Promise<string> {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	return home;
}

async function start(home: string, options: Parameters<typeof startApp>[1] = {}): Promise<RunningApp> {
	const app = await startApp(home, options);
	onTestFinished(() => app.close());
	return app;
}

async function say({ rpc }: RunningApp, text: string): Promise<void> {
	const { id: sessionId } = await rpc.sessions.create({});
	const { messageId } = await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text, attachmentIds: [] });
	await expect
		.poll(async () => (await rpc.sessions.messages({ sessionId })).messages.find(({ id }) => id === messageId)?.status, { timeout: 10_000 })
		.toBe('complete');
}

const auditCheck = async ({ rpc }: RunningApp, fast = true) => (await rpc.system.doctor({ fast })).checks.find(({ id }) => id === 'audit');

async function exported({ rpc }: RunningApp): Promise<string> {
	let text = '';
	for (let after: number | undefined, more = true; more; more = after !== undefined) {
		const part = await rpc.audit.export({ limit: 5, ...(after !== undefined && { after }) });
		text += part.text;
		after = part.next;
	}
	return text;
}

/** The check that docs/firewall.md gives to whoever has no Hearth. */
function documentedCheck(): string {
	const docs = readFileSync(new URL('../../../docs/firewall.md', import.meta.url), 'utf8');
	const [, code] = docs.match(/```js\n([\s\S]*?)```/) ?? [];
	if (code === undefined) throw new Error('docs/firewall.md holds no check');
	return code;
}

const run = promisify(execFile);

test('S1 a chat and a memory leave records that follow each other, are found again, and can be checked without Hearth', async () => {
	const home = await newHome();
	const app = await start(home);
	const { rpc } = app;
	await rpc.memory.chooseEmbedding({ kind: 'off' });
	await rpc.memory.add({ text: SAID, file: LONG_TERM, requestId: crypto.randomUUID() });
	await say(app, 'Where is the key of the shed?');
	const { records, total } = await rpc.audit.list({ limit: 100 });
	expect(total).toBe(records.length);
	const told = records.map(({ sink, decision, rule }) => `${sink} ${decision} ${rule}`);
	expect(told).toContain('memory written memory.written');
	expect(told).toContain('prompt allowed prompt.model');
	expect(told).toContain('screen shown reply.shown');
	// Names and hashes: not what was said.
	expect(JSON.stringify(records)).not.toContain('third stone');
	const shown = records.find(({ rule }) => rule === 'reply.shown');
	const view = await rpc.audit.get({ seq: shown?.seq ?? 0 });
	expect(view.run?.runId).toBe(shown?.runId);
	expect(view.record.detail?.sources.map(({ kind }) => kind)).toContain('owner_message');
	expect(await auditCheck(app)).toMatchObject({ state: 'ok' });
	const [chat] = (await rpc.sessions.list()).sessions;
	if (chat) await rpc.sessions.export({ sessionId: chat.id, format: 'markdown' });
	expect((await rpc.audit.list({ limit: 1 })).records[0]).toMatchObject({ rule: 'export.owner', detail: { from: 'A chat' } });

	const text = await exported(app);
	const check = join(home, 'check.cjs');
	const log = join(home, 'log.jsonl');
	writeFileSync(check, documentedCheck());
	writeFileSync(log, text);
	expect((await run(process.execPath, [check, log])).stdout).toContain('whole up to record');
	for (const [from, to] of [
		['"rule":"memory.written"', '"rule":"memory.edited"'],
		['"to":"MEMORY.md"', '"to":"MEMORY.txt"'],
	] as const) {
		expect(text).toContain(from);
		writeFileSync(log, text.replace(from, to));
		await expect(run(process.execPath, [check, log])).rejects.toThrow('was changed');
	}
	writeFileSync(log, text.split('\n').slice(1).join('\n'));
	expect((await run(process.execPath, [check, log])).stdout).toContain('whole up to record');
	expect((await rpc.audit.list({ limit: 1 })).records[0]).toMatchObject({ rule: 'export.owner' });
});

test('S1 M4 forgetting takes details out of the log, the chain stays whole, and says so also after a restart', async () => {
	const home = await newHome();
	const app = await start(home);
	await app.rpc.memory.chooseEmbedding({ kind: 'off' });
	await app.rpc.memory.add({ text: SAID, file: LONG_TERM, requestId: crypto.randomUUID() });
	await app.rpc.memory.add({ text: 'go', file: LONG_TERM, requestId: crypto.randomUUID() });
	const { entries } = await app.rpc.memory.entries({ limit: 10 });
	const forget = async (text: string) => {
		const entry = entries.find((one) => one.text === text);
		if (entry) await app.rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	};
	const written = (await app.rpc.audit.list({ decisions: ['written'], limit: 10 })).records;
	expect(written.filter(({ textHash }) => textHash !== null)).toHaveLength(2);
	await forget(SAID);
	await forget('go');
	const after = (await app.rpc.audit.list({ limit: 100 })).records;
	for (const { seq, textHash } of written) {
		if (textHash === null) continue;
		expect(after.find((record) => record.seq === seq)).toMatchObject({ detail: null, textHash: null });
		expect(JSON.stringify(after)).not.toContain(textHash);
	}
	expect(after.filter(({ rule }) => rule === 'audit.forgotten').length).toBeGreaterThanOrEqual(2);
	await app.close();
	const again = await start(home);
	expect(await again.rpc.audit.verify()).toMatchObject({ whole: true, breaks: [] });
	expect(await auditCheck(again, false)).toMatchObject({ state: 'ok', detail: expect.stringContaining('each accounted for') });
});

test('S1 doctor and health tell in words of a log that was changed; a restored back-up explains its own', async () => {
	const home = await newHome();
	const first = await start(home);
	await first.rpc.memory.chooseEmbedding({ kind: 'off' });
	await first.rpc.memory.add({ text: SAID, file: LONG_TERM, requestId: crypto.randomUUID() });
	const { path } = await first.rpc.backup.create();
	await first.rpc.memory.add({ text: 'The boiler is from 2019.', file: LONG_TERM, requestId: crypto.randomUUID() });
	const { profileFolder } = await first.rpc.backup.restore({ path, profile: 'again' });
	await first.close();

	const restored = await start(home, { profileFolder });
	const [record] = (await restored.rpc.audit.list({ sinks: ['audit'], limit: 5 })).records;
	expect(record).toMatchObject({ rule: 'audit.restored', detail: { reason: expect.stringContaining('Restored from a back-up of') } });
	expect(await auditCheck(restored)).toMatchObject({ state: 'ok' });
	await restored.close();

	const outside = connect(join(first.profileFolder, 'state.db'), { mustExist: true });
	const guard = outside.prepare("SELECT sql FROM sqlite_schema WHERE name = 'audit_no_update'").pluck().get() as string;
	outside.exec("DROP TRIGGER audit_no_update; UPDATE audit SET decision = 'rejected' WHERE seq = 2");
	outside.exec(guard);
	outside.close();
	const tampered = await start(home);
	expect(await auditCheck(tampered)).toMatchObject({ state: 'failed', detail: 'The chain is broken. Record 2 was changed.' });
	expect(await tampered.rpc.audit.verify()).toMatchObject({ whole: false, brokenAt: 2 });
	const { health } = await tampered.rpc.system.hello({ protocol: PROTOCOL_VERSION, client: 'test' });
	expect(health.warnings.map(({ code }) => code)).toContain('audit_broken');
});
