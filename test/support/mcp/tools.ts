import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallToolResult, Server, type ServerContext } from '@modelcontextprotocol/server';

/** A tool of a fixture server. What a test wants to change between list and call it changes in place. */
export interface FixtureTool {
	name: string;
	title?: string;
	description: string;
	inputSchema: { type: 'object'; [key: string]: unknown };
	annotations?: Record<string, unknown>;
	outputSchema?: { type: 'object'; [key: string]: unknown };
	run(args: Record<string, unknown>, context: ServerContext): Promise<CallToolResult> | CallToolResult;
}

/** A call that reached the server: the effect that a test counts. */
export interface FixtureCall {
	tool: string;
	args: Record<string, unknown>;
}

export interface FixtureState {
	/** What `hand_back` gives. */
	text(): string;
	called(call: FixtureCall): void;
}

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false } as const;

export function say(text: string): CallToolResult {
	return { content: [{ type: 'text', text }] };
}

/** A tool that hands back a given text, and one whose calls are kept. */
export function usualTools({ text, called }: FixtureState): FixtureTool[] {
	return [
		{
			name: 'hand_back',
			title: 'Hand back',
			description: 'Hands back a text.',
			inputSchema: NO_ARGUMENTS,
			annotations: { readOnlyHint: true },
			run: () => say(text()),
		},
		{
			name: 'record',
			title: 'Record',
			description: 'Records a note.',
			inputSchema: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'], additionalProperties: false },
			run: (args) => {
				called({ tool: 'record', args });
				return say('recorded');
			},
		},
	];
}

/** What a program that was started as a server can do and see: for tests of the sandbox that it runs in. */
export function probingTools({ called }: FixtureState): FixtureTool[] {
	const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
	const tryTo = async (what: () => string | Promise<string>): Promise<CallToolResult> => {
		try {
			return say(await what());
		} catch (error) {
			return { ...say(error instanceof Error ? error.message : 'failed'), isError: true };
		}
	};
	return [
		{
			name: 'read_path',
			description: 'Reads a file.',
			inputSchema: path,
			run: (args) => tryTo(() => readFileSync(String(args.path), 'utf8')),
		},
		{
			name: 'list_path',
			description: 'Lists a folder.',
			inputSchema: path,
			run: (args) => tryTo(() => readdirSync(String(args.path)).join('\n')),
		},
		{
			name: 'append_path',
			description: 'Adds a line to a file.',
			inputSchema: path,
			run: (args) =>
				tryTo(() => {
					called({ tool: 'append_path', args });
					appendFileSync(String(args.path), 'a line\n');
					return 'written';
				}),
		},
		{
			name: 'environment',
			description: 'Names what is in the environment.',
			inputSchema: NO_ARGUMENTS,
			run: () => say(JSON.stringify(process.env)),
		},
		{
			name: 'dial',
			description: 'Connects to a port of this machine or to a socket.',
			inputSchema: { type: 'object', properties: { port: { type: 'integer' }, path: { type: 'string' } } },
			run: ({ port, path: socket }) =>
				tryTo(
					() =>
						new Promise<string>((resolve, reject) => {
							const to = typeof socket === 'string' ? { path: socket } : { host: '127.0.0.1', port: Number(port) };
							const connection = connect(to, () => {
								connection.destroy();
								resolve('connected');
							});
							connection.once('error', reject);
						}),
				),
		},
	];
}

/** Tools that take their time, say how far they are, ask for what is not theirs, or end the server. */
export function slowTools({ called }: FixtureState): FixtureTool[] {
	return [
		{
			name: 'take_time',
			description: 'Takes some milliseconds, and says how far it is.',
			inputSchema: { type: 'object', properties: { ms: { type: 'integer' } }, required: ['ms'] },
			run: async ({ ms }, { mcpReq }) => {
				const progressToken = mcpReq._meta?.progressToken;
				if (progressToken !== undefined)
					await mcpReq.notify({
						method: 'notifications/progress',
						params: { progressToken, progress: 1, total: 2, message: 'half way' },
					});
				try {
					await sleep(Number(ms), undefined, { signal: mcpReq.signal });
				} catch {
					called({ tool: 'cancelled', args: {} });
					throw new Error('cancelled');
				}
				called({ tool: 'take_time', args: { ms } });
				return say('done');
			},
		},
		{
			name: 'die',
			description: 'Ends the server in the middle of the call.',
			inputSchema: NO_ARGUMENTS,
			run: () => {
				called({ tool: 'die', args: {} });
				process.exit(1);
			},
		},
	];
}

/** What a fixture server gives of its resources, by address: text, or bytes. */
export type FixtureResources = ReadonlyMap<string, { readonly text?: string; readonly bytes?: Uint8Array; readonly mimeType?: string }>;

/** A server that lists and calls what is in `tools` at that moment, and gives what is in `resources`. */
export function fixtureServer(tools: () => FixtureTool[], resources?: FixtureResources): Server {
	const server = new Server(
		{ name: 'fixture', version: '1.0.0' },
		{ capabilities: { tools: { listChanged: true }, ...(resources && { resources: {} }) } },
	);
	server.setRequestHandler('tools/list', () => ({ tools: tools().map(({ run: _, ...tool }) => tool) }));
	server.setRequestHandler('tools/call', async ({ params }, context) => {
		const tool = tools().find(({ name }) => name === params.name);
		if (!tool) return { ...say(`There is no tool ${params.name}.`), isError: true };
		return tool.run(params.arguments ?? {}, context);
	});
	if (resources)
		server.setRequestHandler('resources/read', ({ params }) => {
			const found = resources.get(params.uri);
			if (!found) throw new Error('no such resource, dear sk-user');
			const { text, bytes, mimeType } = found;
			const about = { uri: params.uri, ...(mimeType !== undefined && { mimeType }) };
			return { contents: [bytes ? { ...about, blob: Buffer.from(bytes).toString('base64') } : { ...about, text: text ?? '' }] };
		});
	return server;
}

/** Calls that a fixture server wrote down, as a file of JSON lines. */
export function readCalls(file: string): FixtureCall[] {
	if (!existsSync(file)) return [];
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as FixtureCall);
}
