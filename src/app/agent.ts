import { countFindings } from '../approvals/proposal-store.ts';
import type { Clock } from '../base/clock.ts';
import { ContentFiles } from '../base/content-files.ts';
import type { Logger } from '../base/logger.ts';
import type { ModelChoices } from '../contract/methods/models.ts';
import type { ProviderStatus } from '../contract/shapes.ts';
import type { StateDb } from '../db/open.ts';
import type { MessageId, RunId } from '../domain/ids.ts';
import type { ModelRef } from '../domain/model.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import type { Recipient } from '../heartbeat/consent.ts';
import type { Memory } from '../memory/port.ts';
import type { LocalAddresses } from '../model/detect.ts';
import { createModelRegistry, type RegistryDeps } from '../model/registry.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import { Blobs } from '../run/blobs.ts';
import { RunEngine } from '../run/engine.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import { findRun } from '../run/journal-store.ts';
import type { ChosenModel } from '../run/models.ts';
import { promptMemory } from '../run/prompt-memory.ts';
import { createRestores } from '../run/restore.ts';
import type { Witness } from '../run/witness.ts';
import { findMessage } from '../sessions/message-store.ts';
import { budgetOfInstance } from '../tasks/run-store.ts';
import { memoryForModels } from '../tools/memory-for-models.ts';
import type { HoldMemoryWrite, Tool } from '../tools/port.ts';
import type { ToolSource } from '../tools/registry.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { Sandbox } from '../tools/sandbox/port.ts';
import type { SkillReader } from '../tools/skills/port.ts';
import { createWorkspaceFiles } from '../tools/workspace/files.ts';
import type { Meetings } from '../tools/workspace/meetings.ts';
import type { WorkspaceFiles } from '../tools/workspace/port.ts';
import type { TellEntered } from '../workflows/journal.ts';
import type { Workflows } from '../workflows/workflows.ts';
import { createTools, type UnattendedTool, unattended } from './agent-tools.ts';
import { auditFiles } from './audited.ts';
import { createCommands } from './commands.ts';
import type { ConfigStore } from './config.ts';
import { grantedFolders } from './granted-folders.ts';
import { collectAttachments, createAttachmentsHandlers } from './handlers/attachments.ts';
import { createChatHandlers } from './handlers/chat.ts';
import { readDocument } from './handlers/documents.ts';
import { choicesOf, createModelsHandlers } from './handlers/models.ts';
import { createRunsHandlers, goOnRestoring } from './handlers/runs.ts';
import { createSessionsHandlers } from './handlers/sessions.ts';
import type { Live } from './live.ts';
import { createModelSource } from './model-source.ts';
import type { OwnerDoors } from './owner-doors.ts';
import { withoutKnownSecrets } from './owners-words.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';
import { askOpinion, type Opinion } from './second-opinion.ts';
import { type Work, wakeRuns } from './work.ts';
import { createWorkflows, heardBy } from './workflows.ts';

export interface AgentDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly config: ConfigStore;
	readonly secrets: SecretKeeper;
	readonly live: Live;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly fetch: GuardedFetch;
	readonly audit: AuditLog;
	readonly sandbox: Sandbox;
	readonly meetings: Meetings;
	readonly doors: Pick<OwnerDoors, 'withoutSandbox'>;
	readonly memory: Memory;
	readonly redactor: Redactor;
	readonly hold: HoldMemoryWrite;
	readonly skills: SkillReader;
	readonly reminders: Pick<Reminders, 'set'>;
	readonly firewall: FirewallDoor;
	readonly witness: Witness;
	/** Timers, Pause all and the meter. It is started after `recover`. */
	readonly work: Work;
	/** Beside the built-in ones. */
	readonly tools: readonly Tool[];
	/** An instance of a workflow is in a state now. */
	readonly entered: TellEntered;
	/** Of tool servers: they come and go. */
	readonly toolServers: ToolSource;
	/** Where to look for local model servers, in place of the usual addresses. */
	readonly localAddresses?: LocalAddresses | undefined;
	/** The embedded model, where it is in use: for looks of the built-in responder. */
	readonly embed: RegistryDeps['embed'];
}

