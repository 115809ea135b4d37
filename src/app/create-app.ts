import { dirname } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { Disposables } from '../base/dispose.ts';
import { createLogger, type FileLogger } from '../base/logger.ts';
import { openStateDb } from '../db/open.ts';
import { Reserve } from '../db/reserve.ts';
import { networkCall } from '../firewall/audit-entries.ts';
import { createAuditLog } from '../firewall/audit-log.ts';
import { createInspector } from '../firewall/inspect/inspector.ts';
import type { Redactor } from '../firewall/ports.ts';
import { redactionSalt } from '../firewall/redaction-store.ts';
import { createGuardedFetch, type RequestRecord } from '../net/guarded-fetch.ts';
import { Witness } from '../run/witness.ts';
import { createSecretStore } from '../secrets/secret-store.ts';
import { scheduleTaskTool } from '../tools/schedule-task.ts';
import { Meetings } from '../tools/workspace/meetings.ts';
import { createAgent } from './agent.ts';
import type { App, AppOptions } from './app-options.ts';
import { auditExports } from './audited-exports.ts';
import { createBackgroundWork } from './background.ts';
import { createProfileBackups } from './backup/profile-backups.ts';
import { sweepUnfinishedRestores } from './backup/restore.ts';
import { keepBackups } from './backups.ts';
import { openConfig } from './config.ts';
import { createDoctor } from './doctor-parts.ts';
import { createDoors } from './doors.ts';
import { sharedPlaceOf, sharedPlaceWarning } from './filesystem.ts';
import { findingPorts, wakeSnoozed } from './finding-ports.ts';
import { createFirewall } from './firewall.ts';
import { createForgetting } from './forget/forget.ts';
import { createAuditHandlers } from './handlers/audit.ts';
import { createBackupHandlers } from './handlers/backup.ts';
import { createDocumentsHandlers } from './handlers/documents.ts';
import { createInboxHandlers } from './handlers/inbox.ts';
import { createMemoryHandlers, goOnForgetting } from './handlers/memory.ts';
import { createOutgoingHandlers } from './handlers/outgoing.ts';
import { createPermissionsHandlers } from './handlers/permissions.ts';
import { createProfilesHandlers } from './handlers/profiles.ts';
import { createRemindersHandlers } from './handlers/reminders.ts';
import { createSecretsHandlers } from './handlers/secrets.ts';
import { createSettingsHandlers } from './handlers/settings.ts';
import { createSkillsHandlers } from './handlers/skills.ts';
import { createSystemHandlers } from './handlers/system.ts';
import { createWorkHandlers } from './handlers/work.ts';
import { keepHealth } from './health.ts';
import { journalCut, UNSURE_OF_MEMORY } from './journal-cut.ts';
import { sweepDeletedProfiles, sweepUnfinishedWrites } from './leftovers.ts';
import { createLive } from './live.ts';
import { acquireLock } from './lock.ts';
import { createMemoryParts, usageOfVectors, withInboxCounts } from './memory.ts';
import { createOutgoingParts } from './outgoing.ts';
import { OwnerDoors } from './owner-doors.ts';
import { prepareProfileFolder, profilePaths } from './profile-folder.ts';
import { knownSources } from './read-task.ts';
import { learningStore, learnSettings, startRedactor } from './redaction.ts';
import { createReminderParts } from './reminders.ts';
import { createRouter } from './router.ts';
import { createAppSandbox } from './sandbox.ts';
import { createServerParts } from './servers.ts';
import { createSkillParts } from './skills.ts';
import { createTaskParts, withTasks } from './tasks.ts';
import { createWork } from './work.ts';

export type { App, AppOptions } from './app-options.ts';

/**
 * Puts the runtime together over one profile folder, which it owns until `close` (dur-1). Rejects with `profile_locked`,
 * `database_corrupt`, `database_newer`, `disk_full` or `read_only`; then nothing is left open.
 */
export async function createApp(options: AppOptions): Promise<App> {
	const disposables = new Disposables();
	try {
		return await wire(options, disposables);
	} catch (error) {
		await disposables.dispose();
		throw error;
	}
}

