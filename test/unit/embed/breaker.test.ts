import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import type { BreakerView } from '../../../src/embed/breaker.ts';
import { createEmbedding } from '../../../src/embed/create.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/embedding-server.ts';

let server: EmbeddingServer;
let changes: [BreakerView, BreakerView][];
let time: number;
beforeEach(async () => {
	server = await startEmbeddingServer();
	changes = [];
	time = 1_000_000;
});

function open() {
	const embedding = createEmbedding(
		{ kind: 'ollama', baseUrl: server.url, modelId: 'scripted' },
		{
			fetch: createGuardedFetch(),
			secrets: { get: async () => undefined },
			clock: { now: () => time, monotonic: () => time },
			logger: silentLogger,
			clean: (text) => text,
			used: () => undefined,
			onBreakerChange: (now, before) => changes.push([now, before]),
		},
	);
	if (!embedding) throw new Error('No embedding model was asked for.');
	onTestFinished(async () => {
		await embedding.close();
		await server.close();
	});
	return embedding;
}

test('mem-4 a used-up quota: asked once, one notice, and indexing catches up when it is there again', async () => {
	const embedding = open();
	server.fault = {
		type: 'status',
		status: 429,
		body: { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
	};
	for (let search = 0; search < 20; search++) {
		await expect(embedding.embed(['where?'], 'query')).rejects.toMatchObject({ code: 'embedding_quota', kind: 'needs_owner' });
	}
	expect(server.requests).toHaveLength(1);
	expect(changes.map(([now, before]) => `${before.state} → ${now.state}`)).toEqual(['closed → open']);
	const view = embedding.breaker.view();
	expect(view).toMatchObject({ state: 'open', since: time, reason: { code: 'embedding_quota' }, retryAt: time + 30_000 });

	time = view.retryAt ?? 0;
	await expect(embedding.embed(['where?'], 'query')).rejects.toMatchObject({ code: 'embedding_quota' });
	expect(server.requests).toHaveLength(2);
	time = embedding.breaker.view().retryAt ?? 0;
	server.fault = undefined;
	expect(await embedding.embed(['where?', 'here'], 'document')).toHaveLength(2);
	expect(embedding.breaker.view()).toEqual({ state: 'closed', since: time });
});

test('mem-4 a server that is down is asked three times, and while one call tries it again the others do not wait', async () => {
	const embedding = open();
	server.fault = { type: 'reset' };
	for (let search = 0; search < 5; search++) await embedding.embed(['x'], 'query').catch(() => undefined);
	expect(server.requests).toHaveLength(3);
	server.fault = { type: 'hang' };
	time += 30_000;
	const stop = new AbortController();
	const trial = embedding.embed(['x'], 'query', stop.signal);
	const stopped = expect(trial).rejects.toMatchObject({ code: 'run_stopped' });
	await expect(embedding.embed(['y'], 'query')).rejects.toMatchObject({ code: 'embedding_unreachable' });
	expect(embedding.breaker.view().state).toBe('half_open');
	stop.abort();
	await stopped;
	// A trial that the caller gave up says nothing: the next call is one.
	server.fault = undefined;
	expect(await embedding.embed(['z'], 'query')).toHaveLength(1);
});

test('a server that names a pause is left alone for as long; what the owner mended is tried at once', async () => {
	const embedding = open();
	server.fault = { type: 'status', status: 429, headers: { 'retry-after': '600' } };
	await expect(embedding.embed(['x'], 'query')).rejects.toMatchObject({ shape: { retryAfterMs: 600_000 } });
	time += 100_000;
	await expect(embedding.embed(['x'], 'query')).rejects.toMatchObject({ shape: { code: 'embedding_rate_limited', retryAfterMs: 500_000 } });
	server.fault = undefined;
	embedding.breaker.mend();
	expect(await embedding.embed(['x'], 'query')).toHaveLength(1);
	expect(server.requests).toHaveLength(2);
});

test('one failure between successes opens nothing, and a stopped call is none', async () => {
	const embedding = open();
	for (let round = 0; round < 4; round++) {
		server.fault = { type: 'status', status: 500 };
		await embedding.embed(['x'], 'query').catch(() => undefined);
		await embedding.embed(['x'], 'query').catch(() => undefined);
		server.fault = undefined;
		await embedding.embed(['x'], 'query');
		await embedding.embed(['x'], 'query', AbortSignal.abort()).catch(() => undefined);
	}
	expect(changes).toEqual([]);
	expect(embedding.breaker.view().state).toBe('closed');
});
