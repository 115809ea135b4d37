import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, runOne, sql } from '../../db/sql.ts';
import type { Timestamp } from '../../domain/ids.ts';
import { type ServerId, ServerToolOffer } from '../../domain/tool-server.ts';
import type { Pin } from './pins.ts';

/** Rows of `server_tools`: what each tool server offered last, and what of it the owner approved. */

interface PinRow {
	tool: string;
	approved: string | null;
	approved_hash: string | null;
	offered: string | null;
	offered_hash: string | null;
	read_only: number;
	changed_at: number;
}

/** By name of tool. */
export function readPins(db: ReadDb, server: ServerId): Pin[] {
	return all<PinRow>(db, sql`SELECT * FROM server_tools WHERE server = ${server} ORDER BY tool`).map(pinOf);
}

export function findPin(db: ReadDb, server: ServerId, tool: string): Pin | undefined {
	const row = get<PinRow>(db, sql`SELECT * FROM server_tools WHERE server = ${server} AND tool = ${tool}`);
	return row && pinOf(row);
}

/** What the server offers of this tool now. */
export function offerPin(tx: WriteDb, server: ServerId, offer: ServerToolOffer, hash: string, at: Timestamp): void {
	runOne(
		tx,
		sql`INSERT INTO server_tools (server, tool, offered, offered_hash, changed_at)
			VALUES (${server}, ${offer.name}, ${JSON.stringify(offer)}, ${hash}, ${at})
			ON CONFLICT (server, tool) DO UPDATE SET offered = excluded.offered, offered_hash = excluded.offered_hash, changed_at = excluded.changed_at`,
	);
}

/** The server no longer offers it. What was approved stays so, for when it comes back as it was. */
export function withdrawPin(tx: WriteDb, server: ServerId, tool: string, at: Timestamp): void {
	run(tx, sql`DELETE FROM server_tools WHERE server = ${server} AND tool = ${tool} AND approved IS NULL`);
	run(
		tx,
		sql`UPDATE server_tools SET offered = NULL, offered_hash = NULL, changed_at = ${at}
			WHERE server = ${server} AND tool = ${tool} AND offered IS NOT NULL`,
	);
}

/** What is offered now is approved. That the owner called it read-only was said of what was approved before. */
export function approvePin(tx: WriteDb, server: ServerId, tool: string, at: Timestamp): void {
	runOne(
		tx,
		sql`UPDATE server_tools SET read_only = CASE WHEN approved_hash = offered_hash THEN read_only ELSE 0 END,
				approved = offered, approved_hash = offered_hash, changed_at = ${at}
			WHERE server = ${server} AND tool = ${tool} AND offered IS NOT NULL`,
	);
}

/** It is no longer approved. */
export function unapprovePin(tx: WriteDb, server: ServerId, tool: string, at: Timestamp): void {
	run(tx, sql`DELETE FROM server_tools WHERE server = ${server} AND tool = ${tool} AND offered IS NULL`);
	run(
		tx,
		sql`UPDATE server_tools SET approved = NULL, approved_hash = NULL, read_only = 0, changed_at = ${at} WHERE server = ${server} AND tool = ${tool}`,
	);
}

export function setPinReadOnly(tx: WriteDb, server: ServerId, tool: string, readOnly: boolean): void {
	runOne(tx, sql`UPDATE server_tools SET read_only = ${readOnly} WHERE server = ${server} AND tool = ${tool}`);
}

/** The server is gone, or is another one now. */
export function dropPins(tx: WriteDb, server: ServerId): void {
	run(tx, sql`DELETE FROM server_tools WHERE server = ${server}`);
}

/** Of which anything is known. */
export function knownServers(db: ReadDb): ServerId[] {
	return all<{ server: ServerId }>(db, sql`SELECT server FROM server_tools UNION SELECT server FROM server_state`).map(
		({ server }) => server,
	);
}

function pinOf(row: PinRow): Pin {
	return {
		tool: row.tool,
		approved: offerIn(row.approved),
		approvedHash: row.approved_hash ?? undefined,
		offered: offerIn(row.offered),
		offeredHash: row.offered_hash ?? undefined,
		readOnly: row.read_only === 1,
		changedAt: row.changed_at,
	};
}

function offerIn(text: string | null): ServerToolOffer | undefined {
	return text === null ? undefined : ServerToolOffer.parse(JSON.parse(text));
}
