import { z } from 'zod';
import { sha256 } from '../base/sha256.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { EntryId, MemoryPath, type ProposalId } from '../domain/memory.ts';
import { Proposal, ProposalOperation, ProposalReceipt } from '../domain/proposal.ts';
import type { SkillName } from '../domain/skill.ts';
import { type ProposalState, shownHashOfProposal } from './proposal-machine.ts';

/** Rows of `proposals`. Whether one is stale, and what says the same, is read off memory's ledger, and off what lies in `skills/`, in the same query. */

/** What the owner decided, and what came of it. */
const Decision = z.object({ edited: z.string().optional(), reason: z.string().optional(), receipt: ProposalReceipt.optional() });
export type Decision = z.infer<typeof Decision>;

export interface StoredProposal {
	readonly proposal: Proposal;
	readonly state: ProposalState;
	readonly decision: Decision;
}

export type NewProposal = Pick<Proposal, 'id' | 'operation' | 'provenance' | 'label' | 'rule' | 'reason' | 'shownHash' | 'createdAt'> &
	Partial<Pick<Proposal, 'sessionId' | 'runId' | 'finding'>> & {
		readonly stepKey: string | undefined;
		/** Hash of the normalised text it would add, as the ledger has it; null where it adds none. */
		readonly textHash: string | null;
	};

interface Row {
	id: string;
	operation: string;
	provenance: string;
	label: string;
	rule: string;
	reason: string;
	session_id: string | null;
	run_id: string | null;
	shown_hash: string;
	folded: number;
	status: string;
	attempt: number;
	todo: string | null;
	decision: string | null;
	created_at: number;
	decided_at: number | null;
	finding: string | null;
	snoozed_until: number | null;
	opened_hash: string | null;
	folded_into: string | null;
	stale: number;
	same: number;
}

const SELECT = sql`
	SELECT p.*,
		CASE WHEN json_extract(p.operation, '$.kind') = 'skill' THEN coalesce(s.seen_hash, '') <> p.target_hash
		ELSE p.target_hash IS NOT NULL AND (
			e.id IS NULL OR e.live = 0 OR e.hash <> p.target_hash OR e.file <> json_extract(p.operation, '$.file')
			OR (e.superseded_by IS NOT NULL AND json_extract(p.operation, '$.kind') IN ('patch', 'supersede'))
		) END AS stale,
		(SELECT count(*) FROM proposals o WHERE o.text_hash = p.text_hash AND o.id <> p.id AND o.status = 'pending')
		+ (SELECT count(*) FROM memory_entries m WHERE m.hash = p.text_hash AND m.live = 1
			AND m.id IS NOT json_extract(p.operation, '$.entryId')) AS same
	FROM proposals p LEFT JOIN memory_entries e ON e.id = json_extract(p.operation, '$.entryId')
		LEFT JOIN skills s ON s.name = json_extract(p.operation, '$.name')`;

