// One life of the whole runtime, for crash tests of memory: `node memory-child.ts JSON`. Sends one message, always with the same request
// id, and waits until its reply is over. Dies by SIGKILL at the crash point that it was told. Prints how the reply stands at the end.
import { z } from 'zod';
import { type AttachmentId, ProviderId, SessionId } from '../../../src/domain/ids.ts';
import { startApp } from '../apps.ts';
import { Die, dieAt } from '../dying.ts';

const Options = z.object({
	home: z.string(),
	modelUrl: z.string(),
	die: Die.optional(),
	/** Text of a file that is attached: what is written is held then. */
	attach: z.string().optional(),
});
export type MemoryLife = z.input<typeof Options>;

const REQUEST = '018f0000-0000-7000-8000-000000000002';

async function main({ home, modelUrl, die, attach }: z.output<typeof Options>): Promise<void> {
	const { rpc, close } = await startApp(home);
	const id = ProviderId.parse('scripted');
	await rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: modelUrl } });
	const model = { providerId: id, modelId: 'scripted' };
	if ((await rpc.models.choices()).chat.providerId !== id) await rpc.models.choose({ work: 'chat', model });
	const existing = (await rpc.sessions.list()).sessions[0]?.id;
	const sessionId = existing ?? SessionId.parse((await rpc.sessions.create({ title: 'Crash test' })).id);
	const { messages } = await rpc.sessions.messages({ sessionId });
	let attachmentIds: AttachmentId[] = messages.flatMap(({ parts }) =>
		parts.flatMap((part) => (part.type === 'attachment' ? [part.attachment.id] : [])),
	);
	if (attach !== undefined && attachmentIds.length === 0) {
		const content = Buffer.from(attach).toString('base64');
		attachmentIds = [(await rpc.chat.attach({ sessionId, name: 'letter.txt', mime: 'text/plain', content })).id];
	}
	dieAt(die);
	if (messages.length === 0) await rpc.chat.send({ sessionId, text: 'Please remember my dog Rex.', attachmentIds, requestId: REQUEST });
	for (;;) {
		const reply = (await rpc.sessions.messages({ sessionId })).messages.at(-1);
		if (reply?.status === 'interrupted') await rpc.chat.retry({ messageId: reply.id });
		else if (reply && reply.role === 'assistant' && reply.status !== 'streaming') {
			process.stdout.write(`${JSON.stringify({ status: reply.status, parts: reply.parts })}\n`);
			break;
		}
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	await close();
}

await main(Options.parse(JSON.parse(process.argv[2] ?? '{}')));
