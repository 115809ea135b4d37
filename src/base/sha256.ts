import { createHash } from 'node:crypto';

/** SHA-256 in hex; of a string the hash of its UTF-8 bytes. */
export function sha256(data: string | Uint8Array): string {
	return createHash('sha256').update(data).digest('hex');
}
