import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { EmbeddingChoice } from '../../src/domain/memory.ts';
import type { EmbeddingUse } from '../../src/embed/adapters/server.ts';
import { createEmbedding } from '../../src/embed/create.ts';
import type { EmbeddingPort } from '../../src/embed/port.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { type EmbeddingFault, type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { describeEmbeddingPort } from './embedding-port.ts';

const KEY = 'sk-test-91bd04ae77';
let server: EmbeddingServer;
beforeAll(async () => {
	server = await startEmbeddingServer();
});
afterAll(() => server.close());
afterEach(() => {
	server.fault = undefined;
	server.dims = 48;
	server.counts = undefined;
	used.length = 0;
});

const used: EmbeddingUse[] = [];

function open(choice: EmbeddingChoice): EmbeddingPort {
	const port = createEmbedding(choice, {
		fetch: createGuardedFetch(),
		secrets: { get: async (name) => (name === 'embedding' ? KEY : undefined) },
		clock: systemClock,
		logger: silentLogger,
		clean: (text) => text,
		used: (use) => used.push(use),
	});
	if (!port) throw new Error('No embedding model was asked for.');
	return port;
}

const ollama = (modelId = 'scripted') => open({ kind: 'ollama', baseUrl: server.url, modelId });
const compatible = (secretName?: string, modelId = 'scripted') =>
	open({ kind: 'openai-compatible', baseUrl: server.openaiUrl, modelId, secretName });
const servers: [string, () => EmbeddingPort][] = [
	['Ollama', () => ollama()],
	['OpenAI-compatible', () => compatible('embedding')],
];

describeEmbeddingPort('embedded', () => open({ kind: 'embedded' }));
for (const [name, openServer] of servers) describeEmbeddingPort(name, openServer);

test.each(servers)('what the vectors used is told, and estimated where the server does not say: %s', async (_, openServer) => {
	const port = openServer();
	await port.embed(['x'.repeat(40)], 'query');
	server.counts = 12;
	await port.embed(['x'.repeat(40)], 'query');
	server.fault = { type: 'status', status: 500 };
	await expect(port.embed(['x'], 'query')).rejects.toThrow();
	expect(used.map(({ tokens, estimated }) => [tokens, estimated])).toEqual([
		[10, true],
		[12, false],
	]);
	await port.close();
});

test('off is no model at all', () => {
	const deps = {
		fetch: createGuardedFetch(),
		secrets: { get: async () => undefined },
		clock: systemClock,
		logger: silentLogger,
		clean: (text: string) => text,
		used: () => undefined,
	};
	expect(createEmbedding({ kind: 'off' }, deps)).toBeUndefined();
});

