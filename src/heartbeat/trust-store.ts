import type { ReadDb, WriteDb } from '../db/brands.ts';
import { run, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';

/** How far a source's findings are trusted: taught by the owner's decisions, and by nothing else. */

/** How far one decision goes towards all, or towards nothing. From the first trust, three rejections in a row lead below the low one. */
const STEP = 0.25;

/** Undefined where there is no such source any more. */
export function trustOf(db: ReadDb, id: WatchedSourceId): number | undefined {
	return value<number>(db, sql`SELECT trust FROM watched_sources WHERE id = ${id} AND withdrawn_at IS NULL`);
}

/** By how much it changed. */
export function judge(db: WriteDb, id: WatchedSourceId, decision: 'approved' | 'rejected'): number {
	const trust = trustOf(db, id);
	if (trust === undefined) return 0;
	return changeTrust(db, id, trust, STEP * ((decision === 'approved' ? 1 : 0) - trust));
}

/** A decision was taken back: so is what it had changed, whatever was decided since. */
export function unjudge(db: WriteDb, id: WatchedSourceId, change: number): void {
	const trust = trustOf(db, id);
	if (trust !== undefined) changeTrust(db, id, trust, -change);
}

function changeTrust(db: WriteDb, id: WatchedSourceId, trust: number, by: number): number {
	const after = Math.min(1, Math.max(0, trust + by));
	run(db, sql`UPDATE watched_sources SET trust = ${after} WHERE id = ${id}`);
	return after - trust;
}
