import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { HearthError } from '../../domain/errors.ts';
import type { Timestamp } from '../../domain/ids.ts';
import { canonicalJson } from '../../domain/json.ts';
import { GLANCE_ITEMS, type ReadItem, type Reading, type ReadRequest, type SourceReader } from '../ports.ts';
import type { SourceFetch } from '../source-fetch.ts';
import { webAddress } from '../web-address.ts';
import { Comment, forgeOf, Issue } from './forge.ts';
import { type Fetched, type Row, type Walk, type Walked, WalkState, walkNewest, walkSorted, walkSpans } from './forge-walk.ts';

/** What was changed before is none of the first reading's. */
const FIRST_MS = 30 * 86_400_000;

const LISTS = ['issues', 'comments', 'reviews'] as const;
type List = (typeof LISTS)[number];
const PATHS: Readonly<Record<List, string>> = { issues: 'issues', comments: 'issues/comments', reviews: 'pulls/comments' };

const Cursor = z.object({ issues: WalkState, comments: WalkState, reviews: WalkState });
type Cursor = z.infer<typeof Cursor>;

/**
 * Issues, pull requests and comments of a repository. One that is seen for the first time is an item, whenever it was opened; then each change
 * of its title or state is a short one. A comment is one once, whatever becomes of its text.
 */
export function createIssuesReader({ fetchSource }: { fetchSource: SourceFetch }): SourceReader<'issues'> {
	return { kind: 'issues', read: (request) => new IssuesReading(request, fetchSource).read() };
}

class IssuesReading {
	readonly #request: ReadRequest<'issues'>;
	readonly #fetchSource: SourceFetch;
	readonly #titles = new Map<number, string>();
	readonly #items: { at: Timestamp; item: ReadItem }[] = [];

	constructor(request: ReadRequest<'issues'>, fetchSource: SourceFetch) {
		this.#request = request;
		this.#fetchSource = fetchSource;
	}

	async read(): Promise<Reading> {
		const { place, now } = this.#request;
		const begin = { since: now - FIRST_MS };
		const cursor: Cursor = Cursor.safeParse(this.#request.cursor).data ?? { issues: begin, comments: begin, reviews: begin };
		let [more, bytes, broken] = [false, 0, 0];
		let later: HearthError | undefined;
		for (const list of LISTS) {
			// Gitea lists these one pull request at a time.
			if (list === 'reviews' && place.service === 'gitea') continue;
			try {
				const walked = await this.#walk(list, cursor[list]);
				cursor[list] = walked.state;
				more ||= walked.more;
				bytes += walked.bytes;
				broken += walked.broken;
			} catch (error) {
				// What is there is kept, else a server that allows few questions would never be read to the end.
				if (!(error instanceof HearthError) || error.kind !== 'retryable' || this.#items.length === 0) throw error;
				later = error;
				break;
			}
		}
		const note = later
			? `Not all could be read this time: ${later.message}`
			: broken > 0
				? `${broken === 1 ? 'One entry' : `${broken} entries`} can’t be read.`
				: undefined;
		return {
			items: this.#items.sort((a, b) => a.at - b.at).map(({ item }) => item),
			cursor,
			more: more && later === undefined,
			bytes,
			title: place.repository,
			...(note !== undefined && { note }),
		};
	}

	async #walk(list: List, state: WalkState): Promise<Pick<Walked<Row>, 'state' | 'more' | 'bytes' | 'broken'>> {
		const { known } = this.#request;
		if (list === 'issues') {
			const walked = await this.#by(list, state, { schema: Issue, isKnown: (issue) => known([versionKey(issue)]) });
			for (const issue of walked.rows) this.#take(issue.updated_at, this.#issueItem(issue));
			return walked;
		}
		const walked = await this.#by(list, state, { schema: Comment, isKnown: ({ id }) => known([`${list}:${id}`]) });
		for (const comment of walked.rows) this.#take(comment.created_at, this.#commentItem(comment, `${list}:${comment.id}`));
		return walked;
	}

	#by<R extends Row>(list: List, state: WalkState, how: Pick<Walk<R>, 'schema' | 'isKnown'>): Promise<Walked<R>> {
		const { place, now, limits } = this.#request;
		const ask = forgeOf(this.#request, this.#fetchSource);
		const walk = { ...how, ask, path: PATHS[list], state, now, most: Math.max(0, limits.maxItems - this.#items.length) };
		if (this.#request.glance) return walkNewest({ ...walk, most: GLANCE_ITEMS });
		return place.service === 'github' ? walkSorted(walk) : walkSpans(walk);
	}

	#take(at: Timestamp, item: ReadItem): void {
		this.#items.push({ at, item });
	}

	#issueItem(issue: Fetched<Issue>): ReadItem {
		const { id, number, title, body, created_at, updated_at } = issue;
		this.#titles.set(number, title);
		const name = `issue:${id}`;
		const isChange = this.#request.known([name]);
		const kind = issue.pull_request ? 'Pull request' : 'Issue';
		const state = `${kind} #${number} is ${isChange ? 'now ' : ''}${stateOf(issue)}.`;
		return {
			keys: isChange ? [versionKey(issue)] : [name, versionKey(issue)],
			title: `#${number} ${title}`,
			...this.#around(issue, isChange ? updated_at : created_at),
			text: isChange ? state : `${state}\n\n${body ?? ''}`.trim(),
		};
	}

	#commentItem(comment: Fetched<Comment>, key: string): ReadItem {
		const number = /(\d+)\/?$/.exec(comment.issue_url || comment.pull_request_url || '')?.[1];
		const title = this.#titles.get(Number(number));
		const on = number === undefined ? 'Comment' : `Comment on #${number}`;
		const where = comment.path ? `On ${comment.path}:\n\n` : '';
		return {
			keys: [key],
			title: title === undefined ? on : `${on} ${title}`,
			...this.#around(comment, comment.created_at),
			text: `${where}${comment.body ?? ''}`,
		};
	}

	#around(row: Fetched<Issue | Comment>, at: Timestamp): Pick<ReadItem, 'url' | 'author' | 'publishedAt' | 'fetchedHash'> {
		const url = webAddress(row.html_url);
		return {
			...(url !== undefined && { url }),
			...(row.user?.login !== undefined && { author: row.user.login }),
			publishedAt: Math.min(at, this.#request.now),
			fetchedHash: row.fetchedHash,
		};
	}
}

/** What people see at a glance. That it is closed a second time is another version. */
function versionKey({ id, title, state, state_reason, closed_at, pull_request }: Issue): string {
	const seen = [title, state, state_reason ?? null, closed_at ?? null, pull_request?.merged_at ?? null];
	return `issue:${id}:${sha256(canonicalJson(seen))}`;
}

function stateOf({ state, state_reason, pull_request }: Issue): string {
	if (pull_request?.merged || typeof pull_request?.merged_at === 'string') return 'merged';
	const reason = state_reason?.replaceAll('_', ' ');
	return reason === undefined ? state : `${state} (${reason})`;
}