describe.each(servers)('failures of a server: %s', (_, openServer) => {
	const status = (code: number, body?: unknown, headers?: Record<string, string>): EmbeddingFault => ({
		type: 'status',
		status: code,
		body,
		headers,
	});
	const failures: [string, EmbeddingFault, Record<string, unknown>][] = [
		[
			'refuses the key',
			status(401, { error: { message: 'Incorrect API key provided: $KEY' } }),
			{ kind: 'needs_owner', code: 'embedding_auth' },
		],
		['forbids', status(403), { kind: 'needs_owner', code: 'embedding_auth' }],
		['has no credit left', status(402), { kind: 'needs_owner', code: 'embedding_quota' }],
		[
			'has a quota used up',
			status(429, { error: { code: 'insufficient_quota', message: 'x' } }),
			{ kind: 'needs_owner', code: 'embedding_quota' },
		],
		[
			'asks to slow down',
			status(429, undefined, { 'retry-after': '7' }),
			{ kind: 'retryable', code: 'embedding_rate_limited', retryAfterMs: 7000 },
		],
		[
			'lacks the model',
			status(404, { error: 'model "scripted" not found, try pulling it first' }),
			{ kind: 'needs_owner', code: 'embedding_model_missing' },
		],
		['is another kind of server', status(404, {}), { kind: 'terminal', code: 'embedding_bad_response' }],
		['has a problem', status(503), { kind: 'retryable', code: 'embedding_unreachable' }],
		['refuses the request', status(400), { kind: 'terminal', code: 'embedding_bad_response' }],
		['hangs up', { type: 'reset' }, { kind: 'retryable', code: 'embedding_unreachable' }],
		[
			'sends a page',
			{ type: 'text', contentType: 'text/html', body: '<html>Sign in</html>' },
			{ kind: 'terminal', code: 'embedding_bad_response' },
		],
		['sends another form', { type: 'other_form' }, { kind: 'terminal', code: 'embedding_bad_response' }],
		['sends too few vectors', { type: 'one_missing' }, { kind: 'terminal', code: 'embedding_bad_response' }],
		['sends an empty vector', { type: 'empty_vector' }, { kind: 'terminal', code: 'embedding_bad_response' }],
		['sends a vector of zeros', { type: 'zero_vector' }, { kind: 'terminal', code: 'embedding_bad_response' }],
	];

	test.each(failures)('a server that %s', async (_what, fault, shape) => {
		const port = openServer();
		server.fault = fault;
		const failure = await port.embed(['one', 'two'], 'document').then(
			() => undefined,
			(error: unknown) => error,
		);
		expect(failure).toMatchObject({ shape: { ...shape, safe: expect.stringContaining('keyword') } });
		// S3: servers echo keys.
		expect(JSON.stringify(failure) + String(failure)).not.toContain(KEY);
		await port.close();
	});

	test('a server that is gone', async () => {
		const gone = await startEmbeddingServer();
		const port = open({ kind: 'ollama', baseUrl: gone.url, modelId: 'scripted' });
		await gone.close();
		await expect(port.embed(['one'], 'query')).rejects.toMatchObject({ kind: 'retryable', code: 'embedding_unreachable' });
	});

	test('vectors of another length than before are refused: another model answers', async () => {
		const port = openServer();
		expect(port.dims).toBeUndefined();
		await port.embed(['one'], 'document');
		expect(port.dims).toBe(48);
		server.dims = 64;
		await expect(port.embed(['two'], 'document')).rejects.toMatchObject({ code: 'embedding_bad_response' });
		expect(port.dims).toBe(48);
		await port.close();
	});

	test('a server that never answers is left when the call is stopped', async () => {
		const port = openServer();
		server.fault = { type: 'hang' };
		const waiting = port.embed(['one'], 'query');
		const rejected = expect(waiting).rejects.toMatchObject({ code: 'run_stopped' });
		await port.close();
		await rejected;
	});
});

describe('what is sent', () => {
	const last = () => server.requests.at(-1);

	test('S3 the key goes to the address in the settings, never to where that redirects, and Ollama gets none', async () => {
		const thief = await startEmbeddingServer();
		const port = compatible('embedding');
		await port.embed(['one'], 'query');
		expect(last()).toMatchObject({ path: '/v1/embeddings', key: KEY });
		server.fault = { type: 'status', status: 307, headers: { location: `${thief.url}/v1/embeddings` } };
		await expect(port.embed(['two'], 'query')).rejects.toMatchObject({ code: 'network_denied' });
		expect(thief.requests).toEqual([]);
		server.fault = undefined;
		await ollama().embed(['three'], 'query');
		await compatible().embed(['four'], 'query');
		expect(server.requests.slice(-2).map(({ key }) => key)).toEqual([undefined, undefined]);
		await thief.close();
	});

	test('many texts go in several requests, whole and in order', async () => {
		const texts = Array.from({ length: 100 }, (_, at) => `text number ${at}`);
		const before = server.requests.length;
		await ollama().embed(texts, 'document');
		const sent = server.requests.slice(before);
		expect(sent.length).toBeGreaterThan(1);
		expect(sent.flatMap((request) => request.texts)).toEqual(texts);
		expect(last()?.body).toMatchObject({ model: 'scripted', truncate: true });
	});

	test('a model that wants questions and documents marked gets them marked', async () => {
		await ollama('nomic-embed-text:latest').embed(['where?'], 'query');
		expect(last()?.texts).toEqual(['search_query: where?']);
		await compatible(undefined, 'text-embedding-nomic-embed-text-v1.5').embed(['here'], 'document');
		expect(last()?.texts).toEqual(['search_document: here']);
		await compatible(undefined, 'intfloat/multilingual-e5-small').embed(['here'], 'document');
		expect(last()?.texts).toEqual(['passage: here']);
		await ollama('all-minilm').embed(['here'], 'query');
		expect(last()?.texts).toEqual(['here']);
	});
});
