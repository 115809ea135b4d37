import { sha256 } from '../../src/base/sha256.ts';
import { startWebServer } from '../../test/support/web-server.ts';

/** Real feeds on this machine: Atom, with an ETag each. */

export interface Post {
	readonly id: string;
	readonly title: string;
	readonly author: string;
	readonly text: string;
}

export interface Feeds {
	/** A feed is at `/<name>.xml`. */
	readonly url: string;
	/** Oldest first. */
	put(name: string, title: string, posts: readonly Post[]): void;
	close(): Promise<void>;
}

const BEGAN = Date.UTC(2026, 8, 1, 8);
const HOUR = 3_600_000;

export async function startFeeds(): Promise<Feeds> {
	const web = await startWebServer();
	const { url } = web;
	return {
		url,
		put: (name, title, posts) => {
			const entries = posts.map(({ id, title: head, author, text }, n) => {
				const at = new Date(BEGAN + n * HOUR).toISOString();
				const link = escaped(`${url}/posts/${encodeURIComponent(id)}`);
				return `<entry><id>${link}</id><link href="${link}"/><title>${escaped(head)}</title><author><name>${escaped(author)}</name></author><published>${at}</published><updated>${at}</updated><content type="text">${escaped(text)}</content></entry>`;
			});
			const head = `<title>${escaped(title)}</title><id>${escaped(`${url}/${name}.xml`)}</id><updated>${new Date(BEGAN).toISOString()}</updated>`;
			const body = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">${head}${entries.reverse().join('')}</feed>`;
			const etag = `"${sha256(body).slice(0, 16)}"`;
			web.on(`/${name}.xml`, (request, response) => {
				if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
				response.writeHead(200, { 'content-type': 'application/atom+xml; charset=utf-8', etag }).end(body);
			});
		},
		close: () => web.close(),
	};
}

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
