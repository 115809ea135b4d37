import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on loopback that answers by path, and remembers what it was asked. */
export interface WebServer {
	/** `http://127.0.0.1:PORT` */
	readonly url: string;
	/** `127.0.0.1:PORT` */
	readonly host: string;
	readonly port: number;
	/** Method and path of each request, in order. */
	readonly asked: string[];
	readonly requests: IncomingMessage[];
	/** Bodies of requests, in order of their end. */
	readonly bodies: string[];
	on(path: string, answer: Answer): WebServer;
	close(): Promise<void>;
}

export async function startWebServer(): Promise<WebServer> {
	const answers = new Map<string, Answer>();
	const asked: string[] = [];
	const requests: IncomingMessage[] = [];
	const bodies: string[] = [];
	const sockets = new Set<Socket>();
	const server: Server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		requests.push(request);
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			body += chunk;
		});
		request.on('end', () => bodies.push(body));
		response.on('error', () => undefined);
		const answer = answers.get(request.url?.split('?')[0] ?? '/');
		if (answer) answer(request, response);
		else response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page');
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const web: WebServer = {
		url: `http://127.0.0.1:${port}`,
		host: `127.0.0.1:${port}`,
		port,
		asked,
		requests,
		bodies,
		on: (path, answer) => {
			answers.set(path, answer);
			return web;
		},
		close: () => {
			for (const socket of sockets) socket.destroy();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
	return web;
}

export const html =
	(body: string, head = ''): Answer =>
	(_, response) =>
		response
			.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
			.end(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`);

export const redirect =
	(location: string, status = 302): Answer =>
	(_, response) =>
		response.writeHead(status, { location }).end();

export const send =
	(body: string | Uint8Array, contentType: string, status = 200, headers: Record<string, string> = {}): Answer =>
	(_, response) =>
		response.writeHead(status, { 'content-type': contentType, ...headers }).end(body);
