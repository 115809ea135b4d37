import { z } from 'zod';
import type { Fault } from './script.ts';
import { argumentText, type Catalogue, type Refusal, split, sse, type Wire } from './wire.ts';

const Body = z.looseObject({
	model: z.string().default('unknown'),
	stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});

/** Chat Completions as OpenAI and the compatible servers stream it. */
export function openaiWire(rawBody: unknown): Wire {
	const body = Body.parse(rawBody ?? {});
	const base = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_764_000_000, model: body.model };
	const chunk = (delta: unknown, finish: string | null = null) => sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
	let toolIndex = 0;
	return {
		api: 'openai',
		contentType: 'text/event-stream; charset=utf-8',
		open: () => chunk({ role: 'assistant', content: '' }),
		text: (text) => chunk({ content: text }),
		reasoning: (text) => chunk({ reasoning_content: text }),
		toolCall: (call) => {
			const index = toolIndex++;
			const [first, ...rest] = ['', ...split(argumentText(call.args), call.pieces)];
			const start = { index, id: call.callId, type: 'function', function: { name: call.tool, arguments: first } };
			return [chunk({ tool_calls: [start] }), ...rest.map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] }))];
		},
		ping: () => ': PROCESSING\n\n',
		streamError: (message, code) => sse({ error: { message, type: 'server_error', param: null, code: code ?? null } }),
		finish: (reason, usage) => {
			const counts = usage && {
				prompt_tokens: usage.inputTokens,
				completion_tokens: usage.outputTokens,
				total_tokens: usage.inputTokens + usage.outputTokens,
			};
			const tail = counts && body.stream_options?.include_usage ? sse({ ...base, choices: [], usage: counts }) : '';
			return chunk({}, reason) + tail + sse('[DONE]');
		},
		refuse: (fault) => refuse(fault, body.model),
		errorBody: () => ({ error: { message: 'Provider returned error', code: 502, metadata: { provider_name: 'upstream' } } }),
	};
}

export function openaiModels(models: Catalogue): unknown {
	return {
		object: 'list',
		data: models.map((model) => ({
			id: model.id,
			object: 'model',
			created: 1_764_000_000,
			owned_by: 'scripted',
			...(model.contextTokens ? { max_model_len: model.contextTokens } : {}),
		})),
	};
}

export function openaiRefusal(fault: Fault, model = 'scripted'): Refusal | undefined {
	return refuse(fault, model);
}

function refuse(fault: Fault, model: string): Refusal | undefined {
	const error = (status: number, message: string, type: string, code: string | null, headers?: Record<string, string>): Refusal => ({
		status,
		headers,
		body: { error: { message, type, param: null, code } },
	});
	switch (fault.type) {
		case 'rate_limit':
			return error(
				429,
				`Rate limit reached for ${model} on requests per min (RPM): Limit 3, Used 3, Requested 1.`,
				'requests',
				'rate_limit_exceeded',
				{
					...(fault.retryAfter ? { 'retry-after': fault.retryAfter } : {}),
				},
			);
		case 'quota':
			return error(
				429,
				'You exceeded your current quota, please check your plan and billing details.',
				'insufficient_quota',
				'insufficient_quota',
			);
		case 'server_error':
			return error(fault.status ?? 500, 'The server had an error while processing your request. Sorry about that!', 'server_error', null);
		case 'overloaded':
			return error(503, 'The engine is currently overloaded, please try again later', 'server_error', null);
		case 'auth':
			return fault.status === 403
				? error(403, 'Project does not have access to this model', 'invalid_request_error', 'model_not_allowed')
				: error(
						401,
						'Incorrect API key provided: $KEY. You can find your API key at https://provider.example/keys.',
						'invalid_request_error',
						'invalid_api_key',
					);
		case 'model_not_found':
			return error(
				404,
				`The model \`${model}\` does not exist or you do not have access to it.`,
				'invalid_request_error',
				'model_not_found',
			);
		case 'tools_unsupported':
			return error(400, 'tools is not supported in this model', 'invalid_request_error', 'unsupported_parameter');
		case 'context_overflow':
			return overflow(fault.flavour);
		default:
			return undefined;
	}
}

function overflow(flavour: string | undefined): Refusal {
	switch (flavour) {
		case 'llama.cpp':
			return {
				status: 400,
				body: {
					error: {
						code: 400,
						message: 'the request exceeds the available context size, try increasing it',
						type: 'exceed_context_size_error',
						n_prompt_tokens: 9000,
						n_ctx: 4096,
					},
				},
			};
		case 'vllm':
			return {
				status: 400,
				body: {
					object: 'error',
					message:
						"This model's maximum context length is 4096 tokens. However, you requested 9000 tokens in the messages, Please reduce the length of the messages.",
					type: 'BadRequestError',
					param: null,
					code: 400,
				},
			};
		case 'lmstudio':
			return {
				status: 400,
				body: {
					error:
						'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
				},
			};
		case 'openrouter':
			return {
				status: 400,
				body: {
					error: { message: "This endpoint's maximum context length is 4096 tokens. However, you requested about 9000 tokens.", code: 400 },
				},
			};
		default:
			return {
				status: 400,
				body: {
					error: {
						message:
							"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
						type: 'invalid_request_error',
						param: 'messages',
						code: 'context_length_exceeded',
					},
				},
			};
	}
}
