import { startWebServer, type WebServer } from '../../support/web-server.ts';

interface Post {
	title: string;
	text: string;
}

/** A site on loopback: a page that names its feed, and the feed. Posts may be added while it stands. */
export interface FeedSite {
	/** The page; its feed is at `/feed.xml`. */
	readonly url: string;
	readonly posts: Post[];
	readonly web: WebServer;
	close(): Promise<void>;
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);

export async function startFeedSite(title: string, first: readonly Post[]): Promise<FeedSite> {
	const web = await startWebServer();
	const posts = [...first];
	const began = Date.now();
	web.on('/', (_request, response) => {
		response
			.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
			.end(
				`<!doctype html><title>${escaped(title)}</title><link rel="alternate" type="application/rss+xml" title="${escaped(title)}" href="/feed.xml"><p>Hello.</p>`,
			);
	});
	web.on('/feed.xml', (_request, response) => {
		const items = posts.map(
			(post, index) =>
				`<item><guid isPermaLink="false">post-${index}</guid><title>${escaped(post.title)}</title><link>${web.url}/post-${index}</link>` +
				`<pubDate>${new Date(began - (posts.length - index) * 60_000).toUTCString()}</pubDate><description>${escaped(post.text)}</description></item>`,
		);
		response
			.writeHead(200, { 'content-type': 'application/rss+xml; charset=utf-8' })
			.end(
				`<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escaped(title)}</title><link>${web.url}</link>${items.toReversed().join('')}</channel></rss>`,
			);
	});
	return { url: web.url, posts, web, close: () => web.close() };
}
