import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProviderId } from '../../src/domain/ids.ts';
import { temporaryHome } from '../support/apps.ts';
import { liveChild } from '../support/live-child.ts';
import { calls, says, startModelServer } from '../support/model-server/index.ts';

test.runIf(process.platform === 'linux')(
	'dur-3 R2 killed while a command runs: the command ends with its runtime, and the owner is asked whether it happened',
	async () => {
		const { profileFolder, remove } = temporaryHome();
		onTestFinished(remove);
		mkdirSync(profileFolder, { recursive: true });
		writeFileSync(join(profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
		const server = await startModelServer();
		onTestFinished(() => server.close());
		const first = await liveChild(profileFolder);
		const id = ProviderId.parse('scripted');
		await first.rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl } });
		await first.rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
		const command = '(while :; do date +%s%N > beat; sleep 0.05; done) & sleep 600';
		server.script({ replies: [calls('run_command', { command, reason: 'To see what a crash does.' }), says('Good to know.')] });
		const { sessionId, runId } = await first.rpc.chat.send({ text: 'Begin', attachmentIds: [], requestId: crypto.randomUUID() });
		const beat = join(profileFolder, 'workspace', 'beat');
		await expect.poll(() => existsSync(beat)).toBe(true);
		first.child.kill('SIGKILL');
		await once(first.child, 'close');
		await new Promise((resolve) => setTimeout(resolve, 300));
		const last = readFileSync(beat, 'utf8');
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(readFileSync(beat, 'utf8')).toBe(last);

		const second = await liveChild(profileFolder);
		const [asked] = await second.rpc.chat.interrupts({ sessionId });
		expect(asked?.detail).toMatchObject({ kind: 'did_it_happen', tool: 'run_command' });
		await second.rpc.chat.answer({ interruptId: asked?.id ?? ('' as never), shownHash: asked?.shownHash ?? '', answer: { type: 'skip' } });
		await expect.poll(async () => (await second.rpc.runs.get({ runId })).run.status).toBe('done');
		expect(readFileSync(beat, 'utf8')).toBe(last);
	},
);
