import type { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { runOne, sql, value } from '../db/sql.ts';
import type { SessionId, Timestamp } from '../domain/ids.ts';

/** Keeps the result of a call that must not happen twice. Write it in the transaction of the call's own effect. */
export function rememberRequest(db: WriteDb, requestId: string, sessionId: SessionId, result: unknown, now: Timestamp): void {
	runOne(
		db,
		sql`INSERT INTO requests (id, session_id, result, created_at) VALUES (${requestId}, ${sessionId}, ${JSON.stringify(result)}, ${now})`,
	);
}

/** The result of the call that first came with this id, if there was one. */
export function findRequest<Result>(db: ReadDb, requestId: string, schema: z.ZodType<Result>): Result | undefined {
	const result = value<string>(db, sql`SELECT result FROM requests WHERE id = ${requestId}`);
	return result === undefined ? undefined : schema.parse(JSON.parse(result));
}
