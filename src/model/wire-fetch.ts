import { HearthError } from '../domain/errors.ts';
import { cutError } from '../net/errors.ts';
import type { GuardedFetch, GuardedRequest } from '../net/guarded-fetch.ts';
import { type CallSubject, looksLikeHtml, notAnApiError, pageError, refusalError, reportedError } from './provider-errors.ts';

const ERROR_BODY_LIMIT = 16_384;
/** No event of a stream is longer, in UTF-16 units: libraries keep a line in memory until it ends. */
const LINE_LIMIT = 4 * 1024 * 1024;

export interface WireOptions {
	fetch: GuardedFetch;
	request: Omit<GuardedRequest, 'url' | 'method' | 'headers' | 'body' | 'purpose'>;
	subject: CallSubject;
	/** How the provider streams: server-sent events, or one JSON object a line. */
	stream: 'sse' | 'ndjson';
}

/** What became of the one HTTP call behind a completion, told by the wire itself. */
export interface Wire {
	/** For the client library. */
	fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
	/** Set where the call failed: the library's own error is a worse witness. */
	failure(): HearthError | undefined;
	/** The stream's end marker (`[DONE]`) came. */
	sawDone(): boolean;
}

/**
 * The guarded fetch as a client library takes it, for one completion. Error answers and bodies that are no stream become
 * errors of ours here, in one place for all providers, before any library reads (and prints or repeats) them.
 */
export function createWire(options: WireOptions): Wire {
	let failure: HearthError | undefined;
	let tail = '';
	const fail = (error: HearthError): never => {
		failure ??= error;
		throw failure;
	};

	async function send(url: string, init: RequestInit): Promise<Response> {
		try {
			return await options.fetch({
				...options.request,
				url,
				purpose: 'model_call',
				method: init.method === 'POST' ? 'POST' : 'GET',
				headers: Object.fromEntries(new Headers(init.headers)),
				body: typeof init.body === 'string' ? init.body : undefined,
			});
		} catch (error) {
			return error instanceof HearthError ? fail(error) : Promise.reject(error);
		}
	}

	return {
		failure: () => failure,
		sawDone: () => tail.includes('[DONE]'),
		async fetch(input, init = {}) {
			const response = await send(String(input), init);
			const refuse = async (shapeOf: (body: string) => HearthError): Promise<Response> => {
				const body = await readStart(response).catch((error: unknown) => fail(asHearthError(error)));
				return fail(shapeOf(body));
			};
			if (!response.ok) {
				const refusal = { status: response.status, headers: response.headers };
				return refuse((body) => new HearthError(refusalError({ ...refusal, body }, options.subject)));
			}
			const contentType = response.headers.get('content-type') ?? '';
			if (/\bhtml\b/i.test(contentType)) return refuse(() => new HearthError(pageError(options.subject, response.status)));
			if (options.stream === 'sse' && /\bapplication\/json\b/i.test(contentType)) return refuse((body) => bodyError(body, options.subject));
			return watch(response);
		},
	};

	/** The same response; its body is checked as it passes, and an error in it is remembered. */
	function watch(response: Response): Response {
		const reader = response.body?.getReader();
		if (!reader) return response;
		const check = options.stream === 'sse' ? checkEvents() : checkLines();
		const decoder = new TextDecoder();
		const body = new ReadableStream<Uint8Array>(
			{
				async pull(controller) {
					try {
						const { done, value } = await reader.read();
						const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
						tail = (tail + text).slice(-32);
						check(text, done);
						if (done) controller.close();
						else controller.enqueue(value);
					} catch (error) {
						failure ??= asHearthError(error);
						await reader.cancel().catch(() => undefined);
						controller.error(failure);
					}
				},
				cancel: (reason) => reader.cancel(reason),
			},
			{ highWaterMark: 0 },
		);
		return new Response(body, { status: response.status, headers: response.headers });
	}

	/** An event stream starts with a field name; a page or a JSON document does not. Its lines end some time. */
	function checkEvents(): (text: string, done: boolean) => void {
		let start = '';
		let lineLength = 0;
		let decided = false;
		return (text, done) => {
			lineLength = text.includes('\n') ? text.length - text.lastIndexOf('\n') : lineLength + text.length;
			if (lineLength > LINE_LIMIT) throw new HearthError(notAnApiError(options.subject));
			if (decided) return;
			start += text;
			const first = start.trimStart()[0];
			if (first === '<') throw new HearthError(pageError(options.subject, 200));
			if (first === '{' || first === '[') {
				// The whole document is needed to read the error in it.
				if (!done && start.length < ERROR_BODY_LIMIT) return;
				throw bodyError(start, options.subject);
			}
			decided = first !== undefined;
		};
	}

	/** Each line must be JSON, and must not be an error. */
	function checkLines(): (text: string, done: boolean) => void {
		let line = '';
		return (text, done) => {
			line += text;
			const lines = line.split('\n');
			line = done ? '' : (lines.pop() ?? '');
			for (const each of lines) if (each.trim() !== '') checkLine(each, done);
			if (line.length > LINE_LIMIT) throw new HearthError(notAnApiError(options.subject));
		};
	}

	function checkLine(line: string, atEnd: boolean): void {
		if (looksLikeHtml(null, line)) throw new HearthError(pageError(options.subject, 200));
		const value = parse(line);
		if (value === undefined && atEnd && line.trimStart().startsWith('{')) throw cutError(options.subject.provider.name);
		if (value === null || typeof value !== 'object') throw new HearthError(notAnApiError(options.subject));
		// Only remembered: the library gets the line too and stops at it, after the text that came before.
		if ('error' in value) failure ??= new HearthError(reportedError(value, options.subject));
	}
}

/** A JSON document where a stream should be: an error, or an answer of another kind of server. */
function bodyError(body: string, subject: CallSubject): HearthError {
	const value = parse(body);
	const isError = value !== null && typeof value === 'object' && ('error' in value || 'message' in value);
	return new HearthError(isError ? reportedError(value, subject) : notAnApiError(subject));
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function asHearthError(error: unknown): HearthError {
	if (error instanceof HearthError) return error;
	throw error;
}

/** The first kilobytes of a body as text; the rest is not read. */
export async function readStart(response: Response, limit = ERROR_BODY_LIMIT): Promise<string> {
	const reader = response.body?.getReader();
	if (!reader) return '';
	const decoder = new TextDecoder();
	let text = '';
	while (text.length < limit) {
		const { done, value } = await reader.read();
		if (done) return text + decoder.decode();
		text += decoder.decode(value, { stream: true });
	}
	await reader.cancel();
	return text;
}
