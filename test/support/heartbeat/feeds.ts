import { createHash } from 'node:crypto';
import { type Answer, startWebServer, type WebServer } from '../web-server.ts';

/** An entry of a feed that a test serves. */
export interface Entry {
	readonly id?: string | undefined;
	readonly link?: string | undefined;
	readonly title?: string | undefined;
	readonly text?: string | undefined;
	readonly date?: string | undefined;
}

const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
const tag = (name: string, text: string | undefined): string => (text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`);

/** Newest first, as feeds are. */
export function rss(entries: readonly Entry[], title = 'The village paper'): string {
	const items = entries.map(
		({ id, link, title: head, text, date }) =>
			`<item>${tag('title', head)}${tag('link', link)}${id === undefined ? '' : `<guid isPermaLink="false">${escaped(id)}</guid>`}${tag('pubDate', date)}${tag('description', text)}</item>`,
	);
	return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escaped(title)}</title><link>https://paper.example/</link>${items.join('')}</channel></rss>`;
}

export function atom(entries: readonly Entry[], title = 'The village paper'): string {
	const items = entries.map(
		({ id, link, title: head, text, date }) =>
			`<entry>${tag('id', id)}${tag('title', head)}${link === undefined ? '' : `<link href="${escaped(link)}"/>`}${tag('updated', date)}<content type="html">${escaped(text ?? '')}</content></entry>`,
	);
	return `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${escaped(title)}</title>${items.join('')}</feed>`;
}

export interface FeedServer extends WebServer {
	/** What `/feed` answers from now on; with validators, and 304 to who has it. */
	serve(body: string | Uint8Array, contentType?: string): void;
	/** Whole answers so far, without those that nothing changed. */
	readonly given: () => number;
}

export async function startFeedServer(): Promise<FeedServer> {
	const web = await startWebServer();
	let given = 0;
	return Object.assign(web, {
		serve: (body: string | Uint8Array, contentType = 'application/rss+xml; charset=utf-8') => {
			const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
			const answer: Answer = (request, response) => {
				if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
				given += 1;
				response.writeHead(200, { 'content-type': contentType, etag }).end(body);
			};
			web.on('/feed', answer);
		},
		given: () => given,
	});
}
