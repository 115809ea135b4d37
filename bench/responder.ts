import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { newId } from '../src/base/ids.ts';
import { MemoryPath } from '../src/domain/memory.ts';
import { messageText } from '../src/domain/message.ts';
import { NEAREST } from '../src/model/builtin/words.ts';
import { type RunningApp, startApp } from '../test/support/apps.ts';

/**
 * Asks the built-in responder, in chats of the real app, about notes that were written through the contract. `right`: the reply quotes the
 * entry that holds the answer: as the first passage where it is given as the answer (`plainly_right`), else among the at most three that it
 * shows as nearest, saying that it can't tell for sure; in `quoted_first` it is the first in either case. `invented`: a question that the
 * notes do not answer was answered plainly, or a passage was quoted that no note holds.
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
			plainly_right: 0,
			quoted_first: 0,
			wrong: 0,
			silent: 0,
			unanswerable: 0,
			refused: 0,
			unsure: 0,
			notes: notes.length,
		};
		for (const { question, answer } of questions) {
			const reply = await ask(app, question);
			const isUnsure = reply.startsWith(NEAREST);
			const quoted = quotesIn(reply);
			const strange = quoted.some((quote) => ![...texts.values()].includes(quote));
			let verdict: 'right' | 'wrong' | 'silent' | 'refused' | 'unsure' | 'invented';
			if (answer === null) {
				result.unanswerable += 1;
				verdict = quoted.length === 0 ? 'refused' : isUnsure ? 'unsure' : 'invented';
			} else {
				result.questions += 1;
				const place = quoted.indexOf(texts.get(answer) ?? '');
				verdict = quoted.length === 0 ? 'silent' : place === 0 || (isUnsure && place > 0) ? 'right' : 'wrong';
				if (verdict === 'right' && !isUnsure) result.plainly_right += 1;
				if (verdict === 'right' && place === 0) result.quoted_first += 1;
			}
			result[strange ? 'invented' : verdict] += 1;
			if (strange || !['right', 'refused', 'unsure'].includes(verdict))
				console.error(`${verdict}: ${question} → ${quoted[0] ?? 'nothing'}`);
		}
		return result;
	} finally {
		await app.close();
		rmSync(home, { recursive: true, force: true });
	}
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
