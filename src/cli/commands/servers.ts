import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { HearthClient } from '../../contract/contract.ts';
import type { ServerView } from '../../contract/methods/servers.ts';
import { changedParts, offerParts, tellingLine } from '../../contract/server-tool.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { ServerId, type ServerState, type ServerTool, ToolServerConfig } from '../../domain/tool-server.ts';
import { ask, atTerminal, confirm } from '../ask.ts';
import { type CommandContext, when } from '../context.ts';
import { withKeys } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import { printable, table } from '../output.ts';
import { problemsOf } from '../problems.ts';
import { givenText } from '../read-input.ts';

const LOOK_MS = 500;

export interface AddServerOptions {
	readonly title?: string;
	readonly url?: string;
	readonly header?: string[];
	readonly clientId?: string;
	readonly command?: string;
	readonly env?: string[];
	readonly read?: string[];
	readonly write?: string[];
	readonly host?: string[];
	readonly allHosts?: boolean;
	readonly home?: 'read' | 'write';
	readonly unsandboxed?: boolean;
}

export async function listServers({ rpc, output }: CommandContext): Promise<number> {
	const { servers } = await rpc.servers.list();
	const rows = servers.map(({ server, state, last, tools, said }) => [
		server.id,
		server.title,
		// A short look connects nothing: what was known last is told.
		state.kind === 'off' && last
			? `not connected now; ${last.kind.replaceAll('_', ' ')} at ${when(last.at)}`
			: stateText(state) + ('error' in state ? lastWords(said) : ''),
		toolsText(tools),
	]);
	output.result(servers, rows.length > 0 ? table(rows) : 'No tool server is set up.');
	return EXIT.ok;
}

/** What a program may see is given here and nowhere else; secrets are asked for, or read as JSON from standard input. */
export async function addServer(
	{ rpc, door, output }: CommandContext,
	id: string,
	args: string[],
	options: AddServerOptions,
): Promise<number> {
	const server = configOf(id, args, options);
	const values = await valuesOf(server);
	const { sandbox } = await rpc.servers.list();
	output.note(abilitiesText(server, sandbox.works));
	const view = await withKeys(door, () => rpc.servers.add({ server, values }));
	output.result(view, `The tool server “${server.title}” is set up. Look at what it offers: hearth servers tools ${server.id}`);
	return EXIT.ok;
}

export async function testServer({ rpc, door, output }: CommandContext, id: string): Promise<number> {
	const server = idOf(id);
	const view = await withKeys(door, () => rpc.servers.connect({ server })).catch(async (error: unknown) => {
		const failed = (await rpc.servers.list()).servers.find((one) => one.server.id === server);
		if (failed && failed.said !== '') output.note(`${failed.server.title} wrote:${lastWords(failed.said)}`);
		throw error;
	});
	output.result(view, `${view.server.title}: ${stateText(view.state)}; ${toolsText(view.tools)}.`);
	return view.tools.waiting > 0 ? EXIT.needsOwner : EXIT.ok;
}

export async function removeServer({ rpc, output }: CommandContext, id: string): Promise<number> {
	if (!(await confirm(`Remove the tool server “${id}” with its approvals, its sign-in and its secrets?`))) return EXIT.needsOwner;
	await rpc.servers.remove({ server: idOf(id) });
	output.result({ removed: id }, 'Removed.');
	return EXIT.ok;
}

export async function showTools({ rpc, output }: CommandContext, id: string): Promise<number> {
	const { tools } = await rpc.servers.tools({ server: idOf(id) });
	output.result(tools, tools.length > 0 ? tools.map(toolText).join('\n\n') : 'It has offered no tools so far.');
	return EXIT.ok;
}

