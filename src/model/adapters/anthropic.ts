import { z } from 'zod';
import type { ModelInfo } from '../../domain/model.ts';
import type { AdapterDeps } from '../adapter.ts';
import { allowedAddress, apiBase } from '../addresses.ts';
import { fetchJson } from '../list-json.ts';
import type { ModelPort } from '../port.ts';
import { keyMissing, streamFromSdk } from '../sdk-stream.ts';

const Models = z.object({
	data: z.array(z.object({ id: z.string().min(1), display_name: z.string().min(1).optional().catch(undefined) })),
});
const API_VERSION = '2023-06-01';

export function anthropicInfo(id: string, name = id): ModelInfo {
	return { id, name, seesImages: true, usesTools: true };
}

/** Anthropic by `/v1/messages`. */
export function createAnthropicPort(deps: AdapterDeps): ModelPort {
	const base = apiBase(deps.provider);
	const allow = allowedAddress(deps.provider);
	return {
		kind: 'anthropic',
		async listModels(signal) {
			const key = await deps.key();
			if (key === undefined) throw keyMissing(deps.provider);
			const headers = { 'x-api-key': key, 'anthropic-version': API_VERSION };
			const list = await fetchJson(deps, key, { url: `${base}/models?limit=100`, allow, headers, schema: Models, signal });
			return list.data.map(({ id, display_name }) => anthropicInfo(id, display_name));
		},
		stream: (request, signal) =>
			streamFromSdk(
				deps,
				{
					stream: 'sse',
					allow,
					needsKey: true,
					splitsThink: false,
					async model({ key, fetch }) {
						const { createAnthropic } = await import('@ai-sdk/anthropic');
						return createAnthropic({ baseURL: base, apiKey: key, fetch: fetch as typeof globalThis.fetch }).languageModel(request.modelId);
					},
				},
				request,
				signal,
			),
	};
}
