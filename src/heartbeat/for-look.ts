import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../db/open.ts';
import {
	countFetchedBetween,
	countLookedAt,
	countUnread,
	itemsOfRun,
	markLooking,
	markRead,
	markUnread,
	sizeOfUnread,
	unreadItems,
} from './item-store.ts';
import type { LookSource, SourcesForLook } from './look-ports.ts';
import type { SourceReading } from './reading.ts';
import { countActiveSources, countReadBetween, findSource, listSources, type StoredSource } from './source-store.ts';

export interface ForLookDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly reading: SourceReading;
	readonly changed: () => void;
}

/** Sources as a look sees them. */
export function createSourcesForLook({ db, clock, reading, changed }: ForLookDeps): SourcesForLook {
	/** What the source's budget for today still allows. */
	const leftToday = ({ id, budget }: StoredSource): number => {
		const midnight = new Date(clock.now());
		midnight.setHours(0, 0, 0, 0);
		return Math.max(0, budget.itemsPerDay - countLookedAt(db.read, id, midnight.getTime()));
	};
	return {
		count: () => countActiveSources(db.read),
		readDue: (options) => reading.readDue(options),
		readSince: (since, only) => {
			const now = clock.now();
			return { ...countReadBetween(db.read, since, now, only), items: countFetchedBetween(db.read, since, now, only) };
		},
		find: (id) => {
			const source = findSource(db.read, id);
			return source && lookSource(source);
		},
		withUnread: (only) => {
			const sources = new Map(listSources(db.read).map((source) => [source.id as string, source]));
			return countUnread(db.read).flatMap(({ sourceId, unread }) => {
				const source = sources.get(sourceId);
				if (!source || source.paused || (only !== undefined && source.id !== only)) return [];
				const allowed = Math.min(unread, leftToday(source));
				return allowed === 0 ? [] : [{ ...lookSource(source), unread: allowed }];
			});
		},
		unreadOf: (id, limit) => {
			const source = findSource(db.read, id);
			return source ? unreadItems(db.read, id, Math.min(limit, leftToday(source))) : [];
		},
		markLooking: (tx, ids, runId) => markLooking(tx, ids, runId, clock.now()),
		itemsOf: (runId) => itemsOfRun(db.read, runId),
		markRead,
		markUnread,
		waiting: () => {
			const waiting = new Set(countUnread(db.read).map(({ sourceId }) => sourceId));
			const titles = listSources(db.read).flatMap(({ id, title, paused }) => (!paused && waiting.has(id) ? [title] : []));
			return { titles, ...sizeOfUnread(db.read) };
		},
		changed,
	};
}

function lookSource({ id, title, place, trust, budget }: StoredSource): LookSource {
	return { id, title, place, trust, budget };
}
