import { type HearthError, needsOwner } from '../domain/errors.ts';
import type { ProviderId } from '../domain/ids.ts';
import { BUILTIN_PROVIDER_ID, type ModelInfo, type ModelRef, type ProviderConfig } from '../domain/model.ts';
import type { SecretReader } from '../domain/secret-port.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import type { AdapterDeps } from './adapter.ts';
import { anthropicInfo, createAnthropicPort } from './adapters/anthropic.ts';
import { createOllamaPort } from './adapters/ollama.ts';
import { createOpenaiPort, openaiInfo } from './adapters/openai.ts';
import { createOpenaiCompatiblePort } from './adapters/openai-compatible.ts';
import { type BuiltinDeps, builtinInfo, createBuiltinPort } from './builtin/port.ts';
import { counted } from './counted.ts';
import { findProvider, type LocalAddresses } from './detect.ts';
import type { ModelPort } from './port.ts';
import { fallbackWindow, usableWindow } from './window.ts';

/** A model ready to be called. */
export interface ResolvedModel {
	/** Says with each last event what the call used and cost. */
	port: ModelPort;
	provider: ProviderConfig;
	/** `contextTokens` is always set: the window that prompts must fit (`ModelRequest.windowTokens`). */
	info: ModelInfo & { contextTokens: number };
}

export interface ModelRegistry {
	/** Rejects with `model_not_configured` (needs_owner). Never fails because the server can't be asked about the model. */
	resolveModel(ref: ModelRef): Promise<ResolvedModel>;
	/** The port of a provider, saved or not. */
	portFor(provider: ProviderConfig): ModelPort;
	/** Forgets what servers said about their models. */
	refresh(providerId?: ProviderId): void;
}

export interface RegistryDeps {
	/** The saved providers, read anew at each call. */
	providers(): readonly ProviderConfig[];
	/** Where to look for local servers; the usual places unless told. */
	localAddresses?: LocalAddresses;
	secrets: SecretReader;
	fetch: GuardedFetch;
	now?: () => number;
	/** The embedded model, where it is in use: for the built-in responder's looks. */
	embed?: BuiltinDeps['embed'];
}

export const BUILTIN_PROVIDER: ProviderConfig = { id: BUILTIN_PROVIDER_ID, kind: 'builtin', name: 'Built-in responder' };

const INFO_TTL_MS = 5 * 60_000;
/** After a server could not be asked. */
const INFO_RETRY_MS = 30_000;
const INFO_PATIENCE_MS = 3000;

export function createModelRegistry(deps: RegistryDeps): ModelRegistry {
	const now = deps.now ?? Date.now;
	/** Models, by provider, that refuse to be told the shape of an answer. */
	const wordsOnly = new Map<ProviderId, Set<string>>();
	const known = new Map<ProviderId, { until: number; models: ModelInfo[] }>();
	const builtin = createBuiltinPort({ now, embed: deps.embed });

	function portFor(provider: ProviderConfig): ModelPort {
		const refusals = wordsOnly.get(provider.id) ?? new Set<string>();
		wordsOnly.set(provider.id, refusals);
		const key = (): Promise<string | undefined> => deps.secrets.get(`provider:${provider.id}`);
		const adapter: AdapterDeps = { provider, key, fetch: deps.fetch, now, wordsOnly: refusals };
		switch (provider.kind) {
			case 'builtin':
				return builtin;
			case 'ollama':
				return createOllamaPort(adapter);
			case 'openai-compatible':
				return createOpenaiCompatiblePort(adapter);
			case 'openai':
				return createOpenaiPort(adapter);
			case 'anthropic':
				return createAnthropicPort(adapter);
		}
	}

	/** What a server says of a model. Not knowing is no reason to refuse: the call itself will tell what is wrong. */
	async function infoFor(provider: ProviderConfig, port: ModelPort, modelId: string): Promise<ModelInfo | undefined> {
		if (provider.kind === 'openai') return openaiInfo(modelId);
		if (provider.kind === 'anthropic') return anthropicInfo(modelId);
		const cached = known.get(provider.id);
		if (cached && now() < cached.until) return cached.models.find((model) => model.id === modelId);
		const models = await port.listModels(AbortSignal.timeout(INFO_PATIENCE_MS)).catch(() => undefined);
		known.set(provider.id, { until: now() + (models ? INFO_TTL_MS : INFO_RETRY_MS), models: models ?? [] });
		return models?.find((model) => model.id === modelId);
	}

	return {
		portFor,
		refresh(providerId) {
			for (const memory of [known, wordsOnly]) {
				if (providerId === undefined) memory.clear();
				else memory.delete(providerId);
			}
		},
		async resolveModel(ref) {
			if (ref.providerId === BUILTIN_PROVIDER_ID) return { port: portFor(BUILTIN_PROVIDER), provider: BUILTIN_PROVIDER, info: builtinInfo };
			const provider = findProvider(deps.providers(), ref.providerId, deps.localAddresses);
			if (!provider) throw notConfigured(ref);
			const port = portFor(provider);
			const info = (await infoFor(provider, port, ref.modelId)) ?? { id: ref.modelId, name: ref.modelId };
			const contextTokens = usableWindow(provider, info) ?? fallbackWindow(provider.kind);
			return { port: counted(port, provider), provider, info: { ...info, contextTokens } };
		},
	};
}

function notConfigured(ref: ModelRef): HearthError {
	return needsOwner('model_not_configured', `The provider “${ref.providerId}” is not set up any more.`, {
		safe: 'Your message is kept.',
		action: 'Choose a model in Settings, Models.',
	});
}
