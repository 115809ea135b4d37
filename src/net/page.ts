import { sha256 } from '../base/sha256.ts';
import { terminal } from '../domain/errors.ts';
import { denied, redirectOf } from './destination.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { type NamedBy, pageAddress, reachOf } from './page-address.ts';
import type { CallOrigin, CallPurpose } from './purpose.ts';

export interface PageRequest {
	/** As `pageAddress` gives it. */
	readonly url: URL;
	readonly purpose?: Extract<CallPurpose, 'page' | 'robots'>;
	readonly by?: CallOrigin;
	readonly accept?: string;
	readonly signal: AbortSignal;
	/** Milliseconds for all hops and the whole body; 30 s unless told. */
	readonly totalMs?: number;
	/** Most bytes, as unpacked; 10 MiB unless told. */
	readonly maxBytes?: number;
	/** How the owner named this host. */
	namedBy(url: URL): NamedBy | undefined;
	/** Whether a redirect may be followed there, within the same site (`sameSite`), too. Asked before anything is sent. */
	mayFollow(url: URL): boolean | Promise<boolean>;
}

export type PageAnswer =
	| {
			readonly kind: 'page';
			/** The final address. */
			readonly url: URL;
			readonly status: number;
			/** As the server says it; empty where it does not. */
			readonly contentType: string;
			readonly bytes: Uint8Array;
			/** SHA-256 of the bytes. */
			readonly hash: string;
	  }
	/** A redirect that was not followed. Nothing was sent there. */
	| { readonly kind: 'leads_elsewhere'; readonly from: URL; readonly to: URL };

export type FetchPage = (request: PageRequest) => Promise<PageAnswer>;

const MOST_HOPS = 5;
const USER_AGENT = 'Mozilla/5.0 (compatible; Hearth)';

/**
 * Gets a page by the guarded fetch: each hop is a call of its own, judged and looked up anew. Sends no cookie, no referrer and nothing of what
 * an earlier hop said. Rejects with `network_denied`, `network_unreachable`, `network_timeout`, `network_cut`, `network_bad_response`
 * (too large, a circle) or `run_stopped`.
 */
export function createPageFetch(fetch: GuardedFetch): FetchPage {
	return async (request) => {
		const purpose = request.purpose ?? 'page';
		const totalMs = request.totalMs ?? 30_000;
		const started = performance.now();
		let url = request.url;
		for (let hop = 0; hop <= MOST_HOPS; hop++) {
			const response = await fetch({
				url: url.href,
				allow: reachOf(url, request.namedBy(url)),
				purpose,
				...(request.by && { by: request.by }),
				headers: { accept: request.accept ?? '*/*', 'user-agent': USER_AGENT },
				signal: request.signal,
				redirects: 'manual',
				silenceMs: Math.min(totalMs, 15_000),
				totalMs: Math.max(1, totalMs - (performance.now() - started)),
				maxBytes: request.maxBytes ?? 10 * 1024 * 1024,
			});
			const location = response.headers.get('location');
			if (response.status < 300 || response.status >= 400 || location === null) return pageOf(url, response);
			await response.body?.cancel();
			const to = pageAddress(redirectOf(url, location, purpose).href, purpose);
			if (url.protocol === 'https:' && to.protocol === 'http:' && sameSite(url, to))
				throw denied(to.host, `${url.host} redirects from https to http, where others can read along.`, purpose);
			if (!(await request.mayFollow(to))) return { kind: 'leads_elsewhere', from: url, to };
			url = to;
		}
		throw terminal('network_bad_response', `${request.url.host} redirects more than ${MOST_HOPS} times.`);
	};
}

/** The same site but for the `www.` before its name, which the same people answer for. */
export function sameSite(a: URL, b: URL): boolean {
	const plain = ({ host }: URL) => host.replace(/^www\./, '');
	return plain(a) === plain(b);
}

async function pageOf(url: URL, response: Response): Promise<PageAnswer> {
	const bytes = new Uint8Array(await response.arrayBuffer());
	const contentType = response.headers.get('content-type') ?? '';
	return { kind: 'page', url, status: response.status, contentType, bytes, hash: sha256(bytes) };
}
