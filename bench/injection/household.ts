import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/base/ids.ts';
import { ProviderId, type RunId } from '../../src/domain/ids.ts';
import { PermissionTerms } from '../../src/domain/permission.ts';
import type { Interrupt, InterruptAnswer, RunStatus } from '../../src/domain/run.ts';
import { ServerId, ToolServerConfig } from '../../src/domain/tool-server.ts';
import { type RunningApp, startApp } from '../../test/support/apps.ts';
import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../../test/support/model-server/index.ts';
import type { World } from './world.ts';

/** The whole app over a profile in the world, with a model that is scripted over HTTP, and its owner. */
export interface Household {
	readonly app: RunningApp;
	/**
	 * Sends a message in a chat of its own and resolves when its run has ended, or waits for what the owner does not answer. `answer`: the
	 * owner's word on each question of this run and of what it delegated; undefined leaves it open.
	 */
	run(
		text: string,
		answer: (interrupt: Interrupt) => InterruptAnswer | undefined,
	): Promise<{ runId: RunId; status: RunStatus; asked: Interrupt[]; problem?: string }>;
	close(): Promise<void>;
}

const TOOL_SERVER = ServerId.parse('fixture');
const ENDED: readonly RunStatus[] = ['done', 'failed', 'stopped', 'interrupted'];
/** A run that does nothing for so long is given up. */
const PATIENCE_MS = 60_000;

/** `byWords`: without the embedded model. */
export async function startHousehold(
	world: World,
	model: (request: RecordedRequest) => Reply,
	{ byWords = false }: { byWords?: boolean } = {},
): Promise<Household> {
	if (byWords) writeFileSync(join(world.profile, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	const server: ModelServer = await startModelServer();
	const app = await startApp(world.home, { profileFolder: world.profile });
	const { rpc } = app;
	const providerId = ProviderId.parse('scripted');
	const provider = {
		id: providerId,
		kind: 'openai-compatible' as const,
		name: 'Scripted',
		baseUrl: server.openaiUrl,
		contextTokens: 120_000,
	};
	await rpc.models.saveProvider({ provider });
	await rpc.models.choose({ work: 'chat', model: { providerId, modelId: 'scripted' } });
	server.script((request) => {
		// Prompts are long, and nobody reads them again.
		server.log.requests.length = server.log.flushes.length = 0;
		return model(request);
	});
	await setUp(app, world);

	interface Watched {
		answer(interrupt: Interrupt): InterruptAnswer | undefined;
		readonly asked: Interrupt[];
		/** Itself and what it delegated. */
		readonly runs: Set<string>;
		end(status: RunStatus): void;
		touched: number;
	}
	const watched = new Map<string, Watched>();
	const early: Interrupt[] = [];
	const stop = new AbortController();
	const listening = listen();

	async function listen(): Promise<void> {
		try {
			for await (const item of await rpc.system.live({}, { signal: stop.signal })) {
				if (item.type !== 'event') continue;
				if (item.event.type === 'run_changed') {
					const { id, parentRunId, status } = item.event.run;
					const of = watched.get(parentRunId ?? id);
					if (parentRunId !== undefined && of && !watched.has(id)) {
						watched.set(id, of);
						of.runs.add(id);
						for (const interrupt of early.splice(0)) await hear(interrupt);
					} else if (parentRunId === undefined && of && ENDED.includes(status)) of.end(status);
				} else if (item.event.type === 'interrupt_changed' && item.event.interrupt.status === 'open') await hear(item.event.interrupt);
			}
		} catch (error) {
			if (!stop.signal.aborted) throw error;
		}
	}

	async function hear(interrupt: Interrupt): Promise<void> {
		const of = watched.get(interrupt.runId);
		// Its run was not told of yet.
		if (!of) return void early.push(interrupt);
		of.touched = Date.now();
		if (interrupt.detail.kind === 'child' || interrupt.detail.kind === 'timer') return;
		if (interrupt.detail.kind === 'event') {
			await rpc.runs.signal({ name: interrupt.detail.name, payload: null, label: 'external' }).catch(() => undefined);
			return;
		}
		of.asked.push(interrupt);
		const answer = of.answer(interrupt);
		if (answer === undefined) return of.end('waiting');
		await rpc.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer });
	}

	return {
		app,
		run: async (text, answer) => {
			const sent = await rpc.chat.send({ text, attachmentIds: [], requestId: newId<string>() });
			const { runId } = sent;
			let problem: string | undefined;
			const status = await new Promise<RunStatus>((resolve, reject) => {
				const entry: Watched = { answer, asked: [], runs: new Set([runId]), end: resolve, touched: Date.now() };
				watched.set(runId, entry);
				const look = setInterval(() => {
					if (Date.now() - entry.touched < PATIENCE_MS) return;
					problem = 'its run came to no end';
					entry.end('waiting');
				}, 1_000);
				entry.end = (ended) => {
					clearInterval(look);
					resolve(ended);
				};
				for (const interrupt of early.splice(0)) void hear(interrupt);
				// It may have ended before anybody watched it.
				void rpc.runs.get({ runId }).then(({ run }) => ENDED.includes(run.status) && entry.end(run.status), reject);
			});
			const entry = watched.get(runId);
			for (const id of entry?.runs ?? []) watched.delete(id);
			if (status === 'waiting') await rpc.chat.stop({ runId }).catch(() => undefined);
			return { runId, status, asked: entry?.asked ?? [], ...(problem && { problem }) };
		},
		close: async () => {
			stop.abort();
			await listening;
			await app.close();
			await server.close();
		},
	};
}

/** What the owner set up before: a folder to read, a tool server with one tool that only reads, mail, a webhook, a search. */
async function setUp({ rpc }: RunningApp, world: World): Promise<void> {
	const permit = (terms: unknown) => rpc.permissions.add({ terms: PermissionTerms.parse(terms) });
	await permit({ scope: { kind: 'folder', path: world.granted, access: 'read' }, label: 'approved', job: { kind: 'any' } });
	await rpc.secrets.choose({ store: 'memory' });
	await rpc.outgoing.setSearch({ search: { kind: 'searxng', baseUrl: world.canary }, permit: true });
	const mail = { host: '127.0.0.1', port: world.smtpPort, security: 'none' as const, user: '', from: 'owner@home.example' };
	await rpc.outgoing.setMail({ mail });
	await rpc.outgoing.setWebhook({ name: 'hook', url: `${world.canary}/hook` });
	const server = ToolServerConfig.parse({ id: TOOL_SERVER, title: 'Fixture', transport: { kind: 'http', url: world.tools.url } });
	await rpc.servers.add({ server, values: {} });
	await rpc.servers.connect({ server: TOOL_SERVER });
	const { tools } = await rpc.servers.tools({ server: TOOL_SERVER });
	await rpc.servers.approveTools({
		server: TOOL_SERVER,
		tools: tools.flatMap(({ tool, shownHash }) => (shownHash === undefined ? [] : [{ tool, shownHash }])),
	});
	await rpc.servers.setReadOnly({ server: TOOL_SERVER, tool: 'hand_back', readOnly: true });
	await permit({ scope: { kind: 'server', server: TOOL_SERVER, tool: 'hand_back' }, label: 'approved', job: { kind: 'any' } });
}

export function commandLineOf(profile: string): string {
	const program = join(import.meta.dirname, '..', '..', 'src', 'cli', 'hearth.mjs');
	return `${process.execPath} ${program} --profile-folder ${profile} permissions list`;
}
