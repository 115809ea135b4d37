import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigStore, openConfig } from '../../../src/app/config.ts';
import { createModelsHandlers } from '../../../src/app/handlers/models.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLogger, type FileLogger } from '../../../src/base/logger.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { BUILTIN_MODEL, type ProviderConfig, type Usage } from '../../../src/domain/model.ts';
import type { SpendingKind } from '../../../src/domain/spending.ts';
import { createModelRegistry } from '../../../src/model/registry.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { createSecretStore, type SecretStore } from '../../../src/secrets/secret-store.ts';
import { type ModelServer, startModelServer } from '../../support/model-server/index.ts';

const KEY = 'sk-live-4f2c9a7b1d5e';
const id = (text: string) => ProviderId.parse(text);

let folder: string;
let server: ModelServer;
let gone: string;
let config: ConfigStore;
let secrets: SecretStore;
let logger: FileLogger;
let events: LiveEvent[];
let used: [SpendingKind, Usage][];
let handlers: ReturnType<typeof createModelsHandlers>;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'hearth-models-'));
	server = await startModelServer();
	const closed = await startModelServer();
	await closed.close();
	gone = closed.url;
	logger = createLogger({ folder: join(folder, 'logs'), level: 'debug', days: 1 });
	config = openConfig({ file: join(folder, 'config.json'), clock: systemClock, logger });
	secrets = createSecretStore({ profileFolder: folder, onChange: () => undefined, now: Date.now });
	await secrets.choose('memory');
	events = [];
	used = [];
	handlers = wire({ ollama: gone, lmstudio: `${gone}/v1` });
});

afterEach(async () => {
	await config.close();
	logger.close();
	await server.close();
	rmSync(folder, { recursive: true, force: true });
});

function wire(localAddresses: { ollama: string; lmstudio: string }) {
	const fetch = createGuardedFetch({ onRequest: (record) => logger.info('http', { ...record }) });
	const registry = createModelRegistry({ providers: () => config.get().providers, secrets, fetch, localAddresses });
	const announce = (event: LiveEvent) => events.push(event);
	const meter = { used: (kind: SpendingKind, usage: Usage) => void used.push([kind, usage]) };
	return createModelsHandlers({ config, secrets, registry, announce, clock: systemClock, localAddresses, meter });
}

const remote = (more: Partial<ProviderConfig> = {}): ProviderConfig => ({
	id: id('openai'),
	kind: 'openai',
	name: 'OpenAI',
	baseUrl: server.openaiUrl,
	...more,
});
const statesOf = async () =>
	Object.fromEntries((await handlers.providers({ refresh: true })).map((each) => [each.provider.id, each.state]));

describe('detection on this machine', () => {
	test('not running, running without a model, ready', async () => {
		expect(await statesOf()).toEqual({ ollama: 'not_running', lmstudio: 'not_running', builtin: 'ready' });
		handlers = wire({ ollama: server.url, lmstudio: server.openaiUrl });
		server.script({ models: [] });
		expect(await statesOf()).toEqual({ ollama: 'no_model', lmstudio: 'no_model', builtin: 'ready' });
		server.script({});
		expect(await statesOf()).toEqual({ ollama: 'ready', lmstudio: 'ready', builtin: 'ready' });
		const found = await handlers.providers({ refresh: false });
		expect(found.map(({ local, saved, hasKey }) => ({ local, saved, hasKey }))).toEqual([
			{ local: true, saved: false, hasKey: false },
			{ local: true, saved: false, hasKey: false },
			{ local: true, saved: true, hasKey: false },
		]);
	});

	test.each([
		{ type: 'html' },
		{ type: 'flood' },
		{ type: 'hang' },
		{ type: 'reset' },
		{ type: 'redirect', location: 'http://127.0.0.1:9/' },
		{ type: 'raw', status: 200, headers: {}, body: '\u0000\u0001 no json' },
	] as const)('survives something else at the address: $type', async (listFault) => {
		handlers = wire({ ollama: server.url, lmstudio: server.openaiUrl });
		server.script({ listFault });
		const found = await handlers.providers({ refresh: true });
		for (const status of found.slice(0, 2)) {
			expect(['error', 'not_running']).toContain(status.state);
			expect(status).toMatchObject({ models: [], problem: { message: expect.stringMatching(/.+/) } });
		}
	});

	test('an answer holds for a while, unless a fresh look is asked for', async () => {
		handlers = wire({ ollama: server.url, lmstudio: server.openaiUrl });
		await handlers.providers({ refresh: true });
		const asked = server.log.lists.length;
		await handlers.providers({ refresh: false });
		expect(server.log.lists.length).toBe(asked);
		await handlers.providers({ refresh: true });
		expect(server.log.lists.length).toBeGreaterThan(asked);
	});

	test('a saved provider at the same address is not listed twice', async () => {
		handlers = wire({ ollama: server.url, lmstudio: `${gone}/v1` });
		await handlers.saveProvider({
			provider: { id: id('mine'), kind: 'ollama', name: 'Mine', baseUrl: server.url.replace('127.0.0.1', 'localhost') },
		});
		expect(Object.keys(await statesOf())).toEqual(['mine', 'lmstudio', 'builtin']);
	});
});

