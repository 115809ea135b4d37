import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { ToolServers } from '../tools/mcp/servers.ts';
import type { TransportDeps } from '../tools/mcp/transports.ts';
import type { ToolSource } from '../tools/registry.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import type { ConfigStore } from './config.ts';
import { createServersHandlers } from './handlers/servers.ts';
import type { Live } from './live.ts';
import type { Handlers } from './router.ts';
import { HEARTH_VERSION } from './version.ts';
import { createSignInDoor } from './web-sign-in.ts';

export interface ServerPartsDeps extends Pick<TransportDeps, 'fetch' | 'learn' | 'unsandboxed'> {
	readonly db: StateDb;
	readonly config: ConfigStore;
	readonly secrets: SecretKeeper;
	readonly sandbox: Sandbox;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly live: Live;
	readonly logger: Logger;
	readonly clock: Clock;
}

export interface ServerParts {
	/** For the registry of tools. */
	readonly tools: ToolSource;
	readonly handlers: Handlers['servers'];
	/** Connects them, in the background. */
	start(): void;
	/** What is in the secret store changed, or can be read now. */
	secretsChanged(): void;
	close(): Promise<void>;
}

/** Brings tool servers together with their settings, their secrets and the owner. */
export function createServerParts(deps: ServerPartsDeps): ServerParts {
	const { config, live, logger } = deps;
	const servers = new ToolServers({
		...deps,
		configured: () => config.get().toolServers,
		changed: () => live.announce({ type: 'servers_changed' }),
		version: HEARTH_VERSION,
	});
	const door = createSignInDoor({ logger });
	let stopListening = (): void => undefined;
	return {
		tools: servers,
		handlers: createServersHandlers({ ...deps, servers, door, liveSeq: live.seq }),
		start: () => {
			servers.start();
			// The owner's own edit of config.json counts, too.
			stopListening = config.onChange(() => void servers.follow());
		},
		secretsChanged: () => servers.secretsChanged(),
		close: async () => {
			stopListening();
			door.close();
			await servers.close();
		},
	};
}
