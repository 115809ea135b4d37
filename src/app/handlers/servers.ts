import type { ServerView } from '../../contract/methods/servers.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { SecretKeeper } from '../../domain/secret-port.ts';
import type { ServerId, ToolServerConfig } from '../../domain/tool-server.ts';
import type { AuditLog, Redactor } from '../../firewall/ports.ts';
import { configuredEntry } from '../../tools/mcp/audit.ts';
import { isSameServer } from '../../tools/mcp/pins.ts';
import { environmentSecret, headerSecret, secretsOf } from '../../tools/mcp/secrets.ts';
import type { ToolServers } from '../../tools/mcp/servers.ts';
import type { Sandbox } from '../../tools/sandbox/port.ts';
import type { ConfigStore } from '../config.ts';
import type { Handlers } from '../router.ts';
import type { SignInDoor } from '../web-sign-in.ts';

export interface ServersDeps {
	readonly servers: ToolServers;
	readonly sandbox: Pick<Sandbox, 'status'>;
	readonly config: Pick<ConfigStore, 'get' | 'update'>;
	readonly secrets: SecretKeeper;
	readonly audit: AuditLog;
	/** What a program writes to standard error may hold what it was given. */
	readonly redactor: Pick<Redactor, 'redact'>;
	readonly door: SignInDoor;
	readonly liveSeq: () => number;
}

export function createServersHandlers(deps: ServersDeps): Handlers['servers'] {
	const { servers, config, secrets, audit, door } = deps;

	const configured = (id: ServerId): ToolServerConfig => {
		const found = config.get().toolServers.find((server) => server.id === id);
		if (found) return found;
		throw terminal('not_found', `There is no tool server “${id}”.`);
	};
	const viewOf = async (id: ServerId): Promise<ServerView> => {
		const server = configured(id);
		const stored = new Set(await secrets.names());
		const tools = servers.pinned.viewOf(id);
		const last = servers.lastStateOf(id);
		return {
			server,
			state: servers.stateOf(id),
			...(last && { last: { kind: last.kind, at: last.at, ...(last.error && { error: last.error }) } }),
			said: deps.redactor.redact(servers.saidBy(id)).text,
			signedIn: await servers.isSignedIn(id).catch(() => false),
			missing: namesOf(server).filter((name) => !stored.has(secretName(server, name))),
			tools: {
				approved: tools.filter(({ state }) => state === 'approved').length,
				waiting: tools.filter(({ state }) => state === 'new' || state === 'changed').length,
				changed: tools.filter(({ state }) => state === 'changed').length,
			},
		};
	};
	/** Before the configuration names it: a server is not started without what it needs. */
	const keepValues = async (server: ToolServerConfig, values: Readonly<Record<string, string>>): Promise<void> => {
		const names = namesOf(server);
		const unknown = Object.keys(values).find((name) => !names.includes(name));
		if (unknown !== undefined) throw terminal('invalid_input', `The server has no “${unknown}”.`, { safe: 'Nothing was stored.' });
		for (const [name, value] of Object.entries(values)) await secrets.set(secretName(server, name), value);
	};

	return {
		list: async () => {
			const views = await Promise.all(config.get().toolServers.map(({ id }) => viewOf(id)));
			const { kind, why, network } = await deps.sandbox.status();
			return { servers: views, sandbox: { works: kind !== 'none', why, network }, seq: deps.liveSeq() };
		},
		add: async ({ server, values }) => {
			if (config.get().toolServers.some(({ id }) => id === server.id))
				throw terminal('conflict', `There is a tool server “${server.id}” already.`, { action: 'Take another short name.' });
			await servers.settled();
			await keepValues(server, values);
			await config.update((now) => ({ ...now, toolServers: [...now.toolServers, server] }));
			await audit.record([configuredEntry(server, 'granted')]);
			await servers.follow();
			return viewOf(server.id);
		},
		update: async ({ server, values }) => {
			const before = configured(server.id);
			const isSame = isSameServer(before.transport, server.transport);
			if (!isSame) await forgetSecrets(secrets, before, []);
			await keepValues(server, values);
			if (isSame) await forgetSecrets(secrets, before, secretsOf(server));
			await config.update((now) => ({ ...now, toolServers: now.toolServers.map((one) => (one.id === server.id ? server : one)) }));
			await audit.record([configuredEntry(server, 'granted')]);
			if (!isSame) servers.becameAnother(server.id);
			await servers.follow();
			return viewOf(server.id);
		},
		remove: async ({ server: id }) => {
			const server = configured(id);
			door.shut(id);
			await config.update((now) => ({ ...now, toolServers: now.toolServers.filter((one) => one.id !== id) }));
			await audit.record([configuredEntry(server, 'revoked')]);
			await servers.forget(server);
		},
		connect: async ({ server: id }, { signal }) => {
			await servers.test(id, signal);
			return viewOf(id);
		},
		tools: async ({ server: id }) => ({ tools: servers.pinned.viewOf(configured(id).id) }),
		approveTools: async ({ server: id, tools }) => {
			servers.pinned.approve(configured(id), tools);
			return { tools: servers.pinned.viewOf(id) };
		},
		unapproveTool: async ({ server: id, tool }) => {
			servers.pinned.unapprove(configured(id), tool);
			return { tools: servers.pinned.viewOf(id) };
		},
		setReadOnly: async ({ server: id, tool, readOnly }) => {
			servers.pinned.setReadOnly(configured(id), tool, readOnly);
			return { tools: servers.pinned.viewOf(id) };
		},
		signIn: async ({ server: id }) => {
			configured(id);
			const redirectUrl = await door.open(id, (answer) => servers.finishSignIn(id, answer));
			try {
				return { url: (await servers.beginSignIn(id, redirectUrl)).href };
			} catch (error) {
				door.shut(id);
				throw error;
			}
		},
		finishSignIn: async ({ server: id, address }) => {
			configured(id);
			const answer = URL.parse(address.trim())?.searchParams;
			if (!answer?.has('state'))
				throw needsOwner('invalid_input', 'This is not the address that the browser was led to.', {
					action: 'Copy the whole address from the browser.',
				});
			await servers.finishSignIn(id, answer);
			door.shut(id);
			return viewOf(id);
		},
		signOut: async ({ server: id }) => {
			configured(id);
			await servers.signOut(id);
			return viewOf(id);
		},
	};
}

function namesOf({ transport }: ToolServerConfig): string[] {
	return transport.kind === 'stdio' ? transport.env : transport.headers;
}

function secretName({ id, transport }: ToolServerConfig, name: string): string {
	return transport.kind === 'stdio' ? environmentSecret(id, name) : headerSecret(id, name);
}

async function forgetSecrets(secrets: SecretKeeper, server: ToolServerConfig, but: readonly string[]): Promise<void> {
	for (const name of secretsOf(server)) if (!but.includes(name)) await secrets.remove(name);
}
