import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode, ErrorKind } from '../../src/domain/errors.ts';
import { ErrorShape } from '../../src/domain/errors.ts';
import type { ModelEvent, ModelPort, ModelRequest } from '../../src/model/port.ts';
import { calls, fails, type ModelServer, type Reply, says, startModelServer } from '../support/model-server/index.ts';

export const KEY = 'sk-test-4f2c9a7b1d';

export interface PortUnderTest {
	/** The port over the scripted server, with `KEY` as its key. */
	open(server: ModelServer): ModelPort;
	/** The provider tells thinking apart in a field of its own. */
	hasReasoningField: boolean;
	/** Thinking comes in the text, between `<think>` and `</think>`. */
	splitsThink: boolean;
	/** Errors inside a running stream as this provider has them. */
	streamErrorCode: ErrorCode;
}

const SEARCH_TOOL = {
	name: 'search_chats',
	description: 'Searches',
	parameters: { type: 'object', properties: { query: { type: 'string' } } },
};

export function request(more: Partial<ModelRequest> = {}): ModelRequest {
	return {
		modelId: 'scripted',
		system: 'Be brief.',
		messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
		tools: [],
		windowTokens: 8192,
		silenceMs: 10_000,
		...more,
	};
}

export async function collect(
	port: ModelPort,
	of: ModelRequest = request(),
	signal: AbortSignal = new AbortController().signal,
): Promise<ModelEvent[]> {
	const events: ModelEvent[] = [];
	for await (const event of port.stream(of, signal)) events.push(event);
	return events;
}

export function textOf(events: readonly ModelEvent[], type: 'text' | 'reasoning' = 'text'): string {
	return events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
}

export function errorOf(events: readonly ModelEvent[]): ErrorShape | undefined {
	const last = events.at(-1);
	return last?.type === 'error' ? last.error : undefined;
}

