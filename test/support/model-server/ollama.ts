import { z } from 'zod';
import type { Fault } from './script.ts';
import type { Catalogue, Refusal, Wire } from './wire.ts';

const Body = z.looseObject({ model: z.string().default('unknown') });

/** Ollama's native `/api/chat`: one JSON object a line. */
export function ollamaWire(rawBody: unknown): Wire {
	const { model } = Body.parse(rawBody ?? {});
	const line = (rest: object) => `${JSON.stringify({ model, created_at: '2026-11-29T12:00:00.000000Z', ...rest })}\n`;
	const message = (fields: object) => line({ message: { role: 'assistant', content: '', ...fields }, done: false });
	return {
		api: 'ollama',
		contentType: 'application/x-ndjson',
		open: () => '',
		text: (text) => message({ content: text }),
		reasoning: (text) => message({ thinking: text }),
		toolCall: (call) => [message({ tool_calls: [{ id: call.callId, function: { index: 0, name: call.tool, arguments: call.args } }] })],
		ping: () => '',
		streamError: (text) => `${JSON.stringify({ error: text })}\n`,
		finish: (reason, usage) =>
			line({
				message: { role: 'assistant', content: '' },
				done: true,
				done_reason: reason === 'length' ? 'length' : 'stop',
				total_duration: 5_000_000,
				load_duration: 1_000_000,
				...(usage ? { prompt_eval_count: usage.inputTokens, eval_count: usage.outputTokens } : {}),
			}),
		refuse: (fault) => ollamaRefusal(fault, model),
		errorBody: () => ({ error: 'llama runner process has terminated: exit status 2' }),
	};
}

export function ollamaTags(models: Catalogue): unknown {
	return {
		models: models.map((model) => ({
			name: model.id,
			model: model.id,
			modified_at: '2026-11-01T10:00:00Z',
			size: 3_338_801_804,
			digest: '0'.repeat(64),
			details: {
				parent_model: '',
				format: 'gguf',
				family: 'scripted',
				families: ['scripted'],
				parameter_size: '4.3B',
				quantization_level: 'Q4_K_M',
			},
		})),
	};
}

export function ollamaShow(models: Catalogue, wanted: string): Refusal {
	const model = models.find((each) => each.id === wanted);
	if (!model) return { status: 404, body: { error: `model '${wanted}' not found` } };
	return {
		status: 200,
		body: {
			modelfile: '',
			parameters: model.parameters ?? '',
			template: '{{ .Prompt }}',
			details: { family: 'scripted', parameter_size: '4.3B', quantization_level: 'Q4_K_M' },
			model_info: {
				'general.architecture': 'scripted',
				...(model.contextTokens ? { 'scripted.context_length': model.contextTokens } : {}),
			},
			capabilities: model.capabilities ?? ['completion', 'tools'],
		},
	};
}

export function ollamaRefusal(fault: Fault, model = 'scripted'): Refusal | undefined {
	const error = (status: number, text: string, headers?: Record<string, string>): Refusal => ({ status, headers, body: { error: text } });
	switch (fault.type) {
		case 'rate_limit':
			return error(429, 'too many requests', fault.retryAfter ? { 'retry-after': fault.retryAfter } : {});
		case 'quota':
			return error(402, 'you have reached your usage limit, upgrade to continue');
		case 'server_error':
			return error(
				fault.status ?? 500,
				'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
			);
		case 'overloaded':
			return error(503, 'server busy, please try again.  maximum pending requests exceeded');
		case 'auth':
			return error(fault.status, fault.status === 403 ? 'forbidden' : 'unauthorized');
		case 'model_not_found':
			return error(404, `model '${model}' not found`);
		case 'tools_unsupported':
			return error(400, `registry.ollama.ai/library/${model} does not support tools`);
		case 'context_overflow':
			return error(400, 'the input length exceeds the context length');
		default:
			return undefined;
	}
}
