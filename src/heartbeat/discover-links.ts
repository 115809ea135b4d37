import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { terminal } from '../domain/errors.ts';
import { WatchedPlace } from '../domain/heartbeat.ts';
import { ServerId } from '../domain/tool-server.ts';
import { bareText } from '../tools/web/bare-text.ts';
import { webAddress } from './web-address.ts';

/** What a pasted link is, as far as that can be told without opening it; and what a page names. Pure. */

export type LinkKind =
	| { readonly kind: 'path'; readonly path: string }
	| { readonly kind: 'place'; readonly place: WatchedPlace }
	/** To be opened. `also`: what it may be, where the server is of that kind. */
	| { readonly kind: 'address'; readonly url: string; readonly also?: { readonly baseUrl: string; readonly repository: string } };

/** `servers`: the tool servers there are. Throws `invalid_input` with what can be pasted. */
export function kindOfLink(written: string, servers: readonly string[]): LinkKind {
	const link = written.trim();
	if (/^file:/i.test(link)) return { kind: 'path', path: pathOf(link) };
	if (isAbsolute(link)) return { kind: 'path', path: link };
	if (/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(link) && !/^[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,})\//i.test(link))
		return placed({ kind: 'issues', service: 'github', repository: link });
	if (/^imaps?:\/\//i.test(link)) return placed(mailboxOf(link));
	const webcal = /^webcals?:\/\/(.+)$/i.exec(link)?.[1];
	if (webcal !== undefined) return placed({ kind: 'calendar', url: `https://${webcal}` });
	const resource = /^([a-z][a-z0-9]{1,23}):(.{2,})$/s.exec(link);
	if (resource?.[1] !== undefined && servers.includes(resource[1]))
		return placed({ kind: 'resource', server: ServerId.parse(resource[1]), uri: resource[2] });
	const address = /^https?:\/\//i.test(link)
		? link
		: /^[\w-]+(?:\.[\w-]+)+(?:[:/?#].*)?$|^localhost(?:[:/].*)?$/.test(link)
			? `https://${link}`
			: undefined;
	if (address === undefined || !URL.canParse(address)) throw notALink();
	return ofAddress(new URL(address));
}

function ofAddress(url: URL): LinkKind {
	if (url.username !== '' || url.password !== '')
		throw terminal('invalid_input', 'Leave user name and password out of the address.', { safe: 'Nothing was kept of it.' });
	const [owner, name, third] = url.pathname.split('/').filter((part) => part !== '');
	const repository = owner !== undefined && name !== undefined ? `${owner}/${name.replace(/\.git$/, '')}` : undefined;
	const isIssues = third === undefined || /^(?:issues|pulls?)$/.test(third);
	if (url.hostname === 'github.com' && repository !== undefined && isIssues)
		return placed({ kind: 'issues', service: 'github', repository });
	if (repository !== undefined && third !== undefined && isIssues)
		return { kind: 'address', url: url.href, also: { baseUrl: url.origin, repository } };
	return { kind: 'address', url: url.href };
}

function placed(place: unknown): LinkKind {
	const parsed = WatchedPlace.safeParse(place);
	if (!parsed.success) throw notALink();
	return { kind: 'place', place: parsed.data };
}

function mailboxOf(link: string): unknown {
	if (!URL.canParse(link)) throw notALink();
	// Of another scheme the parts of an address are not read as those of the web are.
	const url = new URL(link.replace(/^imap(s?):/i, (_, secure: string) => (secure === '' ? 'http:' : 'https:')));
	const isTls = /^imaps:/i.test(link);
	const mailbox = decodeURIComponent(url.pathname.replace(/^\//, ''));
	return {
		kind: 'mailbox',
		host: url.hostname,
		port: url.port === '' ? (isTls ? 993 : 143) : Number(url.port),
		security: isTls ? 'tls' : 'starttls',
		user: decodeURIComponent(url.username),
		...(mailbox !== '' && { mailbox }),
	};
}

function pathOf(link: string): string {
	try {
		return fileURLToPath(link);
	} catch (error) {
		if (error instanceof TypeError) throw notALink();
		throw error;
	}
}

function notALink() {
	return terminal('invalid_input', 'That is no link that could be watched.', {
		action: 'Paste the address of a page or a feed, owner/name of a GitHub project, the whole path of a folder, or imaps://name@server.',
	});
}

export interface NamedPlace {
	readonly title: string;
	readonly place: WatchedPlace;
}

const FEED_TYPE = /^(?:application\/(?:rss|atom|rdf|feed)\+(?:xml|json)|application\/json|text\/xml|application\/xml)$/i;
const MOST_FOUND = 20;
const MOST_TAGS = 5_000;

/** Feeds and calendars that a page names: in its head, or by plain links to calendars. */
export function namedOnPage(html: string, pageUrl: string): NamedPlace[] {
	const found = new Map<string, NamedPlace>();
	let tags = 0;
	for (const [tag, name] of html.matchAll(/<(link|a)\b[^<>]{1,3000}>/gi)) {
		if (++tags > MOST_TAGS || found.size >= MOST_FOUND) break;
		const href = attribute(tag, 'href');
		if (href === undefined) continue;
		const type = attribute(tag, 'type') ?? '';
		const isAlternate = name?.toLowerCase() === 'link' && /\balternate\b/i.test(attribute(tag, 'rel') ?? '');
		const isCalendar = /^webcals?:/i.test(href) || /\.ics(?:[?#]|$)/i.test(href) || (isAlternate && /^text\/calendar/i.test(type));
		const kind = isCalendar ? 'calendar' : isAlternate && FEED_TYPE.test(type) ? 'feed' : undefined;
		const url = kind && webAddress(href.replace(/^webcals?:/i, 'https:'), pageUrl);
		if (!url || found.has(url)) continue;
		const place = WatchedPlace.safeParse({ kind, url }).data;
		if (place) found.set(url, { title: (attribute(tag, 'title') ?? '').slice(0, 200) || new URL(url).pathname, place });
	}
	return [...found.values()];
}

/** Where feeds lie that no page names. */
export const COMMON_PATHS = ['/feed', '/feed.xml', '/rss.xml', '/atom.xml', '/index.xml', '/feed.json'];

function attribute(tag: string, name: string): string | undefined {
	const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
	const written = match?.[1] ?? match?.[2] ?? match?.[3];
	return written === undefined ? undefined : bareText(written).trim();
}
