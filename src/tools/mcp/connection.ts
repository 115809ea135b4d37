import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Tool as OfferedTool, RequestOptions } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import type { Json } from '../../domain/json.ts';
import { cutCodePoints } from '../../domain/text.ts';
import type { ServerState, ServerToolOffer } from '../../domain/tool-server.ts';
import { goneError, loadSdk, type Sdk, serverError, signInError } from './errors.ts';
import type { OpenTransport, TransportEvents } from './transports.ts';

/** For the handshake, and for a list of tools. */
const ANSWER_MS = 20_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Of a list of tools. */
const MOST_PAGES = 20;
/** What is under way at an end gets so long. */
const END_MS = 3_000;
/** Messages that make no sense within this time, after which a server is given up. */
const MOST_NONSENSE = 20;
const NONSENSE_MS = 60_000;

export interface ConnectionDeps {
	readonly title: string;
	/** Of Hearth. */
	readonly version: string;
	readonly open: (events: TransportEvents) => Promise<OpenTransport>;
	readonly clock: Clock;
	/** Called after each change of state. */
	readonly onState: (state: ServerState) => void;
	/** The server says that its list of tools is another one now. */
	readonly onListChanged: () => void;
	/** It asked for something that no tool server gets. */
	readonly onRefused: (method: string) => void;
}

interface Open {
	readonly sdk: Sdk;
	readonly client: Client;
	readonly way: OpenTransport;
	/** Why it is there no longer. */
	readonly lost: () => HearthError | undefined;
}

/**
 * The connection to one tool server: opened, kept, opened again with longer and longer waits. What it is counts for this process only; a start
 * begins anew. A failure that a repeat can't mend waits for the owner.
 */
export class Connection {
	readonly #deps: ConnectionDeps;
	#state: ServerState = { kind: 'off' };
	#open: Open | undefined;
	#attempt: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#failures = 0;
	#stopped = false;
	readonly #life = new AbortController();
	#said = '';
	/** Ends of connections under way. */
	readonly #closing = new Set<Promise<void>>();

	constructor(deps: ConnectionDeps) {
		this.#deps = deps;
	}

	get state(): ServerState {
		return this.#state;
	}

	/** The end of what the program wrote to its standard error, for the owner; not kept. */
	get said(): string {
		return this.#said;
	}

	/** Opens it now, whatever it waited for. Resolves when that succeeded or failed. */
	connect(): Promise<void> {
		clearTimeout(this.#timer);
		if (this.#stopped || this.#open) return Promise.resolve();
		this.#attempt ??= this.#tryOnce().finally(() => {
			this.#attempt = undefined;
		});
		return this.#attempt;
	}

