import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, sql } from '../db/sql.ts';
import { ProviderId, type Timestamp } from '../domain/ids.ts';

/** Rows of `heartbeat_consents`: the owner's word on whether text of others may go to a provider at a host. */

export interface Consent {
	readonly providerId: ProviderId;
	readonly host: string;
	readonly allowed: boolean;
	readonly at: Timestamp;
}

interface Row {
	provider_id: string;
	host: string;
	allowed: number;
	at: number;
}

/** Undefined where the owner was not asked, or took it back. */
export function findConsent(db: ReadDb, providerId: ProviderId, host: string): Consent | undefined {
	const row = get<Row>(db, sql`SELECT * FROM heartbeat_consents WHERE provider_id = ${providerId} AND host = ${host}`);
	return row && consentOf(row);
}

export function listConsents(db: ReadDb): Consent[] {
	return all<Row>(db, sql`SELECT * FROM heartbeat_consents ORDER BY provider_id, host`).map(consentOf);
}

export function setConsent(tx: WriteDb, { providerId, host, allowed, at }: Consent, shownHash: string): void {
	run(
		tx,
		sql`INSERT INTO heartbeat_consents (provider_id, host, allowed, shown_hash, at) VALUES (${providerId}, ${host}, ${allowed}, ${shownHash}, ${at})
			ON CONFLICT (provider_id, host) DO UPDATE SET allowed = excluded.allowed, shown_hash = excluded.shown_hash, at = excluded.at`,
	);
}

/** False: there was none. */
export function deleteConsent(tx: WriteDb, providerId: ProviderId, host: string): boolean {
	return run(tx, sql`DELETE FROM heartbeat_consents WHERE provider_id = ${providerId} AND host = ${host}`) === 1;
}

function consentOf({ provider_id, host, allowed, at }: Row): Consent {
	return { providerId: ProviderId.parse(provider_id), host, allowed: allowed === 1, at };
}
