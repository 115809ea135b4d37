import type { ReadDb, WriteDb } from '../db/brands.ts';
import { run, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';

/** How far a source's findings are trusted: taught by the owner's decisions, and by nothing else. */

/** How far one decision goes towards all, or towards nothing. From the first trust, three rejections in a row lead below the low one. */
const STEP = 0.25;

/** From 0 to 1; undefined where there is no such source any more. */
export function trustOf(db: ReadDb, id: WatchedSourceId): number | undefined {
	const kept = keptTrust(db, id);
	return kept === undefined ? undefined : asTrust(kept);
}

/** What is kept may lie beyond: where many decisions are taken back, the sum of what is left must come out the same in whatever order. */
export function asTrust(kept: number): number {
	return Math.min(1, Math.max(0, kept));
}

function keptTrust(db: ReadDb, id: WatchedSourceId): number | undefined {
	return value<number>(db, sql`SELECT trust FROM watched_sources WHERE id = ${id} AND withdrawn_at IS NULL`);
}

/** By how much it changed. */
export function judge(db: WriteDb, id: WatchedSourceId, decision: 'approved' | 'rejected'): number {
	const trust = keptTrust(db, id);
	if (trust === undefined) return 0;
	const change = STEP * ((decision === 'approved' ? 1 : 0) - trust);
	changeTrust(db, id, change);
	return change;
}

/** A decision was taken back: so is what it had changed, whatever was decided since. */
export function unjudge(db: WriteDb, id: WatchedSourceId, change: number): void {
	changeTrust(db, id, -change);
}

function changeTrust(db: WriteDb, id: WatchedSourceId, by: number): void {
	run(db, sql`UPDATE watched_sources SET trust = trust + ${by} WHERE id = ${id} AND withdrawn_at IS NULL`);
}
