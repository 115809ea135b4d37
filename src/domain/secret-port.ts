/** Reads secrets. The key of a model provider is named `provider:<id>`. */
export interface SecretReader {
	/** The secret, or undefined where there is none. Rejects with `secret_store_locked` or `secret_store_unavailable`. */
	get(name: string): Promise<string | undefined>;
}

/** Reads and keeps secrets. Nothing but `get` ever gives one out (S3). */
export interface SecretKeeper extends SecretReader {
	/** Rejects with `secret_store_unavailable` (needs_owner) where the owner has not chosen a place that protects it. */
	set(name: string, value: string): Promise<void>;
	/** Does nothing where there is none. */
	remove(name: string): Promise<void>;
	/** Names only; known while the store is locked, too. */
	names(): Promise<string[]>;
}

/**
 * Encryption by the operating system's keychain, which only the shell's main process can reach. The runtime keeps the
 * ciphertext; the shell keeps nothing.
 */
export interface KeychainCipher {
	/** False where the system offers no real encryption: nothing may be stored through it then. */
	readonly available: boolean;
	/** The system's own name for it: `gnome_libsecret`, `kwallet6`, `keychain`, `dpapi`, `basic_text`. */
	readonly backend: string;
	/** Plain text to base64 ciphertext. */
	encrypt(text: string): Promise<string>;
	/** Base64 ciphertext to plain text; rejects where it was made with another key. */
	decrypt(ciphertext: string): Promise<string>;
}
