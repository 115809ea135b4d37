import type { FetchLike } from '@modelcontextprotocol/client';
import { terminal } from '../../domain/errors.ts';
import { isLoopback } from '../../net/destination.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/** What a sign-in is told and gives is short. */
const MOST_BYTES = 1024 * 1024;

/**
 * The guarded fetch for a sign-in. Its addresses are the server's word, not the owner's: they are public ones, or on the server's own host; a
 * server on this machine may name others on this machine.
 */
export function signInFetch(fetch: GuardedFetch, serverUrl: string): FetchLike {
	const own = new URL(serverUrl);
	return async (input, init = {}) => {
		const target = new URL(String(input));
		const { method = 'GET', body } = init;
		if (method !== 'GET' && method !== 'POST') throw terminal('network_denied', `A sign-in does not call with ${method}.`);
		const ownerNamed = target.origin === own.origin || (isLoopback(own.href) && isLoopback(target.href));
		return fetch({
			url: target.href,
			allow: { baseUrl: target.origin, ownerNamed },
			purpose: 'mcp_auth',
			method,
			headers: Object.fromEntries(new Headers(init.headers)),
			maxBytes: MOST_BYTES,
			...(body !== undefined && body !== null && { body: String(body) }),
			...(init.signal && { signal: init.signal }),
		});
	};
}
