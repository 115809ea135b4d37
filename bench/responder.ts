import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { newId } from '../src/base/ids.ts';
import { MemoryPath } from '../src/domain/memory.ts';
import { messageText } from '../src/domain/message.ts';
import { type RunningApp, startApp } from '../test/support/apps.ts';

/**
 * Asks the built-in responder, in chats of the real app, about notes that were written through the contract. A question is answered
 * rightly where the first passage that the reply quotes is the entry that holds the answer. Invented is every answer to a question that
 * the notes do not answer, and every quoted passage that no note holds. A reply that says that nothing answers and shows what is nearest
 * is no answer: neither right nor invented.
 */

const Note = z.object({
	id: z.string(),
	file: MemoryPath,
	under: z.string().optional(),
	text: z.string(),
	/** It was true once; this took its place. */
	replacedBy: z.object({ id: z.string(), text: z.string() }).optional(),
});
const Question = z.object({ split: z.enum(['dev', 'held_out']), question: z.string(), answer: z.string().nullable(), lang: z.string() });
type Question = z.infer<typeof Question>;

/** How a reply begins that says that nothing answers and shows only what is nearest. */
const NOT_AN_ANSWER = 'Nothing in your memory, this chat or';
const FOLDER = join(import.meta.dirname, 'responder');

export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({ args, options: { split: { type: 'string', default: 'held_out' } } });
	const notes = z.array(Note).parse(read('notes.json'));
	const questions = z
		.array(Question)
		.parse(read('questions.json'))
		.filter(({ split }) => values.split === 'all' || split === values.split);
	const texts = new Map(
		notes.flatMap(
			({ id, text, replacedBy }) => [[id, text], ...(replacedBy ? [[replacedBy.id, replacedBy.text]] : [])] as [string, string][],
		),
	);
	const home = mkdtempSync(join(tmpdir(), 'hearth-responder-'));
	const app = await startApp(home);
	try {
		await remember(app, notes);
		const result = {
			questions: 0,
			right: 0,
			invented: 0,
			wrong: 0,
			silent: 0,
			unanswerable: 0,
			refused: 0,
			near_right: 0,
			near_wrong: 0,
			notes: notes.length,
		};
		for (const question of questions) {
			const reply = await ask(app, question.question);
			const isAnswer = !reply.startsWith(NOT_AN_ANSWER);
			const shown = quotesIn(reply);
			const quoted = isAnswer ? shown : [];
			const strange = shown.filter((quote) => ![...texts.values()].includes(quote));
			result.invented += strange.length > 0 || (question.answer === null && quoted.length > 0) ? 1 : 0;
			const verdict = judge(question, quoted, texts);
			result.questions += question.answer === null ? 0 : 1;
			result.unanswerable += question.answer === null ? 1 : 0;
			if (!isAnswer && question.answer !== null) result[shown[0] === texts.get(question.answer) ? 'near_right' : 'near_wrong'] += 1;
			if (verdict !== 'answered') result[verdict] += 1;
			if (verdict !== 'right' && verdict !== 'refused') console.error(`${verdict}: ${question.question} → ${quoted[0] ?? 'nothing'}`);
		}
		return result;
	} finally {
		await app.close();
		rmSync(home, { recursive: true, force: true });
	}
}

function judge(
	{ answer }: Question,
	quoted: readonly string[],
	texts: ReadonlyMap<string, string>,
): 'right' | 'wrong' | 'silent' | 'refused' | 'answered' {
	if (answer === null) return quoted.length === 0 ? 'refused' : 'answered';
	if (quoted.length === 0) return 'silent';
	return quoted[0] === texts.get(answer) ? 'right' : 'wrong';
}

async function remember({ rpc }: RunningApp, notes: readonly z.infer<typeof Note>[]): Promise<void> {
	for (const { file, under, text, replacedBy } of notes) {
		const receipt = await rpc.memory.add({ text, file, ...(under && { headingPath: [under] }), requestId: newId<string>() });
		if (!replacedBy || receipt.outcome !== 'written' || !receipt.entryId) continue;
		const { id: entryId, hash: baseHash } = await rpc.memory.entry({ entryId: receipt.entryId });
		await rpc.memory.supersede({ entryId, baseHash, text: replacedBy.text });
	}
	for (;;) {
		const { index } = await rpc.memory.files();
		if (index.state === 'ready' && index.embedded >= index.total) return;
		if (index.problem) throw new Error(index.problem.message);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** In a chat of its own. */
async function ask({ rpc }: RunningApp, text: string): Promise<string> {
	const { id: sessionId } = await rpc.sessions.create({});
	await rpc.chat.send({ sessionId, text, requestId: newId<string>() });
	for (;;) {
		const reply = (await rpc.sessions.messages({ sessionId })).messages.at(-1);
		if (reply?.role === 'assistant' && reply.status === 'complete') return messageText(reply);
		if (reply?.error) throw new Error(reply.error.message);
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

/** The passages that a reply quotes, each as it stands in its file. */
function quotesIn(reply: string): string[] {
	return reply.split('\n\n').flatMap((block) => (block.startsWith('> ') ? [block.replace(/^> ?/gm, '')] : []));
}

function read(name: string): unknown {
	return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
}
