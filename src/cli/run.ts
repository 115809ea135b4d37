import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_PROFILE, hearthHome, profileFolderOf } from '../app/profile-folder.ts';
import { HEARTH_VERSION } from '../app/version.ts';
import { terminal, toErrorShape } from '../domain/errors.ts';
import { addAuditCommands } from './audit-commands.ts';
import { chat } from './commands/chat.ts';
import { getConfig, setConfig } from './commands/config.ts';
import { doctor } from './commands/doctor.ts';
import { chooseModel, listModels, setKey, testModel } from './commands/models.ts';
import { answerNeed, listNeeds } from './commands/needs.ts';
import { serve } from './commands/serve.ts';
import { deleteSession, exportSession, listSessions, searchSessions, showSession } from './commands/sessions.ts';
import { web } from './commands/web.ts';
import type { CommandContext } from './context.ts';
import { openDoor } from './door.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { addHeartbeatCommands } from './heartbeat-commands.ts';
import { addFindingsCommands, addInboxCommands } from './inbox-commands.ts';
import { addBackupCommands, addMemoryCommands, type CommandRoots, type DoorChoice, wholeNumber } from './memory-commands.ts';
import { addOutgoingCommands } from './outgoing-commands.ts';
import { createOutput, type Output } from './output.ts';
import { addPermissionCommands } from './permission-commands.ts';
import { addRunCommands } from './run-commands.ts';
import { addServerCommands } from './server-commands.ts';
import { addReminderCommands, addSkillCommands } from './skill-commands.ts';
import { addSourceCommands } from './source-commands.ts';
import { addTaskCommands } from './task-commands.ts';
import { addTriggerCommand } from './trigger-command.ts';
import { addWorkCommands } from './work-commands.ts';
import { addWorkflowCommands } from './workflow-commands.ts';

interface GlobalOptions {
	readonly profile: string;
	readonly home?: string;
	readonly json: boolean;
}

const HELP = `
Exit codes: ${EXIT.ok} done, ${EXIT.failed} it did not work, ${EXIT.usage} the command was not understood, ${EXIT.needsOwner} something waits for you, ${EXIT.stopped} stopped by Ctrl-C.
With --json standard output holds one JSON value (chat: one a line), errors too: {"error": {"code", "message", "safe", "action"}}.
Environment: HEARTH_HOME (folder of all profiles), HEARTH_PASSPHRASE (unlocks keys kept behind a passphrase).`;

/** Runs one command line; gives its exit code. */
export async function run(words: readonly string[]): Promise<number> {
	// Known before the words are parsed, so that mistakes in them are told as JSON, too.
	const beforeText = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
	const output = createOutput(beforeText.includes('--json'));
	const state = { code: EXIT.ok as number, at: 'hearth' };
	const program = buildProgram(output, (code) => {
		state.code = code;
	});
	inheritSettings(program, 'hearth', (name) => {
		state.at = name;
	});
	try {
		await program.parseAsync([...words], { from: 'user' });
		return state.code;
	} catch (error) {
		if (error instanceof CommanderError) {
			if (error.exitCode === 0) return EXIT.ok;
			output.error(
				terminal(
					'invalid_input',
					error.code === 'commander.help'
						? 'A command is missing.'
						: error.message.replace(/^error: /, '').replace(/^./, (first) => first.toUpperCase()),
					{ action: `See: ${state.at} --help` },
				).shape,
			);
			return EXIT.usage;
		}
		const shape = toErrorShape(error);
		output.error(shape);
		return exitCodeOf(shape);
	}
}

