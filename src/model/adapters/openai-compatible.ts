import { z } from 'zod';
import type { ModelInfo } from '../../domain/model.ts';
import type { AdapterDeps } from '../adapter.ts';
import { allowedAddress, apiBase } from '../addresses.ts';
import { fetchJson } from '../list-json.ts';
import type { ModelPort } from '../port.ts';
import { streamFromSdk } from '../sdk-stream.ts';

const count = z.number().int().positive().optional().catch(undefined);
const Models = z.object({
	data: z.array(
		z.object({
			id: z.string().min(1),
			name: z.string().min(1).optional().catch(undefined),
			/** vLLM. */
			max_model_len: count,
			/** OpenRouter. */
			context_length: count,
			architecture: z
				.object({ input_modalities: z.array(z.string()) })
				.optional()
				.catch(undefined),
			supported_parameters: z.array(z.string()).optional().catch(undefined),
		}),
	),
});
/** LM Studio's own list, which knows more than its `/v1/models`. */
const LmStudioModels = z.object({
	data: z.array(
		z.object({
			id: z.string().min(1),
			type: z.string().optional().catch(undefined),
			max_context_length: count,
			loaded_context_length: count,
			capabilities: z.array(z.string()).optional().catch(undefined),
		}),
	),
});
const EMBEDDING = /(^|[-_/])(embed|embedding|rerank|bge|e5)/i;

/** Servers that speak OpenAI's Chat Completions: LM Studio, llama.cpp server, vLLM, OpenRouter and others. */
export function createOpenaiCompatiblePort(deps: AdapterDeps): ModelPort {
	const base = apiBase(deps.provider);
	const allow = allowedAddress(deps.provider);
	const headers = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` });

	/** Undefined where the server is not LM Studio. */
	async function askLmStudio(key: string | undefined, signal: AbortSignal): Promise<Map<string, ModelInfo> | undefined> {
		if (!base.endsWith('/v1')) return undefined;
		const request = { url: `${base.slice(0, -'/v1'.length)}/api/v0/models`, allow, headers: headers(key), schema: LmStudioModels, signal };
		// Only a help: other servers answer 404 or with something else.
		const list = await fetchJson(deps, key, request).catch(() => undefined);
		if (!list) return undefined;
		return new Map(
			list.data
				.filter((model) => model.type !== 'embeddings')
				.map((model) => [
					model.id,
					{
						id: model.id,
						name: model.id,
						contextTokens: model.loaded_context_length ?? undefined,
						seesImages: model.type === undefined ? undefined : model.type === 'vlm',
						usesTools: model.capabilities?.includes('tool_use'),
					},
				]),
		);
	}

	return {
		kind: 'openai-compatible',
		async listModels(signal) {
			const key = await deps.key();
			const list = await fetchJson(deps, key, { url: `${base}/models`, allow, headers: headers(key), schema: Models, signal });
			const details = list.data.length === 0 ? undefined : await askLmStudio(key, signal);
			return list.data.flatMap((model): ModelInfo[] => {
				const known = details?.get(model.id);
				if (known) return [known];
				if (details ? model.id.startsWith('text-embedding') : EMBEDDING.test(model.id)) return [];
				return [
					{
						id: model.id,
						name: model.name ?? model.id,
						contextTokens: model.max_model_len ?? model.context_length,
						seesImages: model.architecture?.input_modalities.includes('image'),
						usesTools: model.supported_parameters?.includes('tools'),
					},
				];
			});
		},
		stream: (request, signal) =>
			streamFromSdk(
				deps,
				{
					stream: 'sse',
					allow,
					needsKey: false,
					splitsThink: true,
					async model({ key, fetch }) {
						const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
						const settings = {
							name: 'compatible',
							baseURL: base,
							apiKey: key,
							includeUsage: true,
							supportsStructuredOutputs: true,
							fetch: fetch as typeof globalThis.fetch,
						};
						return createOpenAICompatible(settings).chatModel(request.modelId);
					},
				},
				request,
				signal,
			),
	};
}
