import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProviderId } from '../../src/domain/ids.ts';
import type { ProviderConfig, ProviderKind } from '../../src/domain/model.ts';
import type { ModelEvent, ModelPort } from '../../src/model/port.ts';
import { BUILTIN_PROVIDER, createModelRegistry } from '../../src/model/registry.ts';
import { TRIAGE_SCHEMA } from '../../src/model/triage/schema.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { calls, fails, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { collect, describeModelPort, errorOf, KEY, request, textOf } from './model-port.ts';

const registry = createModelRegistry({ providers: () => [], secrets: { get: async () => KEY }, fetch: createGuardedFetch() });
const keyless = createModelRegistry({ providers: () => [], secrets: { get: async () => undefined }, fetch: createGuardedFetch() });

function provider(kind: ProviderKind, baseUrl: string): ProviderConfig {
	return { id: ProviderId.parse(kind), kind, name: `My ${kind}`, baseUrl };
}

const local = { splitsThink: true, hasReasoningField: true, streamErrorCode: 'model_bad_response' } as const;
describeModelPort('Ollama', { ...local, open: (server) => registry.portFor(provider('ollama', server.url)) });
describeModelPort('OpenAI-compatible', { ...local, open: (server) => registry.portFor(provider('openai-compatible', server.openaiUrl)) });
describeModelPort('OpenAI', {
	splitsThink: false,
	hasReasoningField: false,
	streamErrorCode: 'model_bad_response',
	open: (server) => registry.portFor(provider('openai', server.openaiUrl)),
});
describeModelPort('Anthropic', {
	splitsThink: false,
	hasReasoningField: true,
	streamErrorCode: 'model_server_error',
	open: (server) => registry.portFor(provider('anthropic', server.anthropicUrl)),
});