/** The agent itself: sessions, models and the run engine, as handlers of the contract. */
export interface Agent {
	readonly handlers: Pick<Handlers, 'sessions' | 'chat' | 'models' | 'workflows' | 'runs'>;
	readonly attachments: ContentFiles;
	/** The folder blobs/. */
	readonly blobs: ContentFiles;
	/** A reply is being made. */
	readonly isReplying: () => boolean;
	/** Asked anew, over the network. */
	providers(): Promise<ProviderStatus[]>;
	choices(): Promise<ModelChoices>;
	/** A chosen model's word on a text; undefined where none was chosen for it. */
	secondOpinion(): ((text: string, runId?: RunId) => Promise<Opinion>) | undefined;
	/** For looks and tasks. */
	readonly engine: Pick<RunEngine, 'beginWork' | 'endDeleted' | 'start' | 'stop' | 'goOn' | 'resume' | 'onRunEnded'>;
	/** For tasks. */
	readonly workspace: WorkspaceFiles;
	readonly workflows: Workflows;
	/** What work without the owner may have. */
	unattendedTools(): UnattendedTool[];
	/** A task may name a model that was removed since. */
	readonly isSetUp: (model: ModelRef) => boolean;
	/** What the owner chose for chats. Rejects where it is not set up any more. */
	chatModel(): Promise<ChosenModel>;
	/** What does background work. Rejects where it is not set up any more. */
	background(): Promise<ChosenModel>;
	/** What does it, as it stands in the settings; undefined where it is not set up any more. */
	recipient(use: 'chat' | 'background'): Recipient | undefined;
	/** Says what the last life left unfinished, and takes it up where `goOn`. */
	recover(options: { goOn: boolean }): Promise<void>;
	/** Resolves when nothing is under way any more; what was cut off is recovered at the next start. */
	close(): Promise<void>;
}

