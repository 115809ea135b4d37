import { retryAfterMs } from '../base/retry-after.ts';
import { type HearthError, needsOwner, retryable, terminal } from '../domain/errors.ts';
import { cutCodePoints } from '../domain/text.ts';
import { denied, redirectOf } from '../net/destination.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import { sameSite } from '../net/page.ts';
import { pageAddress, reachOf } from '../net/page-address.ts';

/** What the last answer said of itself: sent back, so that the server can say that nothing changed. */
export interface Validators {
	readonly etag?: string | undefined;
	readonly lastModified?: string | undefined;
}

export interface SourceRequest {
	/** That the owner named, or one of the same site that it led to. */
	readonly url: string;
	readonly accept: string;
	/** More headers: a token. They go to the very host of `url` and to no other. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly validators?: Validators | undefined;
	/** Whether a token or the like was sent: then a refusal is about that. */
	readonly signedIn?: boolean | undefined;
	readonly signal: AbortSignal;
	/** As unpacked. */
	readonly maxBytes: number;
	/** Wall clock, for a `Retry-After` that is a date. */
	readonly now: number;
	/** What a status of 400 or more means there, where it is not what it means elsewhere. */
	refused?(status: number, headers: Pick<Headers, 'get'>): HearthError | undefined;
	/** While the owner looks what is there: another site that it leads to is opened, too, where that is a public one. */
	readonly elsewhere?: 'public' | undefined;
	/** Asked before each page is asked for, where a site may not want programs: why not, in one sentence. */
	mayRead?(url: URL): Promise<string | undefined>;
}

export type SourceAnswer =
	| { readonly kind: 'unchanged'; readonly bytes: 0 }
	| {
			readonly kind: 'answer';
			readonly status: number;
			/** The final address. */
			readonly url: URL;
			/** Where it has moved for good, where it says so. */
			readonly movedTo: URL | undefined;
			readonly contentType: string;
			readonly headers: Headers;
			readonly validators: Validators;
			readonly body: Uint8Array;
	  };

/**
 * One GET of a source: the owner named the host, so it may be a private one; redirects are followed within the same site only, each judged anew.
 * Rejects with a HearthError as readers do: a status of 400 or more is one (`statusError`), and so is a redirect to somewhere else.
 */
export type SourceFetch = (request: SourceRequest) => Promise<SourceAnswer>;

export const SOURCE_AGENT = 'Mozilla/5.0 (compatible; Hearth; reads feeds for its owner)';
const MOST_HOPS = 5;
const TOTAL_MS = 60_000;

export function createSourceFetch(fetch: GuardedFetch): SourceFetch {
	return async (request) => {
		const named = pageAddress(request.url, 'source');
		let url = named;
		let movedTo: URL | undefined;
		let forGood = true;
		let isElsewhere = false;
		for (let hop = 0; hop <= MOST_HOPS; hop++) {
			const unwanted = await request.mayRead?.(url);
			if (unwanted !== undefined)
				throw terminal('source_refused', unwanted, { action: 'Take another page of the site, or ask its owner for a feed.' });
			const response = await fetch({
				url: url.href,
				allow: isElsewhere ? { baseUrl: url.origin, ownerNamed: false } : reachOf(url, 'permission'),
				purpose: 'source',
				headers: headersOf(request, url.host === named.host),
				signal: request.signal,
				redirects: 'manual',
				silenceMs: 20_000,
				totalMs: TOTAL_MS,
				maxBytes: request.maxBytes,
			});
			const location = response.headers.get('location');
			if (response.status === 304) {
				await response.body?.cancel();
				const { etag, lastModified } = request.validators ?? {};
				if (etag === undefined && lastModified === undefined)
					throw retryable('network_bad_response', `${url.host} says that nothing changed since a reading that there was none of.`);
				return { kind: 'unchanged', bytes: 0 };
			}
			if (response.status >= 300 && response.status < 400 && location !== null) {
				await response.body?.cancel();
				forGood &&= response.status === 301 || response.status === 308;
				const to = nextHop(url, location);
				if (!staysWithin(url, to)) {
					if (request.elsewhere !== 'public') throw leadsElsewhere(url, to);
					isElsewhere = true;
				}
				url = to;
				if (forGood) movedTo = url;
				continue;
			}
			if (!response.ok) {
				await response.body?.cancel();
				throw (
					request.refused?.(response.status, response.headers) ??
					statusError(response.status, {
						host: url.host,
						signedIn: request.signedIn === true,
						headers: response.headers,
						now: request.now,
					})
				);
			}
			return {
				kind: 'answer',
				status: response.status,
				url,
				movedTo,
				contentType: response.headers.get('content-type') ?? '',
				headers: response.headers,
				validators: { etag: short(response.headers.get('etag')), lastModified: short(response.headers.get('last-modified')) },
				body: new Uint8Array(await response.arrayBuffer()),
			};
		}
		throw terminal('network_bad_response', `${named.host} redirects more than ${MOST_HOPS} times.`);
	};
}

