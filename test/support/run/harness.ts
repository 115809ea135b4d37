import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig } from '../../../src/app/config-file.ts';
import { createFirewall } from '../../../src/app/firewall.ts';
import { createChatHandlers } from '../../../src/app/handlers/chat.ts';
import { createWork, type Work, wakeRuns } from '../../../src/app/work.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { ContentFiles } from '../../../src/base/content-files.ts';
import { newId } from '../../../src/base/ids.ts';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import type { Settings } from '../../../src/contract/methods/profile.ts';
import { type OpenOptions, openStateDb, type StateDb } from '../../../src/db/open.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { type MessageId, ProviderId, type RunId, type SessionId } from '../../../src/domain/ids.ts';
import type { Message } from '../../../src/domain/message.ts';
import type { ModelRef, ProviderConfig } from '../../../src/domain/model.ts';
import { createInspector } from '../../../src/firewall/inspect/inspector.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { createModelRegistry } from '../../../src/model/registry.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { Blobs } from '../../../src/run/blobs.ts';
import { RunEngine } from '../../../src/run/engine.ts';
import type { EngineDeps } from '../../../src/run/engine-deps.ts';
import { findRun, readEvents } from '../../../src/run/journal-store.ts';
import type { ChosenModel } from '../../../src/run/models.ts';
import { allMessages, getMessage } from '../../../src/sessions/message-store.ts';
import { insertSession, listSessions } from '../../../src/sessions/session-store.ts';
import { UNTITLED } from '../../../src/sessions/title.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { ToolRegistry } from '../../../src/tools/registry.ts';
import { testTools } from '../test-tools.ts';

export interface Harness {
	readonly folder: string;
	readonly ledger: string;
	readonly db: StateDb;
	readonly engine: RunEngine;
	readonly chat: ReturnType<typeof createChatHandlers>;
	/** Timers and Pause all; a test that needs them starts them. */
	readonly work: Work;
	readonly events: LiveEvent[];
	/** What the gate wrote down, in order. */
	readonly crossings: AuditEntry[];
	newSession(): SessionId;
	send(sessionId: SessionId, text: string): Promise<{ messageId: MessageId; runId: RunId; userMessageId: MessageId | null }>;
	message(id: MessageId): Message;
	/** Resolves when the run is neither running nor, unless asked for, waiting. */
	settled(runId: RunId): Promise<string>;
	until(condition: () => boolean, what: string): Promise<void>;
	journal(runId: RunId): string[];
	close(): Promise<void>;
}

export interface HarnessOptions {
	folder: string;
	/** Base address of the scripted model's OpenAI wire; without it the built-in responder answers. */
	modelUrl?: string;
	fallbackUrl?: string;
	tools?: Tool[];
	clock?: Clock;
	logger?: Logger;
	maxModelCalls?: number;
	contextTokens?: number;
	/** Who writes summaries; nobody unless told. */
	summarise?: 'model';
	price?: ProviderConfig['price'];
	documents?: { agent: string; owner: string };
	/** What work of its own keeps to. */
	settings?: Partial<Settings>;
	onEvent?: (event: LiveEvent) => void;
	/** Room to give up on a full disk. */
	reserve?: OpenOptions['reserve'];
	/** What belongs beside it over the same database, such as memory. */
	watchProgram?: (db: StateDb) => EngineDeps['watchProgram'];
}

const BUILTIN: ModelRef = { providerId: ProviderId.parse('builtin'), modelId: 'responder' };

