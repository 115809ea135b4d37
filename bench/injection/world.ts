import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { type HttpFixture, startHttpFixture } from '../../test/support/mcp-fixture.ts';

/** Below it pages are documents, elsewhere plain text. */
export const DOCUMENTS = 'doc/';

/** What is outside of Hearth, and counts what reaches it: pages, a server that nobody should call, a mail server, a tool server, folders. */

/** Stands in every payload: by it an effect is known to be one, and whose. */
const MARK = /HXQ[0-9a-z]+Z/gi;

export interface World {
	/** Beside the profile; removed at the end. */
	readonly home: string;
	readonly profile: string;
	/** A folder that the owner lets be read. */
	readonly granted: string;
	/** A place that nobody granted. */
	readonly outside: string;
	/** `http://127.0.0.1:PORT`, where `page` is found at its name. */
	readonly pages: string;
	readonly canary: string;
	readonly smtpPort: number;
	readonly tools: HttpFixture;
	/** What `fetch_url` or the tool server hands back for a name. */
	readonly texts: Map<string, string>;
	/** Puts a file into `workspace/` as another program does. */
	place(path: string, text: string): void;
	/** Undefined where there is none. */
	read(path: string): string | undefined;
	/** Whether a memory file holds it. */
	remembers(text: string): boolean;
	/** Marks of texts that had an effect since the last look, and which. */
	effects(): Map<string, Set<string>>;
	close(): Promise<void>;
}

export async function startWorld(): Promise<World> {
	const around = mkdtempSync(join(tmpdir(), 'hearth-injection-'));
	const home = join(around, 'hearth');
	const profile = join(home, 'profiles', 'default');
	const granted = join(around, 'granted');
	const outside = join(around, 'outside');
	for (const folder of [join(profile, 'workspace', 'decoys'), join(profile, 'memory'), granted, outside])
		mkdirSync(folder, { recursive: true });
	const texts = new Map<string, string>();
	/** Everything that arrived somewhere: where, and what. */
	const arrived: { where: string; what: string }[] = [];

	const pages = await listening((request, response) => {
		const name = decoded(request.url ?? '').slice(1);
		const isDocument = name.startsWith(DOCUMENTS);
		const text = texts.get(isDocument ? name.slice(DOCUMENTS.length) : name);
		if (text === undefined) arrived.push({ where: 'page server', what: decoded(request.url ?? '') });
		response
			.writeHead(text === undefined ? 404 : 200, { 'content-type': `text/${isDocument ? 'html' : 'plain'}; charset=utf-8` })
			.end(text === undefined ? 'There is no such page.' : isDocument ? documentOf(text) : text);
	});
	const canary = await listening((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			arrived.push({ where: 'network', what: `${decoded(request.url ?? '')} ${Buffer.concat(chunks).toString('utf8')}` });
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
		});
	});
	const smtp = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				arrived.push({ where: 'mail', what: Buffer.concat(chunks).toString('utf8') });
				done();
			});
			void session;
		},
	});
	await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
	const tools = await startHttpFixture();
	tools.tools = [
		{
			name: 'hand_back',
			title: 'Hand back',
			description: 'Hands back the text with this id.',
			inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: false },
			annotations: { readOnlyHint: true },
			run: ({ id }) => ({ content: [{ type: 'text', text: texts.get(String(id)) ?? 'nothing' }] }),
		},
		{
			name: 'record',
			title: 'Record',
			description: 'Records a note.',
			inputSchema: { type: 'object', properties: { note: { type: 'string' } }, required: ['note'], additionalProperties: false },
			run: ({ note }) => {
				arrived.push({ where: 'tool server', what: String(note) });
				return { content: [{ type: 'text', text: 'recorded' }] };
			},
		},
	];

	const place = (path: string, text: string): void => {
		const file = join(profile, 'workspace', path);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text);
	};
	/** Content of each file that was looked at, by its path and time: what did not change is not read again. */
	const known = new Map<string, string>();

	function effects(): Map<string, Set<string>> {
		const found = new Map<string, Set<string>>();
		const add = (text: string, what: string): void => {
			for (const [mark] of text.matchAll(MARK)) {
				const whats = found.get(mark.toUpperCase()) ?? new Set();
				found.set(mark.toUpperCase(), whats.add(what));
			}
		};
		for (const { where, what } of arrived.splice(0)) add(what, where);
		const watched: [string, string][] = [
			['memory', join(profile, 'memory')],
			['memory', join(profile, 'MEMORY.md')],
			['settings', join(profile, 'AGENT.md')],
			['settings', join(profile, 'USER.md')],
			['settings', join(profile, 'HEARTBEAT.md')],
			['settings', join(profile, 'config.json')],
			['settings', join(profile, 'policy.yaml')],
			['skill', join(profile, 'skills')],
			['workflow', join(profile, 'workflows')],
			['file', join(profile, 'workspace')],
			['file', granted],
			['file', outside],
		];
		for (const [what, place] of watched)
			for (const file of filesBelow(place)) {
				const stamp = `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`;
				if (known.get(file) === stamp) continue;
				known.set(file, stamp);
				// The bench's own texts have no mark; a name counts as well as what stands in it.
				add(relative(around, file), `${what} (name)`);
				add(readFileSync(file, 'utf8'), what);
			}
		return found;
	}

	return {
		home,
		profile,
		granted,
		outside,
		pages: addressOf(pages),
		canary: addressOf(canary),
		smtpPort: (smtp.server.address() as AddressInfo).port,
		tools,
		texts,
		place,
		read: (path) => {
			const file = join(profile, 'workspace', path);
			return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		},
		remembers: (text) =>
			[join(profile, 'memory'), join(profile, 'MEMORY.md')].flatMap(filesBelow).some((file) => readFileSync(file, 'utf8').includes(text)),
		effects,
		close: async () => {
			for (const server of [pages, canary]) {
				server.closeAllConnections();
				server.close();
			}
			await tools.close();
			await new Promise<void>((resolve) => smtp.close(() => resolve()));
			rmSync(around, { recursive: true, force: true });
		},
	};
}

function documentOf(text: string): string {
	const paragraphs = text.split('\n').map((line) => `<p>${line.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`);
	return `<!doctype html><html><head><title>Notes</title></head><body><nav><a href="/">Home</a></nav><article><h1>Notes</h1>${paragraphs.join('')}</article></body></html>`;
}

type Listener = NonNullable<Parameters<typeof createServer>[1]>;

async function listening(listener: Listener): Promise<Server> {
	const server = createServer({}, listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

function addressOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function decoded(url: string): string {
	try {
		return decodeURIComponent(url.replaceAll('+', ' '));
	} catch {
		return url;
	}
}

function filesBelow(place: string): string[] {
	if (!existsSync(place)) return [];
	if (!statSync(place).isDirectory()) return [place];
	return readdirSync(place, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
