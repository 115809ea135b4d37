import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProviderId, type RunId, type SessionId } from '../../src/domain/ids.ts';
import { temporaryHome } from '../support/apps.ts';
import { type LiveChild, liveChild } from '../support/live-child.ts';
import { calls, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { type MailServer, startMailServer } from '../support/smtp-server.ts';

const LETTER = { via: 'mail', to: ['anna@example.org'], subject: 'Monday', text: 'See you on Monday.' };

/** A profile with a scripted model and a mail account. */
async function prepared(model: ModelServer, mail: MailServer): Promise<string> {
	const { profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(profileFolder, { recursive: true });
	const account = { host: '127.0.0.1', port: mail.port, security: 'none', user: '', from: 'me@home.example' };
	const config = {
		version: 1,
		embedding: { kind: 'off' },
		providers: [{ id: ProviderId.parse('scripted'), kind: 'openai-compatible', name: 'Scripted', baseUrl: model.openaiUrl }],
		models: { chat: { providerId: 'scripted', modelId: 'scripted' } },
		outgoing: { mail: account },
	};
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify(config));
	return profileFolder;
}

/** Up to the owner's yes. */
async function approve({ rpc }: LiveChild): Promise<{ sessionId: SessionId; runId: RunId }> {
	const { sessionId, runId } = await rpc.chat.send({ text: 'Write to Anna', attachmentIds: [], requestId: crypto.randomUUID() });
	await expect.poll(async () => (await rpc.chat.interrupts({ sessionId })).length).toBe(1);
	const [asked] = await rpc.chat.interrupts({ sessionId });
	expect(asked?.detail).toMatchObject({ kind: 'approval', tool: 'send_message' });
	const answer = { interruptId: asked?.id ?? ('' as never), shownHash: asked?.shownHash ?? '', answer: { type: 'approve' as const } };
	// The process may die before it can say that it took the answer.
	void rpc.chat.answer(answer).catch(() => undefined);
	return { sessionId, runId };
}

test('R2 dur-3 killed while a message leaves: where the server’s answer is written down it is never sent again and nobody is asked; else the owner is', async () => {
	const [model, mail] = [await startModelServer(), await startMailServer({ security: 'none' })];
	for (const server of [model, mail]) onTestFinished(() => server.close());
	const profileFolder = await prepared(model, mail);

	model.script({ replies: [calls('send_message', LETTER), says('Sent.')] });
	const first = await liveChild(profileFolder, 'effect.done');
	const { runId } = await approve(first);
	await once(first.child, 'close');
	expect(mail.mails).toHaveLength(1);
	const second = await liveChild(profileFolder);
	await expect.poll(async () => (await second.rpc.runs.get({ runId })).run.status).toBe('done');
	expect(mail.mails).toHaveLength(1);

	// All of it has come to the server, which never gets to say so.
	mail.beforeAnswer = () => new Promise<void>(() => undefined);
	model.script({ replies: [calls('send_message', LETTER), says('Good to know.')] });
	const again = await approve(second);
	await expect.poll(() => mail.mails.length).toBe(2);
	second.child.kill('SIGKILL');
	await once(second.child, 'close');
	const third = await liveChild(profileFolder);
	const [asked] = await third.rpc.chat.interrupts({ sessionId: again.sessionId });
	expect(asked?.detail).toMatchObject({ kind: 'did_it_happen', tool: 'send_message', found: expect.stringContaining('sent mail') });
	await third.rpc.chat.answer({ interruptId: asked?.id ?? ('' as never), shownHash: asked?.shownHash ?? '', answer: { type: 'skip' } });
	await expect.poll(async () => (await third.rpc.runs.get({ runId: again.runId })).run.status).toBe('done');
	expect(mail.mails).toHaveLength(2);
});
