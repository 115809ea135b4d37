import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { sourceName } from '../domain/context-source.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import type { ToolServerConfig } from '../domain/tool-server.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { isLoopback } from '../net/destination.ts';
import { ToolServers } from '../tools/mcp/servers.ts';
import type { TransportDeps } from '../tools/mcp/transports.ts';
import type { ToolSource } from '../tools/registry.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import { liesBelow } from '../tools/workspace/denied.ts';
import type { Meetings, Seen } from '../tools/workspace/meetings.ts';
import type { ConfigStore } from './config.ts';
import { createServersHandlers } from './handlers/servers.ts';
import type { Live } from './live.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';
import { HEARTH_VERSION } from './version.ts';
import { createSignInDoor } from './web-sign-in.ts';

export interface ServerPartsDeps extends Pick<TransportDeps, 'fetch' | 'learn' | 'unsandboxed'> {
	readonly db: StateDb;
	readonly config: ConfigStore;
	readonly secrets: SecretKeeper;
	readonly sandbox: Sandbox;
	readonly meetings: Meetings;
	readonly paths: Pick<ProfilePaths, 'workspace'>;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly live: Live;
	readonly logger: Logger;
	readonly clock: Clock;
}

export interface ServerParts {
	/** For the registry of tools. */
	readonly tools: ToolSource & Pick<ToolServers, 'readResource'>;
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
		calling: (server) => (mayWriteIn(deps.paths.workspace, server) ? deps.meetings.begin(outside(server)).end : () => undefined),
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

/** Whether a call of it may write there: what it writes is somebody else's, and no command that runs meanwhile may pass it on as its own. */
function mayWriteIn(workspace: string, { transport, access }: ToolServerConfig): boolean {
	if (transport.kind === 'http') return isLoopback(transport.url);
	const overlaps = (path: string): boolean => liesBelow(workspace, path) || liesBelow(path, workspace);
	return (
		access.unsandboxed || access.home === 'write' || access.folders.some((folder) => folder.access === 'write' && overlaps(folder.path))
	);
}

function outside({ title }: ToolServerConfig): Seen {
	return { label: 'external', sources: [{ kind: 'server', name: sourceName(title), label: 'external' }] };
}
