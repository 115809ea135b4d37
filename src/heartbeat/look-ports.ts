import type { WriteDb } from '../db/brands.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { TickId, WatchedItem, WatchedItemId, WatchedKind, WatchedSourceId } from '../domain/heartbeat.ts';
import type { RunId } from '../domain/ids.ts';
import type { TriageAnswer } from '../model/triage/answer.ts';

/** What a look needs of sources, and of whoever makes findings of answers. */

/** How reading one source went; what was wrong is its health. */
export interface SourceRead {
	readonly sourceId: WatchedSourceId;
	readonly ok: boolean;
	/** New items, each committed with the cursor behind it. */
	readonly items: number;
}

export interface UnreadSource {
	readonly id: WatchedSourceId;
	readonly title: string;
	readonly kind: WatchedKind;
	/** What may be looked at today: the source's budget for the day is taken off. At least 1. */
	readonly unread: number;
}

export interface SourcesForLook {
	/** Sources that are neither paused nor withdrawn. */
	count(): number;
	/**
	 * Reads what is due, few at a time; `only`: this one, due or not. A source that can't be read is no reason to reject: only storage errors
	 * and the signal are. Reading again after a crash is harmless.
	 */
	readDue(options: { readonly signal: AbortSignal; readonly only?: WatchedSourceId | undefined }): Promise<SourceRead[]>;
	/** Sources with items that no look has considered and that today's budget lets be looked at; longest waiting first. Paused and withdrawn ones are left out. */
	withUnread(only?: WatchedSourceId): UnreadSource[];
	/** Oldest first, within the source's budget for today. */
	unreadOf(sourceId: WatchedSourceId, limit: number): WatchedItem[];
	/** In the transaction that begins the run. Throws where one is no longer unread. */
	markLooking(tx: WriteDb, itemIds: readonly WatchedItemId[], runId: RunId): void;
	/** Those that a run considers, in the order in which it was given them: of `unreadOf`. */
	itemsOf(runId: RunId): WatchedItem[];
	/** The run considered them. In the transaction that ends it. */
	markRead(tx: WriteDb, runId: RunId): void;
	/** The run did not come to it: they are unread again. */
	markUnread(tx: WriteDb, runId: RunId): void;
	/** Something of them changed outside a reading: views take them anew. */
	changed(): void;
}

/** What a run is told, whole: its prompt is this and nothing else (B1). */
export interface LookTask {
	readonly instructions: string;
	readonly task: string;
	readonly sources: ContextSource[];
}

export type MakeTask = (given: {
	/** HEARTBEAT.md as it stands, without comments. */
	readonly interests: readonly string[];
	readonly source: Pick<UnreadSource, 'id' | 'title' | 'kind'>;
	readonly items: readonly WatchedItem[];
	readonly now: number;
	/** Why the first answer to the same could not be read. */
	readonly problem?: string | undefined;
}) => LookTask;

/** Pure: what a model said, as an answer of the schema, mended where that is safe; or what is wrong with it, in one sentence. */
export type ReadAnswer = (text: string) => { readonly answer: TriageAnswer } | { readonly problem: string };

export interface Intake {
	/** Findings that wait for the owner now. */
	readonly findings: number;
	/** Said what waits, was decided, or is remembered already. */
	readonly known: number;
	/** After the caps. */
	readonly overCap: number;
	/** Rest on words that stand nowhere in the item. */
	readonly dropped: number;
}

/**
 * Checks, compares and holds what an answer says. Idempotent under `runId`: after a crash the same call holds nothing twice, gives the same
 * counts, and does not take what it held itself for known. Rejects with storage errors only.
 */
export type TakeIn = (given: {
	readonly runId: RunId;
	readonly tickId: TickId;
	/** The model's name, for provenance. */
	readonly model: string;
	readonly source: Pick<UnreadSource, 'id' | 'title' | 'kind'>;
	/** As the request counted them. */
	readonly items: readonly WatchedItem[];
	readonly answer: TriageAnswer;
	/** How many the look may still hold. The caps of the day and of the source are its own business. */
	readonly leftOfLook: number;
}) => Promise<Intake>;