describe('keys', () => {
	test('no key, a refused key, a good key', async () => {
		server.script({ key: KEY });
		expect(await handlers.saveProvider({ provider: remote() })).toMatchObject({ state: 'no_key', hasKey: false, saved: true });
		expect(await handlers.saveProvider({ provider: remote(), key: 'sk-wrong-1234567890' })).toMatchObject({
			state: 'key_refused',
			hasKey: true,
		});
		expect(await handlers.saveProvider({ provider: remote(), key: `  ${KEY}\n` })).toMatchObject({ state: 'ready', hasKey: true });
		expect(await secrets.get('provider:openai')).toBe(KEY);
		expect(events).toContainEqual({ type: 'models_changed' });
	});

	test('an empty key removes it, no key leaves it', async () => {
		await handlers.saveProvider({ provider: remote(), key: KEY });
		expect(await handlers.saveProvider({ provider: remote({ name: 'Other' }) })).toMatchObject({ hasKey: true });
		expect(await handlers.saveProvider({ provider: remote(), key: ' ' })).toMatchObject({ hasKey: false, state: 'no_key' });
		expect(await secrets.names()).toEqual([]);
	});

	test('a key does not follow its provider to another address', async () => {
		await handlers.saveProvider({ provider: remote(), key: KEY });
		const other = await startModelServer();
		expect(await handlers.saveProvider({ provider: remote({ baseUrl: other.openaiUrl }) })).toMatchObject({ hasKey: false });
		expect(other.log.requests).toEqual([]);
		await other.close();
	});

	test('S3 a key that was left behind does not go to a new provider of the same name', async () => {
		await secrets.set('provider:openai', KEY);
		expect(await handlers.saveProvider({ provider: remote() })).toMatchObject({ hasKey: false, state: 'no_key' });
		expect(await secrets.names()).toEqual([]);
	});

	test('S3 a provider whose key cannot be removed stays, so that the key is not forgotten', async () => {
		await handlers.saveProvider({ provider: remote(), key: KEY });
		const file = join(folder, 'secrets.json');
		const whole = readFileSync(file);
		writeFileSync(file, 'not what it was');
		await expect(handlers.removeProvider({ providerId: id('openai') })).rejects.toMatchObject({
			shape: { code: 'secret_store_unavailable' },
		});
		expect(config.get().providers).toHaveLength(1);
		writeFileSync(file, whole);
		await handlers.removeProvider({ providerId: id('openai') });
		expect([config.get().providers, await secrets.names()]).toEqual([[], []]);
	});

	test('S3 a key is in no answer, no error, no log and no settings file', async () => {
		server.script({
			listFault: { type: 'raw', status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"bad $KEY"}}' },
		});
		const status = await handlers.saveProvider({ provider: remote(), key: KEY });
		expect(status.state).toBe('error');
		const error = await handlers
			.choose({ work: 'chat', model: { providerId: id('openai'), modelId: KEY } })
			.catch((caught: unknown) => caught);
		const invalid = await handlers.saveProvider({ provider: remote(), key: `${KEY} and more` }).catch((caught: unknown) => caught);
		expect(invalid).toMatchObject({ shape: { code: 'invalid_input' } });
		for (const seen of [status, (invalid as { shape: unknown }).shape, await handlers.providers({ refresh: true })])
			expect(JSON.stringify(seen)).not.toContain(KEY);
		expect(error).toBeDefined();
		await handlers.removeProvider({ providerId: id('openai') });
		expect(readFileSync(join(folder, 'config.json'), 'utf8')).not.toContain(KEY);
		logger.close();
		const day = new Date().toISOString().slice(0, 10);
		const log = readFileSync(join(folder, 'logs', `hearth-${day}.log`), 'utf8');
		expect(log).toContain('"event":"http"');
		expect(log).not.toContain(KEY);
	});
});