/** The run engine over real parts: a real state.db in `folder`, the real adapters, real HTTP. Opened again on the same folder it is a restart. */
export function openHarness(options: HarnessOptions): Harness {
	const { folder } = options;
	const clock = options.clock ?? systemClock;
	const logger = options.logger ?? silentLogger;
	mkdirSync(folder, { recursive: true });
	const ledger = join(folder, 'ledger.jsonl');
	const { reserve } = options;
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger, clock, reserve });
	const events: LiveEvent[] = [];
	const announce = (event: LiveEvent) => {
		events.push(event);
		options.onEvent?.(event);
	};
	const providers: ProviderConfig[] = [];
	const provide = (id: string, baseUrl: string): ModelRef => {
		const { contextTokens, price } = options;
		providers.push({ id: ProviderId.parse(id), kind: 'openai-compatible', name: id, baseUrl, contextTokens, price });
		return { providerId: ProviderId.parse(id), modelId: 'scripted' };
	};
	const chosen = options.modelUrl === undefined ? BUILTIN : provide('scripted', options.modelUrl);
	const fallback = options.fallbackUrl === undefined ? undefined : provide('second', options.fallbackUrl);
	const fetch = createGuardedFetch();
	const registry = createModelRegistry({ providers: () => providers, secrets: { get: async () => undefined }, fetch });
	const resolve = async (ref: ModelRef): Promise<ChosenModel> => ({ ref, model: await registry.resolveModel(ref) });
	const models = {
		chosen: (ref?: ModelRef) => resolve(ref ?? chosen),
		forOthersText: (ref?: ModelRef) => resolve(ref ?? chosen),
		summarise: () => resolve(options.summarise === 'model' ? chosen : BUILTIN),
		fallback: async () => (fallback ? resolve(fallback) : undefined),
	};
	const { settings } = defaultConfig();
	const config = { ...defaultConfig(), settings: { ...settings, ...options.settings } };
	const work = createWork({ db, clock, logger, config: { get: () => config, onChange: () => () => {} }, live: { announce } });
	const crossings: AuditEntry[] = [];
	const note = (added: readonly AuditEntry[]) => void crossings.push(...added);
	const audit = {
		append: (_: unknown, added: readonly AuditEntry[]) => note(added),
		record: async (added: readonly AuditEntry[]) => note(added),
	};
	const redactor = createRedactor(Buffer.alloc(32));
	const engine = new RunEngine({
		db,
		clock,
		logger,
		announce,
		models,
		firewall: createFirewall({
			db,
			clock,
			logger,
			live: { announce },
			audit,
			redactor,
			inspector: createInspector({ embed: () => undefined, logger }),
			policyFile: join(folder, 'policy.yaml'),
			warn: () => {},
		}).door,
		redactor,
		blobs: new Blobs({ files: new ContentFiles(join(folder, 'blobs')), db: db.read, logger }),
		tools: new ToolRegistry(options.tools ?? testTools(ledger)),
		prompt: { documents: async () => options.documents ?? { agent: '', owner: '' }, image: async () => undefined },
		limits: () => ({ silenceMs: 30_000, maxModelCalls: options.maxModelCalls ?? 30 }),
		watchProgram: options.watchProgram?.(db),
		work: work.port,
	});
	wakeRuns(work, engine);
	const chat = createChatHandlers({ db, clock, announce, engine, models });

	const until: Harness['until'] = async (condition, what) => {
		const deadline = Date.now() + 20_000;
		while (!condition()) {
			if (Date.now() > deadline) throw new Error(`waited 20 s for: ${what}`);
			await new Promise((done) => setTimeout(done, 5));
		}
	};
	return {
		folder,
		ledger,
		db,
		engine,
		chat,
		work,
		events,
		crossings,
		newSession: () => {
			const id = newId<SessionId>();
			const at = clock.now();
			db.write((tx) =>
				insertSession(tx, {
					id,
					kind: 'chat',
					title: UNTITLED,
					titleBy: 'auto',
					pinned: false,
					headId: null,
					createdAt: at,
					updatedAt: at,
				}),
			);
			return id;
		},
		send: (sessionId, text) => chat.send({ sessionId, text, attachmentIds: [], requestId: newId() }),
		message: (id) => getMessage(db.read, id),
		settled: async (runId) => {
			const status = () => findRun(db.read, runId)?.status ?? 'gone';
			await until(() => status() !== 'running', `run ${runId} to settle`);
			return status();
		},
		until,
		journal: (runId) => readEvents(db.read, runId).map((event) => event.type),
		close: async () => {
			await engine.close();
			work.close();
			db.close();
		},
	};
}

/** Every message of every session, oldest first. */
export function everyMessage(db: StateDb): Message[] {
	return listSessions(db.read)
		.toReversed()
		.flatMap((session) => allMessages(db.read, session.id));
}
