import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { systemCode } from '../base/system-code.ts';
import type { SourcePreview } from '../contract/methods/heartbeat.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import { WatchedPlace } from '../domain/heartbeat.ts';
import { parseJson } from '../domain/json.ts';
import { cutCodePoints } from '../domain/text.ts';
import { beginsPage } from '../tools/web/begins-page.ts';
import { decodePage } from '../tools/web/charset.ts';
import { COMMON_PATHS, kindOfLink, type NamedPlace, namedOnPage } from './discover-links.ts';
import { textOf } from './item-store.ts';
import type { Reading } from './ports.ts';
import type { SourceAnswer, SourceFetch } from './source-fetch.ts';

export interface DiscoverDeps {
	readonly fetchSource: SourceFetch;
	/** Reads a place of which nothing is kept. */
	readonly look: (place: WatchedPlace, secret: string | undefined, signal: AbortSignal) => Promise<Reading>;
	readonly servers: () => readonly string[];
	readonly now: () => number;
}

const MOST_SHOWN = 5;
const MOST_BYTES = 4 * 1024 * 1024;
const ACCEPT =
	'text/html, application/rss+xml, application/atom+xml, application/feed+json, text/calendar, application/xml;q=0.9, */*;q=0.5';
/** Of what a page names as its feed. */
const NO_FEED: ReadonlySet<string> = new Set(['source_unreadable', 'source_missing', 'source_gone']);
const FEED = /<(?:\w+:)?(?:rss|feed|rdf)[\s>]/i;

/** What is at a pasted link, and what it would bring. Keeps nothing. Rejects with what is wrong, in words. */
export async function discover(deps: DiscoverDeps, link: string, secret: string | undefined, signal: AbortSignal): Promise<SourcePreview> {
	const found = kindOfLink(link, deps.servers());
	if (found.kind === 'path') return previewOf(deps, await placeOfPath(found.path), secret, signal);
	if (found.kind === 'place') return previewOf(deps, found.place, secret, signal);
	if (found.also && (await isGitea(deps, found.also.baseUrl, signal)))
		return previewOf(deps, { kind: 'issues', service: 'gitea', ...found.also }, secret, signal);
	return atAddress(deps, found.url, secret, signal);
}

/** Of a whole place: its newest items. */
export async function previewOf(
	deps: DiscoverDeps,
	place: WatchedPlace,
	secret: string | undefined,
	signal: AbortSignal,
	found: readonly NamedPlace[] = [],
): Promise<SourcePreview> {
	const plain = { place, title: nameOf(place), found: [...found] };
	if (place.kind === 'mailbox' && secret === undefined)
		return { ...plain, items: [], total: 0, note: 'Enter the password to look into it.' };
	const { title, items, note, more } = await deps.look(place, secret, signal);
	const shown = items.slice(-MOST_SHOWN).toReversed();
	const said = note ?? (more ? 'There is more than is counted here.' : undefined);
	return {
		...plain,
		title: cutCodePoints(title?.trim() ?? '', 100) || plain.title,
		items: shown.map((item) => ({
			title: cutCodePoints(item.title, 300),
			...(item.publishedAt !== undefined && { publishedAt: Math.min(deps.now(), item.publishedAt) }),
			text: cutCodePoints(textOf(item), 500),
		})),
		total: items.length,
		...(said !== undefined && { note: said }),
	};
}

async function atAddress(deps: DiscoverDeps, url: string, secret: string | undefined, signal: AbortSignal): Promise<SourcePreview> {
	const answer = await open(deps, url, secret, signal);
	const at = answer.url.href;
	const kind = kindOfAnswer(answer);
	if (kind !== 'page') return previewOf(deps, WatchedPlace.parse({ kind, url: at }), secret, signal);
	const html = decodePage(answer.body, answer.contentType, MOST_BYTES) ?? '';
	const named = namedOnPage(html, at);
	const feeds = named.some(({ place }) => place.kind === 'feed') ? named : [...(await commonFeeds(deps, answer.url, signal)), ...named];
	const page: NamedPlace = { title: 'The page itself', place: WatchedPlace.parse({ kind: 'page', url: at }) };
	if (feeds.length === 0) return previewOf(deps, page.place, secret, signal);
	if (feeds.length === 1 && feeds[0]) return feedOrPage(deps, feeds[0].place, page, secret, signal);
	const title = /<title[^>]{0,300}>([^<]{1,300})/i.exec(html)?.[1]?.trim() ?? answer.url.host;
	return { title: cutCodePoints(title, 100), found: [...feeds, page], items: [], total: 0 };
}

