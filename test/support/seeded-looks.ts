import { join } from 'node:path';
import { createProposals } from '../../src/approvals/proposals.ts';
import { newId } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { openStateDb, type StateDb } from '../../src/db/open.ts';
import {
	FIRST_TRUST,
	type FindingKind,
	TickId,
	type Urgency,
	WatchedBudget,
	type WatchedItem,
	type WatchedPlace,
	type WatchedSourceId,
} from '../../src/domain/heartbeat.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { type EntryId, MemoryPath, type ProposalId, type Provenance } from '../../src/domain/memory.ts';
import type { ProposalOperation } from '../../src/domain/proposal.ts';
import { similarFindings } from '../../src/heartbeat/dedupe-store.ts';
import { sourcesOf } from '../../src/heartbeat/finding-sources.ts';
import { newestItems, takeIn } from '../../src/heartbeat/item-store.ts';
import type { LookSource } from '../../src/heartbeat/look-ports.ts';
import { insertSource } from '../../src/heartbeat/source-store.ts';
import { addFound, endTick, insertTick, setTickRead } from '../../src/heartbeat/tick-store.ts';
import { judge, trustOf, unjudge } from '../../src/heartbeat/trust-store.ts';
import { entryHash } from '../../src/memory/identity.ts';

const WHY = 'You asked to be told of it.';

export interface SeededFinding {
	readonly source: string;
	readonly kind: FindingKind;
	readonly text: string;
	/** The whole text it was found in; the quotes must stand there. As the finding says it where it is not told. */
	readonly item?: { readonly title: string; readonly text: string; readonly author?: string } | undefined;
	readonly quotes?: readonly string[];
	readonly why?: string;
	readonly heading?: string;
	readonly urgency?: Urgency;
	readonly dueAt?: number | null;
	readonly conflicts?: readonly EntryId[];
	readonly flagged?: number;
}

export interface SeededLook {
	/** When it was due, in milliseconds. */
	readonly at: number;
	readonly findings: readonly SeededFinding[];
}

/**
 * A profile in which looks have been: sources, what they brought, and findings that wait, each held through the very port that a look holds them by.
 * The runtime must not run. Returns the proposals in the order given.
 */
export function seedLooks(
	profileFolder: string,
	places: Readonly<Record<string, WatchedPlace>>,
	looks: readonly SeededLook[],
): ProposalId[] {
	const db = openStateDb({ file: join(profileFolder, 'state.db'), backupsFolder: join(profileFolder, 'backups'), logger: silentLogger });
	try {
		const ids = new Map(Object.entries(places).map(([title, place]) => [title, addSource(db, title, place, looks[0]?.at ?? Date.now())]));
		return looks.flatMap((look) => seedLook(db, ids, look));
	} finally {
		db.close();
	}
}

function addSource(db: StateDb, title: string, place: WatchedPlace, createdAt: number): LookSource {
	const source = { id: newId<WatchedSourceId>(), title, place, budget: WatchedBudget.parse({}), trust: FIRST_TRUST };
	db.write((tx) => insertSource(tx, { ...source, createdAt, fromNow: false }));
	return source;
}

function seedLook(db: StateDb, sources: ReadonlyMap<string, LookSource>, { at, findings }: SeededLook): ProposalId[] {
	const tickId = TickId.parse(newId<TickId>());
	const runId = newId<RunId>();
	const used = new Set(findings.map(({ source }) => source));
	db.write((tx) => {
		insertTick(tx, { id: tickId, by: 'schedule', slot: at }, at);
		setTickRead(tx, tickId, { sources: used.size, failedSources: 0, items: findings.length });
		addFound(tx, tickId, { findings: findings.length, known: 0, overCap: 0, dropped: 0 });
		endTick(tx, tickId, { outcome: 'done' }, at + 60_000);
	});
	const { port } = createProposals({
		db,
		clock: { now: () => at + 60_000, monotonic: () => 0 },
		logger: silentLogger,
		announce: () => undefined,
		effects: {
			hashText: entryHash,
			skillText: () => null,
			isUnderWay: () => false,
			apply: () => Promise.reject(new Error('nothing is decided here')),
			undo: () => Promise.reject(new Error('nothing is decided here')),
		},
		findings: { trust: trustOf, judged: judge, unjudged: unjudge, similar: similarFindings, wakeAt: () => undefined },
		onUnfinished: () => undefined,
	});
	return findings.map((finding, index) => {
		const source = sources.get(finding.source);
		if (!source) throw new Error(`no source is called ${finding.source}`);
		const sourceId = source.id;
		const item = addItem(db, sourceId, finding, at);
		const stepKey = `heartbeat:${runId}:${index}`;
		return port.hold({
			operation: operationOf(finding),
			provenance: provenanceOf(finding, item, { at, stepKey, runId, source }),
			label: 'external',
			rule: 'background_finding',
			reason: finding.why ?? WHY,
			stepKey,
			finding: {
				sourceId,
				sourceTitle: finding.source,
				tickId,
				urgency: finding.urgency ?? 'normal',
				quotes: quotesOf(finding, item),
				conflicts: [...(finding.conflicts ?? [])],
				conflictsWith: [],
				flagged: finding.flagged ?? 0,
			},
		}).proposalId;
	});
}

function addItem(db: StateDb, sourceId: WatchedSourceId, { item, text }: SeededFinding, at: number): WatchedItem {
	const { title, text: body, author } = item ?? { title: text.slice(0, 60), text };
	const key = `hash:${sha256(`${title}\n${body}`)}`;
	const read = {
		keys: [newId<string>(), key],
		title,
		text: body,
		author,
		publishedAt: at - 3_600_000,
		fetchedHash: sha256(body),
		url: undefined,
	};
	db.write((tx) => takeIn(tx, sourceId, [read], { now: at, onlyKeys: false }));
	const [taken] = newestItems(db.read, sourceId, 1);
	if (!taken) throw new Error('nothing was taken in');
	return taken;
}

function quotesOf({ quotes }: SeededFinding, item: WatchedItem) {
	return (quotes ?? [item.text.slice(0, 40)]).map((quote) => {
		const start = item.text.indexOf(quote);
		if (start < 0) throw new Error(`“${quote}” does not stand in the item`);
		return { itemId: item.id, start, end: start + quote.length, quote };
	});
}

function operationOf({ kind, text, heading, dueAt }: SeededFinding): ProposalOperation {
	if (kind === 'task') return { kind, text, dueAt: dueAt ?? null };
	if (kind === 'notice') return { kind, text };
	return { kind: 'append', file: MemoryPath.parse('MEMORY.md'), headingPath: heading === undefined ? [] : [heading], text };
}

function provenanceOf(
	finding: SeededFinding,
	item: WatchedItem,
	of: { at: number; stepKey: string; runId: RunId; source: LookSource },
): Provenance {
	return {
		author: 'heartbeat',
		label: 'external',
		origin: 'external',
		sources: sourcesOf(of.stepKey, { item, quotes: quotesOf(finding, item) }, of.source),
		runId: of.runId,
		modelName: 'qwen3:8b',
		reason: finding.why ?? WHY,
		at: of.at + 60_000,
	};
}
