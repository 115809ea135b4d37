import { setImmediate as turn } from 'node:timers/promises';
import type { HoldPort, HoldRequest } from '../approvals/proposal-port.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { HearthError } from '../domain/errors.ts';
import type { EntryId, MemoryHit, ProposalId, Provenance, Source } from '../domain/memory.ts';
import type { FindingInfo, ProposalOperation } from '../domain/proposal.ts';
import type { Inspector, Redactor } from '../firewall/ports.ts';
import type { MemoryReader, MemorySearch } from '../memory/port.ts';
import { byUrgency, roomIn, sourceCap, startOfDay } from './caps.ts';
import { relationOf, type Statement } from './dedupe.ts';
import { countFindings, heldSteps, type KnownFinding, knownFindings, saveFindingVector } from './dedupe-store.ts';
import { type CheckedFinding, checkDrafts, type DropReason, draftsOf } from './finding-check.ts';
import { sourcesOf } from './finding-sources.ts';
import { FINDINGS_FILE, headingFor, type Topic, topicsOf } from './finding-target.ts';
import type { AnsweredLook, TakeIn, TakenIn } from './look-ports.ts';

/** What became of a look's answer: checked, compared with what is known, capped, and held for the owner (B2). */

export interface TakeInDeps {
	readonly db: ReadDb;
	readonly hold: HoldPort;
	readonly memory: Pick<MemoryReader, 'entries'> & Pick<MemorySearch, 'search'>;
	/** The embedded model, where it is in use: text of others goes to no model elsewhere for this. */
	readonly embed: () => ((texts: string[], signal: AbortSignal) => Promise<Float32Array[]>) | undefined;
	/** Names the model whose vectors `embed` gives. */
	readonly embeddingId: string;
	readonly redactor: Pick<Redactor, 'hasMask' | 'redact'>;
	readonly inspector: Pick<Inspector, 'inspect'>;
	readonly clock: Pick<Clock, 'now'>;
	readonly logger: Logger;
	/** The owner's settings now. */
	readonly caps: () => { readonly perLook: number; readonly perDay: number };
}

const EMBED_MS = 20_000;
const MOST_HITS = 8;
const RULE = 'background_finding';
/** What detectors say of a text that is no attempt on the agent. */
const MERELY_PRIVATE: ReadonlySet<string> = new Set(['personal_data', 'secret']);

/** `waits`: what says the same and waits, so that it is told that it came again. */
type Weighed =
	| { readonly kind: 'known'; readonly waits: ProposalId | undefined }
	| { readonly kind: 'new'; readonly conflicts: readonly EntryId[]; readonly conflictsWith: readonly ProposalId[] };

