import type { HoldRequest } from '../../src/approvals/proposal-port.ts';
import { newId } from '../../src/base/ids.ts';
import { sha256 } from '../../src/base/sha256.ts';
import type { StateDb } from '../../src/db/open.ts';
import { FIRST_TRUST, TickId, WatchedBudget, type WatchedItemId, type WatchedSourceId } from '../../src/domain/heartbeat.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { EntryId } from '../../src/domain/memory.ts';
import type { FindingInfo, ProposalOperation } from '../../src/domain/proposal.ts';
import { takeIn, unreadItems } from '../../src/heartbeat/item-store.ts';
import { insertSource } from '../../src/heartbeat/source-store.ts';

/** A feed that the owner added, as its row says it. */
export function addSource(db: StateDb, title = 'Town news', host = 'town.example', id = newId<WatchedSourceId>()): WatchedSourceId {
	const place = { kind: 'feed', url: `https://${host}/feed.xml`, secretAddress: false } as const;
	db.write((tx) =>
		insertSource(tx, { id, title, place, budget: WatchedBudget.parse({}), trust: FIRST_TRUST, createdAt: Date.now(), fromNow: false }),
	);
	return id;
}

/** What a source brought, in quarantine. */
export function addItem(db: StateDb, sourceId: WatchedSourceId, text: string): WatchedItemId {
	db.write((tx) =>
		takeIn(tx, sourceId, [{ keys: [text], title: '', text, url: 'https://town.example/1', fetchedHash: sha256(text) }], {
			now: Date.now(),
			onlyKeys: false,
		}),
	);
	const item = unreadItems(db.read, sourceId, 1_000).find((one) => one.text === text);
	if (!item) throw new Error('it was not taken in');
	return item.id;
}

export interface Found {
	readonly sourceId: WatchedSourceId;
	readonly title?: string;
	readonly itemId?: WatchedItemId;
	/** Stands at the beginning of its item. */
	readonly quote?: string;
	readonly urgency?: FindingInfo['urgency'];
	readonly conflicts?: readonly EntryId[];
	readonly stepKey?: string;
}

/** What a look holds of something that it found. */
export function toFind(operation: ProposalOperation, found: Found): HoldRequest {
	const { sourceId, title = 'Town news', itemId = newId<WatchedItemId>(), quote = 'The bin is emptied', stepKey } = found;
	const url = { kind: 'url', url: 'https://town.example/1', fetchedAt: 1, fetchedHash: 'f'.repeat(64), quote, start: 0, end: quote.length };
	return {
		operation,
		provenance: {
			author: 'heartbeat',
			label: 'external',
			origin: 'external',
			sources: [
				{ kind: 'finding', findingId: newId(), title, quote },
				{ ...url, kind: 'url' },
			],
			modelName: 'm',
			reason: 'HEARTBEAT.md asks for bins.',
			at: 1,
		},
		label: 'external',
		rule: 'finding',
		reason: 'Background work found it in a source.',
		finding: {
			sourceId,
			sourceTitle: title,
			tickId: TickId.parse('tick'),
			urgency: found.urgency ?? 'normal',
			quotes: [{ itemId, start: 0, end: quote.length, quote }],
			conflicts: [...(found.conflicts ?? [])],
			conflictsWith: [],
			flagged: 0,
		},
		runId: newId<RunId>(),
		...(stepKey !== undefined && { stepKey }),
	};
}
