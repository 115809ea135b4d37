import { randomUUID } from 'node:crypto';
import type { HearthClient } from '../../contract/contract.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { PermissionTerms } from '../../domain/permission.ts';
import type { SentenceReading, Task, TaskCard, TaskDraft, TaskTest } from '../../domain/task.ts';
import { ask, atTerminal } from '../ask.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { findTask } from '../find-task.ts';
import { givenDraft } from '../given-draft.ts';
import { type Output, printable } from '../output.ts';
import { type DraftOptions, draftOf, pinned } from '../task-draft.ts';
import { cardText, testText } from '../task-text.ts';

const LOOK_MS = 100;

export interface AddOptions extends DraftOptions {
	/** A file that holds it, in place of a sentence. */
	readonly draft?: string;
	/** Only the card. */
	readonly dry?: boolean;
	/** Of the card that the owner was shown, in place of a word at a terminal. */
	readonly hash?: string;
	/** With a test run first, whose needs may be permitted with the card. */
	readonly test?: boolean;
}

type Asks = Extract<SentenceReading, { kind: 'asks' }>;

/**
 * Nothing exists before the owner has seen the card and said so: at a terminal, or with the hash of exactly that card (B3). What a sentence leaves
 * open is asked at a terminal, and told elsewhere.
 */
export async function addTask(context: CommandContext, words: readonly string[], options: AddOptions): Promise<number> {
	const card = await cardOf(context, words, options);
	if ('kind' in card) return tellAsks(context.output, card);
	// Read again later, “in 2 hours” is another moment.
	const stays = words.length > 0 ? pinned(card.draft, options) : [];
	return confirmCard(context, card, { ...options, stays }, 'add', (shownHash, permissions) =>
		context.rpc.tasks.add({ draft: card.draft, shownHash, permissions, requestId: randomUUID() }),
	);
}

export async function editTask(context: CommandContext, given: string, options: AddOptions): Promise<number> {
	const task = await findTask(context.rpc, given);
	const card = await context.rpc.tasks.preview({ draft: draftOf(options, task.draft) });
	return confirmCard(context, card, options, 'change', (shownHash, permissions) =>
		context.rpc.tasks.update({ taskId: task.id, draft: card.draft, shownHash, permissions }),
	);
}

/** Of a sentence, of options, or of a task that there is: writes and sends nothing. */
export async function testTask(
	context: CommandContext,
	words: readonly string[],
	options: AddOptions & { task?: string },
): Promise<number> {
	const { rpc, output } = context;
	const task = options.task === undefined ? undefined : await findTask(rpc, options.task);
	const card = task ? await rpc.tasks.preview({ draft: draftOf(options, task.draft) }) : await cardOf(context, words, options);
	if ('kind' in card) return tellAsks(output, card);
	const test = await tested(rpc, card.draft);
	output.result(test, testText(test));
	return test.state === 'done' ? EXIT.ok : EXIT.failed;
}

async function confirmCard(
	{ rpc, output }: CommandContext,
	card: TaskCard,
	{ dry, hash, test, stays = [] }: AddOptions & { stays?: readonly string[] },
	word: 'add' | 'change',
	make: (shownHash: string, permissions: PermissionTerms[]) => Promise<Task>,
): Promise<number> {
	if (dry) {
		output.result(card, cardText(card));
		return EXIT.ok;
	}
	const permissions = test ? await permitted(rpc, output, card.draft) : [];
	if (hash === undefined) {
		if (!atTerminal() || output.json) {
			const sayYes = [...stays, '--hash', card.shownHash];
			const how = `Say yes to this card with${stays.length > 0 ? ' the same command and' : ''}: ${sayYes.join(' ')}`;
			output.result({ card, sayYes }, `${cardText(card)}\n\nNothing was made. ${how}`);
			return EXIT.needsOwner;
		}
		process.stderr.write(`${printable(cardText(card))}\n\n`);
		const answer = (await ask(`Type “${word}” to have it so; Enter leaves everything as it is: `)).trim().toLowerCase();
		if (answer !== word) {
			output.result({ made: false }, 'Left as it is: nothing was made.');
			return EXIT.needsOwner;
		}
	}
	const task = await make(hash ?? card.shownHash, permissions);
	output.result(task, `${word === 'add' ? 'Added' : 'Changed'}: ${task.draft.title}. See: hearth tasks show ${task.id}`);
	return EXIT.ok;
}

/** What the owner permits of what a test run would have done: only at a terminal, where all of it was shown (B3). */
async function permitted(rpc: HearthClient, output: Output, draft: TaskDraft): Promise<PermissionTerms[]> {
	if (!atTerminal() || output.json) {
		throw needsOwner('unauthorised', 'What a test run needs is permitted only by you, at a terminal or in the app.', {
			safe: 'Nothing was made.',
			action: 'Run this command in a terminal, or leave --test out and see what it needs with: hearth tasks test',
		});
	}
	const test = await tested(rpc, draft);
	process.stderr.write(`${printable(testText(test))}\n\n`);
	const offered = test.needs.flatMap(({ terms, allowed }) => (terms && !allowed ? [terms] : []));
	if (offered.length === 0) return [];
	const word = (await ask('Type “permit” to let this task do what asks above; Enter has it ask each time: ')).trim().toLowerCase();
	return word === 'permit' ? offered : [];
}

async function tested(rpc: HearthClient, draft: TaskDraft): Promise<TaskTest> {
	let test = await rpc.tasks.test({ draft, requestId: randomUUID() });
	while (test.state === 'running') {
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		test = await rpc.tasks.testResult({ testId: test.id });
	}
	return test;
}

/** The card, or what is still to be asked. */
async function cardOf({ rpc, output }: CommandContext, words: readonly string[], options: AddOptions): Promise<TaskCard | Asks> {
	const given = words.join(' ').trim();
	if (options.draft !== undefined && given !== '')
		throw terminal('invalid_input', 'Say a sentence or --draft, not both.', { safe: 'Nothing was made.' });
	if (given === '')
		return rpc.tasks.preview({ draft: draftOf(options, options.draft === undefined ? undefined : await givenDraft(options.draft)) });
	for (let sentence = given; ; ) {
		const reading = await rpc.tasks.read({ sentence });
		// What the options say may be all that it lacks.
		if (reading.kind === 'unclear' && reading.draft) return rpc.tasks.preview({ draft: draftOf(options, reading.draft) });
		if (reading.kind === 'unclear')
			throw terminal('invalid_input', reading.message, {
				safe: 'Nothing was made.',
				action: reading.action ?? 'See: hearth tasks add --help',
			});
		if (reading.kind === 'card') {
			const draft = draftOf(options, reading.card.draft);
			return rpc.tasks.preview({ draft });
		}
		if (!atTerminal() || output.json) return reading;
		const listed = reading.choices.map(({ text }, number) => `  ${number + 1}  ${text}`).join('\n');
		process.stderr.write(`${printable(`${reading.question}\n${listed}`)}\n`);
		const chosen = reading.choices[Number((await ask('Its number; Enter leaves it: ')).trim()) - 1];
		if (!chosen) return reading;
		sentence = chosen.sentence;
	}
}

function tellAsks(output: Output, reading: Asks): number {
	const choices = reading.choices.map(({ text, sentence }) => `  ${text}: ${sentence}`).join('\n');
	output.result(reading, `${reading.question}\nNothing was made. Say it as one of these:\n${choices}`);
	return EXIT.needsOwner;
}
