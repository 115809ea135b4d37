import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRedactor, type KeptSecrets } from '../firewall/redact.ts';
import { secretsOfEnvironment, secretsOfSettings } from '../firewall/secret-settings.ts';
import type { SecretStore } from '../secrets/secret-store.ts';

/** What this process knows to be secret, and from where (S3). */

/** Masks are the profile's own once its database is open: `maskWith`. */
export function startRedactor(environment: NodeJS.ProcessEnv, settingsFiles: readonly string[]): KeptSecrets {
	const redactor = createRedactor(randomBytes(32));
	for (const value of secretsOfEnvironment(environment)) redactor.learn(value);
	learnSettings(redactor, settingsFiles);
	return redactor;
}

/** Also of files that are damaged, or hold what no setting is called. */
export function learnSettings(redactor: KeptSecrets, files: readonly string[]): void {
	for (const file of files) {
		const text = readIfThere(file);
		if (text !== undefined) for (const value of secretsOfSettings(text)) redactor.learn(value);
	}
}

/** A store whose secrets are known from when they are read or set. */
export function learningStore(store: SecretStore, redactor: KeptSecrets): SecretStore {
	/** Tokens of a sign-in are stored together, as JSON: each of them is a secret. */
	const learn = (value: string): void => {
		redactor.learn(value);
		for (const part of secretsOfSettings(value)) redactor.learn(part);
	};
	return {
		...store,
		get: async (name) => {
			const value = await store.get(name);
			if (value !== undefined) learn(value);
			return value;
		},
		set: (name, value) => {
			learn(value);
			return store.set(name, value);
		},
		choose: (kind, passphrase) => {
			if (passphrase !== undefined) redactor.learn(passphrase);
			return store.choose(kind, passphrase);
		},
		unlock: (passphrase) => {
			redactor.learn(passphrase);
			return store.unlock(passphrase);
		},
	};
}

function readIfThere(file: string): string | undefined {
	try {
		// A pipe would make the reader wait for ever.
		return statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
	} catch {
		// None, or unreadable: whoever reads it for its settings says so.
		return undefined;
	}
}
