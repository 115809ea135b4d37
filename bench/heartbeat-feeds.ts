import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atom, type Entry, rss } from '../test/support/heartbeat/feeds.ts';
import { seeded } from './numbers.ts';

/** Many feeds on real loopback servers, a few a server, that go on publishing and now and then change what a feed should not. */
export interface Feeds {
	readonly urls: readonly string[];
	/** Numbers of all entries that were ever published. */
	readonly published: () => number;
	/** Bytes of bodies and answers since the last call. */
	bytes(): { bodies: number; answers: number; unchanged: number };
	/** So many feeds get one to three new entries each; older ones leave their window. Returns how many. */
	goOn(feeds: number): number;
	close(): Promise<void>;
}

interface Feed {
	entries: (Entry & { readonly number: number })[];
	/** Half of them do not know ETag. */
	readonly validates: boolean;
	readonly format: typeof rss;
	idPrefix: string;
	body: string;
	etag: string;
}

const A_SERVER = 10;
const NOUNS = 'bridge mill school council river garden choir bakery library orchard tower market harbour meadow station theatre'.split(' ');
const VERBS = 'opens closes wins sings moves grows falls returns waits turns begins ends changes welcomes replaces repairs'.split(' ');

export async function startFeeds({ feeds: count, entries, seed }: { feeds: number; entries: number; seed: number }): Promise<Feeds> {
	const random = seeded(seed);
	const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
	let published = 0;
	const write = (): Entry & { number: number } => {
		const number = published++;
		const sentences = Array.from(
			{ length: 8 },
			() => `The ${one(NOUNS)} by the ${one(NOUNS)} ${one(VERBS)} while the ${one(NOUNS)} ${one(VERBS)}.`,
		);
		return {
			number,
			id: `${number}`,
			link: `https://paper.example/${number}`,
			title: `The ${one(NOUNS)} ${one(VERBS)}, number ${number}`,
			text: `<p>Report ${number} of this paper. ${sentences.join('</p><p>')}</p>`,
			date: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toUTCString(),
		};
	};
	const publish = (feed: Feed): void => {
		feed.body = feed.format(
			feed.entries.map((entry) => ({ ...entry, id: `${feed.idPrefix}${entry.id}` })),
			'A paper',
		);
		feed.etag = `"${createHash('sha256').update(feed.body).digest('hex').slice(0, 16)}"`;
	};
	const all = Array.from({ length: count }, (_, at): Feed => {
		const feed: Feed = { entries: [], validates: at % 2 === 0, format: at % 3 === 0 ? atom : rss, idPrefix: 'urn:', body: '', etag: '' };
		for (let number = 0; number < entries; number += 1) feed.entries.unshift(write());
		publish(feed);
		return feed;
	});
	let [bodies, answers, unchanged] = [0, 0, 0];
	const servers: Server[] = [];
	const urls: string[] = [];
	for (let first = 0; first < count; first += A_SERVER) {
		const server = createServer((request, response) => {
			const feed = all[Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1])];
			if (!feed) return void response.writeHead(404).end();
			if (feed.validates && request.headers['if-none-match'] === feed.etag) {
				unchanged += 1;
				return void response.writeHead(304).end();
			}
			answers += 1;
			bodies += Buffer.byteLength(feed.body);
			response
				.writeHead(200, { 'content-type': 'application/xml; charset=utf-8', ...(feed.validates && { etag: feed.etag }) })
				.end(feed.body);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		servers.push(server);
		const { port } = server.address() as AddressInfo;
		for (let at = first; at < Math.min(count, first + A_SERVER); at += 1) urls.push(`http://127.0.0.1:${port}/${at}`);
	}
	return {
		urls,
		published: () => published,
		bytes: () => {
			const since = { bodies, answers, unchanged };
			[bodies, answers, unchanged] = [0, 0, 0];
			return since;
		},
		goOn: (feeds) => {
			const before = published;
			for (let turn = 0; turn < feeds; turn += 1) {
				const feed = all[Math.floor(random() * all.length)];
				if (!feed) continue;
				const added = 1 + Math.floor(random() * 3);
				for (let number = 0; number < added; number += 1) feed.entries.unshift(write());
				feed.entries.length = entries;
				// What feeds do although they should not: other ids, another order, an entry twice.
				if (random() < 0.2) feed.idPrefix = `urn:${before}:`;
				if (random() < 0.1) feed.entries.sort((a, b) => ((a.number * 7) % 31) - ((b.number * 7) % 31));
				if (random() < 0.1 && feed.entries[0]) feed.entries[feed.entries.length - 1] = feed.entries[0];
				publish(feed);
			}
			return published - before;
		},
		close: async () => {
			for (const server of servers) {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
		},
	};
}
