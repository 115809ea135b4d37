import type { Clock } from '../../base/clock.ts';
import type { Announce } from '../../contract/announce.ts';
import type { ModelChoices, TestResult } from '../../contract/methods/models.ts';
import type { ProviderStatus } from '../../contract/shapes.ts';
import { terminal } from '../../domain/errors.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { BUILTIN_MODEL, type ModelRef, type ProviderConfig, type WorkKind } from '../../domain/model.ts';
import type { SecretKeeper } from '../../domain/secret-port.ts';
import { apiBase } from '../../model/addresses.ts';
import { builtinInfo } from '../../model/builtin/port.ts';
import { findProvider, isLocal, type LocalAddresses, type Probe, probeProvider, unsavedLocalProviders } from '../../model/detect.ts';
import { BUILTIN_PROVIDER, type ModelRegistry } from '../../model/registry.ts';
import { tryModel } from '../../model/try-model.ts';
import { cleanKey, validateProvider } from '../../model/validate-provider.ts';
import type { ConfigStore } from '../config.ts';
import type { Config } from '../config-file.ts';
import { checkNear } from '../second-opinion.ts';
import type { Meter } from '../work.ts';

export interface ModelsDeps {
	config: Pick<ConfigStore, 'get' | 'update'>;
	secrets: SecretKeeper;
	registry: ModelRegistry;
	announce: Announce;
	clock: Clock;
	meter: Pick<Meter, 'used'>;
	/** Where to look for local servers; the usual places unless told. */
	localAddresses?: LocalAddresses;
}

/** The caller's own stop, where it goes away or no longer wants the answer. */
interface Asked {
	readonly signal?: AbortSignal;
}

/** How long an answer to "what is there?" holds, unless a fresh look is asked for. */
const PROBE_TTL_MS = 30_000;

