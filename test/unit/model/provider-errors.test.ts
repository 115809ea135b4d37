import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ErrorShape } from '../../../src/domain/errors.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import type { ProviderConfig } from '../../../src/domain/model.ts';
import { refusalError, reportedError } from '../../../src/model/provider-errors.ts';

const KEY = 'sk-live-0123456789abcdef';
const provider: ProviderConfig = { id: ProviderId.parse('p'), kind: 'openai', name: 'Provider' };
const subject = { provider, modelId: 'some-model', key: KEY, now: 0 };
const refusal = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	refusalError({ status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) }, subject);

describe('provider errors', () => {
	test.each([
		['OpenAI', 400, { error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' } }],
		[
			'llama.cpp',
			400,
			{
				error: {
					code: 400,
					message: 'the request exceeds the available context size, try increasing it',
					type: 'exceed_context_size_error',
				},
			},
		],
		['llama.cpp old', 500, { error: { code: 500, message: 'context size has been exceeded', type: 'server_error' } }],
		[
			'vLLM',
			400,
			{
				object: 'error',
				message: "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens",
				type: 'BadRequestError',
				code: 400,
			},
		],
		[
			'LM Studio',
			400,
			{
				error:
					'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
			},
		],
		['OpenRouter', 400, { error: { message: "This endpoint's maximum context length is 4096 tokens.", code: 400 } }],
		[
			'Anthropic',
			400,
			{ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
		],
		[
			'Anthropic, max_tokens',
			400,
			{
				type: 'error',
				error: { type: 'invalid_request_error', message: 'input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000' },
			},
		],
		['Anthropic, bytes', 413, { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }],
		['Ollama', 400, { error: 'the input length exceeds the context length' }],
	])('a prompt that is too long, as %s says it', (_, status, body) => {
		expect(refusal(status, body)).toMatchObject({ code: 'model_context_overflow', kind: 'terminal' });
	});

	test.each([
		[401, { error: { message: 'no', code: 'invalid_api_key' } }, 'model_auth', 'needs_owner'],
		[403, { error: { message: 'no' } }, 'model_auth', 'needs_owner'],
		[402, { error: { message: 'pay' } }, 'model_rate_limited', 'needs_owner'],
		[404, { error: { message: 'no such model', code: 'model_not_found' } }, 'model_not_found', 'needs_owner'],
		[404, '404 page not found', 'model_bad_response', 'terminal'],
		[408, '', 'model_timeout', 'retryable'],
		[429, { error: { message: 'slow', code: 'rate_limit_exceeded' } }, 'model_rate_limited', 'retryable'],
		[429, { error: { message: 'pay', code: 'insufficient_quota' } }, 'model_rate_limited', 'needs_owner'],
		[
			400,
			{ type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
			'model_rate_limited',
			'needs_owner',
		],
		[500, { error: 'boom' }, 'model_server_error', 'retryable'],
		[500, { error: 'error parsing tool call: raw=\'{"a"\', err=unexpected end of JSON input' }, 'model_bad_tool_call', 'retryable'],
		[502, '<html>Bad Gateway</html>', 'model_server_error', 'retryable'],
		[529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'model_server_error', 'retryable'],
		[200, '<html>', 'model_bad_response', 'terminal'],
		[400, { error: { message: 'unknown field' } }, 'model_bad_response', 'terminal'],
	])('chat-10 status %i %j is %s, %s', (status, body, code, kind) => {
		expect(refusal(status, body)).toMatchObject({ code, kind });
	});

	test('chat-10 Retry-After goes into the error', () => {
		expect(refusal(429, {}, { 'retry-after': '7' }).retryAfterMs).toBe(7000);
		expect(refusal(503, {}, { 'retry-after': '2' }).retryAfterMs).toBe(2000);
	});

	test('an error with status 200 is read like one with its own status', () => {
		expect(reportedError({ error: { message: 'slow', code: 429 } }, subject)).toMatchObject({
			code: 'model_rate_limited',
			kind: 'retryable',
		});
		expect(reportedError({ error: 'boom' }, subject)).toMatchObject({ code: 'model_bad_response', kind: 'retryable' });
	});

	test('S3 no answer of a provider brings the key into the error', () => {
		for (const status of [400, 401, 403, 404, 429, 500]) {
			const shape = refusal(status, { error: { message: `Your key ${KEY} (Bearer ${KEY}) is bad`, code: KEY, type: KEY } });
			expect(JSON.stringify(shape)).not.toContain(KEY);
			expect(JSON.stringify(shape)).not.toContain('0123456789abcdef');
		}
	});

	test('property: any status and any body give a well-formed error', () => {
		const body = fc.oneof(
			fc.string(),
			fc.json(),
			fc.json().map((text) => `{"error":${text}}`),
		);
		fc.assert(
			fc.property(fc.integer({ min: 300, max: 599 }), body, (status, text) => {
				const shape = refusal(status, text);
				expect(ErrorShape.parse(shape)).toEqual(shape);
				expect(shape.message.length).toBeLessThan(600);
			}),
		);
	});
});