/** Only at a terminal, after the whole of it was shown there (B3). */
export async function approveTools({ rpc, output }: CommandContext, id: string, names: readonly string[]): Promise<number> {
	if (!atTerminal()) {
		throw needsOwner('unauthorised', 'Tools are approved only by you, at a terminal or in the app.', {
			safe: 'Nothing was approved.',
			action: 'Run this command in a terminal, or look at Settings, Tool servers.',
		});
	}
	const server = idOf(id);
	const { tools } = await rpc.servers.tools({ server });
	const waiting = tools.filter(({ state }) => state === 'new' || state === 'changed');
	const unknown = names.find((name) => !waiting.some(({ tool }) => tool === name));
	if (unknown !== undefined)
		throw terminal('not_found', `No tool “${unknown}” waits for you there.`, { action: `See: hearth servers tools ${id}` });
	const approved: string[] = [];
	for (const one of names.length > 0 ? waiting.filter(({ tool }) => names.includes(tool)) : waiting) {
		process.stderr.write(`${printable(toolText(one))}\n\n`);
		if (!(await confirm('May the agent be offered this tool?'))) continue;
		await rpc.servers.approveTools({ server, tools: [{ tool: one.tool, shownHash: one.shownHash ?? '' }] });
		approved.push(one.tool);
	}
	output.result({ approved }, approved.length > 0 ? `Approved: ${approved.join(', ')}.` : 'Nothing was approved.');
	return EXIT.ok;
}

/** Shows the address, and waits until the browser brought the answer, or takes the address that it ended at. */
export async function signIn({ rpc, door, output }: CommandContext, id: string): Promise<number> {
	const server = idOf(id);
	const { url } = await withKeys(door, () => rpc.servers.signIn({ server }));
	output.note(`Open this address in a browser on this computer and sign in:\n\n  ${url}\n`);
	const given = atTerminal()
		? ask('Signed in elsewhere? Paste the address that the browser ended at; else wait. ')
		: new Promise<string>(() => undefined);
	const view = await Promise.race([
		whenSignedIn(rpc, server),
		given.then((address) => (address === '' ? whenSignedIn(rpc, server) : rpc.servers.finishSignIn({ server, address }))),
	]);
	output.result(view, `Signed in to ${view.server.title}.`);
	return EXIT.ok;
}

export async function signOut({ rpc, door, output }: CommandContext, id: string): Promise<number> {
	const view = await withKeys(door, () => rpc.servers.signOut({ server: idOf(id) }));
	output.result(view, `Signed out of ${view.server.title}.`);
	return EXIT.ok;
}

async function whenSignedIn(rpc: HearthClient, server: ServerId): Promise<ServerView> {
	for (;;) {
		const view = (await rpc.servers.list()).servers.find((one) => one.server.id === server);
		if (!view) throw terminal('not_found', `There is no tool server “${server}” any more.`);
		if (view.signedIn) return view;
		await sleep(LOOK_MS);
	}
}

function configOf(id: string, args: string[], options: AddServerOptions): ToolServerConfig {
	const {
		url,
		command,
		title = id,
		header = [],
		clientId,
		env = [],
		read = [],
		write = [],
		host = [],
		allHosts,
		home,
		unsandboxed,
	} = options;
	if ((url === undefined) === (command === undefined))
		throw terminal('invalid_input', 'Give either --url or --command.', { action: 'See: hearth servers add --help' });
	const folders = [...read.map((path) => ({ path, access: 'read' })), ...write.map((path) => ({ path, access: 'write' }))];
	const network = allHosts ? { kind: 'all' } : host.length > 0 ? { kind: 'hosts', hosts: host } : { kind: 'none' };
	const parsed = ToolServerConfig.safeParse({
		id,
		title,
		transport: url === undefined ? { kind: 'stdio', command, args, env } : { kind: 'http', url, headers: header, clientId },
		access: { folders, network, home, unsandboxed },
	});
	if (parsed.success) return parsed.data;
	throw terminal('invalid_input', problemsOf(parsed.error), { safe: 'Nothing was set up.' });
}

