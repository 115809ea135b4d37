import { z } from 'zod';
import { ProviderId } from './ids.ts';

export const ProviderKind = z.enum(['builtin', 'ollama', 'openai-compatible', 'openai', 'anthropic']);
export type ProviderKind = z.infer<typeof ProviderKind>;

/**
 * A kind of work that can have its own model (product.md, Models). `fallback`: used when the chosen one does not answer. `inspect`: says of
 * texts from outside whether they want to steer the agent, where the detectors are not sure.
 */
export const WorkKind = z.enum(['chat', 'background', 'summarise', 'fallback', 'inspect']);
export type WorkKind = z.infer<typeof WorkKind>;

/** Which model does a piece of work. */
export const ModelRef = z.object({ providerId: ProviderId, modelId: z.string().min(1) });
export type ModelRef = z.infer<typeof ModelRef>;

export const BUILTIN_PROVIDER_ID = ProviderId.parse('builtin');
export const BUILTIN_MODEL: ModelRef = { providerId: BUILTIN_PROVIDER_ID, modelId: 'responder' };

/** Where a provider is. No secret is ever part of it (S3): keys live in the SecretStore under `provider:<id>`. */
export const ProviderConfig = z.object({
	id: ProviderId,
	kind: ProviderKind,
	name: z.string().min(1).max(80),
	/** http(s) origin and path prefix; absent for kinds with a fixed address. */
	baseUrl: z.url({ protocol: /^https?$/ }).optional(),
	/** US dollars per million tokens, as the owner entered them; absent means cost is not shown. */
	price: z.object({ input: z.number().nonnegative(), output: z.number().nonnegative() }).optional(),
	/** Tokens the model can see, where the owner knows better than the server says. */
	contextTokens: z.number().int().positive().optional(),
});
export type ProviderConfig = z.infer<typeof ProviderConfig>;

export const ModelInfo = z.object({
	id: z.string().min(1),
	name: z.string().min(1),
	contextTokens: z.number().int().positive().optional(),
	seesImages: z.boolean().optional(),
	usesTools: z.boolean().optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/**
 * Tokens as the provider counted them. Where a model elsewhere has no price, what it cost is not known: `unpricedTokens`. A model on this machine
 * costs nothing, and says nothing of cost.
 */
export const Usage = z.object({
	inputTokens: z.number().int().nonnegative(),
	outputTokens: z.number().int().nonnegative(),
	/** US dollars, of tokens whose price is known. */
	costUsd: z.number().nonnegative().optional(),
	/** How many of the tokens have no known price. */
	unpricedTokens: z.number().int().nonnegative().optional(),
	/** How many of the tokens nobody counted: they are estimated by the length of what was sent and came back. */
	estimatedTokens: z.number().int().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** Undefined where nothing is known of either; of one of which nothing is known, nothing is added. */
export function addUsage(sum: Usage | undefined, more: Usage | undefined): Usage | undefined {
	if (!sum || !more) return sum ?? more;
	const added = { inputTokens: sum.inputTokens + more.inputTokens, outputTokens: sum.outputTokens + more.outputTokens };
	for (const part of ['costUsd', 'unpricedTokens', 'estimatedTokens'] as const) {
		if (sum[part] !== undefined || more[part] !== undefined) Object.assign(added, { [part]: (sum[part] ?? 0) + (more[part] ?? 0) });
	}
	return added;
}
