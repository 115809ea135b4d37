import { needsOwner } from '../domain/errors.ts';
import type { KeychainCipher } from '../domain/secret-port.ts';
import type { SecretAdapter } from './adapter.ts';
import type { SecretsFile } from './secrets-file.ts';

/** The operating system's keychain holds the key, through the desktop shell; the ciphertext is in `secrets.json`. */
export function createKeychainAdapter(file: SecretsFile, cipher: KeychainCipher | undefined): SecretAdapter {
	const entries = async (): Promise<Record<string, string>> => {
		const data = await file.load();
		return data?.store === 'keychain' ? data.entries : {};
	};
	const usable = (): KeychainCipher => {
		if (cipher?.available) return cipher;
		throw needsOwner(
			'secret_store_unavailable',
			'The keys of this profile are protected by the system’s keychain, which can’t be reached from here.',
			{
				safe: 'The keys are still there, encrypted.',
				action: 'Start Hearth’s window (and unlock the keychain), or choose another place for keys and enter them anew.',
			},
		);
	};
	const encrypt = async (value: string): Promise<string> => {
		const keychain = usable();
		try {
			return await keychain.encrypt(value);
		} catch {
			throw needsOwner('secret_store_unavailable', 'The system’s keychain could not encrypt the key.', {
				safe: 'The key was not stored.',
				action: 'Unlock the keychain and try again, or choose another place for keys in Settings.',
			});
		}
	};
	return {
		kind: 'keychain',
		async get(name) {
			const sealed = (await entries())[name];
			if (sealed === undefined) return undefined;
			const keychain = usable();
			try {
				return await keychain.decrypt(sealed);
			} catch {
				throw needsOwner('secret_store_unavailable', 'The system’s keychain could not open a stored key.', {
					safe: 'The encrypted key was left as it is.',
					action:
						'Unlock the keychain and try again. If the keychain was reset or this profile comes from another computer, enter the key anew.',
				});
			}
		},
		async set(name, value) {
			const sealed = await encrypt(value);
			await file.save({ version: 1, store: 'keychain', backend: usable().backend, entries: { ...(await entries()), [name]: sealed } });
		},
		async remove(name) {
			const { [name]: gone, ...rest } = await entries();
			if (gone !== undefined) await file.save({ version: 1, store: 'keychain', backend: cipher?.backend ?? 'unknown', entries: rest });
		},
		names: async () => Object.keys(await entries()).sort(),
		async replaceAll(values) {
			const sealed: Record<string, string> = {};
			for (const [name, value] of values) sealed[name] = await encrypt(value);
			await file.save({ version: 1, store: 'keychain', backend: usable().backend, entries: sealed });
		},
		discard: async () => {},
	};
}
