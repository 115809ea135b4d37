import { InvalidArgumentError } from 'commander';
import {
	type AddSourceOptions,
	addSource,
	listSources,
	pauseSource,
	previewSource,
	type RemoveSourceOptions,
	removeSource,
	showSource,
	testSource,
} from './commands/sources.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addSourceCommands({ group, withDoor }: CommandRoots): void {
	const sources = group('sources', 'what background work reads: list, add, preview, test, show, pause, resume, remove');
	sources.command('list').description('all of them, and how reading them goes').action(withDoor(listSources));
	sources
		.command('add <link>')
		.description(
			'by a link: a feed, a page (its feeds are looked for), a calendar, owner/name of a project, a folder, imaps://name@server, server:uri',
		)
		.option('--title <title>', 'your name for it; its own where left out')
		.option('--choice <number>', 'which one, where several are found', positive)
		.option('--from-now', 'what is there already counts as read')
		.option('--every <minutes>', 'at the least between two readings (30)', positive)
		.option('--items-per-day <number>', 'how many are looked at a day (500)', positive)
		.option('--findings-per-day <number>', 'how many findings a day (10)', positive)
		.option('--secret', 'it needs a password or a token: asked for, or read from standard input')
		.option('--secret-address', 'the address itself is a secret: it goes into the secret store, and is shown no more')
		.action((link: string, options: AddSourceOptions) => withDoor((context) => addSource(context, link, options))());
	sources
		.command('preview <link>')
		.description('what a link would bring; keeps nothing')
		.option('--secret', 'with a password or a token: asked for, or read from standard input')
		.action((link: string, options: { secret?: boolean }) => withDoor((context) => previewSource(context, link, options))());
	sources
		.command('test <source>')
		.description('read it now; what is new is kept for the next look')
		.action((source: string) => withDoor((context) => testSource(context, source))());
	sources
		.command('show <source>')
		.description('how it goes, and what it brought last')
		.option('-n, --limit <number>', 'how many items (10)', positive)
		.action((source: string, options: { limit?: number }) => withDoor((context) => showSource(context, source, options))());
	for (const [name, paused] of [
		['pause', true],
		['resume', false],
	] as const)
		sources
			.command(`${name} <source>`)
			.description(paused ? 'read it no more until you say so' : 'read it again, also after it failed')
			.action((source: string) => withDoor((context) => pauseSource(context, source, paused))());
	sources
		.command('remove <source>')
		.description('with its items, its pending findings and its secret; shows what came of it, and asks')
		.option('--forget', 'also forget what was approved of it: in memory, reminders, what was noted')
		.option('--chats', 'also delete the chats that were begun about its findings')
		.action((source: string, options: RemoveSourceOptions) => withDoor((context) => removeSource(context, source, options))());
}

function positive(text: string): number {
	const number = Number(text);
	if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Use a whole number of 1 or more.');
	return number;
}
