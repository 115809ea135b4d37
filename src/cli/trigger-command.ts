import { type Command, InvalidArgumentError } from 'commander';
import { TriggerName } from '../domain/task.ts';
import { triggerTasks } from './commands/trigger.ts';
import { EXTERNAL, MINE, type WhoseWords } from './event-payload.ts';
import type { CommandRoots } from './memory-commands.ts';

/** For scripts: `hearth trigger NAME`. */
export function addTriggerCommand(program: Command, { withDoor }: CommandRoots): void {
	program
		.command('trigger')
		.argument('<name>', 'the name that tasks wait for', triggerName)
		.argument('[payload]', 'what comes with it: JSON, or a text; - reads it from standard input')
		.addOption(EXTERNAL)
		.addOption(MINE)
		.description('run the tasks that wait for this name')
		.action((name: TriggerName, payload: string | undefined, whose: WhoseWords) =>
			withDoor((context) => triggerTasks(context, name, payload, whose))(),
		);
}

function triggerName(given: string): TriggerName {
	const name = TriggerName.safeParse(given);
	if (!name.success) throw new InvalidArgumentError(name.error.issues[0]?.message ?? 'That is no name of a trigger.');
	return name.data;
}
