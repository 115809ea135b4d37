import { join } from 'node:path';
import type { HoldPort } from '../approvals/proposal-port.ts';
import { countFindings } from '../approvals/proposal-store.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { EMBEDDED_MODEL } from '../embed/embedded-model.ts';
import type { AuditLog, Inspector, Redactor } from '../firewall/ports.ts';
import { collectLooks } from '../heartbeat/collect.ts';
import { createTakeIn, type TakeInDeps } from '../heartbeat/findings.ts';
import { HEARTBEAT_TIMER, Heartbeat } from '../heartbeat/heartbeat.ts';
import type { SourcesForLook, TellFound } from '../heartbeat/look-ports.ts';
import type { Memory } from '../memory/port.ts';
import type { Witness } from '../run/witness.ts';
import type { Agent } from './agent.ts';
import { auditConsent } from './audited.ts';
import type { ConfigStore } from './config.ts';
import { readDocument } from './handlers/documents.ts';
import { createHeartbeatHandlers } from './handlers/heartbeat.ts';
import type { Live } from './live.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';
import type { Work } from './work.ts';

export interface HeartbeatParts {
	readonly handlers: Handlers['heartbeat'];
	/** After runs were recovered, before timers are told. */
	start(): void;
	/** There is something new to look at. */
	soon(): void;
	/** A key was changed. */
	secretsChanged(): void;
	close(): Promise<void>;
}

export interface HeartbeatPartsDeps {
	readonly db: StateDb;
	readonly paths: Pick<ProfilePaths, 'folder'>;
	readonly config: ConfigStore;
	readonly live: Pick<Live, 'announce'>;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly inspector: Inspector;
	readonly memory: Memory;
	readonly embed: TakeInDeps['embed'];
	readonly hold: HoldPort;
	readonly sources: SourcesForLook;
	readonly found: TellFound;
	readonly agent: Pick<Agent, 'engine' | 'background' | 'recipient'>;
	readonly work: Pick<Work, 'timers' | 'onDue' | 'onFreed' | 'onLook' | 'holdOn' | 'wouldHold'>;
	readonly witness: Pick<Witness, 'gone'>;
}

/** Brings looks together with the runs that consider items, the sources that bring them, and the door to the inbox. */
export function createHeartbeatParts(deps: HeartbeatPartsDeps): HeartbeatParts {
	const { db, config, live, logger, clock, agent, work, sources, witness } = deps;
	const settings = () => config.get().settings;
	const takeIn = createTakeIn({
		...deps,
		db: db.read,
		embeddingId: EMBEDDED_MODEL.id,
		caps: () => ({ perLook: settings().findingsPerLook, perDay: settings().findingsPerDay }),
	});
	const heartbeat = new Heartbeat({
		db,
		clock,
		logger,
		announce: live.announce,
		engine: agent.engine,
		sources,
		takeIn,
		found: deps.found,
		file: join(deps.paths.folder, 'HEARTBEAT.md'),
		heartbeat: async () => (await readDocument(deps.paths.folder, 'HEARTBEAT.md')).text,
		model: agent.background,
		consented: auditConsent(deps.audit),
		recipient: () => agent.recipient('background'),
		settings,
		timers: work.timers,
		hold: ({ anyHour, waits }) => (waits ? work.holdOn('heartbeat', { anyHour }) : work.wouldHold('heartbeat', { anyHour })),
		waiting: () => countFindings(db.read, clock.now()),
		ended: () => collectLooks({ db, clock, logger, gone: (runIds) => witness.gone(runIds) }),
	});
	agent.engine.onRunEnded((run) => heartbeat.runEnded(run));
	work.onDue(HEARTBEAT_TIMER, () => heartbeat.due());
	work.onFreed(() => heartbeat.freed());
	// After a clock that was ahead is set right, the next slot would lie as far away as it was wrong.
	work.onLook(() => {
		if (settings().heartbeat) heartbeat.settingsChanged();
	});
	let written = modelsIn(config);
	const stopListening = config.onChange(() => {
		heartbeat.settingsChanged();
		const now = modelsIn(config);
		if (now === written) return;
		written = now;
		heartbeat.modelsChanged();
	});
	return {
		handlers: createHeartbeatHandlers(heartbeat),
		start: () => {
			heartbeat.start();
			collectLooks({ db, clock, logger, gone: (runIds) => witness.gone(runIds) });
		},
		soon: () => heartbeat.soon(),
		secretsChanged: () => heartbeat.modelsChanged(),
		close: async () => {
			stopListening();
			await heartbeat.close();
		},
	};
}

function modelsIn(config: Pick<ConfigStore, 'get'>): string {
	const { models, providers } = config.get();
	return JSON.stringify([models, providers]);
}
