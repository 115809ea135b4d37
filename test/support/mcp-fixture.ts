import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { HearthClient } from '../../src/contract/contract.ts';
import { ToolServerConfig } from '../../src/domain/tool-server.ts';
import { type FixtureCall, type FixtureResources, type FixtureTool, fixtureServer, usualTools } from './mcp/tools.ts';
import { programOf } from './program.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const PROGRAM = join(import.meta.dirname, 'mcp', 'stdio-server.ts');

/** A real tool server over streamable HTTP on 127.0.0.1, in this process, so that a test can change it while it runs. */
export interface HttpFixture {
	readonly url: string;
	/** What its tool `hand_back` gives. */
	text: string;
	/** Offered at this moment; change it and call `changed`. */
	tools: FixtureTool[];
	/** Calls of `record` and others that have an effect. */
	readonly calls: FixtureCall[];
	/** Headers of the last request. */
	headers: IncomingMessage['headers'];
	/** Looks at each request first; true: it has answered it. */
	before: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
	/** Tells every client that the list changed. */
	changed(): Promise<void>;
	/** Cuts every connection, and forgets every session: what a restart of the server does. */
	restart(): Promise<void>;
	/** The servers of the sessions, for what a server may send by itself. */
	sessions(): Server[];
	close(): Promise<void>;
}

/** `resources`: what it gives of these, too, as they are at that moment. */
export async function startHttpFixture(resources?: FixtureResources): Promise<HttpFixture> {
	const sessions = new Map<string, { server: Server; transport: WebStandardStreamableHTTPServerTransport }>();
	const calls: FixtureCall[] = [];
	const fixture: HttpFixture = {
		url: '',
		text: 'nothing',
		tools: usualTools({ text: () => fixture.text, called: (call) => void calls.push(call) }),
		calls,
		headers: {},
		before: undefined,
		changed: async () => {
			await Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
		},
		restart: async () => {
			http.closeAllConnections();
			await Promise.all([...sessions.values()].map(({ server }) => server.close()));
			sessions.clear();
		},
		sessions: () => [...sessions.values()].map(({ server }) => server),
		close: async () => {
			await fixture.restart();
			await new Promise((resolve) => http.close(resolve));
		},
	};
	const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
		const server = fixtureServer(() => fixture.tools, resources);
		const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => crypto.randomUUID(),
			onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
			onsessionclosed: (id) => void sessions.delete(id),
		});
		await server.connect(transport);
		return transport;
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		fixture.headers = request.headers;
		if (await fixture.before?.(request, response)) return;
		const session = request.headers['mcp-session-id'];
		const known = typeof session === 'string' ? sessions.get(session)?.transport : undefined;
		if (session !== undefined && !known) {
			response.writeHead(404).end();
			return;
		}
		await send(response, await (known ?? (await open())).handleRequest(await webRequest(request)));
	};
	const http: HttpServer = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	return Object.assign(fixture, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp` });
}

/** The fixture server as a program: what to put into a server's configuration, and the folders that it must be able to read. */
export function stdioFixture(files: { text?: string; calls?: string } = {}): { command: string; args: string[]; reads: string[] } {
	const options = Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]);
	return { command: process.execPath, args: [programOf(PROGRAM), ...options], reads: [PROJECT] };
}

async function webRequest(request: IncomingMessage): Promise<Request> {
	const headers = new Headers();
	for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value));
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const init = { method: request.method ?? 'GET', headers };
	return new Request(`http://${request.headers.host}${request.url}`, chunks.length > 0 ? { ...init, body: Buffer.concat(chunks) } : init);
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
	response.writeHead(answer.status, Object.fromEntries(answer.headers));
	if (!answer.body) {
		response.end();
		return;
	}
	response.flushHeaders();
	const body = Readable.fromWeb(answer.body as ReadableStream);
	// The client went away: the server's own side is told by the end of its stream.
	response.on('close', () => body.destroy());
	body.on('error', () => response.destroy());
	body.pipe(response);
}

/** Sets a fixture up as a tool server of a running app, waits until it is connected, and approves all that it offers, as its owner would. */
export async function connectFixture(
	rpc: Pick<HearthClient, 'servers'>,
	fixture: Pick<HttpFixture, 'url'> | ReturnType<typeof stdioFixture>,
	more: { id?: string; folders?: { path: string; access: 'read' | 'write' }[] } = {},
): Promise<void> {
	const { id = 'fixture', folders = [] } = more;
	const reads = 'reads' in fixture ? fixture.reads.map((path) => ({ path, access: 'read' as const })) : [];
	const server = ToolServerConfig.parse({
		id,
		title: 'Fixture',
		transport: 'url' in fixture ? { kind: 'http', url: fixture.url } : { kind: 'stdio', command: fixture.command, args: fixture.args },
		access: { folders: [...folders, ...reads] },
	});
	await rpc.servers.add({ server });
	await rpc.servers.connect({ server: server.id });
	const { tools } = await rpc.servers.tools({ server: server.id });
	const shown = tools.map(({ tool, shownHash = '' }) => ({ tool, shownHash }));
	await rpc.servers.approveTools({ server: server.id, tools: shown });
}
