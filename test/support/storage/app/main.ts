// The whole runtime in a process of its own, for tests that limit or fill its disk. Says one line of JSON per thing that happened.
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createApp } from '../../../../src/app/create-app.ts';
import { connect } from '../../../../src/contract/client.ts';
import { createMemoryTransportPair } from '../../../../src/contract/memory-transport.ts';
import { HearthError } from '../../../../src/domain/errors.ts';

const [profileFolder = ''] = process.argv.slice(2);
const say = (value: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(value)}\n`);

function failure(error: unknown): void {
	if (!(error instanceof HearthError)) throw error;
	say({ failed: error.code, message: error.message, safe: error.shape.safe, action: error.shape.action });
}

const app = await createApp({ profileFolder, hostMode: 'test' }).catch(failure);
if (app) {
	const [near, far] = createMemoryTransportPair();
	app.attach(near);
	const { rpc } = await connect(far, { client: 'test' });
	const send = async (text: string) => {
		// Each in a chat of its own, because a chat takes one message at a time.
		const { id } = await rpc.sessions.create({});
		return rpc.chat.send({ sessionId: id, requestId: randomUUID(), text, attachmentIds: [] });
	};

	const words: Record<string, () => Promise<Record<string, unknown>>> = {
		hello: async () => {
			const { health } = await rpc.system.hello({ protocol: 1, client: 'test' });
			return { state: health.state, code: health.problem?.code, action: health.problem?.action };
		},
		send: async () => ({ sent: (await send('hello')).messageId }),
		fill: async () => {
			for (;;) await send('word '.repeat(20_000));
		},
		attach: async () => {
			const { id } = await rpc.sessions.create({});
			return { attached: (await rpc.chat.attach({ sessionId: id, name: 'note.txt', mime: 'text/plain', content: btoa('a note') })).id };
		},
		set: async () => ({ theme: (await rpc.settings.set({ theme: 'dark' })).theme }),
		sessions: async () => ({ sessions: (await rpc.sessions.list()).sessions.length }),
		doctor: async () => {
			const report = await rpc.system.doctor({ fast: true });
			return { ok: report.ok, failed: report.checks.filter((check) => check.state === 'failed').map((check) => check.id) };
		},
		close: async () => {
			await app.close();
			return { closed: true };
		},
	};
	createInterface({ input: process.stdin }).on('line', (word) => void words[word]?.().then(say, failure));
	say({ ready: process.pid });
}
