import type { ReadDb } from '../db/brands.ts';
import { sql, value } from '../db/sql.ts';

/** What masks of this profile are made with. */
export function redactionSalt(db: ReadDb): Uint8Array {
	const salt = value<Uint8Array>(db, sql`SELECT salt FROM redaction`);
	if (!salt) throw new Error('the profile has no salt for masks');
	return salt;
}
