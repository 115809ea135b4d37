import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppOptions } from '../../src/app/create-app.ts';
import { newId } from '../../src/base/ids.ts';
import type { WorkflowInstanceId } from '../../src/domain/ids.ts';
import type { Json } from '../../src/domain/json.ts';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { type RunningApp, startApp, temporaryHome } from './apps.ts';
import { type ModelServer, type Reply, startModelServer } from './model-server/index.ts';
import { type SetClock, setClock } from './timers.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The whole runtime with a clock that the test sets, over a profile that can be opened again. */
export interface WorkflowApp {
	readonly rpc: RunningApp['rpc'];
	readonly profileFolder: string;
	readonly clock: SetClock;
	readonly server: ModelServer | undefined;
	start(name: string, data?: Record<string, Json>): Promise<WorkflowInstance>;
	/** Resolves when the instance is in this state and neither at work nor on its way. */
	at(id: WorkflowInstanceId, state: string, status?: WorkflowInstance['status']): Promise<WorkflowInstance>;
	/** The owner's answer to the open question of the instance's run. */
	answer(id: WorkflowInstanceId, text: string): Promise<string>;
	signal(id: WorkflowInstanceId, name: string, payload?: Json): Promise<WorkflowInstance>;
	/** The clock goes on. */
	pass(ms: number): Promise<void>;
	/** An orderly end and a new start. */
	restart(): Promise<void>;
	/** A file of workspace/. */
	work(path: string): string | undefined;
	writeWork(path: string, text: string): void;
	writeWorkflow(name: string, text: string): void;
	/** `FROM → TO` of each move, the first without FROM. */
	moves(id: WorkflowInstanceId): Promise<string[]>;
}

export const NOON = Date.UTC(2026, 11, 1, 12);

/** The workflows that come with Hearth are there. `replies`: of the model; without them there is the built-in responder. */
export async function workflowApp(
	given: { replies?: Reply[]; at?: number; workflows?: Record<string, string> } & Partial<AppOptions> = {},
): Promise<WorkflowApp> {
	const { replies, at = NOON, workflows = {}, ...options } = given;
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const clock = setClock(at);
	const server = replies && (await startModelServer({ script: { replies } }));
	if (server) onTestFinished(() => server.close());
	prepareProfile(profileFolder, server?.openaiUrl, workflows);
	let app = await startApp(home, { clock, ...options });
	onTestFinished(() => app.close());

	const questions = async (id: WorkflowInstanceId) => {
		const { runId } = await app.rpc.workflows.instance({ instanceId: id });
		return (await app.rpc.chat.interrupts({})).filter((open) => open.runId === runId && open.detail.kind === 'question');
	};
	return {
		get rpc() {
			return app.rpc;
		},
		profileFolder,
		clock,
		server,
		start: (name, data = {}) => app.rpc.workflows.start({ name, data, requestId: newId<string>() }),
		at: async (id, state, status) => {
			const deadline = Date.now() + 20_000;
			for (;;) {
				const instance = await app.rpc.workflows.instance({ instanceId: id });
				if (instance.state === state && (status === undefined ? instance.status !== 'running' : instance.status === status))
					return instance;
				if (Date.now() > deadline) {
					const told = `${instance.state} (${instance.status} ${instance.error?.message ?? ''}), not ${state} (${status ?? 'any'})`;
					throw new Error(`the instance is in ${told}: ${instance.history.map(({ to, why }) => `${to} [${why}]`).join(', ')}`);
				}
				await new Promise((done) => setTimeout(done, 5));
			}
		},
		answer: async (id, text) => {
			const deadline = Date.now() + 20_000;
			for (;;) {
				const [open] = await questions(id);
				if (open?.detail.kind === 'question') {
					await app.rpc.chat.answer({ interruptId: open.id, shownHash: open.shownHash, answer: { type: 'reply', text } });
					return open.detail.question;
				}
				if (Date.now() > deadline) throw new Error('nothing is asked');
				await new Promise((done) => setTimeout(done, 5));
			}
		},
		signal: (instanceId, name, payload = null) => app.rpc.workflows.signal({ instanceId, name, payload, label: 'owner' }),
		pass: async (ms) => {
			clock.at += ms;
			await app.rpc.work.noticed({ what: 'clock' });
		},
		restart: async () => {
			await app.close();
			app = await startApp(home, { clock, ...options });
		},
		work: (path) => {
			const file = join(profileFolder, 'workspace', path);
			return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		},
		writeWork: (path, text) => {
			const file = join(profileFolder, 'workspace', path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		},
		writeWorkflow: (name, text) => writeFileSync(join(profileFolder, 'workflows', `${name}.yaml`), text),
		moves: async (id) => {
			const { history } = await app.rpc.workflows.instance({ instanceId: id });
			return history.filter(({ stayed }) => stayed === undefined).map(({ from, to }) => (from === null ? to : `${from} → ${to}`));
		},
	};
}

/** Memory is searched by words only, and the model is the server's where there is one. */
export function prepareProfile(profileFolder: string, modelUrl: string | undefined, workflows: Record<string, string> = {}): void {
	const folder = join(profileFolder, 'workflows');
	mkdirSync(folder, { recursive: true });
	cpSync('assets/workflows', folder, { recursive: true });
	for (const [name, text] of Object.entries(workflows)) writeFileSync(join(folder, `${name}.yaml`), text);
	const model = { providerId: 'scripted', modelId: 'scripted' };
	const config = {
		version: 1,
		embedding: { kind: 'off' },
		...(modelUrl !== undefined && {
			providers: [{ id: 'scripted', kind: 'openai-compatible', name: 'Scripted', baseUrl: modelUrl }],
			models: { chat: model },
		}),
	};
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify(config));
}
