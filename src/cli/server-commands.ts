import { Option } from 'commander';
import {
	type AddServerOptions,
	addServer,
	approveTools,
	listServers,
	removeServer,
	showTools,
	signIn,
	signOut,
	testServer,
} from './commands/servers.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addServerCommands({ group, withDoor }: CommandRoots): void {
	const servers = group('servers', 'tool servers (Model Context Protocol): list, add, tools, approve, remove, test, sign-in, sign-out');
	servers.command('list').description('all of them, and how they stand').action(withDoor(listServers));
	servers
		.command('add <id> [args...]')
		.description('set one up: a program (--command, its arguments behind --) or an address (--url)')
		.option('--title <title>', 'for people; the id where left out')
		.addOption(new Option('--url <address>', 'where it is').conflicts(['command', 'env', 'read', 'write', 'host', 'allHosts', 'home']))
		.option('--header <name...>', 'a header that it gets; its value is asked for')
		.option('--client-id <id>', 'for signing in where Hearth can’t register itself')
		.option('--command <program>', 'what to start')
		.option('--env <name...>', 'a variable of its environment; its value is asked for')
		.option('--read <folder...>', 'a folder that it may read (absolute)')
		.option('--write <folder...>', 'a folder that it may read and change (absolute)')
		.option('--host <host...>', 'a host that it may reach: example.com, *.example.com')
		.option('--all-hosts', 'it may reach the whole network')
		.addOption(new Option('--home <how>', 'it may use your home folder').choices(['read', 'write']))
		.option('--unsandboxed', 'start it although no sandbox works here: with all of your rights')
		.addHelpText('after', '\nValues of --env and --header come from standard input as a JSON object where this is no terminal.')
		.action((id: string, args: string[], options: AddServerOptions) => withDoor((context) => addServer(context, id, args, options))());
	servers
		.command('tools <id>')
		.description('what it offers, and what of it is approved')
		.action((id: string) => withDoor((context) => showTools(context, id))());
	servers
		.command('approve <id> [tool...]')
		.description('look at what waits, and let the agent be offered it; only at a terminal')
		.action((id: string, names: string[]) => withDoor((context) => approveTools(context, id, names))());
	servers
		.command('test <id>')
		.description('connect and ask for its tools')
		.action((id: string) => withDoor((context) => testServer(context, id))());
	servers
		.command('sign-in <id>')
		.description('sign in where it wants that: shows the address to open')
		.action((id: string) => withDoor((context) => signIn(context, id))());
	servers
		.command('sign-out <id>')
		.description('forget the sign-in')
		.action((id: string) => withDoor((context) => signOut(context, id))());
	servers
		.command('remove <id>')
		.description('with its approvals, its sign-in and its secrets')
		.action((id: string) => withDoor((context) => removeServer(context, id))());
}
