// One life of the whole runtime for the benchmark `kill-stream`: `node kill-stream-life.ts HOME MODEL_URL set-up|send|look`.
// Says what the profile holds; `send` then sends a message and streams its reply until it is killed. Where the last life died
// before its model call began, the run goes on by itself, and that reply is streamed instead.
import { newId } from '../src/base/ids.ts';
import { ProviderId } from '../src/domain/ids.ts';
import { messageText } from '../src/domain/message.ts';
import { startApp } from '../test/support/apps.ts';

const [home, modelUrl, act] = process.argv.slice(2);
if (!home || !modelUrl) throw new Error('usage: kill-stream-life.ts HOME MODEL_URL set-up|send|look');
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const { rpc, close } = await startApp(home);
if (act === 'set-up') {
	const id = ProviderId.parse('scripted');
	await rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: modelUrl } });
	await rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
	await rpc.sessions.create({ title: 'Kill the stream' });
}
const [session] = (await rpc.sessions.list()).sessions;
if (!session) throw new Error('the session is gone');
const { messages } = await rpc.sessions.messages({ sessionId: session.id, limit: 500 });
say({ what: 'holds', messages: messages.map((message) => ({ role: message.role, status: message.status, text: messageText(message) })) });
if (act === 'send') {
	const resumed = messages.at(-1)?.status === 'streaming';
	if (!resumed) await rpc.chat.send({ sessionId: session.id, text: `Message ${messages.length / 2}`, requestId: newId<string>() });
	say({ what: 'streams', resumed });
} else await close();
