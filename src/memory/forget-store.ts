import { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { FORGOTTEN } from '../db/needle.ts';
import { all, run, runOne, sql, value } from '../db/sql.ts';
import { Timestamp } from '../domain/ids.ts';
import { ChangeId, EntryId, Provenance, Source } from '../domain/memory.ts';
import { Hunk, withoutText } from './hunks.ts';
import { Plan } from './plan.ts';

/** What the ledger keeps of a text that is being forgotten, and of one that was (M4). */

/** Written down before anything is removed and emptied last, so that one that a crash cut off goes on at the next start. */
export const ForgetJob = z.object({
	id: ChangeId,
	/** What the entries said, now and before. */
	texts: z.array(z.string()).min(1),
	/** Hashes of those texts. */
	hashes: z.array(z.string()),
	entryIds: z.array(EntryId).min(1),
	/** `entry`: too short or too common to be looked for beyond entries that say exactly this. */
	scope: z.enum(['everywhere', 'entry']),
	at: Timestamp,
});
export type ForgetJob = z.infer<typeof ForgetJob>;

/** As a change without a file: it is none of those that writes and their recovery look at. */
export function insertForgetJob(db: WriteDb, job: ForgetJob, provenance: Provenance): void {
	runOne(
		db,
		sql`INSERT INTO memory_changes (id, file, kind, status, step_key, before_hash, after_hash, hunks, plan, provenance, at)
		VALUES (${job.id}, '', 'forget', 'intended', NULL, '', '', '[]', ${JSON.stringify(job)}, ${JSON.stringify(provenance)}, ${job.at})`,
	);
}

/** Those that are not over, oldest first. */
export function openForgetJobs(db: ReadDb): ForgetJob[] {
	const rows = all<{ plan: string }>(
		db,
		sql`SELECT plan FROM memory_changes WHERE file = '' AND kind = 'forget' AND status = 'intended' ORDER BY seq`,
	);
	return rows.map(({ plan }) => ForgetJob.parse(JSON.parse(plan)));
}

/** The row's place in the database, for those who look through all of it: it is the one that may hold the text until the end. */
export function forgetJobRowid(db: ReadDb, id: ChangeId): number {
	return value<number>(db, sql`SELECT seq FROM memory_changes WHERE id = ${id}`) ?? -1;
}

/** What is left: that something was forgotten, and when. A hash of it, salted or not, could be guessed where the text is short. */
export function finishForgetJob(db: WriteDb, { id }: ForgetJob): void {
	runOne(db, sql`UPDATE memory_changes SET status = 'done', plan = '{}' WHERE id = ${id} AND status = 'intended'`);
}

/** All texts that the entries have had and that are still known, each once. */
export function textsOf(db: ReadDb, entryIds: readonly EntryId[]): string[] {
	const ids = JSON.stringify(entryIds);
	return all<{ text: string }>(
		db,
		sql`SELECT text FROM memory_entries WHERE id IN (SELECT value FROM json_each(${ids}))
		UNION SELECT before FROM memory_versions WHERE entry_id IN (SELECT value FROM json_each(${ids})) AND before IS NOT NULL
		UNION SELECT after FROM memory_versions WHERE entry_id IN (SELECT value FROM json_each(${ids})) AND after IS NOT NULL`,
	)
		.map(({ text }) => text)
		.filter((text) => text !== '');
}

/** Entries, live or gone, that say exactly one of these. */
export function entriesSaying(db: ReadDb, hashes: readonly string[]): { id: EntryId; live: boolean }[] {
	return all<{ id: EntryId; live: number }>(
		db,
		sql`SELECT id, live FROM memory_entries WHERE hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)})) ORDER BY rowid`,
	).map(({ id, live }) => ({ id, live: live === 1 }));
}

/**
 * Empties what the ledger knows of the entries: rows, versions, quotes, reasons, and the hunks of the changes that made them. The
 * entries must be out of their files; `holds` tells whether a text is, or has, what is forgotten. Other entries keep their history, and what can be undone stays undoable.
 */
export function emptyEntries(db: WriteDb, entryIds: readonly EntryId[], holds: (text: string) => boolean): void {
	const ids = JSON.stringify(entryIds);
	if (!hasLedger(db)) return;
	for (const { rowid, provenance } of all<{ rowid: number; provenance: string }>(
		db,
		sql`SELECT rowid, provenance FROM memory_entries WHERE id IN (SELECT value FROM json_each(${ids}))`,
	)) {
		const emptied = JSON.stringify(withoutWords(Provenance.parse(JSON.parse(provenance))));
		runOne(
			db,
			sql`UPDATE memory_entries SET live = 0, text = '', heading_path = '[]', hash = ${FORGOTTEN}, provenance = ${emptied} WHERE rowid = ${rowid}`,
		);
	}
	for (const { change_id, entry_id, provenance } of all<{ change_id: string; entry_id: string; provenance: string }>(
		db,
		sql`SELECT change_id, entry_id, provenance FROM memory_versions WHERE entry_id IN (SELECT value FROM json_each(${ids}))`,
	)) {
		const emptied = JSON.stringify(withoutWords(Provenance.parse(JSON.parse(provenance))));
		runOne(
			db,
			sql`UPDATE memory_versions SET before = NULL, after = NULL, forgotten = 1, provenance = ${emptied}
			WHERE change_id = ${change_id} AND entry_id = ${entry_id}`,
		);
	}
	emptyHeadings(db, ids);
	emptyChanges(db, ids, holds);
	unknowHidden(db, holds);
}

/** A heading that was made for one of them rests on the same words: it stays, they go. */
function emptyHeadings(db: WriteDb, ids: string): void {
	const rows = all<{ change_id: string; entry_id: string; provenance: string }>(
		db,
		sql`SELECT v.change_id, v.entry_id, v.provenance FROM memory_versions v JOIN memory_entries e ON e.id = v.entry_id AND e.kind = 'heading'
			WHERE v.change_id IN (SELECT change_id FROM memory_versions WHERE entry_id IN (SELECT value FROM json_each(${ids})))`,
	);
	for (const { change_id, entry_id, provenance } of rows) {
		const emptied = JSON.stringify(withoutWords(Provenance.parse(JSON.parse(provenance))));
		run(db, sql`UPDATE memory_entries SET provenance = ${emptied} WHERE id = ${entry_id} AND provenance = ${provenance}`);
		run(db, sql`UPDATE memory_versions SET provenance = ${emptied} WHERE change_id = ${change_id} AND entry_id = ${entry_id}`);
	}
}

/** What was last known of files that can't be read now: should one be as it was again, it must be looked at anew. */
function unknowHidden(db: WriteDb, holds: (text: string) => boolean): void {
	const rows = all<{ path: string; content: string }>(db, sql`SELECT path, content FROM memory_files WHERE problem IS NOT NULL`);
	for (const { path, content } of rows)
		if (holds(content)) runOne(db, sql`UPDATE memory_files SET content = '', hash = '' WHERE path = ${path}`);
}

interface ChangeRow {
	id: string;
	hunks: string;
	plan: string;
	provenance: string;
	/** It changed these entries and no other, but for the heading above them. */
	alone: number;
	/** It changed one of these entries. */
	theirs: number;
}

function emptyChanges(db: WriteDb, ids: string, holds: (text: string) => boolean): void {
	const rows = all<ChangeRow>(
		db,
		sql`WITH given AS (SELECT value FROM json_each(${ids}))
		SELECT c.id, c.hunks, c.plan, c.provenance,
			EXISTS (SELECT 1 FROM memory_versions v WHERE v.change_id = c.id AND v.entry_id IN given) AS theirs,
			NOT EXISTS (SELECT 1 FROM memory_versions v LEFT JOIN memory_entries e ON e.id = v.entry_id
				WHERE v.change_id = c.id AND v.entry_id NOT IN given AND coalesce(e.kind, '') <> 'heading') AS alone
		FROM memory_changes c WHERE c.file <> ''`,
	);
	for (const row of rows) {
		const before = z.array(Hunk).parse(JSON.parse(row.hunks));
		const own = row.theirs === 1 && row.alone === 1;
		const hunks = before.map((hunk) => (own || holds(hunk.removed) || holds(hunk.inserted) ? withoutText(hunk) : hunk));
		if (!own && hunks.every((hunk, index) => hunk === before[index])) continue;
		const plan = own ? withoutWordsInPlan(Plan.parse(JSON.parse(row.plan))) : row.plan;
		const provenance = own ? JSON.stringify(withoutWords(Provenance.parse(JSON.parse(row.provenance)))) : row.provenance;
		runOne(
			db,
			sql`UPDATE memory_changes SET hunks = ${JSON.stringify(hunks)}, plan = ${plan}, provenance = ${provenance} WHERE id = ${row.id}`,
		);
	}
}

/** Of where a text came from, all but words. */
export function withoutWords(provenance: Provenance): Provenance {
	const { approval, reason, ...rest } = provenance;
	return {
		...rest,
		// What an item is called is its author's words, too.
		sources: provenance.sources.map((source) =>
			Source.parse({ ...source, quote: FORGOTTEN, ...(source.kind === 'finding' && { title: FORGOTTEN }) }),
		),
		...(reason !== undefined && { reason: FORGOTTEN }),
		...(approval && { approval: { at: approval.at, shownHash: approval.shownHash, proposalId: approval.proposalId } }),
	};
}

function withoutWordsInPlan(plan: Plan): string {
	const pins = plan.pins.map((pin) => ({ ...pin, hash: FORGOTTEN, ...(pin.provenance && { provenance: withoutWords(pin.provenance) }) }));
	const marks = plan.marks.map((mark) => ({
		...mark,
		...(mark.provenance && { provenance: { before: withoutWords(mark.provenance.before), after: withoutWords(mark.provenance.after) } }),
	}));
	return JSON.stringify({ ...plan, pins, marks });
}

/** A back-up from before memory has none. */
function hasLedger(db: ReadDb): boolean {
	return value<number>(db, sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'memory_versions'`) === 1;
}
