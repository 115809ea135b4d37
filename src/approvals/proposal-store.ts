import { z } from 'zod';
import { sha256 } from '../base/sha256.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, run, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { EntryId, MemoryPath, type ProposalId } from '../domain/memory.ts';
import { FindingInfo, type Proposal, ProposalOperation } from '../domain/proposal.ts';
import type { SkillName } from '../domain/skill.ts';
import { type ProposalState, shownHashOfProposal } from './proposal-machine.ts';
import { type Decision, readProposal, readProposals, type StoredProposal, saidBy } from './proposal-row.ts';

/** Rows of `proposals`: what waits, and what the owner decided of it. */

export type NewProposal = Pick<Proposal, 'id' | 'operation' | 'provenance' | 'label' | 'rule' | 'reason' | 'shownHash' | 'createdAt'> &
	Partial<Pick<Proposal, 'sessionId' | 'runId' | 'finding' | 'foldedInto'>> & {
		readonly stepKey: string | undefined;
		/** Hash of the normalised text it would add, as the ledger has it; null where it adds none. */
		readonly textHash: string | null;
	};

export function insertProposal(db: WriteDb, proposal: NewProposal): void {
	const operation = ProposalOperation.parse(proposal.operation);
	runOne(
		db,
		sql`INSERT INTO proposals (id, operation, provenance, label, rule, reason, session_id, run_id, step_key, shown_hash, text_hash,
			target_hash, status, created_at, finding, source_id, folded_into)
		VALUES (${proposal.id}, ${JSON.stringify(operation)}, ${JSON.stringify(proposal.provenance)}, ${proposal.label}, ${proposal.rule},
			${proposal.reason}, ${proposal.sessionId ?? null}, ${proposal.runId ?? null}, ${proposal.stepKey ?? null}, ${proposal.shownHash},
			${proposal.textHash}, ${targetHash(operation, proposal.textHash)}, 'pending', ${proposal.createdAt},
			${proposal.finding ? JSON.stringify(proposal.finding) : null}, ${proposal.finding?.sourceId ?? null}, ${proposal.foldedInto ?? null})`,
	);
}

function targetHash(operation: ProposalOperation, textHash: string | null): string | null {
	if (operation.kind === 'skill') return skillTargetHash(operation);
	if (operation.kind === 'drift') return operation.entryId === null ? null : textHash;
	return 'baseHash' in operation ? operation.baseHash : null;
}

/** Of what must lie there for it to be done; empty: no file. */
function skillTargetHash({ found, before, text }: Extract<ProposalOperation, { kind: 'skill' }>): string {
	const there = found ? text : before;
	return there === null ? '' : sha256(there);
}

export function findProposal(db: ReadDb, id: ProposalId): StoredProposal | undefined {
	return readProposal(db, sql`WHERE p.id = ${id}`);
}

/** Throws `not_found`. */
export function getProposal(db: ReadDb, id: ProposalId): StoredProposal {
	const found = findProposal(db, id);
	if (!found) throw terminal('not_found', 'That proposal no longer exists.', { safe: 'Nothing was done.' });
	return found;
}

export function findByStep(db: ReadDb, stepKey: string): StoredProposal | undefined {
	return readProposal(db, sql`WHERE p.step_key = ${stepKey}`);
}

/** Those that calls of this step proposed. */
export function proposalsOfStep(db: ReadDb, runId: RunId, step: number): { id: ProposalId; stepKey: string }[] {
	const of = `${runId}:${step}:`;
	return all<{ id: ProposalId; stepKey: string }>(
		db,
		sql`SELECT id, step_key AS stepKey FROM proposals WHERE run_id = ${runId} AND substr(step_key, 1, ${of.length}) = ${of}`,
	);
}

/** What waits and would do the very same to the same place, oldest first. */
export function samePending(db: ReadDb, operation: ProposalOperation, textHash: string | null): StoredProposal[] {
	const entryId = 'entryId' in operation ? operation.entryId : null;
	const file = 'file' in operation ? operation.file : null;
	const skill = operation.kind === 'skill' ? operation.name : null;
	const heading = operation.kind === 'append' ? JSON.stringify(operation.headingPath) : null;
	const same = textHash === null ? sql`p.text_hash IS NULL` : sql`p.text_hash = ${textHash}`;
	return readProposals(
		db,
		sql`WHERE p.status = 'pending' AND ${same} AND json_extract(p.operation, '$.kind') = ${operation.kind}
			AND json_extract(p.operation, '$.file') IS ${file} AND json_extract(p.operation, '$.name') IS ${skill}
			AND json_extract(p.operation, '$.entryId') IS ${entryId}
			AND (${heading} IS NULL OR json_extract(p.operation, '$.headingPath') = json(${heading}))
		ORDER BY p.created_at, p.id`,
	);
}

