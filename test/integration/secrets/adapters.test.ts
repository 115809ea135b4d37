import { execFileSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HearthError } from '../../../src/domain/errors.ts';
import type { KeychainCipher } from '../../../src/domain/secret-port.ts';
import { createKeychainAdapter } from '../../../src/secrets/keychain-adapter.ts';
import { createMemoryAdapter } from '../../../src/secrets/memory-adapter.ts';
import { createPassphraseAdapter } from '../../../src/secrets/passphrase-adapter.ts';
import { SecretsFile } from '../../../src/secrets/secrets-file.ts';
import { describeSecrets } from '../../spec/secrets.ts';

const COST = 2 ** 14;

function scratch(): { folder: string; file: SecretsFile; dispose(): Promise<void> } {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-secrets-'));
	return { folder, file: new SecretsFile(join(folder, 'secrets.json')), dispose: async () => rmSync(folder, { recursive: true }) };
}

/** Stands in for the operating system's keychain, which only Electron's main process can reach. */
function systemCipher(available = true): KeychainCipher {
	const key = randomBytes(32);
	return {
		available,
		backend: 'test',
		encrypt: async (text) => {
			const iv = randomBytes(12);
			const cipher = createCipheriv('aes-256-gcm', key, iv);
			return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
		},
		decrypt: async (ciphertext) => {
			const bytes = Buffer.from(ciphertext, 'base64');
			const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
			return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
		},
	};
}

describeSecrets('memory', async () => {
	const { file, dispose } = scratch();
	return { adapter: createMemoryAdapter(file), dispose };
});

describeSecrets('keychain through the shell', async () => {
	const { file, dispose } = scratch();
	const cipher = systemCipher();
	return {
		adapter: createKeychainAdapter(file, cipher),
		reopen: async () => createKeychainAdapter(new SecretsFile(file.path), cipher),
		dispose,
	};
});

describeSecrets('passphrase', async () => {
	const { file, dispose } = scratch();
	const adapter = createPassphraseAdapter(file, COST);
	adapter.prepare('correct horse');
	await adapter.replaceAll(new Map());
	return {
		adapter: {
			...adapter,
			replaceAll: (values) => {
				adapter.prepare('correct horse');
				return adapter.replaceAll(values);
			},
		},
		reopen: async () => {
			const again = createPassphraseAdapter(new SecretsFile(file.path), COST);
			await again.unlock('correct horse');
			return again;
		},
		dispose,
	};
});