function headersOf({ accept, headers, validators }: SourceRequest, isNamedHost: boolean): Record<string, string> {
	return {
		accept,
		'user-agent': SOURCE_AGENT,
		...(isNamedHost && headers),
		...(validators?.etag !== undefined && { 'if-none-match': validators.etag }),
		...(validators?.lastModified !== undefined && { 'if-modified-since': validators.lastModified }),
	};
}

function nextHop(from: URL, location: string): URL {
	const to = pageAddress(redirectOf(from, location, 'source').href, 'source');
	if (from.protocol === 'https:' && to.protocol === 'http:')
		throw denied(to.host, `${from.host} redirects from https to http, where others can read along.`, 'source');
	return to;
}

/** The same site, also by https from now on. */
function staysWithin(from: URL, to: URL): boolean {
	return sameSite(from, to) || (from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && to.port === '');
}

/** Who is there was not named by the owner. */
function leadsElsewhere(from: URL, to: URL): HearthError {
	return terminal('network_denied', `${from.host} leads to another place, ${to.host}. It was not opened.`, {
		action: `If that is right, change the address of the source to ${to.origin}.`,
	});
}

/** What a status of 400 or more means for a source. */
export function statusError(
	status: number,
	of: { host: string; signedIn: boolean; headers?: Pick<Headers, 'get'> | undefined; now: number },
): HearthError {
	const { host, signedIn } = of;
	if (status === 401 || (status === 403 && signedIn))
		return needsOwner('unauthorised', signedIn ? `${host} did not accept the sign-in (${status}).` : `${host} wants a sign-in (401).`, {
			action: 'Enter the password or token of this source anew, or take another address.',
		});
	if (status === 403)
		return terminal('source_refused', `${host} does not let this be read (403).`, { action: 'Check the address, or pause it.' });
	if (status === 404)
		return terminal('source_missing', `There is nothing at this address of ${host} (404).`, { action: 'Check the address.' });
	if (status === 410)
		return terminal('source_gone', `${host} says that this is gone for good (410).`, { action: 'Take another address, or remove it.' });
	const wait = of.headers && retryAfterMs(of.headers, of.now);
	const later = wait === undefined ? {} : { retryAfterMs: wait };
	if (status === 429) return retryable('network_unreachable', `${host} was asked too often (429).`, { ...later, action: againIn(wait) });
	if (status === 408 || status === 425 || status >= 500)
		return retryable('network_unreachable', `${host} can’t answer now (${status}).`, later);
	return terminal('network_bad_response', `${host} answered ${status}.`, { action: 'Check the address.' });
}

function againIn(wait: number | undefined): string {
	if (wait === undefined) return 'Try again later.';
	const minutes = Math.ceil(wait / 60_000);
	return `It asks to be left alone for ${minutes <= 1 ? 'a minute' : `${minutes} minutes`}: try again then.`;
}

/** Of a source that has moved for good, in words. */
export function movedNote({ movedTo }: Pick<Extract<SourceAnswer, { kind: 'answer' }>, 'movedTo'>): string[] {
	return movedTo === undefined ? [] : [`It has moved for good: its address is now ${cutCodePoints(movedTo.href, 300)}.`];
}

/** They come back with each reading: of a senseless length they are worth nothing. */
function short(header: string | null): string | undefined {
	return header === null || header.length > 500 ? undefined : header;
}
