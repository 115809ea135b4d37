import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { SecretKeeper } from '../../domain/secret-port.ts';
import type { ServerId, ServerState, ToolServerConfig } from '../../domain/tool-server.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import type { Tool } from '../port.ts';
import type { ToolSource } from '../registry.ts';
import { refusedEntry, startedEntry } from './audit.ts';
import { Connection } from './connection.ts';
import { notAsApproved } from './errors.ts';
import { knownServers } from './pin-store.ts';
import { PinnedTools } from './pinned-tools.ts';
import { partsOf, type ResourcePart } from './resource.ts';
import { resultText } from './result.ts';
import { secretsOf, serverOfSecret } from './secrets.ts';
import { type SignIn, signInTo } from './sign-in.ts';
import { dropState, keepState, type LastState, lastState } from './state-store.ts';
import type { CallServerTool } from './tool.ts';
import { openTransport, type TransportDeps } from './transports.ts';

export interface ToolServersDeps extends Omit<TransportDeps, 'started' | 'secrets'> {
	readonly db: StateDb;
	readonly secrets: SecretKeeper;
	readonly audit: AuditLog;
	/** The servers as they are configured now. */
	readonly configured: () => readonly ToolServerConfig[];
	/** Something that the owner sees of servers changed. */
	readonly changed: () => void;
	/** A call of it begins; the returned function is called when it is over. */
	readonly calling: (server: ToolServerConfig) => () => void;
	/** Of Hearth, for the servers. */
	readonly version: string;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** One server as it is now. */
interface Live {
	readonly config: ToolServerConfig;
	readonly connection: Connection;
	readonly signIn: SignIn | undefined;
}

/** A call is ended by the gate, which knows how long its tool may take. */
const NO_TIMEOUT_MS = 24 * 60 * 60_000;

/** The tool servers of the owner: their connections and what of them the agent gets. */
export class ToolServers implements ToolSource {
	readonly pinned: PinnedTools;
	readonly #deps: ToolServersDeps;
	readonly #live = new Map<ServerId, Live>();
	readonly #order = new Sequencer();
	#running = false;
	#closed = false;
	#swept: Promise<void> = Promise.resolve();

