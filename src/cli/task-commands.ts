import { type AddOptions, addTask, editTask, testTask } from './commands/task-add.ts';
import {
	comingRuns,
	decideRun,
	listTasks,
	pauseTask,
	removeTask,
	resumeTask,
	runTask,
	showTask,
	stopRun,
	taskHistory,
} from './commands/tasks.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';
import { draftOptions } from './task-draft.ts';
import { momentOf } from './times.ts';

const TASK = 'a task: its title, its id, or the beginning of that';
const RUN = 'a run: its id, or the beginning of one, as history shows it';
const SENTENCE = 'when and what, in a sentence: "every weekday at 8 summarise my unread mail"';

export function addTaskCommands({ group, withDoor }: CommandRoots): void {
	const tasks = group('tasks', 'what runs at its time or on an event: add, list, show, run, test, pause, resume, history, next …');
	draftOptions(
		tasks
			.command('add')
			.argument('[sentence...]', SENTENCE)
			.description('make a task, from a sentence, from options, or both; shows its card and asks first')
			.option('--draft <file>', 'from a card or draft as --dry --json writes it; - reads standard input')
			.option('--dry', 'show the card and make nothing')
			.option('--hash <hash>', 'of the card that you were shown, in place of your word at a terminal')
			.option('--test', 'with a test run first, whose needs you may permit; at a terminal'),
	).action((sentence: string[], options: AddOptions) =>
		withDoor((context) => addTask(context, sentence, options), { makesProfile: true, takeUpRuns: options.test ?? false })(),
	);
	tasks.command('list').description('all tasks: how each stands, and when it runs next').action(withDoor(listTasks));
	tasks
		.command('show')
		.argument('<task>', TASK)
		.description('all of one: its state, its next and its last runs, what was missed')
		.action((task: string) => withDoor((context) => showTask(context, task))());
	tasks
		.command('next')
		.description('what comes, by time')
		.option('--at <time>', 'as of a time: 2026-12-03, 2026-12-03T09:00, or so long from now (3d)', momentOf)
		.option('-l, --limit <count>', 'most runs (at most 1000)', wholeNumber)
		.option('--task <task>', 'only of this one')
		.action((options: { at?: number; limit?: number; task?: string }) => withDoor((context) => comingRuns(context, options))());
	tasks
		.command('run')
		.argument('<task>', TASK)
		.description('now, whatever the hour; shows what came of it')
		.action((task: string) => withDoor((context) => runTask(context, task), { takeUpRuns: true })());
	draftOptions(
		tasks
			.command('test')
			.argument('[sentence...]', SENTENCE)
			.description('a run that writes nothing and sends nothing, and says what it would have needed')
			.option('--task <task>', 'of this task, with what the options change')
			.option('--draft <file>', 'of a card or draft as add --dry --json writes it'),
	).action((sentence: string[], options: AddOptions & { task?: string }) =>
		withDoor((context) => testTask(context, sentence, options), { takeUpRuns: true })(),
	);
	draftOptions(
		tasks
			.command('edit')
			.argument('<task>', TASK)
			.description('change what the options say; shows the card and asks first')
			.option('--dry', 'show the card and change nothing')
			.option('--hash <hash>', 'of the card that you were shown, in place of your word at a terminal')
			.option('--test', 'with a test run first, whose needs you may permit; at a terminal'),
	).action((task: string, options: AddOptions) =>
		withDoor((context) => editTask(context, task, options), { takeUpRuns: options.test ?? false })(),
	);
	tasks
		.command('pause')
		.argument('<task>', TASK)
		.description('its times that come meanwhile are none')
		.option('--until <time>', 'goes on by itself then: 2026-12-03, or 3d', momentOf)
		.action((task: string, options: { until?: number }) => withDoor((context) => pauseTask(context, task, options))());
	tasks
		.command('resume')
		.argument('<task>', TASK)
		.description('also of one that stopped after an error')
		.action((task: string) => withDoor((context) => resumeTask(context, task))());
	tasks
		.command('remove')
		.argument('<task>', TASK)
		.description('with its history and what it was permitted; asks first')
		.option('-y, --yes', 'do not ask')
		.action((task: string, options: { yes?: boolean }) => withDoor((context) => removeTask(context, task, options))());
	tasks
		.command('history')
		.argument('[task]', TASK)
		.description('what ran and what was missed, newest first, with the reason')
		.option('-l, --limit <count>', 'most runs (at most 500)', wholeNumber)
		.action((task: string | undefined, options: { limit?: number }) => withDoor((context) => taskHistory(context, task, options))());
	tasks
		.command('decide')
		.argument('<run>', RUN)
		.description('run one now that was missed, that asks, or that failed')
		.action((run: string) => withDoor((context) => decideRun(context, run, 'run'), { takeUpRuns: true })());
	tasks
		.command('skip')
		.argument('<run>', RUN)
		.description('be done with one that was missed, that asks, or that failed')
		.action((run: string) => withDoor((context) => decideRun(context, run, 'skip'))());
	tasks
		.command('stop')
		.argument('<run>', RUN)
		.description('end one that is at work or waits')
		.action((run: string) => withDoor((context) => stopRun(context, run))());
}
