import type { Proposals } from '../approvals/proposal-port.ts';
import type { Memory } from '../memory/port.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { Agent } from './agent.ts';
import { type ForgetActions, forgetForOwner } from './handlers/memory.ts';
import { createSourcesHandlers } from './handlers/sources.ts';
import { createHeartbeatParts, type HeartbeatPartsDeps } from './heartbeat.ts';
import type { Live } from './live.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';
import type { ServerParts } from './servers.ts';
import { createSourceParts, type SourcePartsDeps } from './sources.ts';
import { createWithdrawal } from './withdraw.ts';

export interface BackgroundWorkDeps
	extends Omit<HeartbeatPartsDeps, 'sources' | 'hold' | 'agent' | 'live' | 'paths' | 'memory'>,
		Omit<SourcePartsDeps, 'own' | 'readResource' | 'onAdded' | 'config' | 'live'> {
	readonly paths: ProfilePaths;
	/** The folder of all profiles. */
	readonly home: string;
	readonly live: Live;
	readonly agent: Pick<Agent, 'engine' | 'background' | 'recipient' | 'isReplying' | 'handlers'>;
	readonly memory: Memory;
	readonly proposals: Proposals;
	readonly reminders: Pick<Reminders, 'remove'>;
	readonly forgetting: ForgetActions;
	readonly toolServers: Pick<ServerParts, 'tools'>;
}

export interface BackgroundWork {
	readonly handlers: Pick<Handlers, 'heartbeat' | 'sources'>;
	/** Ends what a crash cut off of a source's withdrawal. Never rejects. */
	goOn(): Promise<void>;
	/** After runs were recovered, before timers are told. */
	start(): void;
	/** A key was changed. */
	secretsChanged(): void;
	close(): Promise<void>;
}

/** Background work: its sources, its looks, and how a source is withdrawn with all that came of it. */
export function createBackgroundWork(deps: BackgroundWorkDeps): BackgroundWork {
	const { agent, paths, home, live, logger, memory, proposals, toolServers, witness, forgetting } = deps;
	const sources = createSourceParts({
		...deps,
		own: { hearth: home, workspace: paths.workspace },
		readResource: (server, uri, signal) => toolServers.tools.readResource(server, uri, signal),
		onAdded: () => heartbeat.soon(),
	});
	const heartbeat = createHeartbeatParts({ ...deps, hold: proposals.port, sources: sources.forLook });
	const withdrawal = createWithdrawal({
		...deps,
		announce: live.announce,
		runs: { gone: (runIds) => witness.gone(runIds), endDeleted: () => agent.engine.endDeleted() },
		forget: forgetForOwner(memory, forgetting),
		isReplying: agent.isReplying,
		deleteChat: (sessionId) => agent.handlers.sessions.delete({ sessionId }, {}),
	});
	return {
		handlers: { heartbeat: heartbeat.handlers, sources: createSourcesHandlers({ ...sources, withdrawal, liveSeq: live.seq }) },
		goOn: () => withdrawal.goOn(),
		start: () => {
			// A store that is locked now is swept at another start.
			sources.sources.sweepSecrets().catch((error: unknown) => logger.info('source_secrets_not_swept', { error }));
			heartbeat.start();
		},
		secretsChanged: () => heartbeat.secretsChanged(),
		close: async () => {
			await withdrawal.close();
			await heartbeat.close();
			await sources.sources.close();
		},
	};
}
