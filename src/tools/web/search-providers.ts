import { z } from 'zod';
import { needsOwner, terminal } from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { SEARCH_SECRET, type SearchProvider } from '../../domain/outgoing.ts';
import type { SecretReader } from '../../domain/secret-port.ts';
import type { AllowedAddress } from '../../net/destination.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import type { CallOrigin } from '../../net/purpose.ts';

export interface SearchHit {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
}

export interface SearchRequest {
	readonly provider: SearchProvider;
	readonly query: string;
	readonly count: number;
	readonly by?: CallOrigin | undefined;
	readonly signal: AbortSignal;
}

/** Rejects with a HearthError in words; none of them holds the key. */
export type WebSearch = (request: SearchRequest) => Promise<SearchHit[]>;

const BRAVE = 'https://api.search.brave.com/res/v1/web/search';
const MOST_BYTES = 2 * 1024 * 1024;
const TIME_MS = 15_000;

const SearxngAnswer = z.object({
	results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});
const BraveAnswer = z.object({
	web: z
		.object({ results: z.array(z.object({ title: z.string().nullish(), url: z.string(), description: z.string().nullish() })) })
		.optional(),
});

/** Where the query goes. */
export function searchAddress(provider: SearchProvider): AllowedAddress {
	if (provider.kind === 'searxng') return { baseUrl: provider.baseUrl, ownerNamed: true };
	return { baseUrl: provider.baseUrl ?? BRAVE, ownerNamed: provider.baseUrl !== undefined };
}

export function createWebSearch({ fetch, secrets }: { fetch: GuardedFetch; secrets: SecretReader }): WebSearch {
	return async ({ provider, query, count, by, signal }) => {
		const allow = searchAddress(provider);
		const headers: Record<string, string> = { accept: 'application/json' };
		const url = provider.kind === 'searxng' ? searxngUrl(provider.baseUrl) : new URL(allow.baseUrl);
		url.searchParams.set('q', query);
		if (provider.kind === 'searxng') url.searchParams.set('format', 'json');
		else {
			url.searchParams.set('count', String(count));
			const key = await secrets.get(SEARCH_SECRET);
			if (key === undefined)
				throw needsOwner('unauthorised', 'The key for Brave Search is missing.', { action: 'Enter it in Settings, Web and messages.' });
			headers['x-subscription-token'] = key;
		}
		const response = await fetch({
			url: url.href,
			allow,
			purpose: 'search',
			...(by && { by }),
			headers,
			signal,
			silenceMs: TIME_MS,
			totalMs: TIME_MS,
			maxBytes: MOST_BYTES,
		});
		const body = await response.text();
		if (!response.ok) throw refusal(response.status, provider, url.host);
		return hitsOf(provider, parseJson(body), url.host).slice(0, count);
	};
}

/** People give the address of the page, or of the search itself. */
function searxngUrl(baseUrl: string): URL {
	const url = new URL(baseUrl);
	url.search = '';
	if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/search`;
	return url;
}

function hitsOf(provider: SearchProvider, answer: unknown, host: string): SearchHit[] {
	const searxng = provider.kind === 'searxng' ? SearxngAnswer.safeParse(answer).data : undefined;
	if (searxng) return searxng.results.map(({ title, url, content }) => hit(title, url, content));
	const brave = provider.kind === 'brave' ? BraveAnswer.safeParse(answer).data : undefined;
	if (brave) return (brave.web?.results ?? []).map(({ title, url, description }) => hit(title, url, description));
	throw terminal('network_bad_response', `${host} does not answer as a search provider does.`, {
		action: 'Check the address in Settings, Web and messages.',
	});
}

function hit(title: string | null | undefined, url: string, snippet: string | null | undefined): SearchHit {
	return { title: plain(title), url: url.slice(0, 2_000), snippet: plain(snippet) };
}

/** Providers mark what was found with tags. */
function plain(text: string | null | undefined): string {
	return (text ?? '')
		.slice(0, 4_000)
		.replace(/<\/?[a-z][^>]{0,200}>/gi, '')
		.replace(/\s+/gu, ' ')
		.trim();
}

function refusal(status: number, { kind }: SearchProvider, host: string) {
	if (kind === 'searxng' && status === 403)
		return terminal('network_bad_response', `${host} does not give its results as JSON.`, {
			action: 'Allow the format “json” in its settings.yml (search: formats).',
		});
	if (status === 401 || status === 403 || status === 422)
		return needsOwner('unauthorised', `${host} did not accept the key.`, { action: 'Enter it anew in Settings, Web and messages.' });
	if (status === 429) return terminal('network_bad_response', `${host} was asked too often. Try again later.`);
	return terminal('network_bad_response', `${host} answered ${status}.`, { action: 'Check the address in Settings, Web and messages.' });
}
