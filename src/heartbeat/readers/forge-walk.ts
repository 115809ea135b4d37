import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import type { AskForge } from './forge.ts';

/** One kind of thing that a forge lists by when it was changed, from where the last reading got. */

/** `since`: what was changed before it was seen, in milliseconds; things of that very second may be missing. */
export const WalkState = z.object({ since: z.number(), etag: z.string().max(500).optional() });
export type WalkState = z.infer<typeof WalkState>;

export interface Row {
	readonly id: number;
	readonly updated_at: number;
}

export interface Walk<R extends Row> {
	readonly ask: AskForge;
	readonly path: string;
	readonly schema: z.ZodType<R>;
	readonly state: WalkState;
	readonly now: number;
	/** Most new ones. */
	readonly most: number;
	/** Whether there is nothing new in it. */
	isKnown(row: R): boolean;
}

/** With the SHA-256 of what came. */
export type Fetched<R extends Row> = R & { readonly fetchedHash: string };

export interface Walked<R extends Row> {
	/** New ones, those changed longest ago first. */
	readonly rows: readonly Fetched<R>[];
	readonly state: WalkState;
	readonly more: boolean;
	readonly bytes: number;
	/** Rows that are not what they should be. */
	readonly broken: number;
}

/** A server of several machines may list a change later than its time says: so far back is looked again. */
const OVERLAP_MS = 120_000;
const MOST_REQUESTS = 30;
/** Of a span that can't be made shorter. */
const MOST_PAGES = 200;

/**
 * Where the server sorts by time of change (GitHub): on from the last one seen rather than by pages, since what changes meanwhile would move
 * others over the edge of a page.
 */
export async function walkSorted<R extends Row>(walk: Walk<R>): Promise<Walked<R>> {
	const found = new Found(walk);
	const first = walk.state.since - OVERLAP_MS;
	let since = first;
	let page = 1;
	/** A second in which more changed than a page holds, and something of it was new: it is walked once more. */
	let crowded: number | undefined;
	for (let count = 1; ; count++) {
		const query = { state: 'all', sort: 'updated', direction: 'asc', since: iso(since), per_page: '100', page: String(page) };
		const isFirst = count === 1;
		const answer = await walk.ask(walk.path, query, isFirst ? { etag: walk.state.etag } : undefined);
		if (!answer) return found.end(walk.state, false);
		found.add(answer.rows, answer.bytes);
		if (page > 1 && found.isAny) crowded ??= since;
		const last = found.latest ?? since;
		if (found.isFull) return found.end({ since: crowded ?? found.cut() }, true);
		if (!answer.hasNext) {
			const reached = Math.max(walk.state.since, last);
			const etag = isFirst && reached === walk.state.since ? answer.validators.etag : undefined;
			return found.end({ since: crowded ?? reached, ...(etag !== undefined && { etag }) }, crowded !== undefined);
		}
		if (count === MOST_REQUESTS) return found.end({ since: crowded ?? Math.max(last, since + 1_000) }, true);
		[since, page] = last > since ? [last, 1] : [since, page + 1];
	}
}

/** Where it sorts by age (Gitea): all pages of a span of time, which is made shorter until they are few. */
export async function walkSpans<R extends Row>(walk: Walk<R>): Promise<Walked<R>> {
	const from = walk.state.since - OVERLAP_MS;
	let before = walk.now + 86_400_000;
	let isWhole = true;
	for (;;) {
		const found = new Found(walk);
		const isShort = before - from <= 4 * OVERLAP_MS;
		let page = 1;
		for (; page <= (isShort ? MOST_PAGES : MOST_REQUESTS); page++) {
			const query = { state: 'all', since: iso(from), before: iso(before), limit: '50', page: String(page) };
			const answer = await walk.ask(walk.path, query);
			if (answer) found.add(answer.rows, answer.bytes);
			if (!answer?.hasNext) break;
		}
		if (page > MOST_REQUESTS && !isShort) {
			before = from + Math.ceil((before - from) / 2);
			isWhole = false;
			continue;
		}
		if (found.isFull) return found.end({ since: found.cut() }, true);
		return found.end({ since: Math.max(walk.state.since, isWhole ? (found.latest ?? 0) : before - 1_000) }, !isWhole);
	}
}

/** Only the newest few, of which nothing is kept. */
export async function walkNewest<R extends Row>(walk: Walk<R>): Promise<Walked<R>> {
	const found = new Found(walk);
	const size = String(walk.most);
	const answer = await walk.ask(walk.path, { state: 'all', sort: 'created', direction: 'desc', per_page: size, limit: size });
	if (answer) found.add(answer.rows, answer.bytes);
	return found.end(walk.state, answer?.hasNext === true);
}

class Found<R extends Row> {
	readonly #walk: Walk<R>;
	readonly #rows = new Map<number, { row: R; raw: unknown }>();
	latest: number | undefined;
	#bytes = 0;
	#broken = 0;

	constructor(walk: Walk<R>) {
		this.#walk = walk;
	}

	add(rows: readonly unknown[], bytes: number): void {
		this.#bytes += bytes;
		for (const one of rows) {
			const row = this.#walk.schema.safeParse(one).data;
			if (!row) {
				this.#broken += 1;
				continue;
			}
			this.latest = Math.max(this.latest ?? 0, row.updated_at);
			if (!this.#walk.isKnown(row)) this.#rows.set(row.id, { row, raw: one });
		}
	}

	get isAny(): boolean {
		return this.#rows.size > 0;
	}

	get isFull(): boolean {
		return this.#rows.size > this.#walk.most;
	}

	/** When the last of those that are given now was changed. */
	cut(): number {
		return this.#sorted().at(-1)?.row.updated_at ?? this.#walk.state.since;
	}

	end(state: WalkState, more: boolean): Walked<R> {
		const rows = this.#sorted().map(({ row, raw }) => ({ ...row, fetchedHash: sha256(JSON.stringify(raw)) }));
		return { rows, state, more, bytes: this.#bytes, broken: this.#broken };
	}

	#sorted(): { row: R; raw: unknown }[] {
		const rows = [...this.#rows.values()].sort((a, b) => a.row.updated_at - b.row.updated_at || a.row.id - b.row.id);
		return rows.slice(0, this.#walk.most);
	}
}

/** Whole seconds, as the servers keep them: rounded down, so that nothing is left out. */
function iso(ms: number): string {
	return `${new Date(Math.floor(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`;
}
