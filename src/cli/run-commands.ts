import { Option } from 'commander';
import { type EventName, RunKind, RunStatus } from '../domain/run.ts';
import {
	cancelRun,
	forkRun,
	type ListOptions,
	listRuns,
	type RestoreOptions,
	restoreRun,
	resumeRun,
	showRun,
	showState,
	signalRuns,
	stopCall,
} from './commands/runs.ts';
import { EXTERNAL, MINE, type WhoseWords } from './event-payload.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';
import { eventName } from './workflow-commands.ts';

const RUN = 'a run: its id, the beginning of one, or “last”';

export function addRunCommands({ group, withDoor }: CommandRoots): void {
	const runs = group('runs', 'what Hearth did and does, step by step: list, show, state, resume, restore, fork, cancel, stop-call, signal');
	runs
		.command('list')
		.description('runs, newest first')
		.addOption(new Option('--status <status...>', 'only these').choices(RunStatus.options))
		.addOption(new Option('--kind <kind...>', 'only these').choices(RunKind.options))
		.option('-l, --limit <count>', 'most runs (at most 500)', wholeNumber)
		.action((options: ListOptions) => withDoor((context) => listRuns(context, options))());
	runs
		.command('show')
		.argument('<run>', RUN)
		.description('its steps; with --step what went in and came out of one')
		.option('--step <number>', 'this step', wholeNumber)
		.action((run: string, options: { step?: number }) => withDoor((context) => showRun(context, run, options))());
	runs
		.command('state')
		.argument('<run>', RUN)
		.description('its state after a step, as the agent knew it; of the newest step where none is named')
		.option('--step <number>', 'after this step; 0 is before the first', wholeNumber)
		.action((run: string, options: { step?: number }) => withDoor((context) => showState(context, run, options))());
	runs
		.command('resume')
		.argument('<run>', RUN)
		.description('go on with a run that was cut off, failed or stopped; shows the rest')
		.option('--retry', 'do the step that was cut off anew')
		.action((run: string, options: { retry?: boolean }) => withDoor((context) => resumeRun(context, run, options), { takeUpRuns: true })());
	runs
		.command('restore')
		.argument('<run>', RUN)
		.description('put back what was after a step: chat, files and memory, or those named; lists what stays, and asks first')
		.option('--step <number>', 'after this step; 0 is before the first', wholeNumber)
		.option('--chat', 'the chat; what came later stays as another version')
		.option('--files', 'files of the workspace that nobody else changed since')
		.option('--all-files', 'files of the workspace, whoever changed them since')
		.option('--memory', 'what it wrote to memory')
		.addOption(new Option('--undo', 'take the newest restore of this run back').conflicts(['step', 'chat', 'files', 'allFiles', 'memory']))
		.option('-y, --yes', 'do not ask')
		.action((run: string, options: RestoreOptions) => withDoor((context) => restoreRun(context, run, options))());
	runs
		.command('fork')
		.argument('<run>', RUN)
		.description('go on after a step in a new chat, with another message or model; finished steps are not done again')
		.option('--step <number>', 'after this step; 0 is before the first', wholeNumber)
		.option('--text <text>', 'your message, in place of the one it answers')
		.option('--model <model>', 'another model (PROVIDER/MODEL)')
		.action((run: string, options: { step?: number; text?: string; model?: string }) =>
			withDoor((context) => forkRun(context, run, options), { takeUpRuns: true })(),
		);
	runs
		.command('cancel')
		.argument('<run>', RUN)
		.description('stop a run that is at work or waits; what it did is kept')
		.action((run: string) => withDoor((context) => cancelRun(context, run))());
	runs
		.command('stop-call')
		.argument('<run>', RUN)
		.argument('[call]', 'the call’s id, where more than one is under way')
		.description('stop one command that is under way; its run goes on')
		.action((run: string, call: string | undefined) => withDoor((context) => stopCall(context, run, call))());
	runs
		.command('signal')
		.argument('<event>', 'the event’s name', eventName)
		.argument('[payload]', 'what comes with it: JSON, or a text')
		.addOption(EXTERNAL)
		.addOption(MINE)
		.description('tell all runs and workflows that wait for an event that it happened')
		.action((name: EventName, payload: string | undefined, whose: WhoseWords) =>
			withDoor((context) => signalRuns(context, name, payload, whose), { takeUpRuns: true })(),
		);
}