async function valuesOf({ transport }: ToolServerConfig): Promise<Record<string, string>> {
	const names = transport.kind === 'stdio' ? transport.env : transport.headers;
	if (names.length === 0) return {};
	if (!atTerminal()) {
		const given = z.record(z.string(), z.string()).safeParse(parseJson(await givenText(['-'])));
		if (given.success) return given.data;
		throw terminal('invalid_input', 'Standard input is not a JSON object of names and values.', { safe: 'Nothing was set up.' });
	}
	const values: Record<string, string> = {};
	for (const name of names) values[name] = await ask(`Value of ${name}: `, { hidden: true });
	return values;
}

function idOf(given: string): ServerId {
	const parsed = ServerId.safeParse(given);
	if (parsed.success) return parsed.data;
	throw terminal('not_found', `There is no tool server “${given.slice(0, 80)}”.`, { action: 'List them with: hearth servers list' });
}

/** What a server that is set up so can do, in plain words. */
function abilitiesText({ title, transport, access }: ToolServerConfig, isSandboxed: boolean): string {
	if (transport.kind === 'http')
		return `${title} is at ${new URL(transport.url).host}. What the agent sends to its tools leaves this computer.`;
	if (!isSandboxed) {
		return access.unsandboxed
			? `${title} is a program on this computer. No sandbox works here: it runs with all of your rights.`
			: `${title} is a program on this computer. No sandbox works here, so it is not started unless you add --unsandboxed: then it has all of your rights.`;
	}
	const sees = access.folders.map(({ path, access: how }) => `${path} (${how === 'write' ? 'read and change' : 'read'})`);
	if (access.home !== 'hidden') sees.unshift(`your home folder (${access.home === 'write' ? 'read and change' : 'read'})`);
	const { network } = access;
	const reaches = network.kind === 'none' ? 'no network' : network.kind === 'all' ? 'the whole network' : network.hosts.join(', ');
	return `${title} is a program on this computer, in a sandbox. It sees: ${sees.join(', ') || 'no folder of yours'}. It reaches: ${reaches}.`;
}

function stateText(state: ServerState): string {
	switch (state.kind) {
		case 'off':
			return 'off';
		case 'connecting':
			return 'connecting';
		case 'connected':
			return `connected since ${when(state.since)}`;
		case 'waiting':
			return `${state.error.message} Next try at ${when(state.until)}`;
		case 'needs_sign_in':
			return 'wants you to sign in';
		case 'failed':
			return [state.error.message, state.error.action].filter(Boolean).join(' ');
	}
}

/** What a program wrote last, where that may be why there is no connection. */
function lastWords(said: string): string {
	return said === '' ? '' : ` “${tellingLine(said)}”`;
}

function toolsText({ approved, waiting }: ServerView['tools']): string {
	return `${approved} approved, ${waiting} waiting for you`;
}

const STATES: Readonly<Record<ServerTool['state'], string>> = {
	new: 'new, waits for you',
	approved: 'approved',
	changed: 'changed since you approved it, waits for you',
	gone: 'approved, no longer offered',
	unusable: 'can’t be used',
};

/** All that a server says of a tool; of a changed one, what it was and what it is. */
function toolText({ tool, name, state, offered, approved, readOnly, saysReadOnly, inspection, problem }: ServerTool): string {
	const notes = [
		STATES[state],
		readOnly ? 'reads only, you said' : saysReadOnly ? 'reads only, the server says' : '',
		inspection.risk === 'high' || inspection.risk === 'medium'
			? `ODD WORDS: ${[...new Set(inspection.flags.map(({ kind }) => kind))].join(', ')}`
			: '',
	];
	const parts = offerParts(offered ?? approved);
	const said = Object.entries(parts).flatMap(([part, text]) => (text === '' ? [] : [`  ${part}: ${text.replaceAll('\n', '\n  ')}`]));
	const changes =
		state === 'changed'
			? changedParts(approved, offered).map(({ part, before }) => `  ${part} WAS: ${before.replaceAll('\n', '\n  ')}`)
			: [];
	return [`${tool} (${name}): ${notes.filter(Boolean).join('; ')}`, ...(problem ? [`  ${problem}`] : []), ...said, ...changes].join('\n');
}
