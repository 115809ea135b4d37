import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicModels, anthropicRefusal, anthropicWire } from './anthropic.ts';
import { ollamaRefusal, ollamaShow, ollamaTags, ollamaWire } from './ollama.ts';
import { openaiModels, openaiRefusal, openaiWire } from './openai.ts';
import { play, sendFault, sendJson } from './play.ts';
import { Reply, Script, type ScriptedModel } from './script.ts';
import type { Wire } from './wire.ts';

/** A completion that was asked for. `keySent`: an authorisation header came with it (its value is not kept). */
export interface RecordedRequest {
	n: number;
	/** Milliseconds since the epoch, with fractions. */
	at: number;
	api: Wire['api'];
	path: string;
	body: unknown;
	keySent: boolean;
	/** The caller went away before the reply was over. */
	aborted: boolean;
	finished: boolean;
}

/** Bytes that the operating system took: `chars` counts UTF-16 units of answer text so far in this reply. */
export interface Flush {
	request: number;
	at: number;
	chars: number;
	text: string;
}

export interface ServerLog {
	requests: RecordedRequest[];
	flushes: Flush[];
	/** Every other call: model lists, versions. */
	lists: { at: number; method: string; path: string }[];
}

export interface ModelServer {
	/** Such as `http://127.0.0.1:40123`: Ollama's base; `openaiUrl` and `anthropicUrl` end in `/v1`. */
	readonly url: string;
	readonly openaiUrl: string;
	readonly anthropicUrl: string;
	readonly log: ServerLog;
	/** Replaces the script; a function sees each request. */
	script(script: Script | ((request: RecordedRequest) => Reply)): void;
	/** Adds replies to the queue. */
	reply(...replies: Reply[]): void;
	/** Lets one `held` step go on: the one that a reply has come to, or its next. */
	goOn(): void;
	close(): Promise<void>;
}

const DEFAULT_MODELS: ScriptedModel[] = [{ id: 'scripted', contextTokens: 8192, capabilities: ['completion', 'tools'] }];
const FALLBACK: Reply = {
	steps: [
		{ type: 'text', text: 'Hello from ' },
		{ type: 'text', text: 'the scripted model.' },
	],
};

export const now = () => performance.timeOrigin + performance.now();

