import type { SecretStoreKind } from './adapter.ts';

/** Plain words for the owner: where keys are, who can read them, and what this machine does not offer. */
export function explainStore(now: {
	store: SecretStoreKind | 'none';
	locked: boolean;
	reachable: boolean;
	keychainBackend: string | undefined;
}): string {
	switch (now.store) {
		case 'keychain':
			return now.reachable
				? `Keys are encrypted by this computer’s keychain (${now.keychainBackend ?? 'system'}). Only your user account can read them.`
				: 'Keys are encrypted by this computer’s keychain, which can’t be reached from here. Start Hearth’s window, or unlock the keychain.';
		case 'libsecret':
			return now.reachable
				? 'Keys are kept in your desktop’s keyring (libsecret). It asks you to unlock it when it is locked.'
				: 'Keys are kept in your desktop’s keyring (libsecret), which does not answer now. Start or unlock it.';
		case 'passphrase':
			return now.locked
				? 'Keys are in a file that your passphrase encrypts, and it is locked: enter the passphrase to use them. Hearth does not keep it.'
				: 'Keys are in a file that your passphrase encrypts. It is unlocked until Hearth restarts.';
		case 'memory':
			return 'Keys are kept in memory only: nothing is written, and they are forgotten when Hearth stops.';
		case 'none': {
			const why =
				now.keychainBackend === 'basic_text'
					? 'This computer offers no keychain that really encrypts: what it has (basic_text) could be read by any program you run.'
					: 'No keychain that protects keys was found here.';
			return `${why} Before a key is stored, choose: a file encrypted with a passphrase of yours, or memory only, until Hearth stops.`;
		}
	}
}
