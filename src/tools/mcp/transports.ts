import { tmpdir } from 'node:os';
import type { AuthProvider, FetchLike, Transport } from '@modelcontextprotocol/client';
import { HearthError, needsOwner, retryable, terminal } from '../../domain/errors.ts';
import type { SecretReader } from '../../domain/secret-port.ts';
import { cutCodePointsFromStart } from '../../domain/text.ts';
import type { ToolServerConfig } from '../../domain/tool-server.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import type { Launch, Sandbox } from '../sandbox/port.ts';
import { endedError, goneError, loadSdk, statusError } from './errors.ts';
import { environmentSecret, headerSecret, readValues } from './secrets.ts';

export interface TransportDeps {
	readonly fetch: GuardedFetch;
	readonly sandbox: Pick<Sandbox, 'launch'>;
	readonly secrets: SecretReader;
	/** A secret that was read: it must not be shown anywhere. */
	readonly learn: (secret: string) => void;
	/** A program runs with all of the owner's rights, until the returned function is called. */
	readonly unsandboxed: (what: string) => () => void;
	/** Called when a program was started. */
	readonly started: (server: ToolServerConfig, sandboxed: boolean) => void;
}

/** What the transport tells beside its messages. */
export interface TransportEvents {
	/** The server is there no longer, as far as can be told. */
	lost(error: HearthError): void;
	/** The end of what a program wrote to standard error. */
	said(text: string): void;
}

/** Signs requests to a server. */
export interface ServerAuth extends AuthProvider {
	/** Told of each answer and what it was asked for with. */
	answered(response: Response, authorization: string | null): void;
}

export interface OpenTransport {
	readonly transport: Transport;
	/** Its requests may go on after the handshake with the newest protocol, without a second process. */
	readonly negotiates: boolean;
	/** What its end means, where nothing else is known of it. */
	gone(): HearthError;
	/** Resolves when nothing of it is left. */
	close(): Promise<void>;
}

/** Of what a program writes to standard error. */
const SAID_CHARS = 2_000;
/** Most bytes of one message. */
const MOST_BYTES = 10 * 1024 * 1024;
/** What something in between says of a server that it can't reach. */
const NOBODY_BEHIND = new Set([502, 503, 504]);
/** A stream of a server may be silent for long; a call has its own time-out. */
const STREAM_SILENCE_MS = 60 * 60_000;

/** A way to the server, not yet used. Rejects with a HearthError where it can't be had. */
export async function openTransport(
	deps: TransportDeps,
	server: ToolServerConfig,
	auth: ServerAuth | undefined,
	events: TransportEvents,
): Promise<OpenTransport> {
	return server.transport.kind === 'stdio' ? openProgram(deps, server, events) : openHttp(deps, server, auth, events);
}

async function openProgram(deps: TransportDeps, server: ToolServerConfig, { said }: TransportEvents): Promise<OpenTransport> {
	if (server.transport.kind !== 'stdio') throw new Error('not a program');
	const { command, args, env } = server.transport;
	const { folders, home, network, unsandboxed } = server.access;
	const values = await readValues(deps.secrets, env, (name) => environmentSecret(server.id, name));
	for (const value of Object.values(values)) deps.learn(value);
	const launch = await deps.sandbox.launch({
		file: command,
		args,
		cwd: folders[0]?.path ?? tmpdir(),
		env: values,
		folders,
		network: network.kind === 'hosts' ? { ...network, ownerNamed: true } : network,
		home,
		limits: { cpuSeconds: Number.POSITIVE_INFINITY },
	});
	if (!launch.sandboxed && !unsandboxed) {
		await launch.dispose();
		throw needsOwner('server_not_set_up', `No sandbox works here, so ${server.title} would run with all of your rights.`, {
			safe: 'It was not started.',
			action: 'If you trust the program, say so in Settings, Tool servers.',
		});
	}
	const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
	const transport = new StdioClientTransport({
		command: launch.file,
		args: launch.args,
		env: launch.env,
		cwd: launch.cwd,
		stderr: 'pipe',
		maxBufferSize: MOST_BYTES,
	});
	let tail = '';
	transport.stderr?.on('data', (chunk: Buffer) => {
		tail = cutCodePointsFromStart(tail + chunk.toString('utf8'), SAID_CHARS);
		said(tail);
	});
	const done = launch.sandboxed ? () => undefined : deps.unsandboxed(`the tool server ${server.title}`);
	deps.started(server, launch.sandboxed);
	return {
		transport,
		negotiates: false,
		gone: () => endedError(server.title, launch.sandboxed),
		close: () => ended(transport, launch, done),
	};
}

