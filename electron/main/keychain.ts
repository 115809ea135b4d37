import { safeStorage } from 'electron';
import type { Keychain } from '../host-protocol.ts';

/** What protects keys on this system. Ask only after the app is ready. */
export function keychainState(): Keychain {
	const backend =
		process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform === 'darwin' ? 'keychain' : 'dpapi';
	// Chromium's `basic_text` scrambles with a fixed password: readable by every program, so it counts as no protection.
	return { available: safeStorage.isEncryptionAvailable() && backend !== 'basic_text', backend };
}

/** Text to base64 and back. Undefined where the keychain is locked or gone, or the value is not one of its own. */
export function keychainCall(action: 'encrypt' | 'decrypt', value: string): string | undefined {
	if (!keychainState().available) return undefined;
	try {
		return action === 'encrypt'
			? safeStorage.encryptString(value).toString('base64')
			: safeStorage.decryptString(Buffer.from(value, 'base64'));
	} catch {
		return undefined;
	}
}
