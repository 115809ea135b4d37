import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newId } from '../../../src/base/ids.ts';
import type { RunDetail } from '../../../src/contract/methods/runs.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import type { Message } from '../../../src/domain/message.ts';
import type { RunStatus } from '../../../src/domain/run.ts';
import type { Reply } from '../model-server/index.ts';
import { temporaryFolder } from '../sessions.ts';
import { readLedger, testTools } from '../test-tools.ts';
import { type MemoryApp, memoryApp } from './memory-app.ts';

/** The whole runtime with tools of each effect class, to look into runs, restore and fork them. */
export interface RunsApp extends MemoryApp {
	/** Sends a message and resolves when its run is neither at work nor waiting; approvals get a yes. */
	run(text: string, sessionId?: SessionId): Promise<RunDetail>;
	/** Resolves when the run is in one of these. */
	until(runId: RunId, ...statuses: RunStatus[]): Promise<RunDetail>;
	/** Says yes to whatever waits for the owner, until the run is in one of these. */
	approving(runId: RunId, ...statuses: RunStatus[]): Promise<RunDetail>;
	/** The chosen branch, oldest first. */
	messages(sessionId: SessionId): Promise<Message[]>;
	/** A file of the workspace; undefined where there is none. */
	work(path: string): string | undefined;
	/** As another program does. */
	writeOutside(path: string, text: string): void;
	/** Effects of the effectful tool, counted from outside. */
	effects(): string[];
	restore(
		runId: RunId,
		step: number,
		what?: { chat?: boolean; files?: 'no' | 'safe' | 'all'; memory?: boolean; requestId?: string },
	): ReturnType<MemoryApp['rpc']['runs']['restore']>;
}

export async function runsApp(replies: Reply[]): Promise<RunsApp> {
	const ledger = join(temporaryFolder(), 'ledger.jsonl');
	const app = await memoryApp({ replies, tools: testTools(ledger) });
	const { rpc, profileFolder } = app;
	const place = (path: string) => join(profileFolder, 'workspace', path);

	const approving: RunsApp['approving'] = async (runId, ...statuses) => {
		const deadline = Date.now() + 20_000;
		for (;;) {
			const detail = await rpc.runs.get({ runId });
			if (statuses.includes(detail.run.status)) return detail;
			for (const { id, shownHash, detail: asked } of detail.interrupts)
				if (asked.kind === 'approval') await rpc.chat.answer({ interruptId: id, shownHash, answer: { type: 'approve' } });
			if (Date.now() > deadline) throw new Error(`the run is ${detail.run.status}, not ${statuses.join(' or ')}`);
			await new Promise((done) => setTimeout(done, 5));
		}
	};

	return {
		...app,
		approving,
		run: async (text, sessionId) => {
			const { runId } = await rpc.chat.send({ sessionId, text, attachmentIds: [], requestId: newId<string>() });
			return approving(runId, 'done', 'failed', 'stopped', 'interrupted');
		},
		until: async (runId, ...statuses) => {
			const deadline = Date.now() + 20_000;
			for (;;) {
				const detail = await rpc.runs.get({ runId });
				if (statuses.includes(detail.run.status)) return detail;
				if (Date.now() > deadline) throw new Error(`the run is ${detail.run.status}, not ${statuses.join(' or ')}`);
				await new Promise((done) => setTimeout(done, 5));
			}
		},
		messages: async (sessionId) => (await rpc.sessions.messages({ sessionId, limit: 500 })).messages,
		work: (path) => (existsSync(place(path)) ? readFileSync(place(path), 'utf8') : undefined),
		writeOutside: (path, text) => {
			mkdirSync(dirname(place(path)), { recursive: true });
			writeFileSync(place(path), text);
		},
		effects: () =>
			readLedger(ledger)
				.filter(({ tool }) => tool === 'test_effectful')
				.map(({ value }) => value),
		restore: (runId, step, { chat = true, files = 'safe', memory = true, requestId = newId<string>() } = {}) =>
			rpc.runs.restore({ runId, step, chat, files, memory, requestId }),
	};
}