export function insertProposal(db: WriteDb, proposal: NewProposal): void {
	const operation = ProposalOperation.parse(proposal.operation);
	runOne(
		db,
		sql`INSERT INTO proposals (id, operation, provenance, label, rule, reason, session_id, run_id, step_key, shown_hash, text_hash,
			target_hash, status, created_at, finding, source_id)
		VALUES (${proposal.id}, ${JSON.stringify(operation)}, ${JSON.stringify(proposal.provenance)}, ${proposal.label}, ${proposal.rule},
			${proposal.reason}, ${proposal.sessionId ?? null}, ${proposal.runId ?? null}, ${proposal.stepKey ?? null}, ${proposal.shownHash},
			${proposal.textHash}, ${targetHash(operation, proposal.textHash)}, 'pending', ${proposal.createdAt},
			${proposal.finding ? JSON.stringify(proposal.finding) : null}, ${proposal.finding?.sourceId ?? null})`,
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
	const row = get<Row>(db, sql`${SELECT} WHERE p.id = ${id}`);
	return row && storedOf(row);
}

/** Throws `not_found`. */
export function getProposal(db: ReadDb, id: ProposalId): StoredProposal {
	const found = findProposal(db, id);
	if (!found) throw terminal('not_found', 'That proposal no longer exists.', { safe: 'Nothing was done.' });
	return found;
}

export function findByStep(db: ReadDb, stepKey: string): StoredProposal | undefined {
	const row = get<Row>(db, sql`${SELECT} WHERE p.step_key = ${stepKey}`);
	return row && storedOf(row);
}

/** What waits and would do the very same to the same place, oldest first. */
/** Those that calls of this step proposed. */
export function proposalsOfStep(db: ReadDb, runId: RunId, step: number): { id: ProposalId; stepKey: string }[] {
	const of = `${runId}:${step}:`;
	return all<{ id: ProposalId; stepKey: string }>(
		db,
		sql`SELECT id, step_key AS stepKey FROM proposals WHERE run_id = ${runId} AND substr(step_key, 1, ${of.length}) = ${of}`,
	);
}

export function samePending(db: ReadDb, operation: ProposalOperation, textHash: string | null): StoredProposal[] {
	const entryId = 'entryId' in operation ? operation.entryId : null;
	const file = 'file' in operation ? operation.file : null;
	const skill = operation.kind === 'skill' ? operation.name : null;
	const heading = operation.kind === 'append' ? JSON.stringify(operation.headingPath) : null;
	const same = textHash === null ? sql`p.text_hash IS NULL` : sql`p.text_hash = ${textHash}`;
	return rows(
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
	return rows(db, sql`WHERE ${only} AND ${wanted} LIMIT ${limit}`).map(({ proposal }) => proposal);
}

export function saveSnooze(db: WriteDb, id: ProposalId, until: Timestamp | null): void {
	runOne(db, sql`UPDATE proposals SET snoozed_until = ${until} WHERE id = ${id} AND status = 'pending'`);
}

export function saveOpened(db: WriteDb, id: ProposalId, shownHash: string): void {
	runOne(db, sql`UPDATE proposals SET opened_hash = ${shownHash} WHERE id = ${id} AND status = 'pending'`);
}

/** What waits and touches one of these files. */
export function pendingIn(db: ReadDb, files: readonly MemoryPath[]): Proposal[] {
	return pendingNaming(db, '$.file', files);
}

/** What waits and is about one of these skills. */
export function pendingOfSkills(db: ReadDb, names: readonly SkillName[]): Proposal[] {
	return pendingNaming(db, '$.name', names);
}

function pendingNaming(db: ReadDb, member: '$.file' | '$.name', names: readonly string[]): Proposal[] {
	return rows(
		db,
		sql`WHERE p.status = 'pending' AND json_extract(p.operation, ${member}) IN (SELECT value FROM json_each(${JSON.stringify(names)}))
		ORDER BY p.created_at, p.id`,
	).map(({ proposal }) => proposal);
}

/** Decisions that a crash, or a full disk, kept from being done. */
export function unfinishedProposals(db: ReadDb): StoredProposal[] {
	return rows(db, sql`WHERE p.todo IS NOT NULL ORDER BY p.decided_at, p.id`);
}

export function saveState(db: WriteDb, id: ProposalId, state: ProposalState, decision: Decision, decidedAt: Timestamp | null): void {
	runOne(
		db,
		sql`UPDATE proposals SET status = ${state.status}, attempt = ${state.attempt}, todo = ${state.todo},
			decision = ${state.status === 'pending' ? null : JSON.stringify(decision)}, decided_at = ${decidedAt} WHERE id = ${id}`,
	);
}

export function saveRebase(db: WriteDb, id: ProposalId, operation: ProposalOperation, shownHash: string, textHash: string | null): void {
	runOne(
		db,
		sql`UPDATE proposals SET operation = ${JSON.stringify(ProposalOperation.parse(operation))}, shown_hash = ${shownHash},
			text_hash = ${textHash}, target_hash = ${targetHash(operation, textHash)} WHERE id = ${id} AND status = 'pending'`,
	);
}

/**
 * A conversation is being deleted, in the same transaction: where a proposal rests on a message of it, the quote stays and it says that
 * the conversation is gone. What is shown is another then, and so is its hash (B3). Gives those that wait.
 */
export function markSessionDeleted(db: WriteDb, sessionId: SessionId): ProposalId[] {
	const waiting: ProposalId[] = [];
	for (const { proposal } of rows(db, sql`WHERE instr(p.provenance, ${JSON.stringify(sessionId)}) > 0`)) {
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
	const touched = rows(db, sql`WHERE p.status = 'pending' AND p.rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`);
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
	return rows(db, sql`WHERE p.rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`).map(({ proposal }) => proposal);
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

function rows(db: ReadDb, rest: Query): StoredProposal[] {
	return all<Row>(db, sql`${SELECT} ${rest}`).map(storedOf);
}

function storedOf(row: Row): StoredProposal {
	const decision = row.decision === null ? {} : Decision.parse(JSON.parse(row.decision));
	const pending = row.status === 'pending';
	const proposal = Proposal.parse({
		id: row.id,
		operation: JSON.parse(row.operation),
		provenance: JSON.parse(row.provenance),
		label: row.label,
		rule: row.rule,
		reason: row.reason,
		...(row.session_id !== null && { sessionId: row.session_id }),
		...(row.run_id !== null && { runId: row.run_id }),
		shownHash: row.shown_hash,
		status: row.status,
		stale: pending && row.stale === 1,
		duplicates: pending ? row.folded + row.same : row.folded,
		...(row.finding !== null && { finding: JSON.parse(row.finding) }),
		...(row.snoozed_until !== null && { snoozedUntil: row.snoozed_until }),
		opened: row.opened_hash === row.shown_hash,
		...(row.folded_into !== null && { foldedInto: row.folded_into }),
		createdAt: row.created_at,
		...(row.decided_at !== null && { decidedAt: row.decided_at }),
		...(decision.receipt && { receipt: decision.receipt }),
		...(decision.reason !== undefined && { rejection: decision.reason }),
	});
	const state: ProposalState = {
		kind: proposal.operation.kind,
		status: proposal.status,
		shownHash: proposal.shownHash,
		stale: proposal.stale,
		todo: row.todo as ProposalState['todo'],
		changed: decision.receipt !== undefined && decision.receipt.outcome !== 'held',
		attempt: row.attempt,
	};
	return { proposal, state, decision };
}
