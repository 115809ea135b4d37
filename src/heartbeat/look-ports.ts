import type { WriteDb } from '../db/brands.ts';
import type { HeartbeatTick, TickId, WatchedItem, WatchedItemId, WatchedSource, WatchedSourceId } from '../domain/heartbeat.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';

/** What a look needs of sources, and of whoever makes findings of answers. */

/** How reading one source went; what was wrong is its health. */
export interface SourceRead {
	readonly sourceId: WatchedSourceId;
	readonly ok: boolean;
	/** New items, each committed with the cursor behind it. */
	readonly items: number;
}

export type LookSource = Pick<WatchedSource, 'id' | 'title' | 'place' | 'trust' | 'budget'>;

export interface SourcesForLook {
	/** Sources that are neither paused nor withdrawn. */
	count(): number;
	/**
	 * Reads what is due, few at a time; `only`: this one, due or not; `early`: all that works, but what was read just now. A source that can't be
	 * read is no reason to reject: only storage errors and the signal are. Reading again after a crash is harmless.
	 */
	readDue(options: {
		readonly signal: AbortSignal;
		readonly only?: WatchedSourceId | undefined;
		readonly early?: boolean;
	}): Promise<SourceRead[]>;
	/** What was read since, whatever crashed meanwhile: sources, those of them that could not be read, and new items. */
	readSince(since: Timestamp, only?: WatchedSourceId): Pick<HeartbeatTick, 'sources' | 'failedSources' | 'items'>;
	/** Undefined where it was withdrawn. */
	find(id: WatchedSourceId): LookSource | undefined;
	/**
	 * Sources with items that no look has considered and that today's budget lets be looked at (`unread`: how many, at least 1), longest waiting
	 * first. Paused and withdrawn ones are left out.
	 */
	withUnread(only?: WatchedSourceId): (LookSource & { readonly unread: number })[];
	/** Oldest first (by id), within the source's budget for today. */
	unreadOf(sourceId: WatchedSourceId, limit: number): WatchedItem[];
	/** In the transaction that begins the run. Throws where one is no longer unread. */
	markLooking(tx: WriteDb, itemIds: readonly WatchedItemId[], runId: RunId): void;
	/** Those that a run considers, in the order of `unreadOf`. */
	itemsOf(runId: RunId): WatchedItem[];
	/** The run considered them. In the transaction that ends it. */
	markRead(tx: WriteDb, runId: RunId): void;
	/** The run did not come to it: they are unread again. */
	markUnread(tx: WriteDb, runId: RunId): void;
	/** All that no look has considered, whatever today's budgets: titles of the sources, items, and characters of their text. */
	waiting(): { readonly titles: readonly string[]; readonly items: number; readonly characters: number };
	/** Items changed outside a reading: views take the sources anew. */
	changed(): void;
}

/** A run of a look that is over, with what it said. */
export interface AnsweredLook {
	readonly runId: RunId;
	readonly tickId: TickId;
	readonly step: number;
	readonly modelName?: string | undefined;
	readonly sessionId?: SessionId | undefined;
	readonly source: LookSource;
	/** Those of the run in the order of the task. */
	readonly items: readonly WatchedItem[];
	readonly answer: string;
	/** Findings that other runs of the same look hold: for its cap. */
	readonly earlier: number;
}

export interface TakenIn {
	/** They wait for the owner now. */
	readonly held: number;
	/** Said what waits, was decided, or is remembered already. */
	readonly known: number;
	/** After the caps. */
	readonly overCap: number;
	/** Rest on words that stand nowhere in the item, and the like. */
	readonly dropped: readonly { readonly reason: string; readonly count: number }[];
	/** What goes with it, in the transaction that ends the run. */
	settle(tx: WriteDb): void;
}

/**
 * Checks, compares and holds what an answer says. Idempotent: after a crash the same call holds nothing twice, gives the same counts, and does
 * not take what it held itself for known. Rejects with `findings_unreadable` where the answer is none, and then held nothing; else with storage
 * errors only.
 */
export type TakeIn = (look: AnsweredLook) => Promise<TakenIn>;

/** How many findings of a source there are more. Nothing of their text (B1). */
export type TellFound = (tx: WriteDb, found: { sourceId: WatchedSourceId; sourceTitle: string; findings: number }) => void;