export function countFolded(db: WriteDb, id: ProposalId): void {
	runOne(db, sql`UPDATE proposals SET folded = folded + 1 WHERE id = ${id}`);
}

export function countPendingOfRun(db: ReadDb, runId: RunId): number {
	return value<number>(db, sql`SELECT count(*) FROM proposals WHERE run_id = ${runId} AND status = 'pending'`) ?? 0;
}

/** Without what is snoozed, and what folds under another one. */
export function countPending(db: ReadDb, now: Timestamp): number {
	return value<number>(db, sql`SELECT count(*) FROM proposals WHERE ${waitsAt(now)}`) ?? 0;
}

function waitsAt(now: Timestamp): Query {
	return sql`status = 'pending' AND folded_into IS NULL AND (snoozed_until IS NULL OR snoozed_until <= ${now})`;
}

/** Findings of background work that wait for the owner now: without those that come back later. */
export function countFindings(db: ReadDb, now: Timestamp): number {
	return value<number>(db, sql`SELECT count(*) FROM proposals WHERE ${waitsAt(now)} AND finding IS NOT NULL`) ?? 0;
}

/** What waits, oldest first; what is snoozed, by when it comes back; what is decided, newest decision first. */
export function listProposals(
	db: ReadDb,
	which: 'pending' | 'snoozed' | 'decided',
	{ limit, findings, now }: { limit: number; findings: boolean; now: Timestamp },
): Proposal[] {
	const only = findings ? sql`p.finding IS NOT NULL` : sql`TRUE`;
	const wanted = {
		pending: sql`p.status = 'pending' AND (p.snoozed_until IS NULL OR p.snoozed_until <= ${now}) ORDER BY p.created_at, p.id`,
		snoozed: sql`p.status = 'pending' AND p.snoozed_until > ${now} ORDER BY p.snoozed_until, p.id`,
		decided: sql`p.status <> 'pending' ORDER BY p.decided_at DESC, p.id DESC`,
	}[which];
	return readProposals(db, sql`WHERE ${only} AND ${wanted} LIMIT ${limit}`).map(({ proposal }) => proposal);
}

/** What waits and touches one of these files, or contradicts what stands in one. */
export function pendingIn(db: ReadDb, files: readonly MemoryPath[]): Proposal[] {
	const named = sql`(SELECT value FROM json_each(${JSON.stringify(files)}))`;
	return pendingWhere(
		db,
		sql`json_extract(p.operation, '$.file') IN ${named} OR EXISTS (
			SELECT 1 FROM json_each(p.finding, '$.conflicts') i JOIN memory_entries c ON c.id = i.value WHERE c.file IN ${named})`,
	);
}

/** What waits and is about one of these skills. */
export function pendingOfSkills(db: ReadDb, names: readonly SkillName[]): Proposal[] {
	return pendingWhere(db, sql`json_extract(p.operation, '$.name') IN (SELECT value FROM json_each(${JSON.stringify(names)}))`);
}

function pendingWhere(db: ReadDb, wanted: Query): Proposal[] {
	return readProposals(db, sql`WHERE p.status = 'pending' AND (${wanted}) ORDER BY p.created_at, p.id`).map(({ proposal }) => proposal);
}

/** Decisions that a crash, or a full disk, kept from being done. */
export function unfinishedProposals(db: ReadDb): StoredProposal[] {
	return readProposals(db, sql`WHERE p.todo IS NOT NULL ORDER BY p.decided_at, p.id`);
}

export function saveState(db: WriteDb, id: ProposalId, state: ProposalState, decision: Decision, decidedAt: Timestamp | null): void {
	runOne(
		db,
		sql`UPDATE proposals SET status = ${state.status}, attempt = ${state.attempt}, todo = ${state.todo},
			decision = ${state.status === 'pending' ? null : JSON.stringify(decision)}, decided_at = ${decidedAt},
			snoozed_until = ${state.snoozedUntil}, opened_hash = ${state.openedHash} WHERE id = ${id}`,
	);
}

/** What is shown is another from now on. `textHash` as in `NewProposal`. */
export function saveShown(
	db: WriteDb,
	id: ProposalId,
	{ operation, provenance, finding, shownHash }: Pick<Proposal, 'operation' | 'provenance' | 'finding' | 'shownHash'>,
	textHash: string | null,
): void {
	runOne(
		db,
		sql`UPDATE proposals SET operation = ${JSON.stringify(ProposalOperation.parse(operation))}, provenance = ${JSON.stringify(provenance)},
			finding = ${finding ? JSON.stringify(finding) : null}, shown_hash = ${shownHash}, text_hash = ${textHash},
			target_hash = ${targetHash(operation, textHash)} WHERE id = ${id} AND status = 'pending'`,
	);
}

