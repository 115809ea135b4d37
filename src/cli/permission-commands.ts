import { Option } from 'commander';
import { addPermission, type JobOptions, listPermissions, showPolicy, takeBack } from './commands/permissions.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';

export function addPermissionCommands({ group, withDoor }: CommandRoots): void {
	const permissions = group('permissions', 'what the agent may do without asking: list, add, revoke, policy');
	permissions.command('list').description('those in force, then those that ended').action(withDoor(listPermissions));
	const add = permissions.command('add').description('permit something in advance; only at a terminal, which shows it and asks first');
	const scoped = (usage: string, description: string) =>
		add
			.command(usage)
			.description(description)
			.option('--outside', 'also to steps that have read text from outside; needs one of the next four')
			.addOption(
				new Option('--chat <chat>', 'only in this chat: its id, the beginning of one, or “last”').conflicts(['workflow', 'task', 'run']),
			)
			.addOption(new Option('--workflow <name>', 'only in this workflow').conflicts(['chat', 'task', 'run']))
			.addOption(
				new Option('--task <task>', 'only for this task: its title, its id or the beginning of one').conflicts(['chat', 'workflow', 'run']),
			)
			.addOption(new Option('--run <run>', 'only in this run').conflicts(['chat', 'workflow', 'task']))
			.option('--tool <name>', 'only to this tool')
			.option('--days <count>', 'for so many days; until you take it back where left out', wholeNumber);
	scoped('workspace', 'files of workspace/, and sandboxed commands there without network').action((options: JobOptions) =>
		withDoor((context) => addPermission(context, { kind: 'workspace' }, options))(),
	);
	scoped('folder <path>', 'read everything below a folder')
		.option('--write', 'and change it')
		.option('--mine', 'the texts in it are your own words')
		.action((path: string, options: JobOptions & { write?: boolean; mine?: boolean }) =>
			withDoor((context) =>
				addPermission(context, { kind: 'folder', path, access: options.write ? 'write' : 'read', mine: options.mine ?? false }, options),
			)(),
		);
	scoped('host <host>', 'reach a host: example.com, *.example.com, example.com:8080')
		.option('--posts', 'send to it, too')
		.action((host: string, options: JobOptions & { posts?: boolean }) =>
			withDoor((context) => addPermission(context, { kind: 'host', host, posts: options.posts ?? false }, options))(),
		);
	scoped('command <pattern>', 'run a command in the sandbox; * at the end stands for any more words: "git status *"')
		.option('--host <host...>', 'hosts that it may reach')
		.action((pattern: string, options: JobOptions & { host?: string[] }) =>
			withDoor((context) => addPermission(context, { kind: 'command', pattern, hosts: options.host ?? [] }, options))(),
		);
	scoped('server <id> [tool-of-server]', 'use a tool server, or one tool of it').action(
		(server: string, tool: string | undefined, options: JobOptions) =>
			withDoor((context) => addPermission(context, { kind: 'server', server, ...(tool !== undefined && { tool }) }, options))(),
	);
	permissions
		.command('revoke')
		.argument('<permission>', 'its id, or the beginning of one')
		.description('take one back, at once')
		.action((id: string) => withDoor((context) => takeBack(context, id))());
	permissions.command('policy').description('the rules that decide, in order').action(withDoor(showPolicy));
}
