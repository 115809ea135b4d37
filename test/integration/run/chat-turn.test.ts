import { expect, onTestFinished, test } from 'vitest';
import { type ModelServer, type Reply, says, startModelServer } from '../../support/model-server/index.ts';
import { type Harness, type HarnessOptions, openHarness } from '../../support/run/harness.ts';
import { temporaryFolder } from '../../support/sessions.ts';

async function scripted(replies: Reply[], options: Partial<HarnessOptions> = {}): Promise<{ harness: Harness; server: ModelServer }> {
	const server = await startModelServer({ script: { replies } });
	onTestFinished(() => server.close());
	const harness = openHarness({ folder: temporaryFolder(), modelUrl: server.openaiUrl, ...options });
	onTestFinished(() => harness.close());
	return { harness, server };
}

test('a message gets a streamed reply, journaled before and after the model call', async () => {
	const { harness, server } = await scripted([says('Good morning to you.', { delayMs: 10 })], { price: { input: 1, output: 2 } });
	const sent = await harness.send(harness.newSession(), 'Good morning');
	expect(await harness.settled(sent.runId)).toBe('done');
	const reply = harness.message(sent.messageId);
	expect(reply).toMatchObject({ status: 'complete', parts: [{ type: 'text', text: 'Good morning to you.' }], modelName: 'scripted', label: 'agent' });
	expect(reply.usage).toEqual({ inputTokens: 7, outputTokens: 5, costUsd: 17 / 1_000_000 });
	expect(harness.journal(sent.runId)).toEqual(['run_started', 'model_started', 'model_finished']);
	expect(server.log.requests).toHaveLength(1);
	const deltas = harness.events.flatMap((event) => (event.type === 'message_delta' ? [event] : []));
	expect(deltas.length).toBeGreaterThan(1);
	let text = '';
	for (const delta of deltas) {
		expect(delta.offset).toBe(text.length);
		text += delta.text;
	}
	expect('Good morning to you.'.startsWith(text)).toBe(true);
});
