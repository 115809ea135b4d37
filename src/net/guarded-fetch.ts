import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { type Clock, systemClock } from '../base/clock.ts';
import { type ErrorCode, HearthError, terminal } from '../domain/errors.ts';
import { guardBody } from './body.ts';
import { type AllowedAddress, checkDestination, checkRedirect, mayConnect } from './destination.ts';
import { connectionError, silenceError, stoppedError } from './errors.ts';

export interface GuardedRequest {
	url: string;
	allow: AllowedAddress;
	/** What the call is for, in the audit's words. */
	purpose: 'model_call' | 'model_list' | 'detection' | 'embedding';
	method?: 'GET' | 'POST';
	headers?: Readonly<Record<string, string>>;
	body?: string;
	signal?: AbortSignal;
	/** Milliseconds for DNS, TCP and TLS; 10 s unless told. */
	connectMs?: number;
	/** Longest silence in milliseconds, before the headers and between pieces of the body; 30 s unless told. */
	silenceMs?: number;
	/** Most bytes of body; 64 MiB unless told. */
	maxBytes?: number;
}

/** One call as the audit sees it: no path, no headers, no content (S3). */
export interface RequestRecord {
	purpose: GuardedRequest['purpose'];
	method: string;
	host: string;
	/** Null where no answer came. */
	status: number | null;
	bytes: number;
	ms: number;
	error?: ErrorCode;
}

/**
 * The one way out: every HTTP call of the runtime. Rejects with a HearthError: `network_denied`, `model_unreachable`,
 * `model_timeout`, `run_stopped`. Errors inside the body (`model_stream_cut`, `model_timeout`, `model_bad_response` when too
 * large) come from reading it. A status of 400 or more is an answer, not an error. Nothing is retried.
 */
export type GuardedFetch = (request: GuardedRequest) => Promise<Response>;

export interface GuardedFetchOptions {
	/** Called once a call, when it is over. Must not throw. */
	onRequest?: (record: RequestRecord) => void;
	clock?: Clock;
}

const MAX_REDIRECTS = 3;

/** undici is loaded with the first call (30 MB that an idle runtime does without). */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
	const clock = options.clock ?? systemClock;
	const agents = new Map<string, Agent>();

	async function agentFor(allow: AllowedAddress, connectMs: number): Promise<Agent> {
		const key = `${allow.ownerNamed}:${connectMs}`;
		const known = agents.get(key);
		if (known) return known;
		const { Agent } = await import('undici');
		const agent = new Agent({
			connect: { timeout: connectMs, lookup: guardedLookup(allow) },
			// This module's own timers are exact and know silence from slowness.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		agents.set(key, agent);
		return agent;
	}

	return async (request) => {
		const started = clock.monotonic();
		const target = checkDestination(request.url, request.allow);
		const method = request.method ?? 'GET';
		const record = (rest: { status: number | null; bytes: number; error?: ErrorCode }) =>
			options.onRequest?.({ purpose: request.purpose, method, host: target.host, ms: clock.monotonic() - started, ...rest });
		const silenceMs = request.silenceMs ?? 30_000;
		const stop = new AbortController();
		const silence = silenceError(target.host, silenceMs);
		const onStop = () => stop.abort(stoppedError());
		if (request.signal?.aborted) onStop();
		request.signal?.addEventListener('abort', onStop, { once: true });
		const timer = setTimeout(() => stop.abort(silence), silenceMs);
		try {
			const agent = await agentFor(request.allow, request.connectMs ?? 10_000);
			const response = await follow(target, request, agent, stop.signal);
			return guardBody(response, {
				host: target.host,
				silenceMs,
				maxBytes: request.maxBytes ?? 64 * 1024 * 1024,
				abort: (reason) => stop.abort(reason),
				done: (bytes, error) => {
					request.signal?.removeEventListener('abort', onStop);
					record({ status: response.status, bytes, error: error?.code });
				},
				stopped: () => stop.signal.reason as unknown,
			});
		} catch (error) {
			request.signal?.removeEventListener('abort', onStop);
			const failure = asHearthError(stop.signal.aborted ? stop.signal.reason : error, target.host);
			record({ status: null, bytes: 0, error: failure.code });
			throw failure;
		} finally {
			clearTimeout(timer);
		}
	};
}

async function follow(start: URL, request: GuardedRequest, agent: Agent, signal: AbortSignal): Promise<Response> {
	const { fetch } = await import('undici');
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
		if (response.status < 300 || response.status >= 400 || location === null) return response as unknown as Response;
		await response.body?.cancel();
		url = checkRedirect(url, location);
		const keepsMethod = response.status === 307 || response.status === 308;
		if (request.method === 'POST' && !keepsMethod) {
			throw terminal('network_denied', `${start.host} redirects to ${url.origin}. Use that address in your settings.`, {
				action: 'Check the address in Settings, Models.',
			});
		}
	}
	throw terminal('network_denied', `${start.host} redirects in a circle.`, { action: 'Check the address in Settings, Models.' });
}

/** Looks a name up and lets through only addresses that may be called: a name may resolve to anything. Not called for literal addresses. */
function guardedLookup(allow: AllowedAddress): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, { ...options, all: true }, (error, addresses) => {
			if (error) return callback(error, '', 0);
			const usable = addresses.filter(({ address }) => mayConnect(address, allow));
			const first = usable[0];
			if (!first) {
				const refusal = Object.assign(new Error('address not allowed'), { code: 'HEARTH_DENIED' });
				return callback(refusal, '', 0);
			}
			if (options.all) return callback(null, usable);
			return callback(null, first.address, first.family);
		});
	};
}

function asHearthError(error: unknown, host: string): HearthError {
	return error instanceof HearthError ? error : connectionError(error, host);
}
