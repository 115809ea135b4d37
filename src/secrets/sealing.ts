import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { KeyDerivation, Sealed } from './secrets-file.ts';

/** Takes about half a second and 128 MiB once; the parameters are stored, so they can grow later. */
const DEFAULT_COST = 2 ** 17;
const KEY_BYTES = 32;
const IV_BYTES = 12;

export function newDerivation(cost = DEFAULT_COST): KeyDerivation {
	return { name: 'scrypt', cost, blockSize: 8, parallelism: 1, salt: randomBytes(16).toString('base64') };
}

export function deriveKey(passphrase: string, how: KeyDerivation): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		// The same passphrase typed on another system may come in another composition.
		const typed = passphrase.normalize('NFKC');
		const options = { N: how.cost, r: how.blockSize, p: how.parallelism, maxmem: 256 * how.cost * how.blockSize };
		scrypt(typed, Buffer.from(how.salt, 'base64'), KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
	});
}

/** AES-256-GCM. `context` is bound to it: a sealed text can't be passed off as another's. */
export function seal(key: Buffer, context: string, text: string): Sealed {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'));
	const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return { iv: iv.toString('base64'), data: data.toString('base64'), tag: cipher.getAuthTag().toString('base64') };
}

/** Undefined where the key or the context is another, or a byte was changed. */
export function unseal(key: Buffer, context: string, sealed: Sealed): string | undefined {
	try {
		const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'), { authTagLength: 16 });
		decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(Buffer.from(sealed.tag, 'base64'));
		return Buffer.concat([decipher.update(Buffer.from(sealed.data, 'base64')), decipher.final()]).toString('utf8');
	} catch {
		// GCM tells no more than "not with this key".
		return undefined;
	}
}