function buildProgram(output: Output, done: (code: number) => void): Command {
	const program = new Command('hearth')
		.description('A personal agent on your own machine, from the command line. Uses the running app, or does the work itself.')
		.version(HEARTH_VERSION)
		.option('--profile <name>', 'the profile to use', DEFAULT_PROFILE)
		.option('--home <folder>', 'the folder of all profiles (default: $HEARTH_HOME, else ~/.hearth)', folderName)
		.option('--json', 'write JSON', false)
		.addHelpText('after', HELP)
		.showSuggestionAfterError()
		.exitOverride()
		.configureOutput({ writeOut: (text) => output.result(text.trim(), text), writeErr: output.note, outputError: () => {} });

	const profileFolder = (): string => {
		const { home, profile } = program.opts<GlobalOptions>();
		return profileFolderOf(hearthHome(home), profile);
	};
	/** A profile of its own name is only made by a command that puts something into it: a slip of the pen is told. */
	const existing = (): string => {
		const folder = profileFolder();
		if (program.opts<GlobalOptions>().profile === DEFAULT_PROFILE || existsSync(folder)) return folder;
		const { profile } = program.opts<GlobalOptions>();
		throw terminal('not_found', `There is no profile “${profile}” in ${dirname(folder)}.`, {
			safe: 'Nothing was made.',
			action: `Look at the name. To make the profile, say something in it: hearth --profile ${profile} chat "…"`,
		});
	};
	/** The folder, and what to say once a command has made it. */
	const perhapsNew = (): { folder: string; tell(): void } => {
		const folder = profileFolder();
		const { profile } = program.opts<GlobalOptions>();
		const isNew = profile !== DEFAULT_PROFILE && !existsSync(folder);
		return { folder, tell: () => (isNew ? output.note(`Made a new profile “${profile}” in ${folder}.`) : undefined) };
	};
	/** A command that talks with the runtime; the connection ends with it. */
	const withDoor =
		(work: (context: CommandContext) => Promise<number>, { makesProfile = false, ...how }: DoorChoice = {}) =>
		async (): Promise<void> => {
			const { folder, tell } = makesProfile ? perhapsNew() : { folder: existing(), tell: () => undefined };
			const door = await openDoor({ profileFolder: folder, takeUpRuns: false, brief: true, ...how });
			tell();
			try {
				done(await work({ output, profileFolder: folder, door, rpc: door.rpc }));
			} finally {
				await door.leave();
			}
		};
	const group = (name: string, description: string): Command => program.command(name).description(description);
	const home = (): string => hearthHome(program.opts<GlobalOptions>().home);
	const roots: CommandRoots = { group, withDoor, output, profileFolder, home, done };

	program
		.command('chat')
		.description('send a message and show the reply as it is written; Ctrl-C stops it')
		.argument('<text...>', 'the message; - reads it from standard input')
		.addOption(new Option('-s, --session <id>', 'in this chat (an id, its beginning, or “last”)').conflicts('continue'))
		.option('-c, --continue', 'in the chat used last')
		.addOption(new Option('-n, --new', 'in a new chat (the default)').conflicts(['session', 'continue']))
		.action((text: string[], options: { session?: string; continue?: boolean }) =>
			withDoor((context) => chat(context, text, options), { takeUpRuns: true, makesProfile: true })(),
		);

	const sessions = group('sessions', 'chats: list, show, search, export, delete');
	sessions.command('list').description('all chats, newest first').action(withDoor(listSessions));
	sessions
		.command('show <id>')
		.description('the messages of a chat')
		.action((id: string) => withDoor((context) => showSession(context, id))());
	sessions
		.command('export <id>')
		.description('a chat as Markdown or JSON')
		.addOption(new Option('-f, --format <format>').choices(['markdown', 'json']).default('markdown'))
		.option('-o, --output <file>', 'save it in this file')
		.action((id: string, options: { format: 'markdown' | 'json'; output?: string }) =>
			withDoor((context) => exportSession(context, id, options))(),
		);
	sessions
		.command('delete <id>')
		.description('delete a chat; asks first')
		.option('-y, --yes', 'do not ask')
		.action((id: string, options: { yes?: boolean }) => withDoor((context) => deleteSession(context, id, options))());
	sessions
		.command('search <query>')
		.description('search all chats')
		.option('-l, --limit <count>', 'most results', wholeNumber)
		.action((query: string, options: { limit?: number }) => withDoor((context) => searchSessions(context, query, options))());

	addMemoryCommands(roots);
	addInboxCommands(roots);
	addFindingsCommands(roots);
	const models = group('models', 'models: list, test, choose, key');
	models.command('list').description('what can be used here, and what is chosen').action(withDoor(listModels));
	models
		.command('test [model]')
		.description('one small real completion; without a name, of the model chosen for chat')
		.action((model: string | undefined) => withDoor((context) => testModel(context, model))());
	models
		.command('choose <model>')
		.description('choose a model (PROVIDER/MODEL), after a test; “none” takes the choice back')
		.option('--for <work>', 'kind of work: chat, background, summarise, fallback', 'chat')
		.action((model: string, options: { for: string }) =>
			withDoor((context) => chooseModel(context, model, options), { makesProfile: true })(),
		);

	models
		.command('key <provider>')
		.description('store a provider’s key; it is asked for, or read from standard input')
		.action((provider: string) => withDoor((context) => setKey(context, provider), { makesProfile: true })());

	const config = group('config', 'settings: get, set');
	config
		.command('get [key]')
		.description('one setting, or all')
		.action((key: string | undefined) => withDoor((context) => getConfig(context, key))());
	config
		.command('set <key> <value>')
		.description('change a setting')
		.action((key: string, value: string) => withDoor((context) => setConfig(context, key, value), { makesProfile: true })());

	const needs = group('needs', 'what waits for you: list, answer');
	needs.command('list').description('approvals and questions that are open').action(withDoor(listNeeds));
	needs
		.command('answer <id>')
		.description('answer one, at a terminal')
		.action((id: string) => withDoor((context) => answerNeed(context, id), { takeUpRuns: true })());

	addRunCommands(roots);
	addAuditCommands(roots);
	addPermissionCommands(roots);
	addServerCommands(roots);
	addOutgoingCommands(roots);
	addWorkflowCommands(roots);
	addTriggerCommand(program, roots);
	addSkillCommands(roots);
	addReminderCommands(roots);
	addTaskCommands(roots);
	addWorkCommands(roots);
	addSourceCommands(roots);
	addHeartbeatCommands(roots);
	addBackupCommands(program, roots);
	program
		.command('doctor')
		.description('check databases, folders, lock, disk, keys and models; fails with reasons')
		.option('--fast', 'leave out the network and the slow half of the database check', false)
		.action(async (options: { fast: boolean }) => done(await doctor({ profileFolder: existing(), output, fast: options.fast })));
	program
		.command('web')
		.description('open Hearth in a browser on this computer: prints a one-time address and stays')
		.option('-p, --port <port>', 'port (default: one that is free)', portNumber)
		.action(async (options: { port?: number }) => {
			const { folder, tell } = perhapsNew();
			done(await web({ profileFolder: folder, output, port: options.port ?? 0, onOpen: tell }));
		});
	program
		.command('serve')
		.description('run Hearth without a window, here, until it is told to stop: what is due is done')
		.option('--web [port]', 'also print a one-time address for a browser on this computer', portNumber)
		.action(async (options: { web?: true | number }) => {
			const { folder, tell } = perhapsNew();
			const webPort = options.web === true ? 0 : options.web;
			done(await serve({ profileFolder: folder, output, webPort, onOpen: tell }));
		});
	return program;
}

/** Commander gives a subcommand its own handling of mistakes; here all of them are told the same way. `mistaken`: the command that had one. */
function inheritSettings(command: Command, name: string, mistaken: (name: string) => void): void {
	for (const child of command.commands) {
		const full = `${name} ${child.name()}`;
		child.copyInheritedSettings(command).exitOverride((error) => {
			mistaken(full);
			throw error;
		});
		inheritSettings(child, full, mistaken);
	}
}

function portNumber(given: string): number {
	const port = wholeNumber(given);
	if (port > 65_535) throw new InvalidArgumentError('A port is at most 65535.');
	return port;
}

/** A script's empty variable must not lead to the owner's own profiles. */
function folderName(given: string): string {
	if (given === '') throw new InvalidArgumentError('It is empty.');
	return given;
}