	constructor(deps: ToolServersDeps) {
		this.#deps = deps;
		this.pinned = new PinnedTools(deps, this.#call);
	}

	/** Connects those that are enabled, where that has not begun. What was known of them in an earlier life is only what the owner is told meanwhile. */
	start(): void {
		if (this.#running || this.#closed) return;
		this.#running = true;
		void this.follow();
		this.#swept = this.#sweep().catch((error: unknown) => this.#deps.logger.warn('tool_server_leftovers', { error }));
	}

	/** Brings what runs in line with the configuration. Resolves when what is no longer configured has ended. */
	follow(): Promise<void> {
		return this.#order.run('servers', async () => {
			if (!this.#running) return;
			const wanted = new Map(this.#enabled().map((config) => [config.id, config]));
			const ending = [...this.#live].filter(([id, { config }]) => JSON.stringify(wanted.get(id)) !== JSON.stringify(config));
			await Promise.all(ending.map(([id]) => this.#end(id)));
			for (const config of wanted.values()) if (!this.#live.has(config.id)) this.#begin(config);
			this.#deps.changed();
		});
	}

	/** A secret was stored, or the store was unlocked: who waited for that is tried again. */
	secretsChanged(): void {
		for (const [id, { connection }] of this.#live) {
			const { state } = connection;
			if (state.kind === 'failed' && state.error.kind === 'needs_owner') this.#connect(id);
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		this.#running = false;
		await this.#order.idle();
		await Promise.all([...this.#live.keys()].map((id) => this.#end(id)));
	}

	find(name: string): Tool | undefined {
		for (const server of this.#enabled()) {
			const tool = this.pinned.toolsOf(server).get(name);
			if (tool) return tool;
		}
		return undefined;
	}

	/** Of a server that is being connected, too: a call waits for that. */
	offered(): readonly Tool[] {
		return this.#enabled().flatMap((server) => {
			const { kind } = this.stateOf(server.id);
			return kind === 'connected' || kind === 'connecting' ? [...this.pinned.toolsOf(server).values()] : [];
		});
	}

	absence(name: string): string | undefined {
		const server = this.#deps.configured().find(({ id }) => name.startsWith(`mcp_${id}_`));
		if (!server) return name.startsWith('mcp_') ? 'There is no such tool server, or it was removed.' : undefined;
		if (!server.enabled) return `The tool server “${server.title}” is switched off.`;
		return this.pinned.heldOf(server, name) ?? `The tool server “${server.title}” offers no such tool.`;
	}

	stateOf(id: ServerId): ServerState {
		return this.#live.get(id)?.connection.state ?? { kind: 'off' };
	}

	/** The end of what its program wrote to standard error in this life. */
	saidBy(id: ServerId): string {
		return this.#live.get(id)?.connection.said ?? '';
	}

	/** What was known of it last, in this life or another. */
	lastStateOf(id: ServerId): LastState | undefined {
		return lastState(this.#deps.db.read, id);
	}

	/** Connects, where it is not connected, and asks for the tools. Rejects with what stands in the way. */
	async test(id: ServerId, signal?: AbortSignal): Promise<void> {
		await this.#awake();
		await this.#list(id, this.#needed(id).connection, signal);
	}

	/** For background work. Rejects as a call does; `not_found`, `conflict`: there is no such server, it is off. */
	async readResource(id: ServerId, uri: string, signal: AbortSignal): Promise<ResourcePart[]> {
		await this.#awake();
		return partsOf(await this.#needed(id).connection.readResource(uri, signal));
	}

	/** Its address or command is another now: another server, of which nothing is known. */
	becameAnother(id: ServerId): void {
		this.pinned.drop(id);
		this.#deps.db.write((tx) => dropState(tx, id));
	}

	/** It is no longer configured: nothing is left of it, no approval and no secret. */
	async forget(config: ToolServerConfig): Promise<void> {
		await this.follow();
		this.becameAnother(config.id);
		for (const name of secretsOf(config)) await this.#deps.secrets.remove(name);
	}

	/** Where the owner signs in. `redirectUrl`: on this machine, where the answer will come. */
	async beginSignIn(id: ServerId, redirectUrl: string): Promise<URL> {
		await this.#awake();
		return this.#signIn(id).begin(redirectUrl);
	}

	/** `answer`: what came to the redirect address. */
	async finishSignIn(id: ServerId, answer: URLSearchParams): Promise<void> {
		await this.#signIn(id).finish(answer);
		await this.#anew(id);
	}

	async signOut(id: ServerId): Promise<void> {
		await this.#awake();
		await this.#signIn(id).signOut();
		await this.#anew(id);
	}

	async isSignedIn(id: ServerId): Promise<boolean> {
		return (await this.#live.get(id)?.signIn?.isSignedIn()) ?? false;
	}

	/** A short look at a profile connects nothing, unless its owner asks for it. */
	async #awake(): Promise<void> {
		this.start();
		await this.#order.idle();
	}

	/** What a crash left is out of the way: a server may be set up under any name. */
	settled(): Promise<void> {
		return this.#swept;
	}

	/** What a crash left of servers that were being removed. */
	async #sweep(): Promise<void> {
		const { db, secrets } = this.#deps;
		const isConfigured = (id: string): boolean => this.#deps.configured().some((one) => one.id === id);
		for (const id of knownServers(db.read)) if (!isConfigured(id)) this.becameAnother(id);
		for (const name of await secrets.names()) {
			const id = serverOfSecret(name);
			if (id !== undefined && !isConfigured(id)) await secrets.remove(name);
		}
	}

	#signIn(id: ServerId): SignIn {
		const { signIn, config } = this.#needed(id);
		if (signIn) return signIn;
		throw terminal('conflict', `${config.title} is a program on this computer: there is nothing to sign in to.`);
	}

	async #anew(id: ServerId): Promise<void> {
		await this.#order.run('servers', () => this.#end(id));
		await this.follow();
	}

	#begin(config: ToolServerConfig): void {
		const signIn = signInTo(config, this.#deps);
		this.#live.set(config.id, { config, signIn, connection: this.#connection(config, signIn) });
		this.#connect(config.id);
	}

	async #end(id: ServerId): Promise<void> {
		const live = this.#live.get(id);
		await live?.connection.stop();
		this.#live.delete(id);
	}

	/** In the background: how it went is its state. */
	#connect(id: ServerId): void {
		void this.#live.get(id)?.connection.connect();
	}

	#connection(config: ToolServerConfig, signIn: SignIn | undefined): Connection {
		const { db, clock, logger, changed, version, audit } = this.#deps;
		const { id, title } = config;
		const ways: TransportDeps = { ...this.#deps, started: (server, sandboxed) => void audit.record([startedEntry(server, sandboxed)]) };
		return new Connection({
			title,
			version,
			clock,
			open: (events) => openTransport(ways, config, signIn, events),
			onState: (state) => {
				logger.info('tool_server', { server: id, state: state.kind, ...('error' in state && { code: state.error.code }) });
				// An end of Hearth says nothing of a server; of one that is configured no more, nothing is kept.
				if (this.#running && this.#deps.configured().some((one) => one.id === id)) db.write((tx) => keepState(tx, id, state, clock.now()));
				if (state.kind === 'connected') this.#look(id);
				changed();
			},
			onListChanged: () => this.#look(id),
			onRefused: (method) => {
				logger.warn('tool_server_refused', { server: id, method });
				void audit.record([refusedEntry(config, method)]);
			},
		});
	}

	/** Asks for the tools, in the background. What goes wrong is a matter of the connection, which says so. */
	#look(id: ServerId): void {
		const live = this.#live.get(id);
		if (!live) return;
		this.#list(id, live.connection).catch((error: unknown) => this.#deps.logger.warn('tool_server_list', { server: id, error }));
	}

	async #list(id: ServerId, connection: Connection, signal?: AbortSignal): Promise<void> {
		const offered = await connection.list(signal);
		const config = this.#live.get(id)?.config;
		if (config) this.pinned.takeIn(config, offered);
	}

	/** The list is asked for anew before each call: what was approved is what is called, or nothing. */
	readonly #call: CallServerTool = async ({ server, offer, hash }, args, { signal, output }) => {
		const { connection } = this.#needed(server.id);
		await this.#list(server.id, connection, signal);
		if (!this.pinned.isOfferedAs(server.id, offer.name, hash)) throw notAsApproved(server.title, offer.name);
		const over = this.#deps.calling(server);
		const result = await connection
			.call(offer, args, {
				signal,
				timeout: NO_TIMEOUT_MS,
				onprogress: ({ progress, total, message = 'At' }) =>
					output(`${message} (${progress}${total === undefined ? '' : ` of ${total}`})\n`),
			})
			.finally(over);
		return { text: resultText(result), isError: result.isError === true };
	};

	readonly #enabled = (): ToolServerConfig[] => this.#deps.configured().filter(({ enabled }) => enabled);

	#needed(id: ServerId): Live {
		const live = this.#live.get(id);
		if (live) return live;
		const config = this.#deps.configured().find((one) => one.id === id);
		if (!config) throw terminal('not_found', `There is no tool server “${id}”.`);
		throw terminal('conflict', `The tool server “${config.title}” is switched off.`, { action: 'Switch it on in Settings, Tool servers.' });
	}
}
