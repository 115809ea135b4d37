import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { calls, type Reply, says, startModelServer } from '../../support/model-server/index.ts';
import { testTools } from '../../support/test-tools.ts';

async function appWith(
	replies: Reply[],
): Promise<RunningApp & { events: LiveEvent[]; until(seen: (event: LiveEvent) => boolean): Promise<LiveEvent> }> {
	const { home, remove } = temporaryHome();
	onTestFinished(remove);
	const server = await startModelServer();
	onTestFinished(() => server.close());
	const running = await startApp(home, { tools: testTools(join(home, 'ledger')) });
	onTestFinished(() => running.close());
	const id = ProviderId.parse('scripted');
	await running.rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl } });
	await running.rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
	server.script({ replies });
	const events: LiveEvent[] = [];
	const waiting = new Set<() => void>();
	void (async () => {
		for await (const item of await running.rpc.system.live({})) {
			if (item.type === 'event') events.push(item.event);
			for (const wake of waiting) wake();
		}
	})().catch(() => undefined);
	const until = async (seen: (event: LiveEvent) => boolean): Promise<LiveEvent> => {
		for (;;) {
			const found = events.find(seen);
			if (found) return found;
			await new Promise<void>((resolve) => {
				waiting.add(resolve);
			});
		}
	};
	return { ...running, events, until };
}

test('two calls and one event stream: a turn with an approval, as a view does it', async () => {
	const { rpc, events, until } = await appWith([calls('test_effectful', { value: 'x' }, { text: 'I will send it.' }), says('It is sent.')]);
	const session = await rpc.sessions.create({});
	const sent = await rpc.chat.send({ sessionId: session.id, text: 'Please send the letter', requestId: newId<string>() });
	const asked = await until((event) => event.type === 'interrupt_changed' && event.interrupt.status === 'open');
	if (asked.type !== 'interrupt_changed') throw new Error('unreachable');
	const page = await rpc.sessions.messages({ sessionId: session.id });
	expect(page.messages.map((message) => message.status)).toEqual(['complete', 'waiting']);
	expect(page.interrupts).toEqual([asked.interrupt]);
	expect(await rpc.chat.interrupts({})).toEqual([asked.interrupt]);
	expect(await rpc.sessions.get({ sessionId: session.id })).toMatchObject({ title: 'Please send the letter', activity: 'needs_owner' });
	const { id: interruptId, shownHash } = asked.interrupt;
	await rpc.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } });
	await until((event) => event.type === 'run_changed' && event.run.id === sent.runId && event.run.status === 'done');
	const after = await rpc.sessions.messages({ sessionId: session.id });
	expect(after.messages[1]).toMatchObject({
		status: 'complete',
		parts: [{ type: 'text' }, { type: 'tool', status: 'done' }, { type: 'text' }],
	});
	expect(after.interrupts).toEqual([]);
	expect(events.filter((event) => event.type === 'interrupt_changed').map((event) => event.interrupt.status)).toEqual(['open', 'answered']);
	await expect(rpc.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } })).rejects.toMatchObject({ code: 'conflict' });
});

test('M6 the preview shows the same parts that a send uses, and a part that is taken out stays out', async () => {
	const { rpc, until } = await appWith([says('One.'), says('Two.')]);
	const session = await rpc.sessions.create({});
	const empty = await rpc.chat.preview({ sessionId: session.id, text: 'Hello' });
	expect(empty.parts.map((part) => part.id)).toEqual(expect.arrayContaining(['hearth', 'tools', 'message']));
	expect(empty).toMatchObject({ modelName: 'scripted', windowTokens: 8192 });
	const sent = await rpc.chat.send({ sessionId: session.id, text: 'Hello', requestId: newId<string>() });
	await until((event) => event.type === 'run_changed' && event.run.id === sent.runId && event.run.status === 'done');
	const before = await rpc.chat.preview({ sessionId: session.id, text: 'And?' });
	expect(before.parts.find((part) => part.id === 'session')).toMatchObject({ included: true, text: 'You: Hello\n\nAgent: One.' });
	await rpc.chat.includePart({ sessionId: session.id, partId: 'session', included: false });
	const after = await rpc.chat.preview({ sessionId: session.id, text: 'And?' });
	expect(after.parts.find((part) => part.id === 'session')).toMatchObject({ included: false, removable: true });
	expect(after.usedTokens).toBeLessThan(before.usedTokens);
});

test('deleting a session whose reply streams ends the call and leaves nothing', async () => {
	const { rpc, until } = await appWith([
		{
			steps: [
				{ type: 'text', text: 'Going ' },
				{ type: 'silence', ms: 30_000 },
			],
		},
	]);
	const session = await rpc.sessions.create({});
	await rpc.chat.send({ sessionId: session.id, text: 'Hi', requestId: newId<string>() });
	await until((event) => event.type === 'message_delta');
	await rpc.sessions.delete({ sessionId: session.id });
	expect((await rpc.sessions.list()).sessions).toEqual([]);
	expect(await rpc.chat.interrupts({})).toEqual([]);
});