async function wire(options: AppOptions, disposables: Disposables): Promise<App> {
	const clock = options.clock ?? systemClock;
	const paths = profilePaths(options.profileFolder);
	const home = dirname(dirname(paths.folder));
	const startedAt = Date.now();
	await prepareProfileFolder(paths);
	const lock = acquireLock(paths.lock);
	disposables.add(() => lock.release());

	const settingsFiles = [paths.config, paths.policy];
	const redactor = startRedactor(process.env, settingsFiles);
	const logger = options.logger ?? ownLogger(paths.logs, redactor, disposables);
	// Beside the start, which need not wait: what a crash left is out of the way of everything.
	const swept = Promise.all([
		sweepDeletedProfiles(home, logger),
		sweepUnfinishedRestores(home, startedAt, logger),
		sweepUnfinishedWrites(paths.folder, startedAt, logger),
	]);
	disposables.add(async () => void (await swept));
	const config = openConfig({ file: paths.config, clock, logger });
	disposables.add(() => config.close());
	const shared = await sharedPlaceOf(paths.folder);
	const reserve = new Reserve(paths.reserve);
	const exclusive = shared?.kind === 'network';
	const db = openStateDb({ file: paths.stateDb, backupsFolder: paths.backups, logger, clock, exclusive, reserve });
	disposables.add(() => db.close());
	redactor.maskWith(redactionSalt(db.read));
	const archives = createProfileBackups({ db, paths, clock, logger, redactor });
	disposables.add(() => archives.close());
	const backups = keepBackups({ db, folder: paths.folder, clock, logger, archives });
	disposables.add(() => backups.close());

	const stream = createLive({ clock });
	disposables.add(() => stream.close());
	const live = withTasks(
		withInboxCounts(stream, () => parts.proposals.decisions.counts()),
		() => scheduled.tasks,
	);
	const health = keepHealth({ db, folder: paths.folder, reserve, announce: live.announce, logger });
	disposables.add(() => health.close());
	disposables.add(config.onWriteFailed(health.report));
	if (shared) health.warn('filesystem', sharedPlaceWarning(shared));
	const configChanged = (): void => {
		health.warn('config', config.problem());
		learnSettings(redactor, settingsFiles);
		logger.keepDays?.(config.get().settings.logDays);
	};
	configChanged();
	disposables.add(
		config.onChange(() => {
			configChanged();
			live.announce({ type: 'config_changed' });
		}),
	);
	let secretsChanged = (): void => undefined;
	const store = createSecretStore({
		profileFolder: paths.folder,
		cipher: options.keychain,
		onChange: () => {
			live.announce({ type: 'secrets_changed' });
			secretsChanged();
		},
		now: () => clock.now(),
	});
	const secrets = learningStore(store, redactor);

	const audit = createAuditLog({
		db,
		headFile: paths.auditHead,
		clock,
		logger,
		redactor,
		warn: (warning) => health.warn('audit', warning),
		grew: (records) => live.announce({ type: 'audit_grew', records }),
	});
	disposables.add(() => audit.close());
	audit.begin({ settle: options.takeUpRuns ?? true });
	const onRequest = (record: RequestRecord): void => {
		logger.info('http_call', { ...record });
		void audit.record([networkCall(record)], { soon: record.purpose === 'source' });
	};
	const fetch = createGuardedFetch({ clock, onRequest });
	const doors = new OwnerDoors();
	const sandbox = createAppSandbox({ paths, home, logger, clock, onRequest, path: options.sandboxPath });
	disposables.add(() => sandbox.close());
	const meetings = new Meetings();
	const common = { db, paths, config, secrets, live, logger, clock, fetch, audit, sandbox, doors, meetings, redactor };
	const witness = new Witness(paths.witness, logger);
	disposables.add(() => witness.close());
	const cut = witness.compare(db.read, { settle: options.takeUpRuns ?? true });
	if (cut) health.warn('journal', journalCut(cut));
	const unsure = cut && UNSURE_OF_MEMORY;
	const parts = createMemoryParts({
		...common,
		forget: () => forgetting,
		skills: () => skills.effects,
		reminders: () => reminders,
		findings: findingPorts(() => work),
		embedded: (use) => work.meter.used('memory', usageOfVectors(use)),
		asLeft: options.memoryAsLeft ?? false,
		unsure,
	});
	disposables.add(() => parts.close());
	const { memory, proposals } = parts;
	const skills = createSkillParts({ ...common, proposals });
	disposables.add(() => skills.idle());
	const work = createWork({ db, config, live, logger, clock });
	disposables.add(() => work.close());
	const reminders = createReminderParts({ db, clock, live, work });
	wakeSnoozed(work, proposals.woken);
	const toolServers = createServerParts({ ...common, learn: redactor.learn, unsandboxed: doors.withoutSandbox });
	disposables.add(() => toolServers.close());
	secretsChanged = () => {
		toolServers.secretsChanged();
		background.secretsChanged();
	};
	const inspector = createInspector({ embed: parts.embed, secondOpinion: () => agent.secondOpinion(), logger });
	const firewall = createFirewall({ ...common, inspector, policyFile: paths.policy, warn: (problem) => health.warn('policy', problem) });
	const outgoing = createOutgoingParts({ ...common, onRequest });
	const agent = createAgent({
		...common,
		embed: parts.embed,
		firewall: firewall.door,
		memory,
		hold: proposals.port.hold,
		reminders,
		skills: { offered: skills.offered, read: skills.read, text: skills.text },
		witness,
		work,
		tools: [
			scheduleTaskTool({
				clock,
				zone: work.zone,
				sources: () => knownSources(db.read),
				check: (draft) => void scheduled.tasks.preview(draft),
				make: (task) => scheduled.tasks.make(task),
			}),
			...outgoing.tools,
			...(options.tools ?? []),
		],
		toolServers: toolServers.tools,
		entered: (tx, entered) => scheduled.triggers.reached(tx, entered),
		localAddresses: options.localAddresses,
	});
	disposables.add(() => agent.close());
	const { attachments, blobs, isReplying } = agent;
	const forgetting = createForgetting({ ...common, memory, attachments, blobs, archives, isReplying, announce: live.announce });
	disposables.add(() => forgetting.close());
	const { embed } = parts;
	const ofAgent = { agent, work, witness, memory, embed, inspector, proposals, reminders, forgetting, toolServers };
	const background = createBackgroundWork({
		...common,
		...ofAgent,
		home,
		onRequest,
		found: (tx, found) => scheduled.triggers.found(tx, found),
	});
	disposables.add(() => background.close());
	const scheduled = createTaskParts({
		...common,
		inspector,
		hold: proposals.port,
		witness,
		work,
		agent,
		reminders,
		own: { hearth: home, workspace: paths.workspace },
	});
	disposables.add(() => scheduled.close());

	const ofRuntime = { options, secrets, agent, sandbox, toolServers, work, memory, entrances: () => entrances };
	const doctor = createDoctor({ ...common, ...ofRuntime });
	const permissions = createPermissionsHandlers({
		...common,
		announce: live.announce,
		policy: firewall.policy,
		policyPath: paths.policy,
		places: { hearth: home, workspace: paths.workspace },
		liveSeq: live.seq,
	});
	const router = createRouter(
		auditExports(audit, {
			system: createSystemHandlers({
				paths,
				live,
				health,
				config,
				logger,
				now: () => clock.now(),
				doctor,
				openWeb: () => entrances.openWeb(),
				sandbox,
			}),
			secrets: createSecretsHandlers({ store: secrets }),
			settings: createSettingsHandlers({ config }),
			documents: createDocumentsHandlers({ profileFolder: paths.folder, health, announce: live.announce }),
			profiles: createProfilesHandlers({ home, currentFolder: paths.folder, logger, now: () => clock.now() }),
			memory: createMemoryHandlers({ memory, forget: forgetting, embedding: parts.embedding, clock, liveSeq: live.seq }),
			inbox: createInboxHandlers({
				...common,
				announce: live.announce,
				files: attachments,
				decisions: proposals.decisions,
				recipient: () => agent.recipient('chat'),
				inspector,
				liveSeq: live.seq,
			}),
			backup: createBackupHandlers({ backups: archives, home }),
			work: createWorkHandlers({ work, config }),
			...background.handlers,
			permissions,
			outgoing: createOutgoingHandlers({ ...common, ...outgoing, permissions }),
			audit: createAuditHandlers({ db, log: audit, liveSeq: live.seq }),
			servers: toolServers.handlers,
			reminders: createRemindersHandlers({ reminders, liveSeq: live.seq }),
			skills: createSkillsHandlers({ skills, liveSeq: live.seq }),
			tasks: scheduled.handlers,
			...agent.handlers,
		}),
	);
	const { rendererFolder, webPort } = options;
	const entrances = createDoors({ profileFolder: paths.folder, rendererFolder, webPort, owner: doors, logger }, router);
	disposables.add(() => entrances.close());
	const goOn = options.takeUpRuns ?? true;
	// Before a reply goes on with the text in its hands.
	if (goOn) await goOnForgetting(forgetting);
	if (goOn) await background.goOn();
	// What the owner decided of skills counts before a step is offered them.
	if (goOn) await skills.settle();
	// Before any door is open: nobody may start a run beside one that is being taken up.
	await agent.recover({ goOn });
	if (goOn) {
		background.start();
		scheduled.start({ stays: !options.brief });
		work.start();
		toolServers.start();
	}
	await entrances.openSocket();
	disposables.add(() => entrances.closeSocket());

	return {
		profileFolder: paths.folder,
		attach: entrances.attach,
		openWeb: entrances.openWeb,
		lastCommandGone: entrances.lastGone,
		close: () => disposables.dispose(),
	};
}

function ownLogger(folder: string, redactor: Redactor, disposables: Disposables): FileLogger {
	const logger = createLogger({ folder, level: 'info', days: 14, redact: (line) => redactor.redact(line).text });
	disposables.add(() => logger.close());
	return logger;
}
