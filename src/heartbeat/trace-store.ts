import { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, type Query, run, runOne, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import { type RunId, SessionId, type Timestamp } from '../domain/ids.ts';
import { EntryId, type MemoryPath, type ProposalId } from '../domain/memory.ts';
import type { ReminderId } from '../domain/reminder.ts';

/** What came of a source, read off the provenance of memory, the inbox and chats; and what is left to be done of its withdrawal. */

export interface TracedEntry {
	readonly entryId: EntryId;
	readonly file: MemoryPath;
	readonly text: string;
	readonly approvedAt: Timestamp | null;
}

/**
 * Entries that rest on the source, by whatever version of theirs: approved of its findings, made in a chat about one, or made from such an
 * entry. Also those that were taken out of their file: their text is in the history; but one of those that say the same. Not what is forgotten, and no headings: they say where others stand.
 */
export function entriesOfSource(db: ReadDb, id: WatchedSourceId): TracedEntry[] {
	const found = new Set(
		restingOn(
			db,
			sql`json_extract(v.provenance, '$.approval.proposalId') IN (SELECT id FROM proposals WHERE source_id = ${id}) OR EXISTS (
				SELECT 1 FROM json_each(v.provenance, '$.sources') s WHERE
				(json_extract(s.value, '$.kind') = 'finding' AND json_extract(s.value, '$.findingId') IN (
					SELECT json_extract(f.value, '$.findingId') FROM proposals p, json_each(p.provenance, '$.sources') f
					WHERE p.source_id = ${id} AND json_extract(f.value, '$.kind') = 'finding'))
				OR (json_extract(s.value, '$.kind') = 'message' AND json_extract(s.value, '$.sessionId') IN (
					SELECT session_id FROM outside_chats WHERE source_id = ${id})))`,
		),
	);
	for (let fresh = [...found]; fresh.length > 0; ) {
		const from = JSON.stringify(fresh);
		fresh = restingOn(
			db,
			sql`EXISTS (SELECT 1 FROM json_each(v.provenance, '$.sources') s WHERE json_extract(s.value, '$.kind') = 'entry'
				AND json_extract(s.value, '$.entryId') IN (SELECT value FROM json_each(${from})))`,
		).filter((entryId) => !found.has(entryId));
		for (const entryId of fresh) found.add(entryId);
	}
	const named = sql`(SELECT value FROM json_each(${JSON.stringify([...found])}))`;
	return all<TracedEntry>(
		db,
		sql`SELECT e.id AS entryId, e.file, e.text, (SELECT max(json_extract(v.provenance, '$.approval.at')) FROM memory_versions v
				WHERE v.entry_id = e.id) AS approvedAt
			FROM memory_entries e WHERE e.text <> '' AND e.kind <> 'heading' AND e.id IN ${named}
				AND (e.live = 1 OR NOT EXISTS (SELECT 1 FROM memory_entries o WHERE o.hash = e.hash AND o.id IN ${named}
					AND (o.live = 1 OR o.rowid > e.rowid)))
			ORDER BY e.file, e.position`,
	);
}

function restingOn(db: ReadDb, wanted: Query): EntryId[] {
	return all<{ id: EntryId }>(
		db,
		sql`SELECT v.entry_id AS id FROM memory_versions v WHERE ${wanted}
			UNION SELECT v.id FROM memory_entries v WHERE ${wanted}`,
	).map(({ id }) => id);
}

/** Reminders that tasks of it became. */
export function remindersOfSource(db: ReadDb, id: WatchedSourceId): { reminderId: ReminderId; text: string }[] {
	return all<{ reminderId: ReminderId; text: string }>(
		db,
		sql`SELECT r.id AS reminderId, r.text FROM proposals p JOIN reminders r ON r.id = json_extract(p.decision, '$.receipt.reminderId')
			WHERE p.source_id = ${id} AND p.status = 'approved' ORDER BY r.due_at, r.id`,
	);
}

/** What the owner noted of it. */
export function notedOfSource(db: ReadDb, id: WatchedSourceId): { proposalId: ProposalId; text: string }[] {
	return all<{ proposalId: ProposalId; text: string }>(
		db,
		sql`SELECT id AS proposalId, json_extract(operation, '$.text') AS text FROM proposals
			WHERE source_id = ${id} AND status = 'approved' AND json_extract(decision, '$.receipt.outcome') = 'noted' ORDER BY created_at, id`,
	);
}

export function countPendingOfSource(db: ReadDb, id: WatchedSourceId): number {
	return value<number>(db, sql`SELECT count(*) FROM proposals WHERE source_id = ${id} AND status = 'pending'`) ?? 0;
}

/** The sessions of the looks at it, with their runs: they hold its texts. */
export function lookSessions(db: ReadDb, id: WatchedSourceId): { runId: RunId; sessionId: SessionId }[] {
	return all<{ runId: RunId; sessionId: SessionId }>(
		db,
		sql`SELECT r.id AS runId, r.session_id AS sessionId FROM heartbeat_runs h JOIN runs r ON r.id = h.run_id WHERE h.source_id = ${id}`,
	);
}

export function deleteItems(tx: WriteDb, id: WatchedSourceId): void {
	run(tx, sql`DELETE FROM watched_items WHERE source_id = ${id}`);
}

/** `others`: reminders that tasks of it became, and what was noted of it. */
const Forgetting = z.object({ entries: z.array(EntryId).readonly(), others: z.boolean(), chats: z.array(SessionId).readonly() });
type Forgetting = z.infer<typeof Forgetting>;

/** What is still to be forgotten with the source that is being withdrawn. */
export function setForgetting(tx: WriteDb, id: WatchedSourceId, { entries, others, chats }: Forgetting): void {
	runOne(tx, sql`UPDATE watched_sources SET forgetting = ${JSON.stringify({ entries, others, chats })} WHERE id = ${id}`);
}

export function forgettingOf(db: ReadDb, id: WatchedSourceId): Forgetting {
	const json = value<string>(db, sql`SELECT forgetting FROM watched_sources WHERE id = ${id}`);
	return json === undefined || json === null ? { entries: [], others: false, chats: [] } : Forgetting.parse(JSON.parse(json));
}

/** What a source's place is written with, where it is more than words: without these it can't be read any more. */
export function placeNames(db: ReadDb): string[] {
	return all<{ name: string }>(
		db,
		sql`SELECT DISTINCT j.value AS name FROM watched_sources s, json_each(s.place) j
			WHERE j.key IN ('url', 'baseUrl', 'path', 'host', 'repository', 'uri', 'server') AND j.type = 'text'`,
	).map(({ name }) => name);
}

/** A text was taken out of these rows of `proposals`: what was computed from it goes too. Also in a back-up from before there were any. */
export function dropFindingVectors(tx: WriteDb, rowids: readonly number[]): void {
	if (rowids.length === 0 || value<string>(tx, sql`SELECT name FROM sqlite_schema WHERE name = 'finding_vectors'`) === undefined) return;
	run(
		tx,
		sql`DELETE FROM finding_vectors WHERE proposal_id IN (
			SELECT id FROM proposals WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)})))`,
	);
}
