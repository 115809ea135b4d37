import type { PlaceOf, WatchedKind } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';

/** Reading a source: one reader a kind, each under the same conformance suite. */

export interface ReadLimits {
	/** Bytes of one answer, as unpacked. */
	readonly maxBytes: number;
	/** Items of one reading; what is left comes with the next. */
	readonly maxItems: number;
}

export interface ReadRequest<K extends WatchedKind> {
	/** With the whole address where that is a secret. */
	readonly place: PlaceOf<K>;
	/** As the last reading returned it; null before the first. Of unknown shape where another version wrote it: parse it, and begin anew where it does not fit. */
	readonly cursor: Json;
	/** A password or a token; undefined where there is none. Never kept, logged or put into an error (S3). */
	readonly secret: string | undefined;
	/** What was taken in before, by any of its keys: a reader may leave it out early, and need not. */
	known(keys: readonly string[]): boolean;
	readonly now: Timestamp;
	readonly signal: AbortSignal;
	readonly limits: ReadLimits;
	/** Only to be shown, and nothing of it is kept: the newest few are enough. */
	readonly glance?: boolean | undefined;
}

/** Newest items that are read where all that is wanted is a glance. */
export const GLANCE_ITEMS = 10;

/** One item as a source has it. All of it is somebody else's words: plain text, no markup, hidden characters kept. */
export interface ReadItem {
	/**
	 * What identifies it, strongest first: its own id, its link, `hash:` of its content. One that is known means that the item is. A feed that
	 * changes its ids is recognised by the others.
	 */
	readonly keys: readonly string[];
	readonly title: string;
	readonly url?: string | undefined;
	readonly author?: string | undefined;
	readonly publishedAt?: Timestamp | undefined;
	readonly text: string;
	/**
	 * The source may change it where it stands: it comes again where one of its keys is known, the `hash:` among them is not, and its text is
	 * substantially another than the one that was taken in.
	 */
	readonly revises?: boolean | undefined;
	/** SHA-256 of what was fetched: of the item where it stands for itself, else of the document that it stood in. */
	readonly fetchedHash: string;
}

export interface Reading {
	/** Oldest first. */
	readonly items: readonly ReadItem[];
	/** Kept in the transaction that takes the items in: after a crash the same reading is done again, and nothing is skipped. */
	readonly cursor: Json;
	/** More than `maxItems` are there: it may be read again at once. */
	readonly more: boolean;
	readonly bytes: number;
	/** The source's own title, where it has one. */
	readonly title?: string | undefined;
	/** What could not be read, in one sentence. */
	readonly note?: string | undefined;
}

/**
 * Rejects with a HearthError: `retryable` (it is tried again, later each time; `retryAfterMs` is kept to), `needs_owner` or `terminal` (it
 * stops, and says what to do). Never writes to the source. Nothing is retried inside.
 */
export interface SourceReader<K extends WatchedKind> {
	readonly kind: K;
	read(request: ReadRequest<K>): Promise<Reading>;
}
