import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb, type StateDb } from '../../../src/db/open.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import type { SecretKeeper } from '../../../src/domain/secret-port.ts';
import { ToolServerConfig } from '../../../src/domain/tool-server.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { createSecretStore } from '../../../src/secrets/secret-store.ts';
import { ToolServers } from '../../../src/tools/mcp/servers.ts';
import { createSandbox } from '../../../src/tools/sandbox/sandbox.ts';
import { toolContext } from '../tool-context.ts';

/** Tool servers over a real database, secret store, network and sandbox, as an app has them. */
export interface TestServers {
	readonly servers: ToolServers;
	readonly db: StateDb;
	readonly secrets: SecretKeeper;
	readonly folder: string;
	/** What was written down. */
	readonly entries: AuditEntry[];
	/** Secrets that must not be shown. */
	readonly learnt: Set<string>;
	/** Programs that run with all of the owner's rights. */
	readonly withoutSandbox: Set<string>;
	/** Puts these in place of what is configured. */
	configure(...configs: z.input[]): Promise<void>;
	/** Waits until it stands so. */
	until(id: string, kind: string): Promise<void>;
	/** Approves all that can be. */
	approveAll(id: string): void;
	/** As the gate runs it. */
	call(name: string, args?: Record<string, unknown>, more?: Parameters<typeof toolContext>[0]): Promise<{ text: string; isError: boolean }>;
	/** The same folder with new parts, as after a restart. */
	again(): Promise<TestServers>;
}

declare namespace z {
	type input = Parameters<typeof ToolServerConfig.parse>[0] & object;
}

export async function testServers(
	folder = mkdtempSync(join(tmpdir(), 'hearth-servers-')),
	configured: ToolServerConfig[] = [],
): Promise<TestServers> {
	const db = openStateDb({
		file: join(folder, 'state.db'),
		backupsFolder: join(folder, 'backups'),
		logger: silentLogger,
		clock: systemClock,
	});
	const secrets = createSecretStore({ profileFolder: folder, onChange: () => undefined, now: () => Date.now(), cost: 1024 });
	if ((await secrets.status()).store !== 'memory') await secrets.choose('memory');
	const entries: AuditEntry[] = [];
	const learnt = new Set<string>();
	const withoutSandbox = new Set<string>();
	const sandbox = createSandbox({
		hidden: [folder],
		// Of what is hidden, the one folder that a program may be given.
		workspace: join(folder, 'shared'),
		openProxy: () => Promise.reject(new Error('no proxy here')),
		logger: silentLogger,
	});
	const servers = new ToolServers({
		calling: () => () => undefined,
		db,
		secrets,
		sandbox,
		fetch: createGuardedFetch(),
		audit: { append: (_, added) => void entries.push(...added), record: async (added) => void entries.push(...added) },
		learn: (secret) => void learnt.add(secret),
		unsandboxed: (what) => {
			withoutSandbox.add(what);
			return () => void withoutSandbox.delete(what);
		},
		configured: () => configured,
		changed: () => undefined,
		version: '0',
		clock: systemClock,
		logger: silentLogger,
	});
	let closed = false;
	const close = async (): Promise<void> => {
		if (closed) return;
		closed = true;
		await servers.close();
		await sandbox.close();
		db.close();
	};
	onTestFinished(async () => {
		await close();
		rmSync(folder, { recursive: true, force: true });
	});
	servers.start();
	const idOf = (id: string) => configured.find((config) => config.id === id)?.id ?? ('none' as never);
	const test: TestServers = {
		servers,
		db,
		secrets,
		folder,
		entries,
		learnt,
		withoutSandbox,
		configure: async (...configs) => {
			configured.splice(0, configured.length, ...configs.map((config) => ToolServerConfig.parse(config)));
			await servers.follow();
		},
		until: async (id, kind) => {
			await vi.waitFor(
				() => {
					const state = servers.stateOf(idOf(id));
					if (state.kind !== kind) throw new Error(`it is ${JSON.stringify(state)}: ${servers.saidBy(idOf(id))}`);
				},
				{ timeout: 20_000, interval: 10 },
			);
		},
		approveAll: (id) => {
			const config = configured.find((one) => one.id === id);
			if (!config) throw new Error(`no ${id}`);
			const waiting = servers.pinned.viewOf(config.id).filter(({ state }) => state === 'new' || state === 'changed');
			servers.pinned.approve(
				config,
				waiting.map(({ tool, shownHash = '' }) => ({ tool, shownHash })),
			);
		},
		call: async (name, args = {}, more = {}) => {
			const tool = servers.find(name);
			if (!tool) throw new Error(servers.absence(name));
			return tool.run(tool.schema.parse(args), toolContext(more));
		},
		again: async () => {
			await close();
			return testServers(folder, configured);
		},
	};
	return test;
}
