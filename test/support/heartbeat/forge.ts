import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer, type WebServer } from '../web-server.ts';

/** What a forge keeps of an issue, a pull request or a comment; times in whole seconds, as it has them. */
export interface ForgeRow {
	readonly id: number;
	created: number;
	updated: number;
	/** The rest as the REST interface gives it. */
	body: Record<string, unknown>;
}

export interface ForgeServer extends WebServer {
	readonly issues: ForgeRow[];
	readonly comments: ForgeRow[];
	readonly reviews: ForgeRow[];
	/** Where set, it wants this token. */
	token: string | undefined;
	/** Looks at each question first; true: it was answered. */
	before: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
	/** Whole answers so far, without those that nothing changed. */
	readonly given: () => number;
	issue(title: string, at: number, more?: Record<string, unknown>): ForgeRow;
	comment(on: number, body: string, at: number): ForgeRow;
	review(on: number, body: string, at: number): ForgeRow;
}

export const REPOSITORY = 'ada/engine';

/** The part of GitHub's, or of Gitea's, REST interface that lists what changed, with their ways to sort, to page and to say that nothing is new. */
export async function startForge(service: 'github' | 'gitea', pageSize?: number): Promise<ForgeServer> {
	const web = await startWebServer();
	let [id, number, given] = [100, 0, 0];
	const row = (at: number, body: Record<string, unknown>): ForgeRow => {
		id += 1;
		return { id, created: at, updated: at, body: { id, user: { login: 'grace' }, ...body } };
	};
	const forge: ForgeServer = Object.assign(web, {
		issues: [] as ForgeRow[],
		comments: [] as ForgeRow[],
		reviews: [] as ForgeRow[],
		token: undefined as string | undefined,
		before: undefined as ForgeServer['before'],
		given: () => given,
		issue: (title: string, at: number, more: Record<string, unknown> = {}) => {
			number += 1;
			const address = `${web.url}/${REPOSITORY}/issues/${number}`;
			const made = row(at, { number, title, body: '', state: 'open', html_url: address, closed_at: null, ...more });
			forge.issues.push(made);
			return made;
		},
		comment: (on: number, body: string, at: number) => {
			const address = `${web.url}/${REPOSITORY}/issues/${on}`;
			const made = row(at, { body, html_url: `${address}#comment`, issue_url: address });
			forge.comments.push(made);
			return made;
		},
		review: (on: number, body: string, at: number) => {
			const address = `${web.url}/${REPOSITORY}/pulls/${on}`;
			const made = row(at, { body, html_url: `${address}#review`, pull_request_url: address, path: 'src/engine.ts' });
			forge.reviews.push(made);
			return made;
		},
	});
	const list = (rows: ForgeRow[]) => (request: IncomingMessage, response: ServerResponse) => {
		if (forge.before?.(request, response)) return;
		if (forge.token !== undefined && !request.headers.authorization?.endsWith(` ${forge.token}`)) {
			response.writeHead(request.headers.authorization === undefined ? 404 : 401).end('{"message":"no, dear sk-user"}');
			return;
		}
		const url = new URL(request.url ?? '/', web.url);
		const time = (name: string, otherwise: number) => {
			const written = url.searchParams.get(name);
			return written === null ? otherwise : Date.parse(written);
		};
		const size = Math.min(pageSize ?? 100, Number(url.searchParams.get(service === 'github' ? 'per_page' : 'limit') ?? 30));
		const page = Number(url.searchParams.get('page') ?? 1);
		const [since, before] = [time('since', 0), service === 'gitea' ? time('before', Infinity) : Infinity];
		const found = rows.filter(({ updated }) => updated >= since && updated <= before);
		const isSorted = service === 'github' && url.searchParams.get('sort') === 'updated' && url.searchParams.get('direction') === 'asc';
		// As GitHub sorts by itself, and Gitea always.
		found.sort((a, b) => (isSorted ? a.updated - b.updated || a.id - b.id : b.created - a.created || b.id - a.id));
		const shown = found.slice((page - 1) * size, page * size).map(({ body, created, updated }) => ({
			...body,
			created_at: stamp(created),
			updated_at: stamp(updated),
		}));
		const text = JSON.stringify(shown);
		const etag = `"${text.length}-${shown.map((one) => `${(one as { updated_at?: string }).updated_at}`).join()}"`;
		const next = new URL(url);
		next.searchParams.set('page', String(page + 1));
		const headers = {
			'content-type': 'application/json',
			...(service === 'github' && { etag }),
			...(page * size < found.length && { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` }),
		};
		if (service === 'github' && request.headers['if-none-match'] === etag) {
			response.writeHead(304, headers).end();
			return;
		}
		given += 1;
		response.writeHead(200, headers).end(text);
	};
	const base = `/api/${service === 'github' ? 'v3' : 'v1'}/repos/${REPOSITORY}`;
	web.on(`${base}/issues`, list(forge.issues));
	web.on(`${base}/issues/comments`, list(forge.comments));
	web.on(`${base}/pulls/comments`, list(forge.reviews));
	return forge;
}

function stamp(at: number): string {
	return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
