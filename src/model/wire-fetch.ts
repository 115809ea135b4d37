import { HearthError } from '../domain/errors.ts';
import type { GuardedFetch, GuardedRequest } from '../net/guarded-fetch.ts';
import { type CallSubject, pageError, refusalError } from './provider-errors.ts';
import { bodyError, type Checked, checkEvents, checkLines } from './wire-check.ts';

/** Bytes of an error answer that are read. */
const ERROR_BODY_LIMIT = 16_384;

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

	/**
	 * The same response; its body is checked as it passes. Where it fails, the body still ends properly and the failure is
	 * remembered: an errored stream drops what waits in its queues, and what had arrived must be kept (chat-9).
	 */
	function watch(response: Response): Response {
		const reader = response.body?.getReader();
		if (!reader) return response;
		const { check, ending } = options.stream === 'sse' ? checkEvents(options.subject) : checkLines(options.subject);
		const decoder = new TextDecoder();
		const encoder = new TextEncoder();
		const readChecked = async (): Promise<{ checked: Checked; done: boolean }> => {
			try {
				const { done, value } = await reader.read();
				const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
				return { checked: check(text, done), done };
			} catch (error) {
				return { checked: { pass: '', failure: asHearthError(error) }, done: true };
			}
		};
		const body = new ReadableStream<Uint8Array>(
			{
				async pull(controller) {
					// A pull must hand something on, or nobody pulls again.
					for (;;) {
						const { checked, done } = await readChecked();
						const pass = checked.failure ? checked.pass + ending : checked.pass;
						tail = (tail + checked.pass).slice(-32);
						failure ??= checked.failure;
						if (pass !== '') controller.enqueue(encoder.encode(pass));
						if (done || checked.failure) {
							controller.close();
							await reader.cancel().catch(() => undefined);
							return;
						}
						if (pass !== '') return;
					}
				},
				cancel: (reason) => reader.cancel(reason),
			},
			{ highWaterMark: 0 },
		);
		return new Response(body, { status: response.status, headers: response.headers });
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
