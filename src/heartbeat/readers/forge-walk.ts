import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import type { Validators } from '../source-fetch.ts';
import type { AskForge, Page } from './forge.ts';

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
 * others over the edge of a page. Only a second in which more changed than a page holds is turned by pages.
 */
export async function walkSorted<R extends Row>(walk: Walk<R>): Promise<Walked<R>> {
	const found = new Found(walk);
	const pages = new Pages(walk);
	let since = walk.state.since - OVERLAP_MS;
	let page = 1;
	for (let count = 1; ; count++) {
		const query = { state: 'all', sort: 'updated', direction: 'asc', since: iso(since), per_page: '100' };
		const isFirst = count === 1;
		const answer = await pages.turn(query, page, isFirst ? { etag: walk.state.etag } : undefined);
		if (!answer) return found.end(walk.state, false);
		const last = found.add(answer.rows, answer.bytes) ?? since;
		if (found.isFull) return found.end({ since: answer.moved ? since : found.cut() }, true);
		if (!answer.hasNext && !answer.moved) {
			const reached = Math.max(walk.state.since, found.latest ?? 0);
			const etag = isFirst && reached === walk.state.since ? answer.validators.etag : undefined;
			return found.end({ since: reached, ...(etag !== undefined && { etag }) }, false);
		}
		if (count >= (page > 1 ? MOST_PAGES : MOST_REQUESTS)) return found.end({ since: Math.max(last, since + 1_000) }, true);
		if (answer.moved) page = 1;
		else [since, page] = last > since ? [last, 1] : [since, page + 1];
	}
}

/** Where it sorts by age (Gitea): all pages of a span of time, which is made shorter until they are few. */
export async function walkSpans<R extends Row>(walk: Walk<R>): Promise<Walked<R>> {
	const from = walk.state.since - OVERLAP_MS;
	let before = walk.now + 86_400_000;
	let isWhole = true;
	for (;;) {
		const found = new Found(walk);
		const pages = new Pages(walk);
		const isShort = before - from <= 4 * OVERLAP_MS;
		const most = isShort ? MOST_PAGES : MOST_REQUESTS;
		let page = 1;
		for (let count = 1; page <= most && count <= 2 * MOST_PAGES; count++) {
			const query = { state: 'all', since: iso(from), before: iso(before), limit: '50' };
			const answer = await pages.turn(query, page);
			if (answer) found.add(answer.rows, answer.bytes);
			if (answer?.moved) page = 1;
			else if (answer?.hasNext) page += 1;
			else break;
		}
		if (page > most && !isShort) {
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

/**
 * Pages of a list that others change meanwhile: what leaves it moves what comes behind it over the edge of the page that is turned next. So
 * with each page the one before is asked for once more; another than it was, and the pages are to be turned from the first one again.
 */
class Pages {
	readonly #walk: Pick<Walk<Row>, 'ask' | 'path'>;
	#before = '';

	constructor(walk: Pick<Walk<Row>, 'ask' | 'path'>) {
		this.#walk = walk;
	}

	/** Undefined where nothing changed since the validators. */
	async turn(query: Readonly<Record<string, string>>, page: number, validators?: Validators): Promise<Turned | undefined> {
		const ask = (number: number) => this.#walk.ask(this.#walk.path, { ...query, page: String(number) }, validators);
		const answer = await ask(page);
		if (!answer) return undefined;
		const again = page > 1 ? await ask(page - 1) : undefined;
		const moved = again !== undefined && idsOf(again.rows) !== this.#before;
		this.#before = idsOf(answer.rows);
		return { ...answer, bytes: answer.bytes + (again?.bytes ?? 0), moved };
	}
}

interface Turned extends Page {
	/** Something may lie between this page and the one before. */
	readonly moved: boolean;
}

function idsOf(rows: readonly unknown[]): string {
	return JSON.stringify(rows.map((row) => Identified.safeParse(row).data?.id ?? null));
}

const Identified = z.object({ id: z.number() });

class Found<R extends Row> {
	readonly #walk: Walk<R>;
	readonly #rows = new Map<number, { row: R; raw: unknown }>();
	latest: number | undefined;
	#bytes = 0;
	#broken = 0;

	constructor(walk: Walk<R>) {
		this.#walk = walk;
	}

	/** Gives when the last of these was changed. */
	add(rows: readonly unknown[], bytes: number): number | undefined {
		let latest: number | undefined;
		this.#bytes += bytes;
		for (const one of rows) {
			const row = this.#walk.schema.safeParse(one).data;
			if (!row) {
				this.#broken += 1;
				continue;
			}
			latest = Math.max(latest ?? 0, row.updated_at);
			if (!this.#walk.isKnown(row)) this.#rows.set(row.id, { row, raw: one });
		}
		if (latest !== undefined) this.latest = Math.max(this.latest ?? 0, latest);
		return latest;
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
