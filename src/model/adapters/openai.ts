import { z } from 'zod';
import type { ModelInfo } from '../../domain/model.ts';
import type { AdapterDeps } from '../adapter.ts';
import { allowedAddress, apiBase } from '../addresses.ts';
import { fetchJson } from '../list-json.ts';
import type { ModelPort } from '../port.ts';
import { keyMissing, streamFromSdk } from '../sdk-stream.ts';

const Models = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });
const CHAT = /^(gpt-|chatgpt-|o\d|ft:)/;
/** Listed beside the chat models, but not for Chat Completions. */
const NOT_CHAT = /(instruct|audio|realtime|transcribe|tts|image|search|codex|-pro\b|deep-research|embedding|moderation)/;

/** OpenAI's list says nothing but names. */
export function openaiInfo(id: string): ModelInfo {
	return { id, name: id, seesImages: !/^(gpt-3|o1-mini|o3-mini)/.test(id), usesTools: true };
}

/** OpenAI by Chat Completions, which keeps nothing on their side between calls. */
export function createOpenaiPort(deps: AdapterDeps): ModelPort {
	const base = apiBase(deps.provider);
	const allow = allowedAddress(deps.provider);
	return {
		kind: 'openai',
		async listModels(signal) {
			const key = await deps.key();
			if (key === undefined) throw keyMissing(deps.provider);
			const list = await fetchJson(deps, key, {
				url: `${base}/models`,
				allow,
				headers: { authorization: `Bearer ${key}` },
				schema: Models,
				signal,
			});
			const isOpenai = deps.provider.baseUrl === undefined;
			return list.data
				.filter(({ id }) => !isOpenai || (CHAT.test(id) && !NOT_CHAT.test(id)))
				.map(({ id }) => openaiInfo(id))
				.sort((a, b) => a.id.localeCompare(b.id));
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
						const { createOpenAI } = await import('@ai-sdk/openai');
						return createOpenAI({ baseURL: base, apiKey: key, fetch: fetch as typeof globalThis.fetch }).chat(request.modelId);
					},
				},
				request,
				signal,
			),
	};
}