export function createTakeIn(deps: TakeInDeps): TakeIn {
	const { db, clock, logger } = deps;

	async function vectorsOf(texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
		const make = texts.length === 0 ? undefined : deps.embed();
		if (!make) return [];
		return make([...texts], AbortSignal.timeout(EMBED_MS)).catch((error: unknown) => {
			logger.warn('findings_without_meaning', { error });
			return [];
		});
	}

	/** Entries near the finding, by words and, with the embedded model, by meaning. */
	async function remembered(text: string): Promise<MemoryHit[]> {
		const mode = deps.embed() ? 'hybrid' : 'keyword';
		const { hits } = await deps.memory.search({ query: text, mode, filter: { states: ['current', 'not_yet'] }, limit: MOST_HITS });
		return hits.filter(({ entry }) => entry.kind !== 'heading');
	}

	async function weigh(statement: Statement, before: readonly KnownFinding[]): Promise<Weighed> {
		const conflictsWith: ProposalId[] = [];
		for (const other of before) {
			const relation = relationOf(statement, other);
			if (relation === 'same') return { kind: 'known', waits: other.status === 'pending' ? other.id : undefined };
			if (relation === 'contradicts' && other.status === 'pending') conflictsWith.push(other.id);
		}
		const hits = await remembered(statement.text);
		const vectors = await vectorsOf(statement.vector ? hits.map(({ entry }) => entry.text) : []);
		const relations = hits.map(({ entry }, index) => ({
			id: entry.id,
			relation: relationOf(statement, { text: entry.text, vector: vectors[index] }),
		}));
		if (relations.some(({ relation }) => relation === 'same')) return { kind: 'known', waits: undefined };
		return {
			kind: 'new',
			conflicts: relations.filter(({ relation }) => relation === 'contradicts').map(({ id }) => id),
			conflictsWith,
		};
	}

	/** A finding is never lost to the limit that runs have for what waits: it is over the cap then. */
	function hold(request: HoldRequest): ProposalId | undefined {
		try {
			return deps.hold.hold(request).proposalId;
		} catch (error) {
			if (error instanceof HearthError && error.code === 'tool_denied') return undefined;
			throw error;
		}
	}

	return async (look) => {
		const now = clock.now();
		const drafts = draftsOf(look.answer);
		const { findings, dropped } = await checkDrafts(drafts, look.items, { ...deps, now });
		const ordered = byUrgency(findings);
		const vectors = await vectorsOf(ordered.map(({ text }) => text));
		const topics = await topicsWithVectors();
		const model = vectors.length > 0 ? deps.embeddingId : undefined;
		const before = knownFindings(db, model, look.runId);
		const held = heldSteps(db, look.runId);
		const { perLook, perDay } = deps.caps();
		const day = startOfDay(now);
		const left = roomIn({
			look: perLook - look.earlier,
			day: perDay - countFindings(db, day, look.runId),
			source: sourceCap(look.source.budget.findingsPerDay, look.source.trust) - countFindings(db, day, look.runId, look.source.id),
		});
		const taken: { id: ProposalId; vector: Float32Array | undefined }[] = [];
		const repeated: { id: ProposalId; sources: Source[] }[] = [];
		const counts = { known: 0, overCap: 0 };
		const own: KnownFinding[] = [];
		for (const [at, finding] of ordered.entries()) {
			// Each is compared with much, and flags are looked for in its whole item: whoever waits for an answer gets it in between.
			await turn();
			const statement: Statement = { text: finding.text, vector: vectors[at] };
			const stepKey = stepKeyOf(look, finding);
			let id = held.get(stepKey);
			if (id === undefined) {
				const weighed = await weigh(statement, [...own, ...before]);
				if (weighed.kind === 'known') {
					counts.known++;
					if (weighed.waits) repeated.push({ id: weighed.waits, sources: sourcesOf(stepKey, finding, look.source) });
					continue;
				}
				const heading = headingFor(`${finding.text} ${finding.why}`, statement.vector, topics);
				if (taken.length < left) id = hold(requestFor(look, finding, { ...weighed, stepKey, heading, flagged: flagged(finding), now }));
			}
			if (id === undefined) {
				counts.overCap++;
				continue;
			}
			taken.push({ id, vector: statement.vector });
			own.push({ ...statement, id, status: 'pending', sourceId: look.source.id });
		}
		if (dropped.length > 0) logger.info('findings_dropped', { runId: look.runId, reasons: tally(dropped) });
		return {
			held: taken.length,
			...counts,
			dropped: tally(dropped),
			settle: (tx: WriteDb) => {
				for (const { id, vector } of taken) if (vector) saveFindingVector(tx, id, deps.embeddingId, vector);
				for (const { id, sources } of repeated) deps.hold.fold(tx, id, sources);
			},
		};
	};

	async function topicsWithVectors(): Promise<Topic[]> {
		const { entries } = deps.memory.entries({ file: FINDINGS_FILE, states: ['current'] }, { offset: 0, limit: 2_000 });
		const topics = topicsOf(entries);
		const vectors = await vectorsOf(topics.map(({ text }) => text));
		return topics.map((topic, index) => ({ ...topic, vector: vectors[index] }));
	}

	function flagged({ item }: CheckedFinding): number {
		return deps.inspector.inspect(item.text).flags.filter(({ kind }) => !MERELY_PRIVATE.has(kind)).length;
	}
}

function stepKeyOf({ runId }: AnsweredLook, { index }: CheckedFinding): string {
	return `heartbeat:${runId}:${index}`;
}

interface HoldParts {
	readonly stepKey: string;
	readonly heading: readonly string[];
	readonly flagged: number;
	readonly conflicts: readonly EntryId[];
	readonly conflictsWith: readonly ProposalId[];
	readonly now: number;
}

/** With everything that is known of where it came from (M2). Of a run that read outside text nothing is less than `external` (B2). */
function requestFor(look: AnsweredLook, finding: CheckedFinding, parts: HoldParts): HoldRequest {
	const { source, runId, step, modelName } = look;
	const provenance: Provenance = {
		author: 'heartbeat',
		label: 'external',
		origin: 'external',
		sources: sourcesOf(parts.stepKey, finding, source),
		runId,
		step,
		...(modelName !== undefined && { modelName }),
		reason: finding.why,
		at: parts.now,
	};
	const info: FindingInfo = {
		sourceId: source.id,
		sourceTitle: source.title,
		tickId: look.tickId,
		urgency: finding.urgency,
		quotes: [...finding.quotes],
		conflicts: [...parts.conflicts],
		conflictsWith: [...parts.conflictsWith],
		flagged: parts.flagged,
	};
	return {
		operation: operationOf(finding, parts.heading),
		provenance,
		label: 'external',
		rule: RULE,
		reason: finding.why,
		runId,
		finding: info,
		stepKey: parts.stepKey,
	};
}

function operationOf({ kind, text, dueAt }: CheckedFinding, heading: readonly string[]): ProposalOperation {
	switch (kind) {
		case 'memory':
			return { kind: 'append', file: FINDINGS_FILE, headingPath: [...heading], text };
		case 'task':
			return { kind: 'task', text, dueAt };
		case 'notice':
			return { kind: 'notice', text };
	}
}

function tally(reasons: readonly DropReason[]): TakenIn['dropped'] {
	return [...new Set(reasons)].map((reason) => ({ reason, count: reasons.filter((one) => one === reason).length }));
}
