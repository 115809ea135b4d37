import type { SecretStoreStatus } from '../../contract/shapes.ts';
import { terminal } from '../../domain/errors.ts';
import type { SecretStoreKind } from '../../secrets/adapter.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';

/** `secrets.*` of the contract. None of them gives out a secret (S3). */
export function createSecretsHandlers({ store }: { store: SecretStore }) {
	return {
		status: (): Promise<SecretStoreStatus> => store.status(),
		choose: async (input: { store: SecretStoreKind; passphrase?: string | undefined }): Promise<SecretStoreStatus> => {
			if (input.store === 'passphrase' && input.passphrase === undefined) {
				throw terminal('invalid_input', 'passphrase: A passphrase is needed.', { action: 'Enter one of 8 or more characters.' });
			}
			await store.choose(input.store, input.passphrase);
			return store.status();
		},
		unlock: async (input: { passphrase: string }): Promise<SecretStoreStatus> => {
			await store.unlock(input.passphrase);
			return store.status();
		},
		remove: async (input: { name: string }): Promise<SecretStoreStatus> => {
			await store.remove(input.name);
			return store.status();
		},
	};
}
