import { needsOwner, terminal } from '../domain/errors.ts';
import type { SecretAdapter } from './adapter.ts';
import { deriveKey, newDerivation, seal, unseal } from './sealing.ts';
import type { SecretsFile, SecretsFileData } from './secrets-file.ts';

const CHECK_CONTEXT = 'hearth:check';
const CHECK_TEXT = 'hearth';
type PassphraseData = Extract<SecretsFileData, { store: 'passphrase' }>;

export interface PassphraseAdapter extends SecretAdapter {
	readonly locked: boolean;
	/** Rejects with `secret_wrong_passphrase`. */
	unlock(passphrase: string): Promise<void>;
	/** The passphrase that `replaceAll` makes its new store with; the old store stays in use until then. */
	prepare(passphrase: string): void;
}

/** Secrets in `secrets.json`, encrypted with a key made from the owner's passphrase, which is never stored. */
export function createPassphraseAdapter(file: SecretsFile, cost?: number): PassphraseAdapter {
	let key: Buffer | undefined;
	let prepared: string | undefined;
	const data = async (): Promise<PassphraseData> => {
		const loaded = await file.load();
		if (loaded?.store === 'passphrase') return loaded;
		throw needsOwner('secret_store_unavailable', 'The encrypted file for keys (secrets.json) is gone.', {
			action: 'Choose again where keys are kept, in Settings.',
		});
	};
	const opened = (): Buffer => {
		if (key) return key;
		throw needsOwner('secret_store_locked', 'The stored keys are locked.', {
			safe: 'The keys are still there, encrypted.',
			action: 'Enter your passphrase in Settings, Keys, or set HEARTH_PASSPHRASE for a command.',
		});
	};
	return {
		kind: 'passphrase',
		get locked() {
			return key === undefined;
		},
		async unlock(passphrase) {
			const { derivation, check } = await data();
			const tried = await deriveKey(passphrase, derivation);
			if (unseal(tried, CHECK_CONTEXT, check) !== CHECK_TEXT) {
				throw terminal('secret_wrong_passphrase', 'That is not the passphrase these keys were stored with.', {
					safe: 'The keys are still there, encrypted.',
					action: 'Try again. If the passphrase is lost, remove the stored keys in Settings and enter them anew.',
				});
			}
			key = tried;
		},
		async get(name) {
			const { entries } = await data();
			const sealed = entries[name];
			if (!sealed) return undefined;
			const text = unseal(opened(), name, sealed);
			if (text !== undefined) return text;
			throw needsOwner('secret_store_unavailable', 'A stored key was changed outside Hearth and can’t be opened.', {
				action: 'Enter the key anew in Settings.',
			});
		},
		async set(name, value) {
			const current = await data();
			await file.save({ ...current, entries: { ...current.entries, [name]: seal(opened(), name, value) } });
		},
		async remove(name) {
			const current = await data();
			const { [name]: gone, ...rest } = current.entries;
			if (gone) await file.save({ ...current, entries: rest });
		},
		names: async () => Object.keys((await data()).entries).sort(),
		prepare(passphrase) {
			prepared = passphrase;
		},
		async replaceAll(values) {
			if (prepared === undefined)
				throw terminal('invalid_input', 'passphrase: A passphrase is needed.', { action: 'Enter one of 8 or more characters.' });
			const derivation = newDerivation(cost);
			const fresh = await deriveKey(prepared, derivation);
			prepared = undefined;
			const entries = Object.fromEntries([...values].map(([name, value]) => [name, seal(fresh, name, value)]));
			await file.save({ version: 1, store: 'passphrase', derivation, check: seal(fresh, CHECK_CONTEXT, CHECK_TEXT), entries });
			key = fresh;
		},
		async discard() {
			key = undefined;
		},
	};
}
