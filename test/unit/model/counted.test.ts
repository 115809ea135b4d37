import { expect, test } from 'vitest';
import { ProviderId } from '../../../src/domain/ids.ts';
import type { ProviderConfig } from '../../../src/domain/model.ts';
import { counted } from '../../../src/model/counted.ts';
import type { ModelEvent, ModelPort, ModelRequest } from '../../../src/model/port.ts';

const HERE: ProviderConfig = { id: ProviderId.parse('p'), kind: 'openai-compatible', name: 'P', baseUrl: 'http://127.0.0.1:1234/v1' };
const ELSEWHERE: ProviderConfig = { ...HERE, baseUrl: 'https://models.example.org/v1' };
const REQUEST: ModelRequest = {
	modelId: 'm',
	system: 'x'.repeat(400),
	messages: [{ role: 'user', content: [{ type: 'text', text: 'y'.repeat(40) }] }],
	tools: [],
	windowTokens: 8_000,
	silenceMs: 1_000,
};
const USAGE = { inputTokens: 1_000, outputTokens: 100 };
const finish = (usage?: typeof USAGE): ModelEvent => ({ type: 'finish', reason: 'stop', ...(usage && { usage }) });
const error: ModelEvent = { type: 'error', error: { kind: 'retryable', code: 'model_stream_cut', message: 'Cut.' } };
const text: ModelEvent = { type: 'text', text: 'z'.repeat(80) };

async function last(provider: ProviderConfig, events: ModelEvent[], modelId = 'm'): Promise<ModelEvent | undefined> {
	const port: ModelPort = {
		kind: provider.kind,
		listModels: async () => [],
		stream: async function* () {
			yield* events;
		},
	};
	let end: ModelEvent | undefined;
	for await (const event of counted(port, provider).stream({ ...REQUEST, modelId }, new AbortController().signal)) end = event;
	return end;
}

test('the cost of a call is known by the price; without one a model elsewhere says that it is not, and one here costs nothing', async () => {
	const price = { input: 2, output: 10 };
	expect(await last({ ...ELSEWHERE, price }, [text, finish(USAGE)])).toMatchObject({ usage: { ...USAGE, costUsd: 0.003 } });
	expect(await last(ELSEWHERE, [text, finish(USAGE)])).toMatchObject({ usage: { ...USAGE, unpricedTokens: 1_100 } });
	expect(await last(HERE, [text, finish(USAGE)])).toEqual(finish(USAGE));
	// Handed on to its maker.
	const ollama: ProviderConfig = { id: HERE.id, kind: 'ollama', name: 'O' };
	expect(await last(ollama, [text, finish(USAGE)], 'big:cloud')).toMatchObject({ usage: { unpricedTokens: 1_100 } });
	expect(await last(ollama, [text, finish(USAGE)], 'small')).toEqual(finish(USAGE));
});

test('what nobody counted is estimated by length, also of a call that broke off while it was answered', async () => {
	const estimated = { inputTokens: 110, outputTokens: 20, estimatedTokens: 130 };
	expect(await last(HERE, [text, finish()])).toMatchObject({ usage: estimated });
	expect(await last({ ...HERE, price: { input: 1, output: 1 } }, [text, error])).toMatchObject({
		type: 'error',
		usage: { ...estimated, costUsd: 0.00013 },
	});
	expect(await last(HERE, [{ type: 'tool_call', callId: 'a', tool: 'abcd', args: '{}{}' }, error])).toMatchObject({
		usage: { outputTokens: 2 },
	});
	expect(await last(HERE, [error])).toEqual(error);
});
