import { isDeepStrictEqual } from 'node:util';
import type { FindingPorts, HoldRequest, Proposals } from '../approvals/proposal-port.ts';
import { createProposals } from '../approvals/proposals.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { LiveEvent } from '../contract/events.ts';
import type { InboxCounts } from '../contract/methods/memory.ts';
import type { StateDb } from '../db/open.ts';
import type { EmbeddingChoice } from '../domain/memory.ts';
import type { Usage } from '../domain/model.ts';
import type { SecretReader } from '../domain/secret-port.ts';
import type { EmbeddingUse } from '../embed/adapters/server.ts';
import { createEmbedding } from '../embed/create.ts';
import { EMBEDDED_MODEL } from '../embed/embedded-model.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { entryHash } from '../memory/identity.ts';
import { createMemory, type OpenMemory } from '../memory/memory.ts';
import type { Drift } from '../memory/reconcile/drift.ts';
import { isLoopback } from '../net/destination.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { SkillEffects } from '../tools/skills/port.ts';
import { auditMemory, auditProposals } from './audited.ts';
import type { ConfigStore } from './config.ts';
import type { EmbeddingSetting, ForgetActions } from './handlers/memory.ts';
import type { Live } from './live.ts';
import type { ProfilePaths } from './profile-folder.ts';
import { createEffects } from './proposal-effects.ts';

const AGAIN_MS = 30_000;

export interface MemoryPartsDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly config: ConfigStore;
	readonly secrets: SecretReader;
	readonly live: Live;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly fetch: GuardedFetch;
	readonly audit: AuditLog;
	readonly redactor: Pick<Redactor, 'redactKeys'>;
	/** Asked for when it is used: forgetting reaches parts that are made after memory. */
	readonly forget: () => ForgetActions;
	/** So with skills, whose changes wait in the same place. */
	readonly skills: () => SkillEffects;
	/** Of tasks that the owner approves. */
	readonly reminders: () => Pick<Reminders, 'set' | 'dismiss'>;
	readonly findings: FindingPorts;
	/** Told of what a server's vectors used. */
	readonly embedded: (use: EmbeddingUse) => void;
	/** Only to be compared: nothing of it is taken up. */
	readonly asLeft: boolean;
	/** See `MemoryDeps`. */
	readonly unsure?: string | undefined;
}

/** No price is entered for such models: elsewhere their cost is not known. */
export function usageOfVectors({ base, tokens, estimated }: EmbeddingUse): Usage {
	const unpriced = !isLoopback(base);
	return {
		inputTokens: tokens,
		outputTokens: 0,
		...(unpriced && { unpricedTokens: tokens }),
		...(estimated && { estimatedTokens: tokens }),
	};
}

/** Memory with what belongs to it: the model that makes its vectors, and what waits for the owner before it changes memory. */
export interface MemoryParts {
	readonly memory: OpenMemory;
	readonly embedding: EmbeddingSetting;
	readonly proposals: Proposals;
	/** Vectors of the embedded model, where it is in use now. */
	embed(): ((texts: string[], signal: AbortSignal) => Promise<Float32Array[]>) | undefined;
	/** Resolves when what the last life left of memory is taken in, and what the owner decided in it is done. Never rejects. */
	readonly ready: Promise<void>;
	close(): Promise<void>;
}

