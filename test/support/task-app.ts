import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AppOptions } from '../../src/app/create-app.ts';
import type { LiveEvent } from '../../src/contract/events.ts';
import type { PermissionTerms } from '../../src/domain/permission.ts';
import { type Occurrence, type Task, TaskDraft, type TaskTest } from '../../src/domain/task.ts';
import type { Tool } from '../../src/tools/port.ts';
import { heardEvents } from './heard-events.ts';
import type { Reply } from './model-server/index.ts';
import { type MemoryApp, memoryApp } from './run/memory-app.ts';
import { temporaryFolder } from './sessions.ts';
import { testTools } from './test-tools.ts';

/** What others wrote, for runs to read. */
export const OUTSIDE = 'The ferry to Lindau leaves at nine, says the harbour.';

/** Reads text from outside, and nothing else. */
const outsideTool: Tool<object> = {
	name: 'test_outside',
	title: 'Read the board',
	description: 'Reads the board of the harbour.',
	schema: z.object({}),
	effect: 'pure',
	timeoutMs: 5_000,
	outputCap: 10_000,
	run: async () => ({ text: OUTSIDE, isError: false, label: 'external', sources: [{ kind: 'page', name: 'harbour', label: 'external' }] }),
};

export interface TaskApp extends MemoryApp {
	readonly ledger: string;
	/** All that was told, since the start. */
	told(): Extract<LiveEvent, { type: 'task_told' }>[];
	add(draft: Record<string, unknown>, permissions?: PermissionTerms[]): Promise<Task>;
	/** The owner's *Run now*, up to its end, or until it waits for them. */
	run(task: Task): Promise<Occurrence>;
	/** Up to a state. */
	until(task: Pick<Task, 'id'>, holds: (occurrence: Occurrence) => boolean): Promise<Occurrence>;
	test(draft: Record<string, unknown>, permissions?: PermissionTerms[]): Promise<TaskTest>;
	/** Each file of the profile but what only the runtime itself reads, with its content. */
	files(): Record<string, string>;
}

/** A task that never comes by itself. */
export function prompt(text: string, work: Record<string, unknown> = {}, more: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		title: 'Ferries',
		when: { kind: 'trigger', trigger: { kind: 'signal', name: 'never' } },
		work: { kind: 'prompt', text, ...work },
		failure: { tries: 2, pauseSeconds: 1, stopAfter: 3 },
		...more,
	};
}

/** The whole runtime with a scripted model, tools of each effect class, and one that reads text from outside. */
export async function taskApp(replies: Reply[], options: Partial<AppOptions> = {}): Promise<TaskApp> {
	const ledger = join(temporaryFolder(), 'ledger.jsonl');
	const app = await memoryApp({ replies, tools: [...testTools(ledger), outsideTool], ...options });
	const { rpc, profileFolder } = app;
	const heard = heardEvents(app);
	const poll = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
		const deadline = Date.now() + 60_000;
		for (;;) {
			const found = await look();
			if (found !== undefined) return found;
			if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
			await new Promise((done) => setTimeout(done, 5));
		}
	};
	const until: TaskApp['until'] = ({ id }, holds) =>
		poll('the run of the task', async () => (await rpc.tasks.history({ taskId: id })).occurrences.find(holds));
	return {
		...app,
		ledger,
		told: () => heard.filter((event) => event.type === 'task_told'),
		until,
		add: async (given, permissions = []) => {
			const draft = TaskDraft.parse(given);
			const { shownHash } = await rpc.tasks.preview({ draft });
			return rpc.tasks.add({ draft, shownHash, permissions, requestId: randomUUID() });
		},
		run: async (task) => {
			const { id } = await rpc.tasks.run({ taskId: task.id });
			return until(task, (occurrence) => occurrence.id === id && isOver(occurrence));
		},
		test: async (given, permissions = []) => {
			const begun = await rpc.tasks.test({ draft: TaskDraft.parse(given), permissions, requestId: randomUUID() });
			return poll('the test', async () => {
				const now = await rpc.tasks.testResult({ testId: begun.id });
				return now.state === 'running' ? undefined : now;
			});
		},
		files: () => filesBelow(profileFolder, ''),
	};
}

/** Its result is in its place. */
function isOver({ state, result }: Occurrence): boolean {
	return state === 'done' ? result !== undefined : state !== 'queued' && state !== 'running';
}

/** Its own records: what a prompt held (blobs/), logs, copies of the database. */
const OWN = /^(?:state\.db|backups|blobs|index|logs|lock|witness|audit|reserve|config|socket|\.)/;

function filesBelow(root: string, below: string): Record<string, string> {
	const found: Record<string, string> = {};
	for (const name of readdirSync(join(root, below))) {
		const path = below === '' ? name : `${below}/${name}`;
		if (below === '' && OWN.test(name)) continue;
		const stat = statSync(join(root, path), { throwIfNoEntry: false });
		if (stat?.isDirectory()) Object.assign(found, filesBelow(root, path));
		else if (stat?.isFile()) found[path] = readFileSync(join(root, path), 'utf8');
	}
	return found;
}
