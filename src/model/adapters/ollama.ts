import { z } from 'zod';
import type { ModelInfo } from '../../domain/model.ts';
import type { AdapterDeps } from '../adapter.ts';
import { allowedAddress, apiBase } from '../addresses.ts';
import { fetchJson } from '../list-json.ts';
import type { ModelPort } from '../port.ts';
import { streamFromSdk } from '../sdk-stream.ts';
import { OLLAMA_DEFAULT_WINDOW } from '../window.ts';

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1) })).nullable() });
const Show = z.object({
	parameters: z.string().optional().catch(undefined),
	model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
	capabilities: z.array(z.string()).optional().catch(undefined),
});
const MOST_SHOWN = 100;
const AT_ONCE = 4;

/** Ollama by its native `/api/chat`: its OpenAI-compatible door ignores `num_ctx` and cuts prompts silently at 4096 tokens. */
export function createOllamaPort(deps: AdapterDeps): ModelPort {
	const base = apiBase(deps.provider);
	const allow = allowedAddress(deps.provider);
	const headers = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` });

	async function describe(name: string, key: string | undefined, signal: AbortSignal): Promise<ModelInfo | undefined> {
		const show = await fetchJson(deps, key, {
			url: `${base}/api/show`,
			allow,
			headers: headers(key),
			body: { model: name },
			schema: Show,
			signal,
		}).catch(
			// The list stays useful without the details; a server too old for them has no capabilities either.
			() => ({ parameters: undefined, model_info: undefined, capabilities: undefined }),
		);
		if (show.capabilities && !show.capabilities.includes('completion')) return undefined;
		return {
			id: name,
			name,
			contextTokens: windowOf(show),
			seesImages: show.capabilities?.includes('vision'),
			usesTools: show.capabilities?.includes('tools'),
		};
	}

	return {
		kind: 'ollama',
		async listModels(signal) {
			const key = await deps.key();
			const tags = await fetchJson(deps, key, { url: `${base}/api/tags`, allow, headers: headers(key), schema: Tags, signal });
			const names = (tags.models ?? []).map((model) => model.name);
			const infos: (ModelInfo | undefined)[] = [];
			for (let at = 0; at < Math.min(names.length, MOST_SHOWN); at += AT_ONCE) {
				const group = names.slice(at, Math.min(at + AT_ONCE, MOST_SHOWN));
				infos.push(...(await Promise.all(group.map((name) => describe(name, key, signal)))));
			}
			const rest = names.slice(MOST_SHOWN).map((name) => ({ id: name, name }));
			return [...infos.filter((info) => info !== undefined), ...rest];
		},
		stream: (request, signal) =>
			streamFromSdk(
				deps,
				{
					stream: 'ndjson',
					allow,
					needsKey: false,
					splitsThink: true,
					async model({ key, fetch }) {
						const { createOllama } = await import('ai-sdk-ollama');
						const ollama = createOllama({ baseURL: base, fetch: fetch as typeof globalThis.fetch, headers: headers(key) });
						return ollama.chat(request.modelId, { options: { num_ctx: request.windowTokens } });
					},
				},
				request,
				signal,
			),
	};
}

/** The owner's Modelfile decides; else what the model can, within what a laptop's memory can hold. */
function windowOf(show: z.infer<typeof Show>): number | undefined {
	const written = /^num_ctx\s+(\d+)/m.exec(show.parameters ?? '')?.[1];
	if (written) return Number(written) || undefined;
	for (const [name, value] of Object.entries(show.model_info ?? {})) {
		if (name.endsWith('.context_length') && typeof value === 'number' && value >= 1) {
			return Math.min(Math.floor(value), OLLAMA_DEFAULT_WINDOW);
		}
	}
	return undefined;
}
