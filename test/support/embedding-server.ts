import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does instead of answering. `body` may hold `$KEY`, which stands for the key that the caller sent. */
export type EmbeddingFault =
	| { readonly type: 'status'; readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
	| { readonly type: 'text'; readonly contentType: string; readonly body: string }
	| { readonly type: 'one_missing' | 'empty_vector' | 'zero_vector' | 'other_form' | 'reset' | 'hang' };

export interface EmbeddingServer {
	/** Without a path: Ollama's base. `openaiUrl` ends in `/v1`. */
	readonly url: string;
	readonly openaiUrl: string;
	/** Every call, oldest first. `key`: what came as a bearer token. */
	readonly requests: {
		readonly path: string;
		readonly texts: readonly string[];
		readonly body: unknown;
		readonly key: string | undefined;
	}[];
	/** Every call fails so until it is taken away. */
	fault: EmbeddingFault | undefined;
	dims: number;
	/** Tokens that it says each call used; undefined: it does not say. */
	counts: number | undefined;
	close(): Promise<void>;
}

/** A server on 127.0.0.1 that speaks Ollama's `/api/embed` and OpenAI's `/v1/embeddings`; its vectors count words, hashed. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
	const http = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null') as { model?: string; input?: string[] } | null;
			const path = request.url ?? '';
			const key = request.headers.authorization?.replace(/^Bearer /, '');
			server.requests.push({ path, texts: body?.input ?? [], body, key });
			answer(path, body?.input ?? [], key, response);
		});
	});

	function answer(path: string, texts: readonly string[], key: string | undefined, response: ServerResponse): void {
		const { fault } = server;
		const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(JSON.stringify(value).replaceAll('$KEY', key ?? ''));
		};
		const other = (contentType: string, text: string): void => {
			response.writeHead(200, { 'content-type': contentType });
			response.end(text);
		};
		switch (fault?.type) {
			case 'hang':
				return;
			case 'reset':
				response.destroy();
				return;
			case 'status':
				json(fault.status, fault.body ?? { error: { message: 'no', code: null } }, fault.headers);
				return;
			case 'text':
				other(fault.contentType, fault.body);
				return;
			case 'other_form':
				json(200, { vectors: 'none' });
				return;
		}
		const vectors = texts.map((text) => countWords(text, server.dims));
		if (fault?.type === 'one_missing') vectors.pop();
		if (fault?.type === 'empty_vector') vectors[0] = [];
		if (fault?.type === 'zero_vector') vectors[0]?.fill(0);
		// OpenAI promises no order.
		const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
		const { counts } = server;
		if (path === '/api/embed') json(200, { model: 'scripted', embeddings: vectors, ...(counts && { prompt_eval_count: counts }) });
		else if (path === '/v1/embeddings')
			json(200, { object: 'list', data, model: 'scripted', ...(counts && { usage: { prompt_tokens: counts, total_tokens: counts } }) });
		else json(404, {});
	}

	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
	const server: EmbeddingServer = {
		url,
		openaiUrl: `${url}/v1`,
		requests: [],
		fault: undefined,
		dims: 48,
		counts: undefined,
		close: () =>
			new Promise((resolve) => {
				http.close(() => resolve());
				http.closeAllConnections();
			}),
	};
	return server;
}

function countWords(text: string, dims: number): number[] {
	const vector = new Array<number>(dims).fill(0);
	vector[0] = 0.5;
	for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
		let hash = 7;
		for (const char of word) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
		const at = 1 + (hash % (dims - 1));
		vector[at] = (vector[at] ?? 0) + 1;
	}
	return vector;
}