describe('the encrypted file', () => {
	test('S3 locked until the right passphrase; a wrong one is told from a damaged file', async () => {
		const { file, folder, dispose } = scratch();
		const adapter = createPassphraseAdapter(file, COST);
		adapter.prepare('correct horse');
		await adapter.replaceAll(new Map([['provider:a', 'sk-secret-value']]));
		const again = createPassphraseAdapter(file, COST);
		expect(again.locked).toBe(true);
		expect(await again.names()).toEqual(['provider:a']);
		expect(await codeOf(again.get('provider:a'))).toBe('secret_store_locked');
		expect(await codeOf(again.set('provider:b', 'x'))).toBe('secret_store_locked');
		expect(await codeOf(again.unlock('wrong horse'))).toBe('secret_wrong_passphrase');
		expect(again.locked).toBe(true);
		await again.unlock('correct horse');
		expect(await again.get('provider:a')).toBe('sk-secret-value');
		const text = readFileSync(file.path, 'utf8');
		expect(text).not.toContain('sk-secret-value');
		expect(text).not.toContain('correct horse');
		expect(text).toContain('"scrypt"');
		expect(statSync(file.path).mode & 0o777).toBe(0o600);
		expect(folder).toBeTruthy();
		await dispose();
	});

	test('S3 one secret can’t be passed off as another, and a changed byte is noticed', async () => {
		const { file, dispose } = scratch();
		const adapter = createPassphraseAdapter(file, COST);
		adapter.prepare('correct horse');
		await adapter.replaceAll(
			new Map([
				['provider:a', 'one'],
				['provider:b', 'two'],
			]),
		);
		const data = await file.load();
		if (data?.store !== 'passphrase') throw new Error('not a passphrase store');
		const { 'provider:a': a, 'provider:b': b } = data.entries;
		if (!a || !b) throw new Error('not stored');
		await file.save({ ...data, entries: { 'provider:a': b, 'provider:b': { ...b, data: Buffer.from('xxx').toString('base64') } } });
		expect(await codeOf(adapter.get('provider:a'))).toBe('secret_store_unavailable');
		expect(await codeOf(adapter.get('provider:b'))).toBe('secret_store_unavailable');
		await dispose();
	});

	test('a passphrase typed in another composition of the same letters opens it', async () => {
		const { file, dispose } = scratch();
		const adapter = createPassphraseAdapter(file, COST);
		adapter.prepare('grün-café-long'.normalize('NFC'));
		await adapter.replaceAll(new Map());
		await createPassphraseAdapter(file, COST).unlock('grün-café-long'.normalize('NFD'));
		await dispose();
	});

	test('S3 a keychain that fails to encrypt stores nothing and says so', async () => {
		const { file, dispose } = scratch();
		const failing: KeychainCipher = {
			...systemCipher(),
			encrypt: () => Promise.reject(new Error('sk-secret-value could not be encrypted')),
		};
		expect(await codeOf(createKeychainAdapter(file, failing).set('provider:a', 'sk-secret-value'))).toBe('secret_store_unavailable');
		expect(await file.load()).toBeUndefined();
		await dispose();
	});

	test('a keychain that is away, or has forgotten, says so and keeps the ciphertext', async () => {
		const { file, dispose } = scratch();
		await createKeychainAdapter(file, systemCipher()).set('provider:a', 'sk-secret-value');
		for (const adapter of [
			createKeychainAdapter(file, undefined),
			createKeychainAdapter(file, systemCipher(false)),
			createKeychainAdapter(file, systemCipher()),
		]) {
			expect(await codeOf(adapter.get('provider:a'))).toBe('secret_store_unavailable');
			expect(await adapter.names()).toEqual(['provider:a']);
		}
		await dispose();
	});
});

test('S3 libsecret passes the same suite under a real keyring, and no secret is ever in an argument', () => {
	const child = join(import.meta.dirname, '..', '..', 'support', 'libsecret-child', 'main.ts');
	const script = `printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "${process.execPath}" "${child}"`;
	const home = mkdtempSync(join(tmpdir(), 'hearth-keyring-'));
	const argumentsSeen = join(home, 'arguments');
	// In front of the real tool, to see what any user of the machine could see of it in the list of processes.
	const real = execFileSync('sh', ['-c', 'command -v secret-tool'], { encoding: 'utf8' }).trim();
	mkdirSync(join(home, 'bin'));
	writeFileSync(join(home, 'bin', 'secret-tool'), `#!/bin/sh\nprintf '%s\\n' "$*" >> "${argumentsSeen}"\nexec ${real} "$@"\n`, {
		mode: 0o755,
	});
	try {
		const output = execFileSync('dbus-run-session', ['--', 'sh', '-c', script], {
			env: {
				...process.env,
				PATH: `${join(home, 'bin')}:${process.env.PATH}`,
				HOME: home,
				XDG_DATA_HOME: join(home, 'data'),
				XDG_RUNTIME_DIR: home,
			},
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual({
			available: true,
			roundTrip: true,
			special: true,
			afterRestart: true,
			names: ['provider:a', 'provider:b'],
			removed: true,
			namesAfter: ['provider:b'],
			replaced: ['provider:c'],
			discarded: 'secret_store_unavailable',
			secretInFile: false,
		});
		const seen = readFileSync(argumentsSeen, 'utf8');
		expect(seen).toContain('store --label=Hearth provider:a');
		expect(seen).not.toContain('sk-libsecret-value');
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
});

async function codeOf(work: Promise<unknown>): Promise<string> {
	try {
		await work;
		return 'no error';
	} catch (error) {
		if (!(error instanceof HearthError)) throw error;
		expect(JSON.stringify(error.shape)).not.toContain('sk-secret-value');
		return error.code;
	}
}
