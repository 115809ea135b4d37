import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { StateDb } from '../../../src/db/open.ts';
import {
	WatchedBudget,
	type WatchedItem,
	type WatchedPlace,
	type WatchedSource,
	type WatchedSourceId,
} from '../../../src/domain/heartbeat.ts';
import type { SecretKeeper } from '../../../src/domain/secret-port.ts';
import { createSourcesForLook } from '../../../src/heartbeat/for-look.ts';
import type { SourcesForLook } from '../../../src/heartbeat/look-ports.ts';
import { createFeedReader } from '../../../src/heartbeat/readers/feed.ts';
import { createPageReader } from '../../../src/heartbeat/readers/page.ts';
import type { Readers } from '../../../src/heartbeat/readers.ts';
import { createReading, type SourceReading } from '../../../src/heartbeat/reading.ts';
import { createSourceFetch } from '../../../src/heartbeat/source-fetch.ts';
import { countFindingsBySource } from '../../../src/heartbeat/source-store.ts';
import { createSources, type Sources } from '../../../src/heartbeat/sources.ts';
import { createGuardedFetch, type RequestRecord } from '../../../src/net/guarded-fetch.ts';
import { createPageFetch } from '../../../src/net/page.ts';

/** Secrets in memory, of one life. */
export function memorySecrets(): SecretKeeper & { readonly kept: Map<string, string> } {
	const kept = new Map<string, string>();
	return {
		kept,
		get: async (name) => kept.get(name),
		set: async (name, value) => void kept.set(name, value),
		remove: async (name) => void kept.delete(name),
		names: async () => [...kept.keys()],
	};
}

export interface SourceLife {
	readonly db: StateDb;
	readonly sources: Sources;
	readonly reading: SourceReading;
	readonly forLook: SourcesForLook;
	readonly secrets: ReturnType<typeof memorySecrets>;
	/** Calls that were made. */
	readonly calls: RequestRecord[];
	/** How often views were told. */
	readonly changes: () => number;
	addFeed(url: string, more?: Partial<{ title: string; fromNow: boolean; budget: Partial<WatchedBudget> }>): Promise<WatchedSource>;
	addPage(url: string, more?: Partial<{ fromNow: boolean }>): Promise<WatchedSource>;
	add(
		place: WatchedPlace,
		more?: Partial<{ title: string; secret: string; fromNow: boolean; budget: Partial<WatchedBudget> }>,
	): Promise<WatchedSource>;
	/** What is kept of it, oldest first. */
	items(id: WatchedSourceId): WatchedItem[];
}

/** Sources over a real database and the real network code, as the app puts them together. */
export function sourceLife(
	db: StateDb,
	given: { clock?: Clock; secrets?: ReturnType<typeof memorySecrets>; readers?: Readers } = {},
): SourceLife {
	const clock = given.clock ?? systemClock;
	const secrets = given.secrets ?? memorySecrets();
	const calls: RequestRecord[] = [];
	let changes = 0;
	const changed = (): void => {
		changes += 1;
	};
	const fetch = createGuardedFetch({ clock, onRequest: (record) => void calls.push(record) });
	const fetchSource = createSourceFetch(fetch);
	const readers: Readers = {
		feed: createFeedReader({ fetchSource }),
		page: createPageReader({ fetchSource, fetchPage: createPageFetch(fetch), clock }),
		...given.readers,
	};
	const reading = createReading({ db, clock, logger: silentLogger, secrets, readers, chance: () => 0, changed });
	const sources = createSources({
		db,
		clock,
		secrets,
		reading,
		discover: { fetchSource, servers: () => ['notes'] },
		findings: () => countFindingsBySource(db.read),
		changed,
		onAdded: () => undefined,
	});
	const add: SourceLife['add'] = (place, { title = 'A source', secret, fromNow = false, budget = {} } = {}) =>
		sources.add({ title, place, budget: WatchedBudget.parse(budget), secret, fromNow });
	return {
		db,
		sources,
		reading,
		forLook: createSourcesForLook({ db, clock, reading, changed }),
		secrets,
		calls,
		changes: () => changes,
		add,
		addFeed: (url, more) => add({ kind: 'feed', url, secretAddress: false }, more),
		addPage: (url, more) => add({ kind: 'page', url, secretAddress: false }, more),
		items: (id) => sources.items(id, 200).toReversed(),
	};
}

export const NEVER_STOPPED = new AbortController().signal;
