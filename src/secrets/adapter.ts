/**
 * One place that keeps secrets. Each adapter passes the suite in `test/spec/secrets.ts`. Failures are HearthErrors that
 * never hold a secret: `secret_store_locked`, `secret_store_unavailable`.
 */
export interface SecretAdapter {
	readonly kind: SecretStoreKind;
	get(name: string): Promise<string | undefined>;
	set(name: string, value: string): Promise<void>;
	remove(name: string): Promise<void>;
	/** Sorted; known while locked, too. */
	names(): Promise<string[]>;
	/** Makes this the store of the profile, holding exactly these; the file that says so is written last, in one step. */
	replaceAll(values: ReadonlyMap<string, string>): Promise<void>;
	/** After another store took over: removes what is kept outside `secrets.json`. */
	discard(names: readonly string[]): Promise<void>;
}

export const SECRET_STORE_KINDS = ['keychain', 'libsecret', 'passphrase', 'memory'] as const;
export type SecretStoreKind = (typeof SECRET_STORE_KINDS)[number];
