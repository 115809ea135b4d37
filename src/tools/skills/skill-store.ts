import { z } from 'zod';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../../db/sql.ts';
import { Timestamp } from '../../domain/ids.ts';
import { Label } from '../../domain/label.ts';
import { ChangeId, Provenance } from '../../domain/memory.ts';
import { SkillChangeKind, SkillName } from '../../domain/skill.ts';

/** Rows of `skills` (what lies there, and which bytes of it the owner approved) and `skill_changes` (what was done, each under its key). */

const Approved = z.object({
	/** SHA-256 of the bytes. */
	hash: z.string().length(64),
	/** As a model is told of it. */
	label: Label,
	provenance: Provenance,
	at: Timestamp,
});
export type Approved = z.infer<typeof Approved>;

export interface SkillRow {
	readonly name: SkillName;
	/** Null: there was no file when it was looked at last. */
	readonly seenHash: string | null;
	readonly approved: Approved | null;
}

interface RawRow {
	name: string;
	seen_hash: string | null;
	approved: string | null;
}

export function findSkill(db: ReadDb, name: SkillName): SkillRow | undefined {
	const row = get<RawRow>(db, sql`SELECT * FROM skills WHERE name = ${name}`);
	return row && rowOf(row);
}

export function allSkills(db: ReadDb): SkillRow[] {
	return all<RawRow>(db, sql`SELECT * FROM skills ORDER BY name`).map(rowOf);
}

/** Also of those that were only ever proposed: a skill is known by its name. */
export function skillNames(db: ReadDb): string[] {
	return all<{ name: string }>(
		db,
		sql`SELECT name FROM skills UNION SELECT name FROM skill_changes
			UNION SELECT json_extract(operation, '$.name') FROM proposals WHERE json_extract(operation, '$.kind') = 'skill'`,
	).map(({ name }) => name);
}

export function saveSeen(db: WriteDb, name: SkillName, seenHash: string | null): void {
	run(
		db,
		sql`INSERT INTO skills (name, seen_hash) VALUES (${name}, ${seenHash}) ON CONFLICT (name) DO UPDATE SET seen_hash = excluded.seen_hash`,
	);
}

/** What lies there, and what of it counts. */
export function saveSkill(db: WriteDb, { name, seenHash, approved }: SkillRow): void {
	run(
		db,
		sql`INSERT INTO skills (name, seen_hash, approved) VALUES (${name}, ${seenHash}, ${jsonOf(approved)})
			ON CONFLICT (name) DO UPDATE SET seen_hash = excluded.seen_hash, approved = excluded.approved`,
	);
}

/** Keys of what no proposal stands behind begin so. */
export const OWNERS_KEY = 'owner:';

export interface SkillChange {
	readonly id: ChangeId;
	readonly stepKey: string;
	readonly name: SkillName;
	readonly kind: SkillChangeKind;
	/** Null: no file. */
	readonly before: string | null;
	readonly after: string | null;
	readonly beforeApproved: Approved | null;
	readonly afterApproved: Approved | null;
	readonly status: 'intended' | 'done' | 'given_up';
	readonly at: Timestamp;
}

interface RawChange {
	id: string;
	step_key: string;
	name: string;
	kind: string;
	before_text: string | null;
	after_text: string | null;
	before_approved: string | null;
	after_approved: string | null;
	status: SkillChange['status'];
	at: number;
}

/** The owner's own doing, in Settings or on a terminal. */
export function isOwnersOwn({ stepKey }: SkillChange): boolean {
	return stepKey.startsWith(OWNERS_KEY);
}

/** As intended. */
export function insertSkillChange(db: WriteDb, change: Omit<SkillChange, 'status'>): void {
	runOne(
		db,
		sql`INSERT INTO skill_changes (id, step_key, name, kind, before_text, after_text, before_approved, after_approved, status, at)
			VALUES (${change.id}, ${change.stepKey}, ${change.name}, ${change.kind}, ${change.before}, ${change.after},
				${jsonOf(change.beforeApproved)}, ${jsonOf(change.afterApproved)}, 'intended', ${change.at})`,
	);
}

export function endSkillChange(db: WriteDb, id: ChangeId): void {
	runOne(db, sql`UPDATE skill_changes SET status = 'done' WHERE id = ${id} AND status = 'intended'`);
}

/** It was not made, and its key may be used again. */
export function dropSkillChange(db: WriteDb, id: ChangeId): void {
	runOne(db, sql`UPDATE skill_changes SET status = 'given_up', step_key = NULL WHERE id = ${id} AND status = 'intended'`);
}

export function skillChangeOfKey(db: ReadDb, stepKey: string): SkillChange | undefined {
	const row = get<RawChange>(db, sql`SELECT * FROM skill_changes WHERE step_key = ${stepKey}`);
	return row && changeOf(row);
}

export function findSkillChange(db: ReadDb, id: ChangeId): SkillChange | undefined {
	const row = get<RawChange>(db, sql`SELECT * FROM skill_changes WHERE id = ${id}`);
	return row && changeOf(row);
}

/** Oldest first. */
export function openSkillChanges(db: ReadDb): SkillChange[] {
	return all<RawChange>(db, sql`SELECT * FROM skill_changes WHERE status = 'intended' ORDER BY seq`).map(changeOf);
}

/** Grows with each change of this skill; 0 before the first. */
export function lastSkillChange(db: ReadDb, name: SkillName): number {
	return value<number | null>(db, sql`SELECT max(seq) FROM skill_changes WHERE name = ${name} AND status = 'done'`) ?? 0;
}

/** The text that was approved under this hash, where a change still has it. */
export function keptSkillText(db: ReadDb, name: SkillName, isIt: (text: string) => boolean): string | null {
	const texts = all<{ text: string }>(
		db,
		sql`SELECT after_text AS text FROM skill_changes WHERE name = ${name} AND status = 'done' AND after_text IS NOT NULL ORDER BY seq DESC LIMIT 50`,
	);
	return texts.find(({ text }) => isIt(text))?.text ?? null;
}

function rowOf({ name, seen_hash, approved }: RawRow): SkillRow {
	return { name: SkillName.parse(name), seenHash: seen_hash, approved: approvedOf(approved) };
}

function changeOf(row: RawChange): SkillChange {
	return {
		id: ChangeId.parse(row.id),
		stepKey: row.step_key,
		name: SkillName.parse(row.name),
		kind: SkillChangeKind.parse(row.kind),
		before: row.before_text,
		after: row.after_text,
		beforeApproved: approvedOf(row.before_approved),
		afterApproved: approvedOf(row.after_approved),
		status: row.status,
		at: row.at,
	};
}

function approvedOf(json: string | null): Approved | null {
	return json === null ? null : Approved.parse(JSON.parse(json));
}

function jsonOf(approved: Approved | null): string | null {
	return approved && JSON.stringify(Approved.parse(approved));
}
