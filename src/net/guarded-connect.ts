import { connect, type Socket } from 'node:net';
import { systemClock } from '../base/clock.ts';
import type { ErrorCode, HearthError } from '../domain/errors.ts';
import { type AllowedAddress, checkWritten, denied } from './destination.ts';
import { connectionError, silenceError, stoppedError } from './errors.ts';
import type { NetOptions } from './guarded-fetch.ts';
import { guardedLookup } from './lookup.ts';
import type { CallOrigin, CallPurpose } from './purpose.ts';

export interface ConnectionRequest {
	/** A name or an address, without brackets. */
	readonly host: string;
	readonly port: number;
	readonly allow: Pick<AllowedAddress, 'ownerNamed' | 'loopback'>;
	readonly purpose: CallPurpose;
	readonly by?: CallOrigin | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds for DNS and TCP; 10 s unless told. */
	readonly connectMs?: number;
}

/**
 * The way out for what speaks something else than HTTP: mail, and programs in the sandbox through their proxy. The same rules, and the name is
 * looked up once. Resolves with a connected socket, nothing sent yet; rejects with `network_denied`, `network_unreachable`, `network_timeout`
 * or `run_stopped`. Recorded once, when the connection is over.
 */
export type GuardedConnect = (request: ConnectionRequest) => Promise<Socket>;

export function createGuardedConnect(options: NetOptions = {}): GuardedConnect {
	const clock = options.clock ?? systemClock;
	return async (request) => {
		const { purpose, by, port, allow, signal } = request;
		const started = clock.monotonic();
		const host = canonicalHost(request.host);
		const shown = `${host ?? request.host}:${port}`;
		const record = (bytes: number, error?: ErrorCode) =>
			options.onRequest?.({
				purpose,
				...(by && { by }),
				method: 'TCP',
				host: shown,
				status: null,
				bytes,
				ms: clock.monotonic() - started,
				...(error && { error }),
			});
		const refuse = (error: HearthError): never => {
			record(0, error.code);
			throw error;
		};
		if (host === undefined) return refuse(denied('that address', 'It is not a valid name of a server.', purpose));
		try {
			checkWritten(host, shown, allow, purpose);
		} catch (error) {
			return refuse(error as HearthError);
		}
		const bare = host.startsWith('[') ? host.slice(1, -1) : host;
		const socket = connect({ host: bare, port, lookup: guardedLookup(allow, options.lookup), autoSelectFamily: true });
		const connectMs = request.connectMs ?? 10_000;
		const failure = await new Promise<HearthError | undefined>((resolve) => {
			const stop = () => resolve(stoppedError());
			const timer = setTimeout(() => resolve(silenceError(shown, connectMs, purpose)), connectMs);
			const settle = (error?: HearthError) => {
				clearTimeout(timer);
				signal?.removeEventListener('abort', stop);
				resolve(error);
			};
			socket.once('connect', () => settle());
			socket.once('error', (error) => settle(connectionError(error, shown, purpose)));
			if (signal?.aborted) stop();
			else signal?.addEventListener('abort', stop, { once: true });
		});
		if (failure) {
			socket.on('error', () => undefined);
			socket.destroy();
			return refuse(failure);
		}
		socket.once('close', (broken) => record(socket.bytesRead, broken ? 'network_cut' : undefined));
		return socket;
	};
}

/** As a URL writes it: small letters, punycode, numbers as addresses, IPv6 in brackets, no dot at the end. Undefined where it is no host. */
export function canonicalHost(host: string): string | undefined {
	const written = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
	const url = `http://${written}/`;
	if (!URL.canParse(url)) return undefined;
	const parsed = new URL(url);
	const plain = parsed.username === '' && parsed.password === '' && parsed.port === '' && parsed.pathname === '/' && parsed.search === '';
	return plain && parsed.hash === '' ? parsed.hostname.replace(/\.$/, '') || undefined : undefined;
}