/**
 * Findings of a source that is gone: what was turned down, and of what was approved that which became an entry that is forgotten; with
 * `others` also what became none. The rest is the provenance of what stays.
 */
export function deleteFindings(
	db: WriteDb,
	sourceId: WatchedSourceId,
	{ entries, others }: { entries: readonly EntryId[]; others: boolean },
): void {
	const approved = sql`status = 'approved' AND (
		json_extract(decision, '$.receipt.entryId') IN (SELECT value FROM json_each(${JSON.stringify(entries)}))
		OR (${others ? 1 : 0} AND json_extract(decision, '$.receipt.outcome') IN ('noted', 'reminder_set')))`;
	run(db, sql`DELETE FROM proposals WHERE source_id = ${sourceId} AND todo IS NULL AND (status = 'rejected' OR (${approved}))`);
}

/**
 * A conversation is being deleted, in the same transaction: where a proposal rests on a message of it, the quote stays and it says that
 * the conversation is gone. What is shown is another then, and so is its hash (B3). Gives those that wait.
 */
export function markSessionDeleted(db: WriteDb, sessionId: SessionId): ProposalId[] {
	const waiting: ProposalId[] = [];
	for (const { proposal } of readProposals(db, sql`WHERE instr(p.provenance, ${JSON.stringify(sessionId)}) > 0`)) {
		const sources = proposal.provenance.sources.map((source) =>
			source.kind === 'message' && source.sessionId === sessionId ? { ...source, deleted: true } : source,
		);
		const provenance = { ...proposal.provenance, sources };
		const shownHash = shownHashOfProposal({ ...proposal, provenance });
		runOne(db, sql`UPDATE proposals SET provenance = ${JSON.stringify(provenance)}, shown_hash = ${shownHash} WHERE id = ${proposal.id}`);
		if (proposal.status === 'pending') waiting.push(proposal.id);
	}
	return waiting;
}

/**
 * A text that these hold was forgotten, in the same transaction: `marker` stands in its place. What waited for a yes to it waits no more;
 * where only a source held it, what is shown is another now, and so is its hash (B3).
 */
export function settleForgotten(db: WriteDb, rowids: readonly number[], marker: string, now: Timestamp): void {
	const touched = readProposals(
		db,
		sql`WHERE p.status = 'pending' AND p.rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`,
	);
	for (const { proposal, state } of touched) {
		if (JSON.stringify(proposal.operation).includes(marker)) {
			const reason = 'Its text was forgotten.';
			saveState(db, proposal.id, { ...state, status: 'rejected', todo: null }, { reason }, now);
		} else {
			runOne(db, sql`UPDATE proposals SET shown_hash = ${shownHashOfProposal(proposal)} WHERE id = ${proposal.id}`);
		}
	}
}

/** Those in these rows of the table. */
export function proposalsAt(db: ReadDb, rowids: readonly number[]): Proposal[] {
	return readProposals(db, sql`WHERE p.rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`).map(({ proposal }) => proposal);
}

/** A finding with what the entries that it contradicts say now. */
export function withWhatItMeets(db: ReadDb, finding: FindingInfo): FindingInfo {
	const ids = sql`${JSON.stringify(finding.conflicts)}`;
	return FindingInfo.parse({ ...finding, against: value<string>(db, sql`SELECT ${saidBy(ids)}`) ?? '' });
}

const Target = z.object({
	entryId: EntryId,
	file: MemoryPath,
	headingPath: z.array(z.string()),
	text: z.string(),
	hash: z.string(),
	live: z.boolean(),
	quarantined: z.boolean(),
	supersededBy: EntryId.nullable(),
});
export type Target = z.infer<typeof Target>;

/** An entry as the ledger has it; undefined where it never was, or was forgotten. */
export function findTarget(db: ReadDb, id: EntryId): Target | undefined {
	const row = get<Record<string, unknown> & { headingPath: string; live: number; quarantined: number }>(
		db,
		sql`SELECT id AS entryId, file, heading_path AS headingPath, text, hash, live, quarantined, superseded_by AS supersededBy
			FROM memory_entries WHERE id = ${id}`,
	);
	return (
		row && Target.parse({ ...row, headingPath: JSON.parse(row.headingPath), live: row.live === 1, quarantined: row.quarantined === 1 })
	);
}
