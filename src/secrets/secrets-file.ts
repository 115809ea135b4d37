import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomic } from '../base/atomic-file.ts';
import { move } from '../base/move.ts';
import { systemCode } from '../base/system-code.ts';
import { needsOwner } from '../domain/errors.ts';

const Sealed = z.object({ iv: z.base64(), data: z.base64(), tag: z.base64() });
export type Sealed = z.infer<typeof Sealed>;

/** How a passphrase becomes a key: scrypt's cost, block size and parallelism, and its salt. */
export const KeyDerivation = z.object({
	name: z.literal('scrypt'),
	cost: z
		.number()
		.int()
		.min(2 ** 14)
		.max(2 ** 20),
	blockSize: z.number().int().min(8).max(32),
	parallelism: z.number().int().min(1).max(16),
	salt: z.base64(),
});
export type KeyDerivation = z.infer<typeof KeyDerivation>;

/** What `secrets.json` holds: which place the owner chose, and ciphertext or names. Never a secret in plain text. */
export const SecretsFileData = z.discriminatedUnion('store', [
	z.object({ version: z.literal(1), store: z.literal('keychain'), backend: z.string(), entries: z.record(z.string(), z.base64()) }),
	z.object({ version: z.literal(1), store: z.literal('libsecret'), names: z.array(z.string()) }),
	z.object({
		version: z.literal(1),
		store: z.literal('passphrase'),
		derivation: KeyDerivation,
		/** A known text, sealed: opens only with the right passphrase. */
		check: Sealed,
		entries: z.record(z.string(), Sealed),
	}),
	z.object({ version: z.literal(1), store: z.literal('memory') }),
]);
export type SecretsFileData = z.infer<typeof SecretsFileData>;

export class SecretsFile {
	readonly path: string;
	constructor(path: string) {
		this.path = path;
	}

	/** Undefined where there is no file yet. Rejects with `secret_store_unavailable` where it can't be understood; it stays as it is. */
	async load(): Promise<SecretsFileData | undefined> {
		let text: string;
		try {
			text = await readFile(this.path, 'utf8');
		} catch (error) {
			if (systemCode(error) === 'ENOENT') return undefined;
			throw unreadable(error);
		}
		try {
			return SecretsFileData.parse(JSON.parse(text));
		} catch {
			// The parser's own words may quote the file.
			throw unreadable();
		}
	}

	async save(data: SecretsFileData): Promise<void> {
		await writeFileAtomic(this.path, `${JSON.stringify(data, null, '\t')}\n`, { mode: 0o600 });
	}

	/** Moves a file that can't be understood out of the way, beside itself. */
	async setAside(now: number): Promise<void> {
		await move(this.path, this.path.replace(/\.json$/, `.damaged-${now}.json`));
	}
}

function unreadable(cause?: unknown): Error {
	return needsOwner('secret_store_unavailable', 'The file that holds your encrypted keys (secrets.json) can’t be read.', {
		safe: 'The file was left as it is. Chats and settings are not touched by this.',
		action: 'Choose again where keys are kept, in Settings, and enter them anew. The damaged file is kept beside the new one.',
		cause,
	});
}
