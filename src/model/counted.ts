import { roughTokens } from '../base/rough-tokens.ts';
import type { ProviderConfig, Usage } from '../domain/model.ts';
import { staysHere } from './addresses.ts';
import type { ModelEvent, ModelPort, ModelRequest } from './port.ts';

/** Of an image, whatever its size: about what providers count. */
const IMAGE_TOKENS = 1_000;

/**
 * Every model is called through this: the last event says what the call used, with its cost where the price is known. Where the provider gave no
 * count it is estimated by length, also of a call that failed or was stopped after the model had begun to answer. A call that never got an answer
 * used nothing, as far as anybody can tell. The built-in responder is no model, and uses nothing.
 */
export function counted(port: ModelPort, provider: ProviderConfig): ModelPort {
	if (port.kind === 'builtin') return port;
	return {
		kind: port.kind,
		listModels: (signal) => port.listModels(signal),
		stream: (request, signal) => countedStream(port.stream(request, signal), request, provider),
	};
}

async function* countedStream(
	events: AsyncIterable<ModelEvent>,
	request: ModelRequest,
	provider: ProviderConfig,
): AsyncIterable<ModelEvent> {
	let outputTokens = 0;
	const used = (given?: Usage): Usage => withCost(given ?? estimated(request, Math.ceil(outputTokens)), request.modelId, provider);
	for await (const event of events) {
		if (event.type === 'finish') yield { ...event, usage: used(event.usage) };
		else if (event.type === 'error') yield outputTokens > 0 ? { ...event, usage: used() } : event;
		else {
			outputTokens += event.type === 'tool_call' ? roughTokens(event.tool + event.args) : Buffer.byteLength(event.text, 'utf8') / 4;
			yield event;
		}
	}
}

function estimated({ system, messages, tools }: ModelRequest, outputTokens: number): Usage {
	let inputTokens =
		roughTokens(system) + tools.reduce((sum, { name, description, parameters }) => sum + jsonTokens({ name, description, parameters }), 0);
	for (const message of messages) {
		if (message.role !== 'user')
			inputTokens += roughTokens(message.text) + (message.role === 'assistant' ? jsonTokens(message.toolCalls) : 0);
		else for (const part of message.content) inputTokens += part.type === 'text' ? roughTokens(part.text) : IMAGE_TOKENS;
	}
	return { inputTokens, outputTokens, estimatedTokens: inputTokens + outputTokens };
}

function jsonTokens(value: unknown): number {
	return roughTokens(JSON.stringify(value));
}

function withCost(usage: Usage, modelId: string, provider: ProviderConfig): Usage {
	const { price } = provider;
	if (price) return { ...usage, costUsd: (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000 };
	return staysHere(provider, modelId) ? usage : { ...usage, unpricedTokens: usage.inputTokens + usage.outputTokens };
}