export function createModelsHandlers(deps: ModelsDeps) {
	const { config, secrets, registry, announce, clock } = deps;
	const probes = new Map<ProviderId, { at: number; written: string; probe: Promise<Probe> }>();

	function probeOf(provider: ProviderConfig, hasKey: boolean, refresh: boolean): Promise<Probe> {
		const written = JSON.stringify([provider, hasKey]);
		const known = probes.get(provider.id);
		if (!refresh && known && known.written === written && clock.monotonic() - known.at < PROBE_TTL_MS) return known.probe;
		registry.refresh(provider.id);
		const probe = probeProvider(provider, registry.portFor(provider), hasKey);
		probes.set(provider.id, { at: clock.monotonic(), written, probe });
		return probe;
	}

	async function statusOf(provider: ProviderConfig, saved: boolean, refresh: boolean): Promise<ProviderStatus> {
		const hasKey = (await secrets.names()).includes(secretName(provider.id));
		const probe = await probeOf(provider, hasKey, refresh);
		return { provider, ...probe, local: isLocal(provider), hasKey, saved };
	}

	function forget(providerId: ProviderId): void {
		probes.delete(providerId);
		registry.refresh(providerId);
		announce({ type: 'models_changed' });
	}

	async function test(model: ModelRef, signal: AbortSignal = new AbortController().signal): Promise<TestResult> {
		const { port, info } = await registry.resolveModel(model);
		const silenceMs = config.get().settings.modelSilenceSeconds * 1000;
		const call = { modelId: model.modelId, windowTokens: info.contextTokens, silenceMs };
		// The owner's own doing, as a chat is; they may always try whether a model works.
		return tryModel(port, call, clock, signal, (usage) => deps.meter.used('chat', usage));
	}

	return {
		providers: async ({ refresh }: { refresh: boolean }): Promise<ProviderStatus[]> => {
			const saved = config.get().providers;
			const detected = unsavedLocalProviders(saved, deps.localAddresses);
			const found = await Promise.all([
				...saved.map((provider) => statusOf(provider, true, refresh)),
				...detected.map((provider) => statusOf(provider, false, refresh)),
			]);
			return [...found, builtinStatus()];
		},

		saveProvider: async (input: { provider: ProviderConfig; key?: string }): Promise<ProviderStatus> => {
			const key = input.key === undefined ? undefined : cleanKey(input.key);
			const name = secretName(input.provider.id);
			const hadKey = (await secrets.names()).includes(name);
			const provider = validateProvider(input.provider, key !== undefined || (input.key === undefined && hadKey));
			const before = config.get().providers.find((each) => each.id === provider.id);
			// A key was given for one address: it is not carried over to another, nor one that a removal left behind to a new provider.
			const moved = before === undefined || new URL(apiBase(before)).origin !== new URL(apiBase(provider)).origin;
			// The key first: where it can't be kept, nothing is saved.
			if (key !== undefined) await secrets.set(name, key);
			else if (hadKey && (input.key !== undefined || moved)) await secrets.remove(name);
			await config.update((current) => ({ ...current, providers: withProvider(current.providers, provider) }));
			forget(provider.id);
			return statusOf(provider, true, true);
		},

		removeProvider: async ({ providerId }: { providerId: ProviderId }): Promise<void> => {
			const known = config.get().providers.some((each) => each.id === providerId);
			if (!known) throw terminal('not_found', `There is no provider “${providerId}”.`);
			// The key first: where it can't be removed, the provider stays and can be removed again.
			await secrets.remove(secretName(providerId));
			await config.update((current) => ({
				...current,
				providers: current.providers.filter((each) => each.id !== providerId),
				models: withoutProvider(current.models, providerId),
			}));
			forget(providerId);
		},

		test: ({ model }: { model: ModelRef }, { signal }: Asked = {}): Promise<TestResult> => test(model, signal),

		choices: async (): Promise<ModelChoices> => choicesOf(config.get()),

		choose: async ({ work, model }: { work: WorkKind; model: ModelRef }, { signal }: Asked = {}): Promise<TestResult> => {
			if (work === 'inspect') checkNear((await registry.resolveModel(model)).provider);
			const result = await test(model, signal);
			// The owner has chosen something else meanwhile: a test that is no longer wanted saves nothing.
			signal?.throwIfAborted();
			const found = findProvider(config.get().providers, model.providerId, deps.localAddresses);
			await config.update((current) => ({
				...current,
				// A choice of a server that was only detected makes it a saved one: its address may not be the usual one tomorrow.
				providers: found ? withProvider(current.providers, found) : current.providers,
				models: { ...current.models, [work]: model },
			}));
			announce({ type: 'models_changed' });
			return result;
		},

		unchoose: async ({ work }: { work: WorkKind }): Promise<void> => {
			await config.update((current) => {
				const { [work]: _taken, ...models } = current.models;
				return { ...current, models };
			});
			announce({ type: 'models_changed' });
		},
	};
}

/** Work without a choice of its own is done by the model for chat, and chat by the built-in responder. No model steps in, or gives a second opinion, unless one was chosen to. */
export function choicesOf(config: Pick<Config, 'models'>): ModelChoices {
	const chat = config.models.chat ?? BUILTIN_MODEL;
	const { background = chat, summarise = chat, fallback = null, inspect = null } = config.models;
	return { chat, background, summarise, fallback, inspect };
}

function builtinStatus(): ProviderStatus {
	return { provider: BUILTIN_PROVIDER, state: 'ready', models: [builtinInfo], local: true, hasKey: false, saved: true };
}

function secretName(providerId: ProviderId): string {
	return `provider:${providerId}`;
}

function withProvider(providers: readonly ProviderConfig[], provider: ProviderConfig): ProviderConfig[] {
	const isKnown = providers.some((each) => each.id === provider.id);
	return isKnown ? providers.map((each) => (each.id === provider.id ? provider : each)) : [...providers, provider];
}

function withoutProvider(models: Config['models'], providerId: ProviderId): Config['models'] {
	return Object.fromEntries(Object.entries(models).filter(([, model]) => model.providerId !== providerId));
}