export function createMemoryParts(deps: MemoryPartsDeps): MemoryParts {
	const { db, paths, config, secrets, live, logger, clock, fetch, redactor } = deps;
	const clean = (text: string): string => redactor.redactKeys(text).text;
	const { announce } = live;
	const modelFor = (choice: EmbeddingChoice) => createEmbedding(choice, { fetch, secrets, clock, logger, clean, used: deps.embedded });
	let inUse = config.get().embedding;
	let model = modelFor(inUse);
	let choosing = false;

	const memory = createMemory({
		db,
		folder: paths.folder,
		clock,
		logger,
		embedding: model,
		asLeft: deps.asLeft,
		unsure: deps.unsure,
		onChange: (files) => {
			announce({ type: 'memory_changed', files: [...files] });
			proposals.memoryChanged(files);
		},
		onIndexStatus: (index) => announce({ type: 'index_changed', index }),
		onDrift: (drift) => holdDrift(drift),
		made: auditMemory(deps.audit),
	});
	const effects = createEffects({ ...deps, memory });
	const proposals = createProposals({
		db,
		clock,
		logger,
		announce,
		effects,
		findings: deps.findings,
		audit: auditProposals(deps.audit),
		onUnfinished: () => takeUpAgain(),
	});

	function holdDrift(drift: Drift): void {
		try {
			proposals.port.hold(driftRequest(drift));
		} catch (error) {
			// It stays quarantined, and memory tells of it again at the next start.
			logger.error('drift_not_held', { changeId: drift.changeId, error });
		}
	}

	function use(choice: EmbeddingChoice, made = modelFor(choice)): void {
		const before = model;
		[inUse, model] = [choice, made];
		memory.index.setEmbedding(made);
		before?.close().catch((error: unknown) => logger.warn('embedding_not_closed', { error }));
	}
	// Also where the owner edits the file itself.
	const stopFollowing = config.onChange(() => {
		const { embedding: chosen } = config.get();
		if (!choosing && !isDeepStrictEqual(chosen, inUse)) use(chosen);
	});

	const embedding: EmbeddingSetting = {
		choice: () => config.get().embedding,
		choose: async (choice, signal) => {
			const made = modelFor(choice);
			choosing = true;
			try {
				// Saved only after it has really worked, as with models for chat.
				await made?.embed(['Hearth'], 'query', signal);
				signal?.throwIfAborted();
				await config.update((current) => ({ ...current, embedding: choice }));
			} catch (error) {
				await made?.close();
				throw error;
			} finally {
				choosing = false;
			}
			use(choice, made);
			return memory.status();
		},
	};

	let again: NodeJS.Timeout | undefined;
	let closed = false;
	const ready = deps.asLeft ? Promise.resolve() : takeUp();
	/** What the owner decided and is not done, from the last life or from this one; a disk that is full now may not be in a while. */
	async function takeUp(): Promise<void> {
		try {
			await memory.ready.catch(() => undefined);
			if (await proposals.finish()) return;
		} catch (error) {
			logger.error('proposals_not_taken_up', { error });
		}
		takeUpAgain();
	}
	function takeUpAgain(): void {
		if (closed || deps.asLeft) return;
		clearTimeout(again);
		again = setTimeout(() => void takeUp(), AGAIN_MS).unref();
	}

	return {
		memory,
		embedding,
		embed: () => {
			const port = model?.id === EMBEDDED_MODEL.id ? model : undefined;
			return port && ((texts, signal) => port.embed(texts, 'query', signal));
		},
		proposals,
		ready,
		close: async () => {
			closed = true;
			stopFollowing();
			await ready;
			clearTimeout(again);
			await proposals.idle();
			await memory.close();
			await model?.close();
		},
	};
}

/** With each event that may change how much waits for the owner, the counts. */
export function withInboxCounts(live: Live, counts: () => InboxCounts): Live {
	const changesCounts = ({ type }: LiveEvent): boolean => ['proposal_changed', 'interrupt_changed', 'session_deleted'].includes(type);
	return {
		...live,
		announce: (event) => {
			live.announce(event);
			if (changesCounts(event)) live.announce({ type: 'inbox_changed', counts: counts() });
		},
	};
}

function driftRequest({ operation, changeId, runId, provenance }: Drift): HoldRequest {
	const place = operation.entryId ?? entryHash(operation.before ?? '');
	return {
		operation,
		provenance,
		label: 'external',
		rule: 'memory_drift',
		reason: 'A program that a tool ran changed this memory file; nobody has seen it yet.',
		stepKey: `drift:${changeId}:${place}`,
		...(runId !== undefined && { runId }),
	};
}
