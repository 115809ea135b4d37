import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppOptions } from '../../../src/app/create-app.ts';
import { newId } from '../../../src/base/ids.ts';
import { type AttachmentId, ProviderId, type SessionId } from '../../../src/domain/ids.ts';
import type { MemoryEntry } from '../../../src/domain/memory.ts';
import { type Message, messageText, type ToolPart } from '../../../src/domain/message.ts';
import { type RunningApp, startApp, temporaryHome } from '../apps.ts';
import { type ModelServer, type Reply, startModelServer } from '../model-server/index.ts';

export interface MemoryApp extends RunningApp {
	readonly server: ModelServer | undefined;
	/** Sends the text and resolves with the reply when its run is over or waits. */
	turn(text: string, where?: { sessionId?: SessionId; attachmentIds?: AttachmentId[] }): Promise<Message>;
	/** What the built-in responder says to it. */
	ask(text: string, sessionId?: SessionId): Promise<string>;
	/** Says yes to what the chat asks, and resolves with its newest reply when that is over or waits again. `reach`: with that offer. */
	allow(sessionId: SessionId, reach?: 'run' | 'standing'): Promise<Message>;
	entry(text: string): Promise<MemoryEntry>;
	file(name: string): string;
	/** The system prompt of the n-th call, from 0. */
	system(call: number): string;
}

/** The whole runtime, with a scripted model where `replies` are given, else with the built-in responder. Memory is searched by words only. */
export async function memoryApp(
	given: { replies?: Reply[]; files?: Record<string, string>; contextTokens?: number } & Partial<AppOptions> = {},
): Promise<MemoryApp> {
	const { replies, files = {}, contextTokens, ...options } = given;
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(join(profileFolder, 'memory'), { recursive: true });
	writeFileSync(join(profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(profileFolder, name), text);
	const server = replies && (await startModelServer());
	if (server) onTestFinished(() => server.close());
	const app = await startApp(home, options);
	onTestFinished(() => app.close());
	if (server) {
		const id = ProviderId.parse('scripted');
		const provider = { id, kind: 'openai-compatible' as const, name: 'Scripted', baseUrl: server.openaiUrl, contextTokens };
		await app.rpc.models.saveProvider({ provider });
		await app.rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
		server.log.requests.length = 0;
		server.script({ replies });
	}
	const { rpc } = app;
	const turn: MemoryApp['turn'] = async (text, { sessionId, attachmentIds = [] } = {}) => {
		const sent = await rpc.chat.send({ sessionId, text, attachmentIds, requestId: newId<string>() });
		const deadline = Date.now() + 20_000;
		for (;;) {
			const { messages } = await rpc.sessions.messages({ sessionId: sent.sessionId, limit: 100 });
			const reply = messages.find(({ id }) => id === sent.messageId);
			if (reply && reply.status !== 'streaming') return reply;
			if (Date.now() > deadline) throw new Error(`no reply to: ${text}`);
			await new Promise((done) => setTimeout(done, 5));
		}
	};
	const allow: MemoryApp['allow'] = async (sessionId, reach) => {
		const [asked] = await rpc.chat.interrupts({ sessionId });
		if (asked?.detail.kind !== 'approval') throw new Error('nothing is asked');
		const offer = reach && asked.detail.offers.findIndex((each) => each.reach === reach);
		const answer = { type: 'approve' as const, ...(offer !== undefined && { offer }) };
		await rpc.chat.answer({ interruptId: asked.id, shownHash: asked.shownHash, answer });
		for (let tries = 0; tries < 2_000; tries++) {
			const reply = (await rpc.sessions.messages({ sessionId, limit: 100 })).messages.findLast(({ role }) => role === 'assistant');
			const open = (await rpc.chat.interrupts({ sessionId })).filter(({ id }) => id !== asked.id);
			if (reply && (open.length > 0 || !['streaming', 'waiting'].includes(reply.status))) return reply;
			await new Promise((done) => setTimeout(done, 10));
		}
		throw new Error('the reply did not go on');
	};
	return {
		...app,
		server,
		turn,
		allow,
		ask: async (text, sessionId) => messageText(await turn(text, sessionId === undefined ? {} : { sessionId })),
		entry: async (text) => {
			const { entries } = await rpc.memory.entries({ limit: 1000 });
			const found = entries.filter((entry) => entry.text === text);
			if (!found[0] || found.length > 1) throw new Error(`${found.length} entries say “${text}”`);
			return found[0];
		},
		file: (name) => (existsSync(join(profileFolder, name)) ? readFileSync(join(profileFolder, name), 'utf8') : ''),
		system: (call) => {
			const body = server?.log.requests[call]?.body as { messages: { role: string; content: string }[] } | undefined;
			return body?.messages.find(({ role }) => role === 'system')?.content ?? '';
		},
	};
}

export function toolParts(message: Message): ToolPart[] {
	return message.parts.filter((part) => part.type === 'tool');
}
