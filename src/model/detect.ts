import type { ProviderState } from '../contract/shapes.ts';
import { type ErrorShape, toErrorShape } from '../domain/errors.ts';
import { ProviderId } from '../domain/ids.ts';
import type { ModelInfo, ProviderConfig } from '../domain/model.ts';
import { isLoopback } from '../net/destination.ts';
import { apiBase, LMSTUDIO_URL, OLLAMA_URL } from './addresses.ts';
import type { ModelPort } from './port.ts';

/** Where local model servers usually listen. */
export interface LocalAddresses {
	ollama: string;
	lmstudio: string;
}

export const LOCAL_ADDRESSES: LocalAddresses = { ollama: OLLAMA_URL, lmstudio: LMSTUDIO_URL };

/** The providers that may be found on this machine without any set-up. */
export function localProviders(addresses: LocalAddresses = LOCAL_ADDRESSES): ProviderConfig[] {
	return [
		{ id: ProviderId.parse('ollama'), kind: 'ollama', name: 'Ollama', baseUrl: addresses.ollama },
		{ id: ProviderId.parse('lmstudio'), kind: 'openai-compatible', name: 'LM Studio', baseUrl: addresses.lmstudio },
	];
}

/** Those of them that the owner has not saved, by address or by name. */
export function unsavedLocalProviders(saved: readonly ProviderConfig[], addresses?: LocalAddresses): ProviderConfig[] {
	return localProviders(addresses).filter((local) => !saved.some((each) => each.id === local.id || isSamePlace(each, local)));
}

/** A saved provider, or one that needs no saving because it is on this machine at its usual address. */
export function findProvider(saved: readonly ProviderConfig[], id: ProviderId, addresses?: LocalAddresses): ProviderConfig | undefined {
	return [...saved, ...unsavedLocalProviders(saved, addresses)].find((each) => each.id === id);
}

export interface Probe {
	state: ProviderState;
	models: ModelInfo[];
	problem?: ErrorShape;
}

const LOCAL_PATIENCE_MS = 3000;
const REMOTE_PATIENCE_MS = 8000;

/** What a provider is good for now. Never rejects, and ends within seconds whatever the other side does. */
export async function probeProvider(provider: ProviderConfig, port: ModelPort, hasKey: boolean): Promise<Probe> {
	const needsKey = provider.kind === 'openai' || provider.kind === 'anthropic';
	if (needsKey && !hasKey) return { state: 'no_key', models: [] };
	const patience = isLocal(provider) ? LOCAL_PATIENCE_MS : REMOTE_PATIENCE_MS;
	try {
		const models = await port.listModels(AbortSignal.timeout(patience));
		return { state: models.length === 0 ? 'no_model' : 'ready', models };
	} catch (error) {
		const problem = toErrorShape(error);
		return { state: stateOf(problem, hasKey), models: [], problem: problem.code === 'run_stopped' ? tooSlow(provider) : problem };
	}
}

/** What is sent to it stays on this machine. */
export function isLocal(provider: Pick<ProviderConfig, 'kind' | 'baseUrl'>): boolean {
	return provider.kind === 'builtin' || isLoopback(apiBase(provider));
}

function isSamePlace(one: ProviderConfig, other: ProviderConfig): boolean {
	const place = (provider: ProviderConfig) => `${provider.kind} ${apiBase(provider).replace('//localhost', '//127.0.0.1')}`;
	return place(one) === place(other);
}

function stateOf(problem: ErrorShape, hasKey: boolean): ProviderState {
	switch (problem.code) {
		case 'model_auth':
			return hasKey ? 'key_refused' : 'no_key';
		case 'model_unreachable':
			return 'not_running';
		default:
			return 'error';
	}
}

function tooSlow(provider: ProviderConfig): ErrorShape {
	return {
		kind: 'retryable',
		code: 'model_timeout',
		message: `${provider.name} does not answer in time.`,
		action: 'Look whether it is busy or stuck, then try again.',
	};
}
