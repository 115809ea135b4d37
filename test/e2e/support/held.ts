import { expect } from 'vitest';
import type { Connection } from '../../../src/contract/client.ts';
import type { MemoryEntry } from '../../../src/domain/memory.ts';
import type { Proposal } from '../../../src/domain/proposal.ts';
import { calls, says } from '../../support/model-server/index.ts';
import type { Chat } from './chat.ts';

/** Chats in which the scripted model wants to change memory; what it wants is held, as in any other run. */
export interface HeldWrites {
	readonly rpc: Connection['rpc'];
	/** The entry that says this, as memory has it now. */
	entry(words: string): Promise<MemoryEntry>;
	/** That entry as a model names it. */
	ref(words: string): Promise<string>;
	/** A new chat whose message brings a letter from outside; the reply calls `memory_write` with this. */
	fromLetter(said: string, letter: string, args: Record<string, unknown>): Promise<Proposal>;
	/** A new chat without anything from outside; the reply asks to forget the entry. */
	forgetting(said: string, words: string): Promise<Proposal>;
	/** What waits now, oldest first. */
	waiting(): Promise<Proposal[]>;
	close(): void;
}

export async function heldWrites(chat: Chat): Promise<HeldWrites> {
	const connection = await chat.rpc();
	const { rpc } = connection;
	const entries = async (): Promise<MemoryEntry[]> => (await rpc.memory.entries({})).entries;
	const waiting = async (): Promise<Proposal[]> => (await rpc.inbox.list({})).proposals;
	const find = async (words: string): Promise<MemoryEntry> => {
		let found: MemoryEntry | undefined;
		await expect
			.poll(async () => {
				found = (await entries()).find(({ text }) => text.includes(words));
				return found !== undefined;
			})
			.toBe(true);
		return found as MemoryEntry;
	};
	const ref = async (words: string): Promise<string> => {
		const { id, hash } = await find(words);
		return `${id}@${hash.slice(0, 8)}`;
	};
	/** Resolves to the proposal that the reply left. */
	const ask = async (said: string, letter: string | undefined, tool: string, args: unknown): Promise<Proposal> => {
		const before = new Set((await waiting()).map(({ id }) => id));
		const { id: sessionId } = await rpc.sessions.create({});
		const file =
			letter === undefined
				? []
				: [await rpc.chat.attach({ sessionId, name: 'letter.txt', mime: 'text/plain', content: Buffer.from(letter).toString('base64') })];
		chat.model.reply(calls(tool, args), says('It waits for you in the inbox.'));
		await rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text: said, attachmentIds: file.map(({ id }) => id) });
		await expect
			.poll(async () => (await rpc.sessions.messages({ sessionId, limit: 10 })).messages.at(-1)?.status, { timeout: 15_000 })
			.toBe('complete');
		const left = (await waiting()).find(({ id }) => !before.has(id));
		if (!left) throw new Error('nothing was held');
		return left;
	};
	return {
		rpc,
		entry: find,
		ref,
		waiting,
		fromLetter: (said, letter, args) => ask(said, letter, 'memory_write', { reason: 'The letter says so.', ...args }),
		forgetting: async (said, words) => ask(said, undefined, 'memory_forget', { entry: await ref(words), reason: 'You asked for it.' }),
		close: () => connection.close(),
	};
}
