import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import { securityHeaders, WEB_RPC_PATH, WEB_SESSION_PATH, webAddress } from '../contract/web-door.ts';
import { webSocketTransport } from '../contract/websocket-transport.ts';
import { needsOwner, terminal } from '../domain/errors.ts';
import { sendFile } from './web-files.ts';

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_TOKEN_BODY = 1024;
/** One-time addresses that may wait unused, and sessions that may be open; the oldest gives way. */
const MAX_KEPT = 32;

export interface WebDoor {
	/** `http://127.0.0.1:PORT` */
	readonly origin: string;
	/** A new address whose token works once. */
	mint(): string;
	close(): Promise<void>;
}

export interface WebDoorOptions {
	/** Folder of the built view, with `index.html`. */
	readonly rendererFolder: string;
	/** 0: one that is free. */
	readonly port: number;
	readonly attach: (transport: Transport) => void;
	readonly logger: Logger;
}

/**
 * Opens the web door: HTTP on 127.0.0.1 only. Every request must name this very host (a page that rebinds its DNS name to
 * 127.0.0.1 still says its own), and everything that opens a session must come from this very origin (S4).
 */
export async function openWebDoor(options: WebDoorOptions): Promise<WebDoor> {
	const { logger } = options;
	const tokens = new Set<string>();
	const sessions = new Set<string>();
	const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
	const port = await listen(server, options.port);
	const origin = `http://127.0.0.1:${port}`;
	// Cookies do not tell ports apart: the name does.
	const cookieName = `hearth_${port}`;
	const connect = [`ws://127.0.0.1:${port}`];
	const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false, clientTracking: true });

	const hostOk = (request: IncomingMessage): boolean => request.headers.host === `127.0.0.1:${port}`;
	const originOk = (request: IncomingMessage): boolean => request.headers.origin === origin;
	const hasSession = (request: IncomingMessage): boolean => {
		const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim().split('='));
		return cookies.some(([name, value]) => name === cookieName && value !== undefined && sessions.has(value));
	};

	const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		if (!originOk(request)) return refuse(response, 403, 'origin');
		const token = await readToken(request);
		if (token === undefined || !tokens.delete(token)) return refuse(response, 401, 'token');
		const session = secret();
		keep(sessions, session);
		response.setHeader('Set-Cookie', `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`);
		response.writeHead(204).end();
	};
	const refuse = (response: ServerResponse, status: number, reason: string): void => {
		logger.warn('web_request_refused', { status, reason });
		response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not allowed.\n');
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const pathname = pathOf(request);
		for (const [name, value] of securityHeaders(pathname, connect)) response.setHeader(name, value);
		if (!hostOk(request)) return refuse(response, 403, 'host');
		const method = request.method ?? 'GET';
		if (pathname === WEB_SESSION_PATH && method === 'POST') return exchange(request, response);
		if (pathname === WEB_SESSION_PATH && method === 'GET') {
			response.writeHead(hasSession(request) ? 204 : 401).end();
			return;
		}
		if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'method');
		if (!(await sendFile(options.rendererFolder, pathname, response, method))) response.writeHead(404).end('Not found.\n');
	};

	server.on('request', (request, response) => {
		answer(request, response).catch((error: unknown) => {
			logger.warn('web_request_failed', { error });
			if (!response.headersSent) response.writeHead(500);
			response.end();
		});
	});
	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		socket.on('error', () => socket.destroy());
		const status = !hostOk(request) || !originOk(request) ? 403 : pathOf(request) !== WEB_RPC_PATH ? 404 : hasSession(request) ? 101 : 401;
		if (status !== 101) {
			logger.warn('web_socket_refused', { status });
			socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
			return;
		}
		sockets.handleUpgrade(request, socket, head, (webSocket) => options.attach(webSocketTransport(webSocket, { reportsSent: true })));
	});

	return {
		origin,
		mint() {
			const token = secret();
			keep(tokens, token);
			return webAddress(origin, token);
		},
		close: () =>
			new Promise((resolve) => {
				for (const socket of sockets.clients) socket.terminate();
				sockets.close();
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The path as it was sent, not yet decoded. */
function pathOf(request: IncomingMessage): string {
	return (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/';
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			const taken = error.code === 'EADDRINUSE';
			reject(
				taken
					? needsOwner('conflict', `Port ${port} is used by another program.`, {
							action: 'Choose another with --port, or leave it out.',
							cause: error,
						})
					: terminal('internal', 'The web door could not be opened.', { action: 'Try again with another --port.', cause: error }),
			);
		});
		server.listen({ host: '127.0.0.1', port, exclusive: true }, () => resolve((server.address() as AddressInfo).port));
	});
}

/** The token of a JSON body; undefined for anything else. JSON alone: a form of another site cannot send it unasked. */
async function readToken(request: IncomingMessage): Promise<string | undefined> {
	if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
	let body = '';
	for await (const chunk of request.setEncoding('utf8')) {
		body += chunk;
		if (body.length > MAX_TOKEN_BODY) return undefined;
	}
	try {
		const parsed: unknown = JSON.parse(body);
		const token = (parsed as { token?: unknown } | null)?.token;
		return typeof token === 'string' ? token : undefined;
	} catch {
		// Not JSON: no token.
		return undefined;
	}
}

function secret(): string {
	return randomBytes(32).toString('base64url');
}

function keep(set: Set<string>, value: string): void {
	set.add(value);
	for (const oldest of set) {
		if (set.size <= MAX_KEPT) break;
		set.delete(oldest);
	}
}