export function createAgent(deps: AgentDeps): Agent {
	const { db, paths, config, secrets, live, logger, clock, fetch, localAddresses, memory, redactor, embed } = deps;
	const { announce } = live;
	const registry = createModelRegistry({
		providers: () => config.get().providers,
		localAddresses,
		secrets,
		fetch,
		now: () => clock.now(),
		embed,
	});
	const modelHandlers = createModelsHandlers({ config, secrets, registry, announce, clock, localAddresses, meter: deps.work.meter });

	const models = createModelSource({ ...deps, registry });
	const told = memoryForModels(memory);
	const files = new ContentFiles(paths.attachments);
	const blobFiles = new ContentFiles(paths.blobs);
	const blobs = new Blobs({ files: blobFiles, db: db.read, logger });
	const changed = auditFiles(deps.audit);
	const workspace = createWorkspaceFiles({ db, folder: paths.workspace, hearth: paths.home, blobs: blobFiles, clock, logger, changed });
	const questionOf = (runId: RunId): MessageId | undefined => {
		const run = findRun(db.read, runId);
		return (run && findMessage(db.read, run.messageId)?.parentId) ?? undefined;
	};
	const findingsWaiting = (): number => countFindings(db.read, clock.now());
	const commands = createCommands({ ...deps, blobs: blobFiles });
	const granted = grantedFolders(db.read, clock, paths.workspace, deps.firewall.jobOf);
	const tools = createTools({ ...deps, told, questionOf, findingsWaiting, workspace, granted, commands: commands.tool });
	const engine = new RunEngine({
		db,
		clock,
		logger,
		announce: heardBy(announce, () => workflows),
		models,
		blobs,
		redactor,
		tools,
		ownTools: (runId) => workflows.ownTools(runId),
		hold: deps.hold,
		firewall: deps.firewall,
		witness: deps.witness,
		watchProgram: memory.watchProgram,
		work: deps.work.port,
		budgetOfInstance: (id) => budgetOfInstance(db.read, id),
		prompt: {
			documents: async () => ({
				agent: (await readDocument(paths.folder, 'AGENT.md')).text,
				owner: (await readDocument(paths.folder, 'USER.md')).text,
			}),
			image: (hash) => files.read(hash),
			memory: promptMemory({ ...told, used: memory.used }, logger),
			skills: () => deps.skills.offered(),
			findingsWaiting,
		},
		limits: () => {
			const { modelSilenceSeconds, maxStepsPerTurn } = config.get().settings;
			return { silenceMs: modelSilenceSeconds * 1000, maxModelCalls: maxStepsPerTurn };
		},
	});
	wakeRuns(deps.work, engine);
	const { workflows, handlers: workflowsHandlers } = createWorkflows({
		db,
		clock,
		logger,
		announce,
		engine,
		blobs,
		tools,
		place: paths.workflows,
		model: () => config.get().models.background,
		worker: () => choicesOf(config.get()).background,
		work: deps.work,
		entered: deps.entered,
		liveSeq: live.seq,
	});
	const sessions = createSessionsHandlers({
		db,
		clock,
		logger,
		announce,
		liveSeq: live.seq,
		files,
		blobs,
		runs: {
			withLiveText: (message) => engine.withLiveText(message),
			endDeleted: () => engine.endDeleted(),
			gone: (runIds) => deps.witness.gone(runIds),
		},
	});
	const toolTitle = (tool: string): string | undefined => tools.find(tool)?.title;
	const restores = createRestores({ db, clock, logger, announce, log: engine.log, toolTitle, workspace, memory: memory.writer });
	const attachments = createAttachmentsHandlers({ db, clock, files, redactor });
	const chat = createChatHandlers({ db, clock, announce, engine, models });
	const runs = createRunsHandlers({
		db,
		clock,
		announce,
		engine,
		workflows,
		restores,
		toolTitle,
		blobs: blobFiles,
		commands,
		liveSeq: live.seq,
	});
	return {
		handlers: {
			sessions: withoutKnownSecrets(sessions, ['saveDraft', 'rename'], redactor),
			chat: { ...withoutKnownSecrets(chat, ['send', 'editAndResend', 'answer'], redactor), ...attachments },
			runs: withoutKnownSecrets(runs, ['fork', 'signal'], redactor),
			models: modelHandlers,
			workflows: withoutKnownSecrets(workflowsHandlers, ['start', 'signal'], redactor),
		},
		attachments: files,
		blobs: blobFiles,
		isReplying: () => engine.isAtWork(),
		engine,
		workspace,
		workflows,
		unattendedTools: () => unattended(tools),
		isSetUp: models.isSetUp,
		chatModel: () => models.chosen(),
		background: models.background,
		recipient: models.recipient,
		providers: () => modelHandlers.providers({ refresh: true }),
		choices: () => modelHandlers.choices(),
		secondOpinion: () => {
			const { inspect } = choicesOf(config.get());
			if (inspect === null) return undefined;
			return (text, runId) => {
				const kind = deps.work.kindOf(runId);
				const model = (): Promise<ChosenModel> => {
					deps.work.meter.check(kind);
					return models.chosen(inspect);
				};
				return askOpinion({ model, used: (usage) => deps.work.meter.used(kind, usage), logger }, text);
			};
		},
		recover: async (how) => {
			// Before a call that was cut off is made again, and finds its file half changed.
			if (how.goOn) await workspace.settle();
			// Before a run goes on with what is half put back.
			if (how.goOn) await goOnRestoring(restores);
			engine.recover(how);
			if (!how.goOn) return;
			workflows.recover();
			void collectAttachments({ db, files, logger });
			void blobs.collect().catch((error: unknown) => logger.warn('blob_leftovers', { error }));
		},
		close: async () => {
			await Promise.all([workflows.close(), engine.close()]);
			await restores.close();
			await files.idle();
			await workspace.idle();
			await blobFiles.idle();
		},
	};
}
