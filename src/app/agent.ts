import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { contract } from '../contract/contract.ts';
import type { ModelChoices } from '../contract/methods/models.ts';
import type { ProviderStatus } from '../contract/shapes.ts';
import type { StateDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import type { Tool } from '../tools/port.ts';
import type { ConfigStore } from './config.ts';
import type { HealthKeeper } from './health.ts';
import type { Live } from './live.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';

export interface AgentDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly config: ConfigStore;
	readonly secrets: SecretKeeper;
	readonly live: Live;
	readonly health: HealthKeeper;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly tools: readonly Tool[];
}

/** The agent itself: sessions, models and the run engine, as handlers of the contract. */
export interface Agent {
	readonly handlers: Pick<Handlers, 'sessions' | 'chat' | 'models'>;
	/** Asked anew, over the network. */
	providers(): Promise<ProviderStatus[]>;
	choices(): Promise<ModelChoices>;
	/** Takes up what the last life left unfinished. */
	recover(): Promise<void>;
	close(): Promise<void>;
}

export function createAgent(_deps: AgentDeps): Agent {
	const missing = (noun: 'sessions' | 'chat' | 'models'): never =>
		Object.fromEntries(
			Object.keys(contract[noun]).map((name) => [
				name,
				async () => {
					throw terminal('internal', `${noun}.${name} is not built yet.`);
				},
			]),
		) as never;
	return {
		handlers: { sessions: missing('sessions'), chat: missing('chat'), models: missing('models') },
		providers: async () => [],
		choices: async () => {
			throw terminal('internal', 'not built yet');
		},
		recover: async () => {},
		close: async () => {},
	};
}