/** What every adapter of the model port keeps, shown against a server that speaks the provider's own format. */
export function describeModelPort(name: string, subject: PortUnderTest): void {
	describe(`model port: ${name}`, () => {
		let server: ModelServer;
		let port: ModelPort;
		beforeAll(async () => {
			server = await startModelServer();
			port = subject.open(server);
		});
		afterEach(() => {
			server.script({});
			server.log.requests.length = 0;
		});
		afterAll(() => server.close());

		const answer = async (reply: Reply, more: Partial<ModelRequest> = {}): Promise<ModelEvent[]> => {
			server.reply(reply);
			const events = await collect(port, request(more));
			expect(server.log.requests, 'the port itself never retries').toHaveLength(1);
			const ends = events.filter((event) => event.type === 'finish' || event.type === 'error');
			expect(ends, 'one end, and it comes last').toEqual([events.at(-1)]);
			const error = errorOf(events);
			if (error) {
				expect(ErrorShape.parse(error)).toEqual(error);
				expect(JSON.stringify(error), 'S3 no key in an error').not.toContain(KEY);
			}
			return events;
		};

		describe('answers', () => {
			test('text as it arrives, then the finish with usage', async () => {
				const events = await answer(says('One two three.', { usage: { inputTokens: 11, outputTokens: 3 } }));
				expect(textOf(events)).toBe('One two three.');
				expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: { inputTokens: 11, outputTokens: 3 } });
			});

			test('text is handed on while the rest is still to come', async () => {
				server.reply({
					steps: [
						{ type: 'text', text: 'first' },
						{ type: 'silence', ms: 5000 },
						{ type: 'text', text: ' second' },
					],
				});
				const stop = new AbortController();
				const events: ModelEvent[] = [];
				for await (const event of port.stream(request(), stop.signal)) {
					events.push(event);
					if (event.type === 'text') stop.abort();
				}
				expect(textOf(events)).toBe('first');
			});

			test('white space, scripts and emoji come through as they are', async () => {
				const text = '  indented\n\n\tçé 你好 😀👩‍👩‍👧 مرحبا\n';
				expect(textOf(await answer(says(text, { size: 1 })))).toBe(text);
			});

			test('no usage where the server counts nothing', async () => {
				const end = (await answer(says('Hi', { usage: null }))).at(-1);
				expect(end).toMatchObject({ type: 'finish', reason: 'stop' });
				if (end?.type === 'finish' && end.usage) expect(end.usage.outputTokens).toBeLessThanOrEqual(1);
			});

			test('an answer cut by its length says so', async () => {
				expect((await answer(says('Half of', { finish: 'length' }))).at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
			});

			if (subject.hasReasoningField)
				test('reasoning apart from the answer', async () => {
					const events = await answer({
						steps: [
							{ type: 'reasoning', text: 'hm, ' },
							{ type: 'reasoning', text: 'yes' },
							{ type: 'text', text: 'Yes.' },
						],
					});
					expect(textOf(events, 'reasoning')).toBe('hm, yes');
					expect(textOf(events)).toBe('Yes.');
				});

			if (subject.splitsThink)
				test('chat-8 <think> split over deltas is reasoning', async () => {
					const events = await answer(says('<think>a secret thought</think>\n\nThe answer.', { size: 3 }));
					expect(textOf(events, 'reasoning')).toBe('a secret thought');
					expect(textOf(events)).toBe('The answer.');
				});

			if (!subject.splitsThink)
				test('<think> in the text of a provider that has a field for thinking is text', async () => {
					expect(textOf(await answer(says('The tag is <think>.', { size: 3 })))).toBe('The tag is <think>.');
				});
		});

		describe('tool calls', () => {
			test('whole, with the arguments as the model wrote them', async () => {
				const events = await answer(calls('search_chats', { query: 'boiler' }, { pieces: 4, text: 'Looking.' }), { tools: [SEARCH_TOOL] });
				expect(textOf(events)).toBe('Looking.');
				const call = events.find((event) => event.type === 'tool_call');
				expect(call).toMatchObject({ tool: 'search_chats', callId: expect.stringMatching(/.+/) });
				expect(JSON.parse(call?.type === 'tool_call' ? call.args : '')).toEqual({ query: 'boiler' });
				expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
			});

			test('several in one step keep their order and get different ids', async () => {
				const call = (query: string) => ({ type: 'tool_call' as const, tool: 'search_chats', args: { query } });
				const events = await answer({ steps: [call('a'), call('b')] }, { tools: [SEARCH_TOOL] });
				const found = events.filter((event) => event.type === 'tool_call');
				expect(found.map((each) => JSON.parse(each.args) as unknown)).toEqual([{ query: 'a' }, { query: 'b' }]);
				expect(new Set(found.map((each) => each.callId)).size).toBe(2);
			});

			test('chat-7 malformed arguments are handed on as they are', async () => {
				const events = await answer(calls('search_chats', '{"query": "boi', { pieces: 2 }), { tools: [SEARCH_TOOL] });
				expect(events.find((event) => event.type === 'tool_call')).toMatchObject({ args: '{"query": "boi' });
			});

			test('a call that the cut of the stream left half is never handed on', async () => {
				const steps = calls('search_chats', { query: 'boiler' }, { pieces: 3 }).steps ?? [];
				const events = await answer({ steps: [...steps, { type: 'cut' }] }, { tools: [SEARCH_TOOL] });
				expect(events.some((event) => event.type === 'tool_call')).toBe(false);
				expect(errorOf(events)?.code).toBe('model_stream_cut');
			});

			test('the request carries system, history, tools, calls and results', async () => {
				const messages: ModelRequest['messages'] = [
					{
						role: 'user',
						content: [
							{ type: 'text', text: 'Where is Anna?' },
							{ type: 'image', mime: 'image/png', base64: 'iVBORw0KGgo=' },
						],
					},
					{ role: 'assistant', text: 'Looking.', toolCalls: [{ callId: 'call_a', tool: 'search_chats', args: { query: 'Anna' } }] },
					{ role: 'tool', callId: 'call_a', tool: 'search_chats', text: 'Anna lives in Porto.', isError: false },
				];
				await answer(says('Porto.'), { messages, tools: [SEARCH_TOOL] });
				const body = JSON.stringify(server.log.requests[0]?.body);
				for (const part of ['Be brief.', 'Where is Anna?', 'iVBORw0KGgo=', 'Looking.', 'search_chats', 'Anna lives in Porto.'])
					expect(body).toContain(part);
			});
		});

		describe('faults (chat-9, chat-10)', () => {
			const refusals: [name: string, reply: Reply, code: ErrorCode, kind: ErrorKind][] = [
				['429', fails({ type: 'rate_limit', retryAfter: '3' }), 'model_rate_limited', 'retryable'],
				['no credit left', fails({ type: 'quota' }), 'model_rate_limited', 'needs_owner'],
				['500', fails({ type: 'server_error' }), 'model_server_error', 'retryable'],
				['overloaded', fails({ type: 'overloaded' }), 'model_server_error', 'retryable'],
				['401', fails({ type: 'auth', status: 401 }), 'model_auth', 'needs_owner'],
				['403', fails({ type: 'auth', status: 403 }), 'model_auth', 'needs_owner'],
				['unknown model', fails({ type: 'model_not_found' }), 'model_not_found', 'needs_owner'],
				['context overflow', fails({ type: 'context_overflow' }), 'model_context_overflow', 'terminal'],
				['tools not supported', fails({ type: 'tools_unsupported' }), 'model_bad_response', 'terminal'],
				['HTML with 200', fails({ type: 'html' }), 'model_bad_response', 'terminal'],
				['HTML with 502', fails({ type: 'html', status: 502 }), 'model_server_error', 'retryable'],
				[
					'HTML that calls itself a stream',
					fails({ type: 'raw', status: 200, headers: { 'content-type': 'text/event-stream' }, body: '<!doctype html><html></html>' }),
					'model_bad_response',
					'terminal',
				],
				['empty stream', fails({ type: 'empty' }), 'model_empty_response', 'retryable'],
				['a finish without an answer', { steps: [] }, 'model_empty_response', 'retryable'],
				['connection reset', fails({ type: 'reset' }), 'model_unreachable', 'retryable'],
				['redirect to another host', fails({ type: 'redirect', location: 'http://127.0.0.1:1/v1' }), 'network_denied', 'terminal'],
				['an endless line', fails({ type: 'flood' }), 'model_bad_response', 'terminal'],
				[
					'a key echoed in a 400',
					fails({
						type: 'raw',
						status: 400,
						headers: { 'content-type': 'application/json' },
						body: '{"error":{"message":"bad key $KEY"}}',
					}),
					'model_bad_response',
					'terminal',
				],
			];
			test.each(refusals)('%s', async (_, reply, code, kind) => {
				const events = await answer(reply);
				expect(events).toHaveLength(1);
				expect(errorOf(events)).toMatchObject({ code, kind });
			});

			test('white space alone is no answer', async () => {
				const events = await answer(says(' \n'));
				expect(textOf(events).trim()).toBe('');
				expect(errorOf(events)).toMatchObject({ code: 'model_empty_response', kind: 'retryable' });
			});

			test('Retry-After is kept', async () => {
				expect(errorOf(await answer(fails({ type: 'rate_limit', retryAfter: '3' })))?.retryAfterMs).toBe(3000);
			});

			test('200 with an error body', async () => {
				const error = errorOf(await answer(fails({ type: 'error_with_200' })));
				expect(error?.kind).toBe('retryable');
				expect(['model_bad_response', 'model_server_error']).toContain(error?.code);
			});

			test.each([
				['cut', 'destroys the socket'],
				['end_early', 'ends without its end marker'],
			] as const)('chat-9 a stream that %s: %s; what had arrived is kept', async (type, _) => {
				const events = await answer({ steps: [{ type: 'text', text: 'The first ' }, { type: 'text', text: 'half' }, { type }] });
				expect(textOf(events)).toBe('The first half');
				expect(errorOf(events)).toMatchObject({ code: 'model_stream_cut', kind: 'retryable' });
			});

			test('an error inside the stream comes after the text before it', async () => {
				const events = await answer({
					steps: [
						{ type: 'text', text: 'The first half' },
						{ type: 'stream_error', message: 'upstream is gone' },
					],
				});
				expect(textOf(events)).toBe('The first half');
				expect(errorOf(events)).toMatchObject({ code: subject.streamErrorCode, kind: 'retryable' });
			});

			test('text without end is cut off; what had arrived is kept', async () => {
				const events = await answer(says('x'.repeat(3_000_000), { size: 100_000 }));
				expect(textOf(events).length).toBeGreaterThan(1_000_000);
				expect(errorOf(events)).toMatchObject({ code: 'model_bad_response', kind: 'terminal' });
			});

			test('a model that says nothing but white space comes to an end', async () => {
				const events = await answer(says(' '.repeat(3_000_000), { size: 1_000 }));
				expect(errorOf(events)).toMatchObject({ code: 'model_bad_response', kind: 'terminal' });
			});

			test('silence before the first word', async () => {
				const events = await answer(fails({ type: 'hang' }), { silenceMs: 200 });
				expect(errorOf(events)).toMatchObject({ code: 'model_timeout', kind: 'retryable' });
			});

			test('silence in the middle; what had arrived is kept', async () => {
				const events = await answer(
					{
						steps: [
							{ type: 'text', text: 'Well' },
							{ type: 'silence', ms: 20_000 },
						],
					},
					// Long enough for the first word to arrive on a busy machine.
					{ silenceMs: 1000 },
				);
				expect(textOf(events)).toBe('Well');
				expect(errorOf(events)).toMatchObject({ code: 'model_timeout', kind: 'retryable' });
			});

			test('slow is not silent', async () => {
				const steps = [...'abcdef'].map((text) => ({ type: 'text' as const, text, delayMs: 250 }));
				const events = await answer({ steps }, { silenceMs: 1500 });
				expect(textOf(events)).toBe('abcdef');
				expect(events.at(-1)?.type).toBe('finish');
			});
		});

		describe('stop', () => {
			test('before the call: nothing is sent', async () => {
				const events = await collect(port, request(), AbortSignal.abort());
				expect(events).toEqual([{ type: 'error', error: expect.objectContaining({ code: 'run_stopped', kind: 'terminal' }) }]);
				expect(server.log.requests).toHaveLength(0);
			});

			test('in the middle: ends at once with what had arrived, and hangs up', async () => {
				server.reply({
					steps: [
						{ type: 'text', text: 'Well' },
						{ type: 'silence', ms: 20_000 },
					],
				});
				const stop = new AbortController();
				const events: ModelEvent[] = [];
				for await (const event of port.stream(request(), stop.signal)) {
					events.push(event);
					if (event.type === 'text') stop.abort();
				}
				expect(textOf(events)).toBe('Well');
				expect(errorOf(events)?.code).toBe('run_stopped');
				await expect.poll(() => server.log.requests[0]?.aborted).toBe(true);
			});

			test('while the server is silent before its answer', async () => {
				server.reply(fails({ type: 'hang' }));
				const stop = new AbortController();
				setTimeout(() => stop.abort(), 100);
				expect(errorOf(await collect(port, request(), stop.signal))?.code).toBe('run_stopped');
				await expect.poll(() => server.log.requests[0]?.aborted).toBe(true);
			});

			test('a reader that leaves hangs up', async () => {
				server.reply({
					steps: [
						{ type: 'text', text: 'Well' },
						{ type: 'silence', ms: 20_000 },
					],
				});
				for await (const event of port.stream(request(), new AbortController().signal)) if (event.type === 'text') break;
				await expect.poll(() => server.log.requests[0]?.aborted).toBe(true);
			});
		});

		describe('list of models', () => {
			test('names them', async () => {
				const models = await port.listModels(AbortSignal.timeout(5000));
				expect(models.map((model) => model.id)).toEqual(['scripted']);
			});

			const faults: [name: string, reply: Reply, code: ErrorCode][] = [
				['HTML', fails({ type: 'html' }), 'model_bad_response'],
				['401', fails({ type: 'auth', status: 401 }), 'model_auth'],
				['500', fails({ type: 'server_error' }), 'model_server_error'],
				[
					'something else as JSON',
					fails({ type: 'raw', status: 200, headers: { 'content-type': 'application/json' }, body: '{"models":7}' }),
					'model_bad_response',
				],
				[
					'no JSON',
					fails({ type: 'raw', status: 200, headers: { 'content-type': 'application/json' }, body: '{"mod' }),
					'model_bad_response',
				],
				['a huge body', fails({ type: 'flood' }), 'model_bad_response'],
			];
			test.each(faults)('rejects on %s', async (_, reply, code) => {
				server.script({ listFault: reply.fault as never });
				await expect(port.listModels(AbortSignal.timeout(5000))).rejects.toMatchObject({ shape: { code } });
			});

			test('rejects when it may not take longer', async () => {
				server.script({ listFault: { type: 'hang' } });
				await expect(port.listModels(AbortSignal.timeout(200))).rejects.toMatchObject({ shape: { code: 'run_stopped' } });
			});
		});
	});
}
