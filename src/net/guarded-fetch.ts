import type { Agent } from 'undici';
import { type Clock, systemClock } from '../base/clock.ts';
import { type ErrorCode, HearthError, terminal } from '../domain/errors.ts';
import { guardBody } from './body.ts';
import { type AllowedAddress, checkDestination, checkRedirect } from './destination.ts';
import { connectionError, silenceError, stoppedError, tooLongError } from './errors.ts';
import { guardedLookup, type Lookup } from './lookup.ts';
import { type CallOrigin, type CallPurpose, wordsOf } from './purpose.ts';
import { after } from './time.ts';

export interface GuardedRequest {
	url: string;
	allow: AllowedAddress;
	purpose: CallPurpose;
	/** The call of a tool that it is made for. */
	by?: CallOrigin;
	method?: 'GET' | 'POST' | 'DELETE';
	headers?: Readonly<Record<string, string>>;
	body?: string;
	signal?: AbortSignal;
	/** `same-host`, the default, follows within the host. `manual` hands over the redirect itself: whoever follows it makes a new call, which is checked anew. */
	redirects?: 'same-host' | 'manual';
	/** Milliseconds for DNS, TCP and TLS; 10 s unless told. */
	connectMs?: number;
	/** Longest silence in milliseconds, before the headers and between pieces of the body; 30 s unless told, `Infinity` for none. */
	silenceMs?: number;
	/** Longest time in milliseconds for all of it, to the end of the body; none unless told. */
	totalMs?: number;
	/** Most bytes of body, as unpacked; 64 MiB unless told. */
	maxBytes?: number;
}

/** One call as the audit sees it: no path, no headers, no content (S3). */
export interface RequestRecord {
	purpose: CallPurpose;
	by?: CallOrigin;
	/** `TCP` for a connection that speaks something else than HTTP. */
	method: string;
	host: string;
	/** Null where no answer came. */
	status: number | null;
	bytes: number;
	ms: number;
	error?: ErrorCode;
}

/**
 * The one way out: every HTTP call of the runtime. Rejects with a HearthError: `network_denied`, `run_stopped`, and for models
 * `model_unreachable`, `model_timeout`, for all else `network_unreachable`, `network_timeout`. Errors inside the body (`…_cut`, `…_timeout`,
 * `…_bad_response` when too large) come from reading it. A status of 400 or more is an answer, not an error. Nothing is retried.
 */
export type GuardedFetch = (request: GuardedRequest) => Promise<Response>;

export interface NetOptions {
	/** Called once a call, when it is over. Must not throw. */
	onRequest?: (record: RequestRecord) => void;
	clock?: Clock;
	/** In place of the system's; tests only. */
	lookup?: Lookup;
}

const MAX_REDIRECTS = 3;

/** undici is loaded with the first call (30 MB that an idle runtime does without). */
export function createGuardedFetch(options: NetOptions = {}): GuardedFetch {
	const clock = options.clock ?? systemClock;
	const agents = new Map<string, Agent>();

	async function agentFor(allow: AllowedAddress, connectMs: number): Promise<Agent> {
		// A connection that was opened for an address of the owner's is never taken for one of a page.
		const key = JSON.stringify([allow.ownerNamed, allow.loopback ?? true, connectMs]);
		const known = agents.get(key);
		if (known) return known;
		const { Agent } = await import('undici');
		const agent = new Agent({
			connect: { timeout: connectMs, lookup: guardedLookup(allow, options.lookup) },
			// This module's own timers are exact and know silence from slowness.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		agents.set(key, agent);
		return agent;
	}

	return async (request) => {
		const started = clock.monotonic();
		const { purpose, by, method = 'GET' } = request;
		const record = (host: string, rest: { status: number | null; bytes: number; error?: ErrorCode }) =>
			options.onRequest?.({ purpose, ...(by && { by }), method, host, ms: clock.monotonic() - started, ...rest });
		const target = checked(request, (error) => record(hostOf(request.url), { status: null, bytes: 0, error }));
		const silenceMs = request.silenceMs ?? 30_000;
		const totalMs = request.totalMs ?? Number.POSITIVE_INFINITY;
		const stop = new AbortController();
		const onStop = () => stop.abort(stoppedError());
		if (request.signal?.aborted) onStop();
		request.signal?.addEventListener('abort', onStop, { once: true });
		const silent = after(silenceMs, () => stop.abort(silenceError(target.host, silenceMs, purpose)));
		const late = after(totalMs, () => stop.abort(tooLongError(target.host, totalMs, purpose)));
		const over = () => {
			clearTimeout(late);
			request.signal?.removeEventListener('abort', onStop);
		};
		try {
			const agent = await agentFor(request.allow, request.connectMs ?? 10_000);
			const response = await follow(target, request, agent, stop.signal);
			return guardBody(response, {
				host: target.host,
				purpose,
				silenceMs,
				maxBytes: request.maxBytes ?? 64 * 1024 * 1024,
				abort: (reason) => stop.abort(reason),
				done: (bytes, error) => {
					over();
					record(target.host, { status: response.status, bytes, error: error?.code });
				},
				stopped: () => stop.signal.reason as unknown,
			});
		} catch (error) {
			over();
			const failure = asHearthError(stop.signal.aborted ? stop.signal.reason : error, target.host, purpose);
			record(target.host, { status: null, bytes: 0, error: failure.code });
			throw failure;
		} finally {
			clearTimeout(silent);
		}
	};
}

async function follow(start: URL, request: GuardedRequest, agent: Agent, signal: AbortSignal): Promise<Response> {
	const { fetch } = await import('undici');
	const { place } = wordsOf(request.purpose);
	const action = place === undefined ? {} : { action: `Check the address in ${place}.` };
	let url = start;
	for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
		const response = await fetch(url, {
			method: request.method ?? 'GET',
			headers: request.headers,
			body: request.body,
			redirect: 'manual',
			dispatcher: agent,
			signal,
		});
		const location = response.headers.get('location');
		if (request.redirects === 'manual' || response.status < 300 || response.status >= 400 || location === null)
			return response as unknown as Response;
		await response.body?.cancel();
		url = checkRedirect(url, location, request.purpose);
		const keepsMethod = response.status === 307 || response.status === 308;
		if (request.method !== undefined && request.method !== 'GET' && !keepsMethod) {
			throw terminal('network_denied', `${start.host} redirects to ${url.origin}. Use that address in your settings.`, action);
		}
	}
	throw terminal('network_denied', `${start.host} redirects in a circle.`, action);
}

/** The destination, or the refusal, told on the way. */
function checked({ url, allow, purpose }: GuardedRequest, refused: (code: ErrorCode) => void): URL {
	try {
		return checkDestination(url, allow, purpose);
	} catch (error) {
		if (error instanceof HearthError) refused(error.code);
		throw error;
	}
}

function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).host : '';
}

function asHearthError(error: unknown, host: string, purpose: CallPurpose): HearthError {
	return error instanceof HearthError ? error : connectionError(error, host, purpose);
}