async function ended(transport: Transport, launch: Launch, done: () => void): Promise<void> {
	try {
		await transport.close();
	} finally {
		done();
		await launch.dispose();
	}
}

async function openHttp(
	deps: TransportDeps,
	server: ToolServerConfig,
	auth: ServerAuth | undefined,
	events: TransportEvents,
): Promise<OpenTransport> {
	if (server.transport.kind !== 'http') throw new Error('not an address');
	const { url, headers } = server.transport;
	const values = await readValues(deps.secrets, headers, (name) => headerSecret(server.id, name));
	for (const value of Object.values(values)) deps.learn(value);
	const { StreamableHTTPClientTransport } = await loadSdk();
	const hasOwnAuthorization = headers.some((name) => name.toLowerCase() === 'authorization');
	const transport = new StreamableHTTPClientTransport(new URL(url), {
		fetch: serverFetch(deps.fetch, server, auth, events),
		requestInit: { headers: values },
		...(auth && !hasOwnAuthorization && { authProvider: auth }),
		onInsufficientScope: 'throw',
	});
	const close = async (): Promise<void> => {
		// Polite, and no more: a server that is gone has no session to end.
		await transport.terminateSession().catch(() => undefined);
		await transport.close();
	};
	return { transport: transport as Transport, negotiates: true, gone: () => goneError(server.title), close };
}

/** The guarded fetch, for this one address. What it finds out of the connection is told: the library itself goes on in silence. */
function serverFetch(fetch: GuardedFetch, server: ToolServerConfig, auth: ServerAuth | undefined, { lost }: TransportEvents): FetchLike {
	if (server.transport.kind !== 'http') throw new Error('not an address');
	const allow = { baseUrl: server.transport.url, ownerNamed: true };
	return async (input, init = {}) => {
		const method = methodOf(init.method);
		const headers = new Headers(init.headers);
		try {
			const answer = await fetch({
				url: String(input),
				allow,
				purpose: 'mcp',
				method,
				headers: Object.fromEntries(headers),
				silenceMs: STREAM_SILENCE_MS,
				maxBytes: MOST_BYTES,
				...(typeof init.body === 'string' && { body: init.body }),
				...(init.signal && { signal: init.signal }),
			});
			// The session is over there; or nothing is behind the address just now.
			if (answer.status === 404 && headers.has('mcp-session-id')) lost(goneError(server.title));
			if (NOBODY_BEHIND.has(answer.status)) lost(statusError(answer.status, server.title));
			// Where the stream of notices breaks off, the library opens it anew; whoever waits for an answer would wait for ever.
			const response = method === 'POST' ? watched(answer, (error) => (init.signal?.aborted ? undefined : lost(error))) : answer;
			auth?.answered(response, headers.get('authorization'));
			return response;
		} catch (error) {
			if (error instanceof HearthError && !init.signal?.aborted) lost(error);
			throw error;
		}
	};
}

/** The same response; told when its body breaks off. */
function watched(response: Response, broken: (error: HearthError) => void): Response {
	if (!response.body) return response;
	const reader = response.body.getReader();
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await reader.read();
					if (done) controller.close();
					else controller.enqueue(value);
				} catch (error) {
					// An answer without end says nothing of the next one.
					if (error instanceof HearthError) broken(retryable('server_unreachable', error.message));
					controller.error(error);
				}
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	const { status, statusText, headers } = response;
	return new Response(body, { status, statusText, headers });
}

function methodOf(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
	if (method === 'GET' || method === 'POST' || method === 'DELETE') return method;
	throw terminal('network_denied', `A tool server is not called with ${method}.`);
}
