import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, run, sql, value } from '../../db/sql.ts';
import { ContextSource, joinSources } from '../../domain/context-source.ts';
import type { RunId, Timestamp } from '../../domain/ids.ts';
import { joinLabels, Label } from '../../domain/label.ts';

/**
 * The trust of exact bytes. What Hearth's ledger knows has the label of whoever wrote it, in whatever file it lies: a copy is no more to be
 * trusted than what it was copied from. All else was written by nobody that is known.
 */

/** Where the bytes were found. `mine`: the owner said that the texts there are their own. */
export interface ContentPlace {
	readonly mine: boolean;
}

export interface Trust {
	readonly label: Label;
	/** What it was made from, where that is known. */
	readonly sources: readonly ContextSource[];
	/** Hearth knows who wrote it. */
	readonly known: boolean;
}

/** SHA-256 of no bytes at all: there is nothing in them to trust or not. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function trustOf(db: ReadDb, hash: string, { mine }: ContentPlace): Trust {
	const rows = hash === EMPTY ? [] : knownAs(db, hash);
	if (rows.length > 0)
		return {
			label: joinLabels(...rows.map(({ label }) => Label.parse(label))),
			sources: joinSources(...rows.map(({ sources }) => sourcesOf(sources))),
			known: true,
		};
	return { label: mine || hash === EMPTY ? 'workspace' : 'external', sources: [], known: false };
}

function knownAs(db: ReadDb, hash: string): { label: string; sources: string }[] {
	return all(
		db,
		sql`SELECT DISTINCT label, sources FROM workspace_changes WHERE after_hash = ${hash}
			UNION SELECT label, sources FROM content_labels WHERE hash = ${hash}`,
	);
}

/**
 * Of bytes that Hearth's own programs made without the ledger: a command's files. `place`: `workspace`, or the root of a granted folder. A
 * content that is known already becomes no more trusted by it: labels join.
 */
export function recordContentLabel(
	db: WriteDb,
	content: { hash: string; place: string; label: Label; sources: readonly ContextSource[]; runId?: RunId | undefined; at: Timestamp },
): void {
	const { hash, place, runId, at } = content;
	const [before] = all<{ label: string; sources: string }>(
		db,
		sql`SELECT label, sources FROM content_labels WHERE hash = ${hash} AND place = ${place}`,
	);
	const label = joinLabels(content.label, ...(before ? [Label.parse(before.label)] : []));
	const sources = JSON.stringify(joinSources(content.sources, before && sourcesOf(before.sources)));
	run(
		db,
		sql`INSERT INTO content_labels (hash, place, label, sources, run_id, at) VALUES (${hash}, ${place}, ${label}, ${sources}, ${runId ?? null}, ${at})
			ON CONFLICT (hash, place) DO UPDATE SET label = excluded.label, sources = excluded.sources`,
	);
}

/** What is recorded of these contents; one that is not in it is not known. */
export function labelsOfHashes(db: ReadDb, hashes: readonly string[]): ReadonlyMap<string, Label[]> {
	const rows = all<{ hash: string; label: string }>(
		db,
		sql`SELECT DISTINCT c.hash, c.label FROM json_each(${JSON.stringify(hashes)}) n JOIN content_labels c ON c.hash = n.value`,
	);
	const labels = new Map<string, Label[]>();
	for (const { hash, label } of rows) labels.set(hash, [...(labels.get(hash) ?? []), Label.parse(label)]);
	return labels;
}

/** Marks of commands, beside contents. */
const UNSEEN = 'unseen';

/** A command that has read outside text is about to write in the workspace. Until all that it wrote is known, nothing there is the owner's for lying there. */
export function beginUnseen(db: WriteDb, call: { stepKey: string; runId: RunId; at: Timestamp }): void {
	recordContentLabel(db, { hash: sha256(call.stepKey), place: UNSEEN, label: 'external', sources: [], runId: call.runId, at: call.at });
}

export function endUnseen(db: WriteDb, stepKey: string): void {
	run(db, sql`DELETE FROM content_labels WHERE hash = ${sha256(stepKey)} AND place = ${UNSEEN}`);
}

/** When the last command began of whose files not all are known: too many, too large, or Hearth died meanwhile. Undefined where there is none. */
export function unseenSince(db: ReadDb): Timestamp | undefined {
	return value<Timestamp | null>(db, sql`SELECT max(at) FROM content_labels WHERE place = ${UNSEEN}`) ?? undefined;
}

export function sourcesOf(json: string): ContextSource[] {
	return z.array(ContextSource).parse(JSON.parse(json));
}
