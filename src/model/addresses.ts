import { ollamaBase, openaiBase } from '../base/server-address.ts';
import type { ProviderConfig } from '../domain/model.ts';
import { type AllowedAddress, isLoopback } from '../net/destination.ts';

export const OLLAMA_URL = 'http://127.0.0.1:11434';
export const LMSTUDIO_URL = 'http://127.0.0.1:1234/v1';
export const OPENAI_URL = 'https://api.openai.com/v1';
export const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** Where a provider's API starts, without a slash at the end. People leave out `/v1` or paste `/api`: both are understood. */
export function apiBase(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): string {
	const { baseUrl } = provider;
	switch (provider.kind) {
		case 'builtin':
			return '';
		case 'ollama':
			return ollamaBase(baseUrl ?? OLLAMA_URL);
		case 'openai-compatible':
			return openaiBase(baseUrl ?? LMSTUDIO_URL);
		case 'openai':
			return openaiBase(baseUrl ?? OPENAI_URL);
		case 'anthropic':
			return openaiBase(baseUrl ?? ANTHROPIC_URL);
	}
}

/** Local servers are on this machine by nature; the big providers are not, unless the owner wrote another address down. */
export function allowedAddress(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): AllowedAddress {
	const isLocalKind = provider.kind === 'ollama' || provider.kind === 'openai-compatible';
	return { baseUrl: apiBase(provider), ownerNamed: provider.baseUrl !== undefined || isLocalKind };
}

/** What is sent to it does not leave this machine. */
export function isOnThisMachine(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): boolean {
	return provider.kind === 'builtin' || isLoopback(apiBase(provider));
}

/** This model of it works here, too. A local server may hand a model's calls on to its maker: Ollama's names of such models end like this. */
export function staysHere(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>, modelId: string): boolean {
	return isOnThisMachine(provider) && !(provider.kind === 'ollama' && /[:-]cloud$/.test(modelId));
}
