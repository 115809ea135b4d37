import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createFeedReader } from '../../src/heartbeat/readers/feed.ts';
import { createPageReader } from '../../src/heartbeat/readers/page.ts';
import { createSourceFetch } from '../../src/heartbeat/source-fetch.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { createPageFetch } from '../../src/net/page.ts';
import { atom, type Entry, rss, startFeedServer } from '../support/heartbeat/feeds.ts';
import { html, send, startWebServer } from '../support/web-server.ts';
import { describeSourceReader, type ReaderStage } from './source-reader.ts';

const TOKEN = 'token-of-a-feed';
const failing = send('', 'text/plain', 503);

async function feedStage(write: (entries: readonly Entry[]) => string): Promise<ReaderStage<'feed'>> {
	const web = await startFeedServer();
	onTestFinished(() => web.close());
	let entries: Entry[] = [];
	const serve = async (next: Entry[]): Promise<void> => {
		entries = next;
		web.serve(write(entries));
	};
	return {
		reader: createFeedReader({ fetchSource: createSourceFetch(createGuardedFetch()) }),
		place: { kind: 'feed', url: `${web.url}/feed`, secretAddress: false },
		secret: TOKEN,
		put: (name, text) => serve([{ id: `urn:${name}`, link: `https://paper.example/${name}`, title: '', text }, ...entries]),
		rename: () => serve(entries.toReversed().map((entry) => ({ ...entry, id: `new:${entry.id}` }))),
		hide: async () => void web.on('/feed', failing),
		show: () => serve(entries),
		contents: async () => web.asked.filter((line) => !line.startsWith('GET ')),
	};
}

describeSourceReader('RSS', () => feedStage(rss));
describeSourceReader('Atom', () => feedStage(atom));

describeSourceReader('page', async () => {
	const web = await startWebServer();
	onTestFinished(() => web.close());
	const fetch = createGuardedFetch();
	const paragraphs: string[] = [];
	const serve = async (): Promise<void> =>
		void web.on('/page', html(`<main>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</main>`));
	return {
		reader: createPageReader({ fetchSource: createSourceFetch(fetch), fetchPage: createPageFetch(fetch), clock: systemClock }),
		place: { kind: 'page', url: `${web.url}/page`, secretAddress: false },
		secret: TOKEN,
		put: (_, text) => {
			paragraphs.push(text);
			return serve();
		},
		rename: () => {
			paragraphs.reverse();
			return serve();
		},
		hide: async () => void web.on('/page', failing),
		show: serve,
		contents: async () => web.asked.filter((line) => !line.startsWith('GET ')),
	};
});
