import type { ModelInfo, ProviderConfig, ProviderKind } from '../domain/model.ts';

/**
 * The largest window that Hearth asks Ollama for by itself. Ollama reserves memory for the whole window at once: a model's
 * full 128k can need more memory than a laptop has. The owner can say otherwise in the provider's settings.
 */
export const OLLAMA_DEFAULT_WINDOW = 16_384;

/** Tokens to fit prompts to, or undefined where nobody knows. */
export function usableWindow(provider: ProviderConfig, info: ModelInfo): number | undefined {
	if (provider.contextTokens !== undefined) return provider.contextTokens;
	return info.contextTokens;
}

/** For servers that don't say. Small for unknown ones: a prompt that fits is better than one cut silently. */
export function fallbackWindow(kind: ProviderKind): number {
	switch (kind) {
		case 'builtin':
			return 64_000;
		case 'ollama':
			return 8192;
		case 'openai-compatible':
			return 8192;
		case 'openai':
			return 128_000;
		case 'anthropic':
			return 200_000;
	}
}
