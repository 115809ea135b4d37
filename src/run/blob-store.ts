import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, runOne, sql } from '../db/sql.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import { promptVersion } from './checkpoint-store.ts';
import type { RunEvent } from './events.ts';

/** Who names which file of `blobs/`: journals (`run_blobs`), results in messages, and the ledger of files in workspace/. */

/** The files that an event names. */
export function blobsIn(event: RunEvent): string[] {
	switch (event.type) {
		case 'model_started':
			return event.prompt === undefined ? [] : [event.prompt];
		case 'tool_finished':
			return event.result.whole ? [event.result.whole.hash] : [];
		case 'effect_verified':
			return event.verdict.happened === 'yes' && event.verdict.result.whole ? [event.verdict.result.whole.hash] : [];
		default:
			return [];
	}
}

export function nameBlobs(db: WriteDb, runId: RunId, hashes: readonly string[]): void {
	for (const hash of hashes) run(db, sql`INSERT INTO run_blobs (run_id, hash) VALUES (${runId}, ${hash}) ON CONFLICT DO NOTHING`);
}

/** Those that the runs of a session, and the results in it, name. */
export function blobsOfSession(db: ReadDb, sessionId: SessionId): string[] {
	return all<{ hash: string }>(
		db,
		sql`SELECT b.hash FROM runs r JOIN run_blobs b ON b.run_id = r.id WHERE r.session_id = ${sessionId}
		UNION SELECT json_extract(p.part, '$.result.whole.hash') FROM messages m JOIN message_parts p ON p.message_id = m.id
			WHERE m.session_id = ${sessionId} AND json_extract(p.part, '$.result.whole.hash') IS NOT NULL`,
	).map((row) => row.hash);
}

/** What had this name has another one now, and is so long: in journals and the checkpoints and results that follow from them. */
export function renameBlob(db: WriteDb, from: string, to: string, chars: number): void {
	const runs = sql`SELECT run_id FROM run_blobs WHERE hash = ${from}`;
	const rows = all<{ run_id: RunId; seq: number; event: string }>(
		db,
		sql`SELECT run_id, seq, event FROM journal WHERE run_id IN (${runs}) AND instr(event, ${from}) > 0`,
	);
	for (const { run_id, seq, event } of rows) {
		const renamed = event.replaceAll(from, to).replaceAll(new RegExp(`("hash":"${to}","chars":)\\d+`, 'g'), `$1${chars}`);
		runOne(db, sql`UPDATE journal SET event = ${renamed} WHERE run_id = ${run_id} AND seq = ${seq}`);
	}
	run(db, sql`UPDATE checkpoints SET prompt = ${to}, prompt_version = ${promptVersion(to)} WHERE run_id IN (${runs}) AND prompt = ${from}`);
	run(
		db,
		sql`UPDATE message_parts SET part = json_set(part, '$.result.whole.hash', ${to}, '$.result.whole.chars', ${chars})
		WHERE json_extract(part, '$.result.whole.hash') = ${from}`,
	);
	run(db, sql`INSERT INTO run_blobs (run_id, hash) SELECT run_id, ${to} FROM run_blobs WHERE hash = ${from} ON CONFLICT DO NOTHING`);
	run(db, sql`DELETE FROM run_blobs WHERE hash = ${from}`);
}

/** Which of these nothing names. */
export function unnamedBlobs(db: ReadDb, hashes: readonly string[]): string[] {
	return all<{ hash: string }>(
		db,
		sql`SELECT value AS hash FROM json_each(${JSON.stringify(hashes)}) given
		WHERE NOT EXISTS (SELECT 1 FROM run_blobs WHERE hash = given.value)
			AND NOT EXISTS (SELECT 1 FROM message_parts WHERE json_extract(part, '$.result.whole.hash') = given.value)
			AND given.value NOT IN (SELECT before_hash FROM workspace_changes WHERE before_hash IS NOT NULL
				UNION SELECT after_hash FROM workspace_changes WHERE after_hash IS NOT NULL)`,
	).map((row) => row.hash);
}
