import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { systemCode } from '../base/system-code.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import { TaskDraft } from '../domain/task.ts';
import { problemsOf } from './problems.ts';
import { readInput } from './read-input.ts';

/** A draft, or the card that holds one. */
const Held = z.looseObject({ draft: z.unknown() });

/** As `--dry --json` writes it, from a file or (`-`) standard input: a card that was shown is the same one later, which a sentence such as “in an hour” is not. */
export async function givenDraft(file: string): Promise<TaskDraft> {
	const text = file === '-' ? await readInput() : await textOf(file);
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw unusable(`${file === '-' ? 'Standard input' : file} holds no JSON.`, error);
	}
	const card = Held.safeParse(value);
	const draft = TaskDraft.safeParse(card.success && card.data.draft !== undefined ? card.data.draft : value);
	if (draft.success) return draft.data;
	throw unusable(problemsOf(draft.error), draft.error);
}

async function textOf(file: string): Promise<string> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		throw unusable(`The file ${file} can’t be read (${systemCode(error)}).`, error);
	}
}

function unusable(message: string, cause: unknown): HearthError {
	return terminal('invalid_input', message, {
		safe: 'Nothing was made.',
		action: 'Write one with: hearth tasks add … --dry --json',
		cause,
	});
}