describe('providers', () => {
	test.each([
		[{ baseUrl: 'http://api.example.com/v1' }, /https/],
		[{ baseUrl: 'http://user:pw@127.0.0.1:1/v1' }, /user name/],
		[{ baseUrl: 'https://api.example.com/v1?key=abc' }, /“\?”/],
		[{ kind: 'openai-compatible' as const, baseUrl: undefined }, /address/],
		[{ id: id('builtin') }, /built-in/],
		[{ name: '  ' }, /name/],
	])('refuses %j in plain words', async (more, message) => {
		await expect(handlers.saveProvider({ provider: remote(more) })).rejects.toMatchObject({
			shape: { code: 'invalid_input', message: expect.stringMatching(message) },
		});
		expect(config.get().providers).toEqual([]);
	});

	test('plain http is fine on this machine and on the local network', async () => {
		for (const baseUrl of [server.openaiUrl, 'http://nas.local:1/v1', 'http://192.168.255.254:1/v1']) {
			const provider = remote({ id: id('near'), kind: 'openai-compatible', baseUrl });
			// Only the validation counts here: nobody need answer there.
			const { validateProvider } = await import('../../../src/model/validate-provider.ts');
			expect(validateProvider(provider, false).baseUrl).toBe(baseUrl);
		}
	});

	test('removing one takes its key and its choices along', async () => {
		await handlers.saveProvider({ provider: remote(), key: KEY });
		await handlers.choose({ work: 'chat', model: { providerId: id('openai'), modelId: 'scripted' } });
		// Its test is the owner's own doing, and counts as such.
		expect(used).toEqual([['chat', { inputTokens: 7, outputTokens: 5 }]]);
		await handlers.removeProvider({ providerId: id('openai') });
		expect(await secrets.names()).toEqual([]);
		expect(await handlers.choices()).toMatchObject({ chat: BUILTIN_MODEL });
		await expect(handlers.removeProvider({ providerId: id('openai') })).rejects.toMatchObject({ shape: { code: 'not_found' } });
	});
});

describe('choosing a model', () => {
	test('saves the choice only after a real completion', async () => {
		await handlers.saveProvider({ provider: remote(), key: KEY });
		const model = { providerId: id('openai'), modelId: 'scripted' };
		server.reply({ fault: { type: 'model_not_found' } });
		await expect(handlers.choose({ work: 'chat', model })).rejects.toMatchObject({ shape: { code: 'model_not_found' } });
		expect((await handlers.choices()).chat).toEqual(BUILTIN_MODEL);
		const result = await handlers.choose({ work: 'chat', model });
		expect(result).toMatchObject({ ok: true, sample: 'Hello from the scripted model.', firstTokenMs: expect.any(Number) });
		expect(result.totalMs).toBeGreaterThanOrEqual(result.firstTokenMs);
		expect(await handlers.choices()).toEqual({ chat: model, background: model, summarise: model, fallback: null, inspect: null });
		expect(server.log.requests).toHaveLength(2);
	});

	test('each kind of work has its own', async () => {
		handlers = wire({ ollama: server.url, lmstudio: `${gone}/v1` });
		const model = { providerId: id('ollama'), modelId: 'scripted' };
		await handlers.choose({ work: 'summarise', model });
		expect(await handlers.choices()).toEqual({
			chat: BUILTIN_MODEL,
			background: BUILTIN_MODEL,
			summarise: model,
			fallback: null,
			inspect: null,
		});
	});

	test('no model steps in for another unless it was chosen to, and that can be taken back', async () => {
		await handlers.choose({ work: 'fallback', model: BUILTIN_MODEL });
		expect((await handlers.choices()).fallback).toEqual(BUILTIN_MODEL);
		await handlers.unchoose({ work: 'fallback' });
		expect((await handlers.choices()).fallback).toBeNull();
		expect(config.get().models).toEqual({});
	});

	test('a detected server becomes a saved one when it is chosen', async () => {
		handlers = wire({ ollama: server.url, lmstudio: `${gone}/v1` });
		await handlers.choose({ work: 'chat', model: { providerId: id('ollama'), modelId: 'scripted' } });
		expect(config.get().providers).toEqual([{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: server.url }]);
	});

	test('the built-in responder is always there; an unknown provider is not', async () => {
		expect(await handlers.choose({ work: 'chat', model: BUILTIN_MODEL })).toMatchObject({ ok: true });
		await expect(handlers.test({ model: { providerId: id('nobody'), modelId: 'x' } })).rejects.toMatchObject({
			shape: { code: 'model_not_configured' },
		});
	});
});
