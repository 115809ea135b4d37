import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Notes and questions written for the benchmark: `notes/*.md` and `notes/questions.json`. */

const FOLDER = join(import.meta.dirname, 'notes');
const Questions = z.array(
	z.object({
		question: z.string(),
		/** As in LoCoMo: 1 several entries, 2 asks when, 3 in other words or by inference, 4 one entry, 5 about something that is not so. */
		category: z.number().int().min(1).max(5),
		/** File and a piece of text that only one entry of it has. */
		evidence: z.array(z.tuple([z.string(), z.string()])).min(1),
	}),
);

export function readNotes() {
	const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
	const files = new Map(names.map((name) => [name === 'MEMORY.md' ? name : `memory/${name}`, readFileSync(join(FOLDER, name), 'utf8')]));
	const questions = Questions.parse(JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8'))).map(({ evidence, ...rest }) => ({
		...rest,
		evidence: evidence.map(([name, text]) => ({ file: name === 'MEMORY.md' ? name : `memory/${name}`, text })),
	}));
	return { files, questions };
}
