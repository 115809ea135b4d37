import { z } from 'zod';
import type { Fault } from './script.ts';
import { argumentText, type Catalogue, type Refusal, split, sse, type Wire } from './wire.ts';

const Body = z.looseObject({ model: z.string().default('unknown') });
const STOP_REASONS = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'refusal' } as const;

/** Anthropic's `/v1/messages` stream: typed events with numbered content blocks. */
export function anthropicWire(rawBody: unknown): Wire {
	const { model } = Body.parse(rawBody ?? {});
	let index = -1;
	let open: 'text' | 'thinking' | null = null;
	const event = (data: { type: string }) => sse(data, data.type);
	const close = () => {
		const was = open;
		open = null;
		return was ? event({ type: 'content_block_stop', index } as { type: string }) : '';
	};
	const into = (kind: 'text' | 'thinking') => {
		if (open === kind) return '';
		const closed = close();
		open = kind;
		index++;
		const block = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
		return closed + event({ type: 'content_block_start', index, content_block: block } as { type: string });
	};
	const delta = (fields: object) => event({ type: 'content_block_delta', index, delta: fields } as { type: string });
	return {
		api: 'anthropic',
		contentType: 'text/event-stream; charset=utf-8',
		open: () =>
			event({
				type: 'message_start',
				message: {
					id: 'msg_scripted',
					type: 'message',
					role: 'assistant',
					model,
					content: [],
					stop_reason: null,
					stop_sequence: null,
					usage: { input_tokens: 7, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
				},
			} as { type: string }) + event({ type: 'ping' }),
		text: (text) => into('text') + delta({ type: 'text_delta', text }),
		reasoning: (text) => into('thinking') + delta({ type: 'thinking_delta', thinking: text }),
		toolCall: (call) => {
			const start = close();
			index++;
			const block = { type: 'tool_use', id: call.callId, name: call.tool, input: {} };
			const parts = split(argumentText(call.args), call.pieces).map((part) => delta({ type: 'input_json_delta', partial_json: part }));
			return [
				start + event({ type: 'content_block_start', index, content_block: block } as { type: string }),
				...parts,
				event({ type: 'content_block_stop', index } as { type: string }),
			];
		},
		ping: () => event({ type: 'ping' }),
		streamError: (message, code) => event({ type: 'error', error: { type: code ?? 'overloaded_error', message } } as { type: string }),
		finish: (reason, usage) =>
			close() +
			event({
				type: 'message_delta',
				delta: { stop_reason: STOP_REASONS[reason], stop_sequence: null },
				usage: usage ? { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } : { output_tokens: 0 },
			} as { type: string }) +
			event({ type: 'message_stop' }),
		refuse: (fault) => anthropicRefusal(fault, model),
		errorBody: () => ({ type: 'error', error: { type: 'api_error', message: 'Internal server error' }, request_id: 'req_scripted' }),
	};
}

export function anthropicModels(models: Catalogue): unknown {
	return {
		data: models.map((model) => ({ type: 'model', id: model.id, display_name: model.id, created_at: '2026-01-01T00:00:00Z' })),
		has_more: false,
		first_id: models[0]?.id ?? null,
		last_id: models.at(-1)?.id ?? null,
	};
}

export function anthropicRefusal(fault: Fault, model = 'scripted'): Refusal | undefined {
	const error = (status: number, type: string, message: string, headers?: Record<string, string>): Refusal => ({
		status,
		headers,
		body: { type: 'error', error: { type, message }, request_id: 'req_scripted' },
	});
	switch (fault.type) {
		case 'rate_limit':
			return error(
				429,
				'rate_limit_error',
				'This request would exceed your organization’s rate limit of 50 requests per minute.',
				fault.retryAfter ? { 'retry-after': fault.retryAfter } : {},
			);
		case 'quota':
			return error(
				400,
				'invalid_request_error',
				'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
			);
		case 'server_error':
			return error(fault.status ?? 500, 'api_error', 'Internal server error');
		case 'overloaded':
			return error(529, 'overloaded_error', 'Overloaded');
		case 'auth':
			return fault.status === 403
				? error(403, 'permission_error', 'Your API key does not have permission to use the specified resource.')
				: error(401, 'authentication_error', 'invalid x-api-key');
		case 'model_not_found':
			return error(404, 'not_found_error', `model: ${model}`);
		case 'tools_unsupported':
			return error(400, 'invalid_request_error', 'tools: this model does not support tool use');
		case 'context_overflow':
			return error(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum');
		default:
			return undefined;
	}
}