/** Starts the scripted provider on 127.0.0.1; port 0 lets the system choose. */
export async function startModelServer(options: { script?: Script; port?: number } = {}): Promise<ModelServer> {
	const log: ServerLog = { requests: [], flushes: [], lists: [] };
	let script = Script.parse(options.script ?? {});
	let decide: ((request: RecordedRequest) => Reply) | null = null;
	const holds = new Holds();

	const nextReply = (request: RecordedRequest) =>
		Reply.parse(decide ? decide(request) : (script.replies.shift() ?? script.fallback ?? FALLBACK));
	const models = () => script.models ?? Script.shape.models.unwrap().parse(DEFAULT_MODELS);

	async function complete(wire: Wire, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<unknown> {
		const key = keyOf(request);
		const recorded: RecordedRequest = {
			n: log.requests.length,
			at: now(),
			api: wire.api,
			path: request.url ?? '',
			body,
			keySent: key !== undefined,
			aborted: false,
			finished: false,
		};
		log.requests.push(recorded);
		response.on('close', () => {
			recorded.aborted = !response.writableFinished;
		});
		if (script.key !== undefined && key !== script.key) return sendFault(wire, { type: 'auth', status: 401 }, response, key);
		const reply = nextReply(recorded);
		holds.begin();
		const flushed = (text: string, chars: number) => log.flushes.push({ request: recorded.n, at: now(), chars, text });
		await play(wire, reply, response, key, flushed, () => holds.next());
		recorded.finished = response.writableEnded;
		return response;
	}

	async function list(request: IncomingMessage, response: ServerResponse, path: string, body: unknown): Promise<unknown> {
		log.lists.push({ at: now(), method: request.method ?? '', path });
		const isAnthropic = request.headers['anthropic-version'] !== undefined;
		const refusal = path.startsWith('/api/') ? ollamaRefusal : isAnthropic ? anthropicRefusal : openaiRefusal;
		const key = keyOf(request);
		const wire = path.startsWith('/api/') ? ollamaWire({}) : isAnthropic ? anthropicWire({}) : openaiWire({});
		if (script.listFault) return sendFault({ ...wire, refuse: (fault) => refusal(fault) }, script.listFault, response, key);
		if (script.key !== undefined && key !== script.key) return sendFault(wire, { type: 'auth', status: 401 }, response, key);
		if (path === '/api/version') return sendJson(response, 200, { version: '0.14.2' });
		if (path === '/api/tags') return sendJson(response, 200, ollamaTags(models()));
		if (path === '/api/show') {
			const shown = ollamaShow(models(), String((body as { model?: unknown } | null)?.model));
			return sendJson(response, shown.status, shown.body);
		}
		if (path === '/v1/models') return sendJson(response, 200, isAnthropic ? anthropicModels(models()) : openaiModels(models()));
		if (path === '/') return sendJson(response, 200, 'Ollama is running');
		return sendJson(response, 404, { error: `no such path: ${path}` });
	}

	function control(response: ServerResponse, method: string, path: string, body: unknown): ServerResponse {
		if (path === '/__log') return sendJson(response, 200, log);
		if (path === '/__reset' && method === 'POST') {
			log.requests.length = log.flushes.length = log.lists.length = 0;
			return sendJson(response, 200, { ok: true });
		}
		const parsed = Script.safeParse(body);
		if (!parsed.success) return sendJson(response, 400, { error: parsed.error.message });
		if (path === '/__reply') script.replies.push(...parsed.data.replies);
		else script = parsed.data;
		decide = null;
		return sendJson(response, 200, { ok: true });
	}

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
		const path = new URL(request.url ?? '/', 'http://scripted').pathname;
		const body = await readJson(request);
		if (path.startsWith('/__')) return control(response, request.method ?? 'GET', path, body);
		if (request.method === 'POST' && path === '/api/chat') return complete(ollamaWire(body), request, response, body);
		if (request.method === 'POST' && path === '/v1/chat/completions') return complete(openaiWire(body), request, response, body);
		if (request.method === 'POST' && path === '/v1/messages') return complete(anthropicWire(body), request, response, body);
		return list(request, response, path, body);
	}

	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => {
			if (!response.headersSent) sendJson(response, 500, { error: `scripted server: ${String(error)}` });
			else response.destroy();
		});
	});
	const port = await listen(server, options.port ?? 0);
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		openaiUrl: `${url}/v1`,
		anthropicUrl: `${url}/v1`,
		log,
		script: (next) => {
			decide = typeof next === 'function' ? next : null;
			script = Script.parse(typeof next === 'function' ? {} : next);
		},
		reply: (...replies) => {
			script.replies.push(...replies.map((each) => Reply.parse(each)));
		},
		goOn: () => holds.goOn(),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The `held` steps of the newest reply: as many go on as were let go since it began, however early that was said. */
class Holds {
	#allowed = 0;
	#passed = 0;
	#wake: (() => void) | undefined;

	begin(): void {
		this.#allowed = this.#passed = 0;
	}

	goOn(): void {
		this.#allowed += 1;
		this.#wake?.();
	}

	async next(): Promise<void> {
		this.#passed += 1;
		while (this.#allowed < this.#passed)
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
	}
}

function listen(server: Server, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
	});
}

function keyOf(request: IncomingMessage): string | undefined {
	const bearer = request.headers.authorization?.replace(/^Bearer /, '');
	const header = request.headers['x-api-key'];
	return bearer ?? (typeof header === 'string' ? header : undefined);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString('utf8');
	return text === '' ? null : (JSON.parse(text) as unknown);
}
