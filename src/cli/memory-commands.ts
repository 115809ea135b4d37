import { type Command, InvalidArgumentError, Option } from 'commander';
import { LABELS, type Label } from '../domain/label.ts';
import { Author, EntryState, SearchMode, SourceKind } from '../domain/memory.ts';
import { createBackup, exportProfile, listBackups, restoreBackup, verifyBackup } from './commands/backup.ts';
import {
	addMemory,
	editMemory,
	type FilterOptions,
	forgetMemory,
	historyOfMemory,
	listMemory,
	moveMemory,
	reindexMemory,
	removeMemory,
	restoreMemory,
	searchMemory,
	supersedeMemory,
	undoMemory,
	verifyMemory,
	whyMemory,
} from './commands/memory.ts';
import type { CommandContext } from './context.ts';
import type { Output } from './output.ts';

/** How a command comes in: may it make the profile, and how a runtime of its own starts. */
export interface DoorChoice {
	takeUpRuns?: boolean;
	makesProfile?: boolean;
	memoryAsLeft?: boolean;
}

/** How the groups of this file reach the runtime and the folders. */
export interface CommandRoots {
	group(name: string, description: string): Command;
	withDoor(work: (context: CommandContext) => Promise<number>, how?: DoorChoice): () => Promise<void>;
	readonly output: Output;
	/** Of the profile named on the command line, whether or not it exists. */
	profileFolder(): string;
	home(): string;
	done(code: number): void;
}

const ENTRY = 'an entry: its id, the beginning of one, or its place (MEMORY.md:12)';
const TEXT = 'the text; - or nothing reads it from standard input';

export function addMemoryCommands({ group, withDoor }: CommandRoots): void {
	const memory = group('memory', 'what Hearth remembers: list, search, add, edit, forget, history, undo, why, verify …');
	filtered(memory.command('list [file]').description('entries in the order of the files, with where each came from'))
		.option('-l, --limit <count>', 'most entries (at most 1000)', wholeNumber)
		.option('--offset <count>', 'leave out so many', wholeNumber)
		.action((file: string | undefined, options: FilterOptions & { limit?: number; offset?: number }) =>
			withDoor((context) => listMemory(context, file, options))(),
		);
	filtered(
		memory.command('search').argument('<query...>').description('search by words and by meaning; shows file, lines, score and origin'),
	)
		.option('--file <file>', 'only in this file')
		.option('-l, --limit <count>', 'most results (at most 200)', wholeNumber)
		.addOption(new Option('--mode <mode>', 'how to search').choices(SearchMode.options).default('hybrid'))
		.action((query: string[], options: FilterOptions & { limit?: number; mode: SearchMode }) =>
			withDoor((context) => searchMemory(context, query, options))(),
		);
	memory
		.command('add')
		.argument('[text...]', TEXT)
		.description('add an entry, to today’s file where none is named')
		.option('--file <file>', 'MEMORY.md, a day, or another file under memory/')
		.option('--heading <heading>', 'under this heading; once for each level', collect)
		.action((text: string[], options: { file?: string; heading?: string[] }) =>
			withDoor((context) => addMemory(context, text, options), { makesProfile: true })(),
		);
	memory
		.command('edit')
		.argument('<entry>', ENTRY)
		.argument('[text...]', TEXT)
		.description('change what an entry says')
		.action((entry: string, text: string[]) => withDoor((context) => editMemory(context, entry, text))());
	memory
		.command('supersede')
		.argument('<entry>', ENTRY)
		.argument('[text...]', TEXT)
		.description('say what holds from now on; the old entry stays, as past')
		.action((entry: string, text: string[]) => withDoor((context) => supersedeMemory(context, entry, text))());
	memory
		.command('move')
		.argument('<entry>', ENTRY)
		.argument('<file>')
		.description('move an entry to another file or heading')
		.option('--heading <heading>', 'under this heading; once for each level', collect)
		.action((entry: string, file: string, options: { heading?: string[] }) =>
			withDoor((context) => moveMemory(context, entry, file, options))(),
		);
	memory
		.command('remove')
		.argument('<entry>', ENTRY)
		.description('take an entry out of its file; the history keeps it')
		.action((entry: string) => withDoor((context) => removeMemory(context, entry))());
	memory
		.command('forget')
		.argument('<entry>', ENTRY)
		.description('remove a text everywhere, without a way back; shows what goes and asks first')
		.option('-y, --yes', 'do not ask, also without a terminal: for scripts of yours')
		.action((entry: string, options: { yes?: boolean }) => withDoor((context) => forgetMemory(context, entry, options))());
	memory
		.command('history [what]')
		.description('changes with before and after, newest first: of an entry, of a file, or all')
		.option('-l, --limit <count>', 'most changes (at most 500)', wholeNumber)
		.action((what: string | undefined, options: { limit?: number }) => withDoor((context) => historyOfMemory(context, what, options))());
	memory
		.command('undo <change>')
		.description('take a change back: its id, the beginning of one, or “last”')
		.action((change: string) => withDoor((context) => undoMemory(context, change))());
	memory
		.command('restore')
		.argument('<entry>', ENTRY)
		.argument('<change>')
		.description('bring back the text that an entry had after a change')
		.action((entry: string, change: string) => withDoor((context) => restoreMemory(context, entry, change))());
	memory
		.command('why')
		.argument('<entry>', ENTRY)
		.description('why it is here: the whole chain of who, when, from what and with whose yes')
		.action((entry: string) => withDoor((context) => whyMemory(context, entry))());
	memory.command('reindex').description('make the search index anew').action(withDoor(reindexMemory));
	memory
		.command('verify')
		.description('compare files, ledger and index; fails where they differ')
		.action(withDoor(verifyMemory, { memoryAsLeft: true }));
}