	/** Nothing is left of it when this resolves. */
	async stop(): Promise<void> {
		this.#stopped = true;
		this.#life.abort();
		clearTimeout(this.#timer);
		this.#letGo();
		// A keyring that asks its owner may never answer.
		await Promise.race([this.#attempt, sleep(END_MS, undefined, { ref: false })]);
		await Promise.all(this.#closing);
		this.#become({ kind: 'off' });
	}

	/** All tools that it offers now. To ask is harmless: where the connection turns out to be gone, it is opened anew, once. Rejects with a HearthError. */
	async list(signal?: AbortSignal): Promise<OfferedTool[]> {
		try {
			return await this.#listNow(signal);
		} catch (error) {
			if (this.#open || this.#state.kind !== 'waiting' || signal?.aborted) throw error;
			return this.#listNow(signal);
		}
	}

	async #listNow(signal: AbortSignal | undefined): Promise<OfferedTool[]> {
		const open = await this.#ready();
		const options = { timeout: ANSWER_MS, cacheMode: 'refresh' as const, ...(signal && { signal }) };
		return this.#asked(open, async () => (await open.client.listTools({}, options)).tools);
	}

	/** Rejects with a HearthError; where the call was cut off, it may have happened. */
	async call(
		offer: ServerToolOffer,
		args: Record<string, Json>,
		options: Pick<RequestOptions, 'onprogress' | 'timeout'> & { signal: AbortSignal },
	): Promise<Awaited<ReturnType<Client['callTool']>>> {
		const open = await this.#ready();
		return this.#asked(open, () => open.client.callTool({ name: offer.name, arguments: args }, options));
	}

	/** To read it is harmless: where the connection turns out to be gone, it is opened anew, once. Rejects with a HearthError. */
	async readResource(uri: string, signal: AbortSignal): Promise<Awaited<ReturnType<Client['readResource']>>> {
		const read = async () => {
			const open = await this.#ready();
			return this.#asked(open, () => open.client.readResource({ uri }, { timeout: ANSWER_MS, cacheMode: 'refresh', signal }));
		};
		try {
			return await read();
		} catch (error) {
			if (this.#open || this.#state.kind !== 'waiting' || signal.aborted) throw error;
			return read();
		}
	}

	async #ready(): Promise<Open> {
		if (!this.#open) await this.connect();
		if (this.#open) return this.#open;
		throw errorOf(this.#state, this.#deps.title);
	}

	async #asked<T>({ sdk, way, lost }: Open, ask: () => Promise<T>): Promise<T> {
		try {
			return await ask();
		} catch (error) {
			// That it is closed is how the library hears of it; why is known.
			const failure = lost() ?? serverError(sdk, error, this.#deps.title, way.gone);
			if (failure.code === 'server_sign_in') this.#drop({ kind: 'needs_sign_in' });
			throw failure;
		}
	}

	async #tryOnce(): Promise<void> {
		this.#become({ kind: 'connecting' });
		try {
			await this.#handshake();
			this.#failures = 0;
		} catch (error) {
			if (!this.#stopped) this.#failed(error instanceof HearthError ? error : serverError(await loadSdk(), error, this.#deps.title));
		}
	}

	async #handshake(): Promise<void> {
		const { title, clock } = this.#deps;
		const sdk = await loadSdk();
		this.#said = '';
		let lost: HearthError | undefined;
		const way = await this.#deps.open({
			lost: (error) => {
				lost = error;
				if (this.#open?.way === way) this.#failed(error);
			},
			said: (text) => {
				this.#said = text;
			},
		});
		const client = this.#client(sdk, way);
		const open: Open = { sdk, client, way, lost: () => lost };
		try {
			await client.connect(way.transport, { timeout: ANSWER_MS, signal: this.#life.signal });
			if (this.#stopped) throw goneError(title);
			if (lost) throw lost;
			client.onclose = () => {
				if (this.#open?.client === client) this.#failed(way.gone());
			};
			this.#open = open;
			this.#become({
				kind: 'connected',
				since: clock.now(),
				protocol: cutCodePoints(client.getNegotiatedProtocolVersion() ?? '', 40),
				serverName: cutCodePoints(client.getServerVersion()?.name ?? '', 100),
			});
		} catch (error) {
			this.#close(open);
			throw lost ?? serverError(sdk, error, title, way.gone);
		}
	}

	#client(sdk: Sdk, way: OpenTransport): Client {
		const client = new sdk.Client(
			{ name: 'hearth', version: this.#deps.version },
			{
				// No model, no questions to the owner, no folders: a tool server gets what it is called with.
				capabilities: {},
				inputRequired: { autoFulfill: false },
				listMaxPages: MOST_PAGES,
				versionNegotiation: { mode: way.negotiates ? 'auto' : 'legacy' },
				listChanged: { tools: { autoRefresh: false, debounceMs: 200, onChanged: () => this.#deps.onListChanged() } },
				// What a tool gives back is somebody else's text, whatever its own schema says: nothing is compiled for it.
				jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
			},
		);
		let nonsense = 0;
		let since = this.#deps.clock.monotonic();
		client.onerror = () => {
			const now = this.#deps.clock.monotonic();
			if (now - since > NONSENSE_MS) [nonsense, since] = [0, now];
			nonsense += 1;
			if (nonsense === MOST_NONSENSE && this.#open?.client === client)
				this.#failed(terminal('server_refused', `${this.#deps.title} sends what makes no sense.`));
		};
		client.fallbackRequestHandler = async ({ method }) => {
			this.#deps.onRefused(cutCodePoints(method, 100));
			throw new sdk.ProtocolError(
				sdk.ProtocolErrorCode.MethodNotFound,
				'Hearth gives tool servers no model, no questions to its owner and no folders.',
			);
		};
		return client;
	}

	#failed(error: HearthError): void {
		if (error.code === 'server_sign_in' || error.kind !== 'retryable') {
			this.#drop(error.code === 'server_sign_in' ? { kind: 'needs_sign_in' } : { kind: 'failed', error: error.shape });
			return;
		}
		this.#failures += 1;
		const longest = Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 1), LONGEST_WAIT_MS);
		// Several servers that went away together do not come back together.
		const wait = longest * (0.75 + Math.random() / 4);
		this.#drop({ kind: 'waiting', until: Math.round(this.#deps.clock.now() + wait), error: error.shape });
		this.#timer = setTimeout(() => void this.connect(), wait);
		this.#timer.unref();
	}

	#drop(state: ServerState): void {
		if (this.#stopped) return;
		clearTimeout(this.#timer);
		this.#letGo();
		this.#become(state);
	}

	#letGo(): void {
		const open = this.#open;
		this.#open = undefined;
		if (open) this.#close(open);
	}

	#close({ client, way }: Open): void {
		client.onclose = undefined;
		const ending = way.close().catch(() => undefined);
		this.#closing.add(ending);
		void ending.then(() => this.#closing.delete(ending));
	}

	#become(state: ServerState): void {
		this.#state = state;
		this.#deps.onState(state);
	}
}

/** Why there is no connection, for whoever wanted one. */
function errorOf(state: ServerState, title: string): HearthError {
	if (state.kind === 'waiting' || state.kind === 'failed') return new HearthError(state.error);
	if (state.kind === 'needs_sign_in') return signInError(title);
	return goneError(title);
}
