// One life of the whole runtime over a prepared profile, for crash tests: `node main.ts JSON`. It does one thing after the other that
// changes what is stored, and dies by SIGKILL at the nth place where a transaction or a file is written. Says which act began.
import { z } from 'zod';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import { ProviderId, SessionId } from '../../../src/domain/ids.ts';
import { startApp } from '../apps.ts';

export const NEW = 'new';
export const PASSPHRASE = 'correct horse';
export const PLACES = ['transaction.open', 'transaction.committed', 'file.written', 'file.renamed'] as const;

export const Life = z.object({ home: z.string(), sessionId: SessionId, nth: z.number() });
export type Life = z.infer<typeof Life>;

async function main({ home, sessionId, nth }: Life): Promise<void> {
	const say = (act: string) => process.stdout.write(`${act}\n`);
	const { rpc, close } = await startApp(home);
	await rpc.secrets.unlock({ passphrase: PASSPHRASE });
	let passed = 0;
	onCrashPoint((name) => {
		if (!PLACES.some((place) => place === name)) return;
		passed += 1;
		if (passed === nth) process.kill(process.pid, 'SIGKILL');
	});
	say('attach');
	await rpc.chat.attach({ sessionId, name: 'new.txt', mime: '', content: Buffer.from('a new file').toString('base64') });
	say('settings');
	await rpc.settings.set({ theme: 'dark' });
	// Each act passes more places than the default tests leave out between two kills.
	await rpc.settings.set({ logDays: 9 });
	say('key');
	const provider = { id: ProviderId.parse('mine'), kind: 'openai-compatible', name: NEW, baseUrl: 'http://127.0.0.1:9/v1' } as const;
	await rpc.models.saveProvider({ provider, key: NEW });
	say('document');
	await rpc.documents.save({ name: 'USER.md', text: NEW, baseHash: (await rpc.documents.get({ name: 'USER.md' })).hash });
	await rpc.documents.save({ name: 'AGENT.md', text: NEW, baseHash: (await rpc.documents.get({ name: 'AGENT.md' })).hash });
	say('delete');
	await rpc.sessions.delete({ sessionId });
	say('over');
	await close();
}

if (process.argv[2]) await main(Life.parse(JSON.parse(process.argv[2])));