export function addBackupCommands(program: Command, { group, withDoor, output, profileFolder, home, done }: CommandRoots): void {
	const backup = group('backup', 'the whole profile as one file: list, create, verify, restore');
	backup.command('list').description('back-ups in the profile’s own folder, newest first').action(withDoor(listBackups));
	backup.command('create').description('make one now, without keys').action(withDoor(createBackup));
	backup
		.command('verify <file>')
		.description('read all of one and check every file in it; fails with reasons')
		.action(async (file: string) => done(await verifyBackup({ profileFolder: profileFolder(), output }, file)));
	backup
		.command('restore <file>')
		.description('make a new profile out of one')
		.requiredOption('--into <name>', 'name of the new profile')
		.action(async (file: string, { into }: { into: string }) =>
			done(await restoreBackup({ home: home(), profileFolder: profileFolder(), output }, file, into)),
		);
	program
		.command('export <file>')
		.description('the whole profile as one zip at this place, without keys')
		.action((file: string) => withDoor((context) => exportProfile(context, file))());
}

function filtered(command: Command): Command {
	return command
		.option('--author <who>', `written by: ${Author.options.join(', ')}; may be repeated`, oneOf<Author>(Author.options))
		.option('--label <label>', `trust label: ${LABELS.join(', ')}; may be repeated`, oneOf<Label>(LABELS))
		.option('--source <kind>', `made from: ${SourceKind.options.join(', ')}; may be repeated`, oneOf<SourceKind>(SourceKind.options))
		.option('--state <state>', `state: ${EntryState.options.join(', ')}; may be repeated`, oneOf<EntryState>(EntryState.options))
		.option('--never-used', 'never recalled so far')
		.option('--since <day>', 'written on this day (2026-11-29) or later', day)
		.option('--before <day>', 'written before this day', day);
}

function collect(given: string, before: string[] | undefined): string[] {
	return [...(before ?? []), given];
}

function oneOf<T extends string>(choices: readonly T[]): (given: string, before: T[] | undefined) => T[] {
	return (given, before) => {
		const found = choices.find((choice) => choice === given);
		if (found === undefined) throw new InvalidArgumentError(`Choose from: ${choices.join(', ')}.`);
		return [...(before ?? []), found];
	};
}

/** The beginning of a day of this computer's clock. */
function day(given: string): number {
	const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(given);
	const date = match && new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
	if (!date || date.getDate() !== Number(match[3])) throw new InvalidArgumentError('Write a day as 2026-11-29.');
	return date.getTime();
}

export function wholeNumber(given: string): number {
	if (!/^\d{1,6}$/.test(given)) throw new InvalidArgumentError('It must be a whole number.');
	return Number(given);
}
