import { join } from 'node:path';
import { Sequencer } from '../base/sequencer.ts';
import type { SecretStoreStatus } from '../contract/shapes.ts';
import { HearthError, needsOwner, terminal } from '../domain/errors.ts';
import type { KeychainCipher, SecretKeeper } from '../domain/secret-port.ts';
import type { SecretAdapter, SecretStoreKind } from './adapter.ts';
import { explainStore } from './explain.ts';
import { createKeychainAdapter } from './keychain-adapter.ts';
import { createLibsecretAdapter, libsecretAvailable } from './libsecret-adapter.ts';
import { createMemoryAdapter } from './memory-adapter.ts';
import { createPassphraseAdapter } from './passphrase-adapter.ts';
import { SecretsFile } from './secrets-file.ts';

export interface SecretStore extends SecretKeeper {
	status(): Promise<SecretStoreStatus>;
	/** Moves to another place and takes along what can be read. Rejects with `secret_store_locked` where the old one is locked. */
	choose(store: SecretStoreKind, passphrase?: string): Promise<void>;
	/** Rejects with `secret_wrong_passphrase`. */
	unlock(passphrase: string): Promise<void>;
}

export interface SecretStoreOptions {
	readonly profileFolder: string;
	/** The shell's keychain, where there is a shell. */
	readonly cipher?: KeychainCipher | undefined;
	/** Called after what is stored, or whether it can be read, changed. */
	readonly onChange: () => void;
	readonly now: () => number;
	/** scrypt's cost for new stores; a lower one is for tests. */
	readonly cost?: number;
}

/**
 * The owner's secrets, wherever the owner chose to keep them. Without a choice they go to the system's own keychain where
 * it really encrypts, and nowhere else: `set` then asks the owner first (S3).
 */
export function createSecretStore(options: SecretStoreOptions): SecretStore {
	const { cipher } = options;
	const file = new SecretsFile(join(options.profileFolder, 'secrets.json'));
	const passphrase = createPassphraseAdapter(file, options.cost);
	const adapters: Record<SecretStoreKind, SecretAdapter> = {
		keychain: createKeychainAdapter(file, cipher),
		libsecret: createLibsecretAdapter(file, options.profileFolder),
		passphrase,
		memory: createMemoryAdapter(file),
	};
	const sequencer = new Sequencer();
	const inOrder = <T>(task: () => Promise<T>): Promise<T> => sequencer.run('store', task);
	const changing = async (task: () => Promise<void>): Promise<void> => {
		await inOrder(task);
		options.onChange();
	};

	const available = async (): Promise<SecretStoreKind[]> => {
		const kinds: SecretStoreKind[] = ['passphrase', 'memory'];
		if (await libsecretAvailable()) kinds.unshift('libsecret');
		if (cipher?.available) kinds.unshift('keychain');
		return kinds;
	};
	/** Where something is kept; undefined where nothing is yet, and no system has to be asked. */
	const inUse = async (): Promise<SecretAdapter | undefined> => {
		const data = await file.load();
		return data && adapters[data.store];
	};
	/** What the owner chose, or what the system protects without being asked. */
	const current = async (): Promise<SecretAdapter | undefined> => {
		const used = await inUse();
		if (used) return used;
		if (cipher?.available) return adapters.keychain;
		return (await libsecretAvailable()) ? adapters.libsecret : undefined;
	};

	const choose = async (kind: SecretStoreKind, given: string | undefined): Promise<void> => {
		if (!(await available()).includes(kind)) throw notHere(kind);
		let old: SecretAdapter | undefined;
		try {
			old = await current();
		} catch (error) {
			// Damaged: the owner chose to start anew. What can't be moved away can't be replaced either.
			await file.setAside(options.now()).catch(() => Promise.reject(error));
		}
		if (kind === 'passphrase' && given !== undefined) passphrase.prepare(given);
		const values = new Map<string, string>();
		for (const name of (await old?.names()) ?? []) {
			const value = await old?.get(name);
			if (value !== undefined) values.set(name, value);
		}
		await adapters[kind].replaceAll(values);
		if (old && old.kind !== kind) await old.discard([...values.keys()]);
	};

	const status = async (): Promise<SecretStoreStatus> => {
		const choices = await available();
		try {
			const adapter = await current();
			const store = adapter?.kind ?? 'none';
			const locked = store === 'passphrase' && passphrase.locked;
			const reachable = store !== 'none' && choices.includes(store);
			return {
				store,
				protected: store !== 'none' && store !== 'memory',
				locked,
				available: choices,
				explanation: explainStore({ store, locked, reachable, keychainBackend: cipher?.backend }),
				names: (await adapter?.names()) ?? [],
			};
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
			const explanation = [error.message, error.shape.safe, error.shape.action].filter(Boolean).join(' ');
			return { store: 'none', protected: false, locked: false, available: choices, explanation, names: [] };
		}
	};

	return {
		get: (name) => inOrder(async () => (await inUse())?.get(name)),
		names: () => inOrder(async () => (await inUse())?.names() ?? []),
		set: (name, value) =>
			changing(async () => {
				const adapter = await current();
				if (!adapter) throw askFirst();
				await adapter.set(name, value);
			}),
		remove: (name) => changing(async () => (await inUse())?.remove(name)),
		unlock: (given) =>
			changing(async () => {
				if ((await current()) !== passphrase) {
					throw terminal('conflict', 'These keys are not kept behind a passphrase.', { action: 'There is nothing to unlock.' });
				}
				await passphrase.unlock(given);
			}),
		choose: (kind, given) => changing(() => choose(kind, given)),
		status: () => inOrder(status),
	};
}

function askFirst(): HearthError {
	return needsOwner('secret_store_unavailable', 'This computer offers no keychain that protects keys, so the key was not stored.', {
		safe: 'Nothing was written.',
		action:
			'Choose in Settings, Keys: a file encrypted with a passphrase of yours, or memory only, until Hearth stops. Then enter the key again.',
	});
}

function notHere(kind: SecretStoreKind): HearthError {
	const names: Record<SecretStoreKind, string> = {
		keychain: 'The system’s keychain',
		libsecret: 'The desktop’s keyring (libsecret)',
		passphrase: 'A file with a passphrase',
		memory: 'Memory',
	};
	return needsOwner('secret_store_unavailable', `${names[kind]} can’t be used here.`, {
		safe: 'Nothing was changed.',
		action: 'Choose another place for keys.',
	});
}
