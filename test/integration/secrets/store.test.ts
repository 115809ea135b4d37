import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HearthError } from '../../../src/domain/errors.ts';
import type { KeychainCipher } from '../../../src/domain/secret-port.ts';
import { createSecretStore, type SecretStore } from '../../../src/secrets/secret-store.ts';

let folder: string;
let changes: number;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'hearth-store-'));
	changes = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function openStore(cipher?: KeychainCipher): SecretStore {
	return createSecretStore({
		profileFolder: folder,
		cipher,
		now: () => 42,
		cost: 2 ** 14,
		onChange: () => {
			changes += 1;
		},
	});
}

const cipher = (available: boolean, backend = 'gnome_libsecret'): KeychainCipher => ({
	available,
	backend,
	encrypt: async (text) => Buffer.from(text, 'utf8').reverse().toString('base64'),
	decrypt: async (text) => Buffer.from(text, 'base64').reverse().toString('utf8'),
});

async function failure(work: Promise<unknown>): Promise<HearthError['shape']> {
	const error = await work.then(
		() => undefined,
		(cause: unknown) => cause,
	);
	if (!(error instanceof HearthError)) throw new Error(`not a HearthError: ${String(error)}`);
	return error.shape;
}

describe('where keys are kept', () => {
	test('S3 without anything that protects them, storing asks the owner first and writes nothing', async () => {
		const store = openStore(cipher(false, 'basic_text'));
		const error = await failure(store.set('provider:openai', 'sk-precious-value'));
		expect(error).toMatchObject({ kind: 'needs_owner', code: 'secret_store_unavailable' });
		expect(`${error.action}`).toMatch(/passphrase.*memory/);
		expect(JSON.stringify(error)).not.toContain('sk-precious-value');
		expect(readdirSync(folder)).toEqual([]);
		const status = await store.status();
		expect(status).toMatchObject({ store: 'none', protected: false, names: [] });
		expect(status.available).toContain('passphrase');
		expect(status.available).not.toContain('keychain');
		expect(status.explanation).toContain('basic_text');
	});

	test('S3 a keychain that really encrypts is used without a question', async () => {
		const store = openStore(cipher(true));
		expect(await store.status()).toMatchObject({ store: 'keychain', protected: true, locked: false });
		await store.set('provider:openai', 'sk-precious-value');
		expect(await openStore(cipher(true)).get('provider:openai')).toBe('sk-precious-value');
		expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('sk-precious-value');
		expect(changes).toBe(1);
	});

	test('moving to a passphrase takes the keys along; after a restart they are locked', async () => {
		const store = openStore(cipher(true));
		await store.set('provider:openai', 'sk-precious-value');
		await store.choose('passphrase', 'correct horse');
		expect(await store.get('provider:openai')).toBe('sk-precious-value');
		expect(await store.status()).toMatchObject({ store: 'passphrase', protected: true, locked: false, names: ['provider:openai'] });

		const again = openStore(cipher(true));
		expect(await again.status()).toMatchObject({ store: 'passphrase', locked: true, names: ['provider:openai'] });
		expect((await failure(again.get('provider:openai'))).code).toBe('secret_store_locked');
		expect((await failure(again.choose('memory'))).code).toBe('secret_store_locked');
		expect((await failure(again.unlock('wrong'))).code).toBe('secret_wrong_passphrase');
		await again.unlock('correct horse');
		expect(await again.get('provider:openai')).toBe('sk-precious-value');
	});

	test('a new passphrase replaces the old one', async () => {
		const store = openStore();
		await store.choose('passphrase', 'correct horse');
		await store.set('provider:a', 'value');
		await store.choose('passphrase', 'battery staple');
		const again = openStore();
		expect((await failure(again.unlock('correct horse'))).code).toBe('secret_wrong_passphrase');
		await again.unlock('battery staple');
		expect(await again.get('provider:a')).toBe('value');
	});

	test('a lost passphrase: what is locked can be removed, then another place chosen', async () => {
		const store = openStore();
		await store.choose('passphrase', 'forgotten words');
		await store.set('provider:a', 'value');
		const again = openStore();
		await again.remove('provider:a');
		await again.choose('memory');
		expect(await again.status()).toMatchObject({ store: 'memory', protected: false, names: [] });
	});

	test('memory only forgets, and leaves no trace on the disk', async () => {
		const store = openStore();
		await store.choose('memory');
		await store.set('provider:a', 'sk-precious-value');
		expect(await store.get('provider:a')).toBe('sk-precious-value');
		expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('sk-precious');
		expect(await openStore().get('provider:a')).toBeUndefined();
	});

	test('S5 a damaged file is explained, kept, and can be left behind', async () => {
		writeFileSync(join(folder, 'secrets.json'), '{"version":1,"store":"passphrase","entr');
		const store = openStore();
		expect((await failure(store.get('provider:a'))).code).toBe('secret_store_unavailable');
		expect((await failure(store.set('provider:a', 'sk-precious-value'))).code).toBe('secret_store_unavailable');
		expect(await store.status()).toMatchObject({ store: 'none', explanation: expect.stringContaining('secrets.json') });
		await store.choose('passphrase', 'correct horse');
		expect(readFileSync(join(folder, 'secrets.damaged-42.json'), 'utf8')).toContain('"entr');
		await store.set('provider:a', 'x');
		expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
	});

	test('what can’t be used here can’t be chosen', async () => {
		const store = openStore();
		expect((await failure(store.choose('keychain'))).code).toBe('secret_store_unavailable');
		expect((await failure(store.choose('passphrase'))).code).toBe('invalid_input');
		expect((await failure(store.unlock('anything'))).code).toBe('conflict');
		expect(readdirSync(folder)).toEqual([]);
	});
});
