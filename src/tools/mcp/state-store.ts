import { z } from 'zod';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { get, run, runOne, sql } from '../../db/sql.ts';
import { ErrorShape } from '../../domain/errors.ts';
import type { Timestamp } from '../../domain/ids.ts';
import type { ServerId, ServerState } from '../../domain/tool-server.ts';

/** Rows of `server_state`: what was known of a connection last. A start goes by none of it; it is what the owner is told meanwhile. */

const Detail = z.object({ error: ErrorShape.optional(), protocol: z.string().optional(), serverName: z.string().optional() });

/** How a connection stood last, and when. */
export interface LastState {
	readonly kind: ServerState['kind'];
	readonly at: Timestamp;
	readonly error: ErrorShape | undefined;
}

export function keepState(tx: WriteDb, server: ServerId, state: ServerState, at: Timestamp): void {
	const { kind, ...rest } = state;
	const detail = JSON.stringify(Detail.parse(rest));
	runOne(
		tx,
		sql`INSERT INTO server_state (server, state, detail, at) VALUES (${server}, ${kind}, ${detail}, ${at})
			ON CONFLICT (server) DO UPDATE SET state = excluded.state, detail = excluded.detail, at = excluded.at`,
	);
}

export function lastState(db: ReadDb, server: ServerId): LastState | undefined {
	const row = get<{ state: ServerState['kind']; detail: string; at: number }>(
		db,
		sql`SELECT state, detail, at FROM server_state WHERE server = ${server}`,
	);
	return row && { kind: row.state, at: row.at, error: Detail.parse(JSON.parse(row.detail)).error };
}

export function dropState(tx: WriteDb, server: ServerId): void {
	run(tx, sql`DELETE FROM server_state WHERE server = ${server}`);
}