/** The page itself where what it calls its feed is none. */
async function feedOrPage(
	deps: DiscoverDeps,
	feed: WatchedPlace,
	page: NamedPlace,
	secret: string | undefined,
	signal: AbortSignal,
): Promise<SourcePreview> {
	try {
		return await previewOf(deps, feed, secret, signal, [page]);
	} catch (error) {
		if (!(error instanceof HearthError) || !NO_FEED.has(error.code)) throw error;
		return previewOf(deps, page.place, secret, signal);
	}
}

type Answer = Extract<SourceAnswer, { kind: 'answer' }>;

async function open(deps: DiscoverDeps, url: string, secret: string | undefined, signal: AbortSignal): Promise<Answer> {
	const request = { url, accept: ACCEPT, signal, maxBytes: MOST_BYTES, now: deps.now(), elsewhere: 'public' as const };
	const answer = await deps.fetchSource({
		...request,
		...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` }, signedIn: true }),
	});
	if (answer.kind === 'answer') return answer;
	throw terminal('network_bad_response', `${new URL(url).host} did not say what is there.`);
}

function kindOfAnswer({ body, contentType }: Answer): 'feed' | 'calendar' | 'page' {
	const head = Buffer.from(body.subarray(0, 2_000)).toString('latin1');
	if (/^text\/calendar/i.test(contentType) || /^\s*(?:\u00ef\u00bb\u00bf)?BEGIN:VCALENDAR/i.test(head)) return 'calendar';
	// A page is one whatever its server calls it.
	if (beginsPage(head)) return 'page';
	if (/^application\/(?:rss|atom|rdf|feed)\+/i.test(contentType)) return 'feed';
	if (/jsonfeed\.org\/version/i.test(head)) return 'feed';
	return FEED.test(head) && !/<html[\s>]/i.test(head) ? 'feed' : 'page';
}

/** Few questions, each small; what does not answer is no feed. */
async function commonFeeds(deps: DiscoverDeps, page: URL, signal: AbortSignal): Promise<NamedPlace[]> {
	for (const path of COMMON_PATHS) {
		const url = new URL(path, page).href;
		try {
			const answer = await open(deps, url, undefined, signal);
			if (kindOfAnswer(answer) === 'feed') return [{ title: path, place: WatchedPlace.parse({ kind: 'feed', url: answer.url.href }) }];
		} catch (error) {
			if (!(error instanceof HearthError) || signal.aborted) throw error;
		}
	}
	return [];
}

async function isGitea(deps: DiscoverDeps, baseUrl: string, signal: AbortSignal): Promise<boolean> {
	try {
		const answer = await open(deps, `${baseUrl}/api/v1/version`, undefined, signal);
		const said = parseJson(Buffer.from(answer.body).toString('utf8'));
		return typeof said === 'object' && said !== null && 'version' in said;
	} catch (error) {
		if (!(error instanceof HearthError) || signal.aborted) throw error;
		return false;
	}
}

async function placeOfPath(path: string): Promise<WatchedPlace> {
	try {
		const found = await stat(path);
		if (found.isDirectory()) return { kind: 'folder', path };
		if (/\.ics$/i.test(path)) return { kind: 'calendar_file', path };
	} catch (error) {
		if (systemCode(error) === 'ENOENT') throw terminal('not_found', 'There is nothing at that path.', { action: 'Check the path.' });
		throw terminal('invalid_input', `That path can’t be read (${systemCode(error)}).`, { cause: error });
	}
	throw terminal('invalid_input', 'That is a single file.', { action: 'Take the folder that it lies in, or a calendar file (.ics).' });
}

/** What it is called until the owner says otherwise. */
function nameOf(place: WatchedPlace): string {
	switch (place.kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return new URL(place.url).host;
		case 'folder':
		case 'calendar_file':
			return basename(place.path) || place.path;
		case 'mailbox':
			return cutCodePoints(`${place.user}, ${place.mailbox}`, 100);
		case 'issues':
			return place.repository;
		case 'resource':
			return cutCodePoints(`${place.server} ${place.uri}`, 100);
	}
}