describe('what is particular to one provider', () => {
	let server: ModelServer;
	beforeAll(async () => {
		server = await startModelServer();
	});
	afterAll(() => server.close());
	const lastBody = () => server.log.requests.at(-1)?.body as Record<string, unknown>;

	test('Ollama gets the window as num_ctx, and its list tells what models can do', async () => {
		const port = registry.portFor(provider('ollama', server.url));
		await collect(port, request({ windowTokens: 12_345, maxOutputTokens: 99 }));
		expect(lastBody()).toMatchObject({ options: { num_ctx: 12_345, num_predict: 99 }, stream: true });
		server.script({
			models: [
				{ id: 'big', contextTokens: 131_072, capabilities: ['completion', 'tools', 'vision'] },
				{ id: 'small', contextTokens: 4096, capabilities: ['completion'] },
				{ id: 'tuned', contextTokens: 131_072, parameters: 'temperature 0.2\nnum_ctx                        32768' },
				{ id: 'embedder', capabilities: ['embedding'] },
			],
		});
		expect(await port.listModels(AbortSignal.timeout(5000))).toEqual([
			{ id: 'big', name: 'big', contextTokens: 16_384, seesImages: true, usesTools: true },
			{ id: 'small', name: 'small', contextTokens: 4096, seesImages: false, usesTools: false },
			{ id: 'tuned', name: 'tuned', contextTokens: 32_768, seesImages: false, usesTools: true },
		]);
		server.script({});
	});

	test('OpenAI-compatible servers are asked for usage; a finish without a reason but with [DONE] is a finish', async () => {
		const port = registry.portFor(provider('openai-compatible', server.openaiUrl));
		server.reply({ steps: [{ type: 'text', text: 'Hi' }, { type: 'raw', data: 'data: [DONE]\n\n' }, { type: 'end_early' }] });
		const events = await collect(port);
		expect(lastBody()).toMatchObject({ stream_options: { include_usage: true } });
		expect(textOf(events)).toBe('Hi');
		expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
	});

	test.each(['llama.cpp', 'vllm', 'lmstudio', 'openrouter'] as const)('a prompt that is too long, as %s says it', async (flavour) => {
		server.reply(fails({ type: 'context_overflow', flavour }));
		expect(errorOf(await collect(registry.portFor(provider('openai-compatible', server.openaiUrl))))?.code).toBe('model_context_overflow');
	});

	const ANSWER = { name: 'findings', schema: TRIAGE_SCHEMA } as const;
	const asked = { strict: true, name: 'findings', schema: { properties: { findings: { type: 'array' } }, additionalProperties: false } };

	test.each([
		['openai-compatible', 'openaiUrl', { response_format: { type: 'json_schema', json_schema: asked } }],
		['openai', 'openaiUrl', { response_format: { type: 'json_schema', json_schema: asked } }],
		['ollama', 'url', { format: { type: 'object', required: ['findings'] } }],
		// A model that Anthropic's own list does not say more of is made to call a tool, whose arguments are the answer.
		['anthropic', 'anthropicUrl', { tools: [{ name: 'json', input_schema: { required: ['findings'] } }] }],
	] as const)('%s is told the shape of an answer that is to have one', async (kind, url, told) => {
		const port = registry.portFor(provider(kind, server[url]));
		server.reply(kind === 'anthropic' ? calls('json', { findings: [] }) : says('{"findings": []}'));
		const events = await collect(port, request({ answer: ANSWER }));
		expect(lastBody()).toMatchObject(told);
		expect(JSON.parse(textOf(events))).toEqual({ findings: [] });
		expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
	});

	test('a server that refuses to be told the shape is asked in words alone, from then on at once; other refusals are told', async () => {
		const refusing = createModelRegistry({ providers: () => [], secrets: { get: async () => KEY }, fetch: createGuardedFetch() });
		const of = provider('openai-compatible', server.openaiUrl);
		const body = '{"error": {"message": "response_format is not supported", "type": "invalid_request_error"}}';
		const refusal = fails({ type: 'raw', status: 400, headers: { 'content-type': 'application/json' }, body });
		const shapes = () => server.log.requests.map(({ body: sent }) => (sent as { response_format?: unknown }).response_format !== undefined);
		server.log.requests.length = 0;
		server.reply(refusal, says('{}'), says('{}'));
		for (const _ of [1, 2]) expect(textOf(await collect(refusing.portFor(of), request({ answer: ANSWER })))).toBe('{}');
		expect(shapes()).toEqual([true, false, false]);

		refusing.refresh(of.id);
		server.log.requests.length = 0;
		server.reply(fails({ type: 'auth' }));
		expect(errorOf(await collect(refusing.portFor(of), request({ answer: ANSWER })))?.code).toBe('model_auth');
		expect(shapes()).toEqual([true]);
	});

	test('keep-alive comments count as life', async () => {
		const pings = Array.from({ length: 8 }, () => [{ type: 'silence' as const, ms: 150 }, { type: 'ping' as const }]).flat();
		server.reply({ steps: [...pings, { type: 'text', text: 'Done.' }] });
		expect(textOf(await collect(registry.portFor(provider('anthropic', server.anthropicUrl)), request({ silenceMs: 1000 })))).toBe('Done.');
	});

	test.each([
		['openai', 'openaiUrl'],
		['anthropic', 'anthropicUrl'],
	] as const)('%s without a key is not called', async (kind, url) => {
		const before = server.log.requests.length;
		const port = keyless.portFor(provider(kind, server[url]));
		expect(errorOf(await collect(port))).toMatchObject({ code: 'model_auth', kind: 'needs_owner' });
		await expect(port.listModels(AbortSignal.timeout(1000))).rejects.toMatchObject({ shape: { code: 'model_auth' } });
		expect(server.log.requests.length).toBe(before);
	});

	test('local servers work without a key and send none', async () => {
		for (const [kind, url] of [
			['ollama', server.url],
			['openai-compatible', server.openaiUrl],
		] as const) {
			server.reply(says('Hi'));
			expect(textOf(await collect(keyless.portFor(provider(kind, url))))).toBe('Hi');
			expect(server.log.requests.at(-1)?.keySent).toBe(false);
		}
	});

	test('a server that is not there', async () => {
		const gone = await startModelServer();
		await gone.close();
		const events = await collect(registry.portFor(provider('ollama', gone.url)));
		expect(errorOf(events)).toMatchObject({ code: 'model_unreachable', kind: 'retryable' });
	});
});

describe('model port: built-in responder', () => {
	const port: ModelPort = registry.portFor(BUILTIN_PROVIDER);

	test('streams an answer in pieces and finishes', async () => {
		const events = await collect(port);
		expect(textOf(events)).toContain('built-in responder');
		expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(20);
		expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
	});

	test('searches by a tool call', async () => {
		const tools = [{ name: 'search_chats', description: '', parameters: {} }];
		const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'search boiler' }] }];
		const events = await collect(port, request({ messages, tools }));
		expect(events).toEqual([
			{ type: 'tool_call', callId: expect.any(String), tool: 'search_chats', args: '{"query":"boiler"}' },
			{ type: 'finish', reason: 'tool_calls' },
		]);
	});

	test('stops before and in the middle', async () => {
		expect(errorOf(await collect(port, request(), AbortSignal.abort()))?.code).toBe('run_stopped');
		const stop = new AbortController();
		const events: ModelEvent[] = [];
		for await (const event of port.stream(request(), stop.signal)) {
			events.push(event);
			if (events.length === 5) stop.abort();
		}
		expect(errorOf(events)?.code).toBe('run_stopped');
		expect(events.length).toBeLessThan(20);
	});

	test('goes on exactly where a cut-off reply stopped', async () => {
		const full = textOf(await collect(port));
		const partial = full.slice(0, 60);
		const messages = [
			...request().messages,
			{ role: 'assistant' as const, text: partial, toolCalls: [] },
			{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Your reply above was cut off. Go on exactly where it stops.' }] },
		];
		expect(partial + textOf(await collect(port, request({ messages })))).toBe(full);
	});
});
