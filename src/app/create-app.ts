import { Disposables } from '../base/dispose.ts';
import { createInspector } from '../firewall/inspect/inspector.ts';
import { Witness } from '../run/witness.ts';
import { scheduleTaskTool } from '../tools/schedule-task.ts';
import { Meetings } from '../tools/workspace/meetings.ts';
import { createAgent } from './agent.ts';
import type { App, AppOptions } from './app-options.ts';
import { auditExports } from './audited-exports.ts';
import { createBackgroundWork } from './background.ts';
import { createDoctor } from './doctor-parts.ts';
import { createDoors } from './doors.ts';
import { findingPorts, wakeSnoozed } from './finding-ports.ts';
import { createFirewall } from './firewall.ts';
import { createForgetting } from './forget/forget.ts';
import { openGround } from './ground.ts';
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
import { journalCut, UNSURE_OF_MEMORY } from './journal-cut.ts';
import { createMemoryParts, usageOfVectors } from './memory.ts';
import { createOutgoingParts } from './outgoing.ts';
import { OwnerDoors } from './owner-doors.ts';
import { knownSources } from './read-task.ts';
import { createReminderParts } from './reminders.ts';
import { createRouter } from './router.ts';
import { createAppSandbox } from './sandbox.ts';
import { createServerParts } from './servers.ts';
import { createSkillParts } from './skills.ts';
import { createTaskParts } from './tasks.ts';
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
	let secretsChanged = (): void => undefined;
	const ground = await openGround(options, disposables, {
		counts: () => parts.proposals.decisions.counts(),
		tasks: () => scheduled.tasks,
		secretsChanged: () => secretsChanged(),
	});
	const { clock, paths, home, redactor, logger, config, db, archives, live, health, secrets, audit, onRequest, fetch } = ground;
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
		scheduled.secretsChanged();
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
