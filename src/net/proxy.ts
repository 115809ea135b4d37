import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostMatches } from '../base/host-pattern.ts';
import { HearthError } from '../domain/errors.ts';
import type { GuardedConnect } from './guarded-connect.ts';
import { reachOf } from './page-address.ts';
import type { CallOrigin } from './purpose.ts';

/** The one way out of the sandbox: an HTTP proxy on a unix socket that reaches only hosts that were named. */

export interface ProxyRequest {
	/** Path of the socket, in a folder that only the owner's user can open. */
	readonly socketPath: string;
	/** As an owner names them: `example.com`, `*.example.com`, with a port where it is not the usual one. */
	readonly hosts: readonly string[];
	/** The owner read these very hosts and said yes: then they may be on the local network, but for metadata services. */
	readonly ownerNamed: boolean;
	readonly by?: CallOrigin | undefined;
}

export interface HostProxy {
	/** Cuts what is under way. */
	close(): Promise<void>;
}

const MOST_CONNECTIONS = 64;
/** Headers of one hop: they are not passed on. */
const HOP = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade'];

export async function openHostProxy(request: ProxyRequest, connect: GuardedConnect): Promise<HostProxy> {
	const open = new Set<Duplex>();
	const stop = new AbortController();
	const server = createServer({ headersTimeout: 10_000, requestTimeout: 0 });
	server.maxConnections = MOST_CONNECTIONS;
	// A program that has said all that it has to say still waits for the answer.
	Object.assign(server, { httpAllowHalfOpen: true });
	server.on('connection', (socket) => {
		open.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => open.delete(socket));
	});

	/** A connection to where the address leads. Rejects with a HearthError. */
	const reach = (url: URL): Promise<Socket> => {
		const named = request.hosts.some((pattern) => hostMatches(pattern, url));
		if (!named)
			throw new HearthError({
				kind: 'terminal',
				code: 'network_denied',
				message: `${url.host} is not one of the hosts that this command may reach.`,
			});
		const allow = reachOf(url, request.ownerNamed ? 'approval' : undefined);
		const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
		return connect({ host, port: portOf(url), allow, purpose: 'command', by: request.by, signal: stop.signal });
	};

	const tunnel = async (asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
		const url = tunnelAddress(asked.url ?? '');
		if (!url) return end(client, 400, 'That is not a host and a port.');
		const far = await reach(url);
		open.add(far);
		far.on('close', () => open.delete(far));
		far.on('error', () => client.destroy());
		client.on('error', () => far.destroy());
		client.on('close', () => far.destroy());
		client.write('HTTP/1.1 200 Connection established\r\n\r\n');
		if (head.length > 0) far.write(head);
		far.pipe(client);
		client.pipe(far);
	};

	const forward = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
		const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined;
		if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '')
			return refuse(answer, 400, 'Only http addresses, whole, and tunnels are taken here.');
		const far = await reach(url);
		const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !HOP.includes(name)));
		const onward = httpRequest({
			createConnection: () => far,
			method: asked.method,
			path: url.pathname + url.search,
			// Which site is asked is decided by what was checked.
			headers: { ...headers, host: url.host, connection: 'close' },
		});
		onward.on('response', (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		onward.on('error', () => (answer.headersSent ? answer.destroy() : refuse(answer, 502, `${url.host} did not answer.`)));
		answer.on('close', () => far.destroy());
		asked.pipe(onward);
	};

	server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
		tunnel(asked, client, head).catch((error: unknown) => end(client, ...statusOf(error)));
	});
	server.on('request', (asked, answer) => {
		forward(asked, answer).catch((error: unknown) => refuse(answer, ...statusOf(error)));
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(request.socketPath, resolve);
	});
	return {
		close: () =>
			new Promise((resolve) => {
				stop.abort();
				for (const socket of open) socket.destroy();
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** `example.com:443`, as the address that it would be of: the usual port of http is http's. */
function tunnelAddress(target: string): URL | undefined {
	const port = /:(\d{1,5})$/.exec(target)?.[1];
	const url = `${port === '80' ? 'http' : 'https'}://${target}/`;
	if (port === undefined || !URL.canParse(url)) return undefined;
	const parsed = new URL(url);
	return parsed.username === '' && parsed.password === '' && parsed.pathname === '/' && parsed.search === '' ? parsed : undefined;
}

function portOf(url: URL): number {
	if (url.port !== '') return Number(url.port);
	return url.protocol === 'http:' ? 80 : 443;
}

function statusOf(error: unknown): [status: number, why: string] {
	if (!(error instanceof HearthError)) return [502, 'It could not be reached.'];
	return [error.code === 'network_denied' ? 403 : 502, error.message];
}

function refuse(answer: ServerResponse, status: number, why: string): void {
	if (answer.headersSent) return void answer.destroy();
	answer.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`Hearth: ${why}\n`);
}

function end(client: Duplex, status: number, why: string): void {
	client.end(
		`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Refused'}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\nHearth: ${why}\n`,
	);
}
