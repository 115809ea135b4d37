import { z } from 'zod';
import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, sql } from '../db/sql.ts';
import { Compaction, KeptItem } from '../domain/compaction.ts';
import { CompactionId, type MessageId, type RunId, type SessionId } from '../domain/ids.ts';
import { Label } from '../domain/label.ts';
import type { MessagePart } from '../domain/message.ts';
import { ModelRef } from '../domain/model.ts';
import { repairSurrogates, repairSurrogatesDeep } from '../domain/text.ts';
import { messageAtDepth } from './message-store.ts';

/** Summaries that stand for older messages in prompts. Nothing is lost with a row: it can be made again from the messages. */

interface CompactionRow {
	id: string;
	session_id: string;
	up_to: string;
	run_id: string | null;
	up_to_part: number | null;
	text: string;
	items: string;
	label: string;
	sources: string | null;
	method: string;
	model: string | null;
	tokens_before: number;
	tokens_after: number;
	created_at: number;
	depth: number;
}

const COLUMNS = sql`c.id, c.session_id, c.up_to, c.run_id, c.up_to_part, c.text, c.items, c.label, c.sources, c.method, c.model, c.tokens_before,
	c.tokens_after, c.created_at, m.depth`;
const Items = z.array(KeptItem);
/** Each holds what those before it kept: older ones are of use to branches that end early, and to who reads them, and can be made again. */
const MOST_OF_A_CHAT = 20;
const MOST_OF_A_REPLY = 3;

/** Keeps it, unless there is one for its place already; returns the one that is kept. */
export function keepCompaction(db: WriteDb, given: Omit<Compaction, 'covers'>): Compaction {
	const { within } = given;
	run(
		db,
		sql`INSERT INTO compactions (id, session_id, up_to, run_id, up_to_part, text, items, label, sources, method, model, tokens_before, tokens_after, created_at)
		VALUES (${given.id}, ${given.sessionId}, ${given.upTo}, ${within?.runId ?? null}, ${within?.upToPart ?? null},
			${repairSurrogates(given.text)}, ${JSON.stringify(repairSurrogatesDeep(given.items))}, ${given.label},
			${given.sources ? JSON.stringify(given.sources) : null}, ${given.method},
			${given.model ? JSON.stringify(given.model) : null}, ${given.tokensBefore}, ${given.tokensAfter}, ${given.createdAt})
		ON CONFLICT DO NOTHING`,
	);
	const row = get<CompactionRow>(
		db,
		sql`SELECT ${COLUMNS} FROM compactions c JOIN messages m ON m.id = c.up_to
		WHERE c.up_to = ${given.upTo} AND c.run_id IS ${within?.runId ?? null} AND c.up_to_part IS ${within?.upToPart ?? null}`,
	);
	if (!row) throw new Error('a compaction that was just kept is not there');
	run(
		db,
		sql`DELETE FROM compactions WHERE session_id = ${given.sessionId} AND run_id IS ${within?.runId ?? null} AND rowid NOT IN (
			SELECT rowid FROM compactions WHERE session_id = ${given.sessionId} AND run_id IS ${within?.runId ?? null}
			ORDER BY rowid DESC LIMIT ${within ? MOST_OF_A_REPLY : MOST_OF_A_CHAT})`,
	);
	return compactionOf(row);
}

export function findCompaction(db: ReadDb, id: CompactionId): Compaction | undefined {
	const row = get<CompactionRow>(db, sql`SELECT ${COLUMNS} FROM compactions c JOIN messages m ON m.id = c.up_to WHERE c.id = ${id}`);
	return row && compactionOf(row);
}

/** The one that stands for the most of the branch that ends in `headId`. */
export function compactionOnBranch(db: ReadDb, sessionId: SessionId, headId: MessageId): Compaction | undefined {
	const rows = all<Pick<CompactionRow, 'id' | 'up_to' | 'depth'>>(
		db,
		sql`SELECT c.id, c.up_to, m.depth FROM compactions c JOIN messages m ON m.id = c.up_to
		WHERE c.session_id = ${sessionId} AND c.run_id IS NULL ORDER BY m.depth DESC, c.rowid DESC`,
	);
	const found = rows.find(({ up_to, depth }) => messageAtDepth(db, headId, depth) === up_to);
	return found && findCompaction(db, found.id as CompactionId);
}

/** The one that stands for the most of a run's own reply, but for nothing from part `most` on. */
export function compactionOfReply(db: ReadDb, runId: RunId, most: number): Compaction | undefined {
	const row = get<CompactionRow>(
		db,
		sql`SELECT ${COLUMNS} FROM compactions c JOIN messages m ON m.id = c.up_to
		WHERE c.run_id = ${runId} AND c.up_to_part <= ${most} ORDER BY c.up_to_part DESC LIMIT 1`,
	);
	return row && compactionOf(row);
}

/** Ids of copies by those of their originals; made when first asked for. */
export type CopiedIds = Map<CompactionId, CompactionId>;

/** For a branch that was copied: `copies` leads from each message to its copy. What it stands for has the same words. */
export function copyCompactions(
	db: WriteDb,
	from: SessionId,
	to: SessionId,
	{ copies, ids }: { copies: ReadonlyMap<MessageId, MessageId>; ids: CopiedIds },
): void {
	const rows = all<CompactionRow>(
		db,
		sql`SELECT ${COLUMNS} FROM compactions c JOIN messages m ON m.id = c.up_to WHERE c.session_id = ${from} AND c.run_id IS NULL ORDER BY c.rowid`,
	);
	for (const compaction of rows.map(compactionOf)) {
		const upTo = copies.get(compaction.upTo);
		if (upTo === undefined) continue;
		const items = compaction.items.map((item) => ({ ...item, messageId: copies.get(item.messageId) ?? item.messageId }));
		keepCompaction(db, { ...compaction, id: copyId(ids, compaction.id), sessionId: to, upTo, items });
	}
}

/** For a fork of a run: those of its reply that end within its first `parts` parts. */
export function copyReplyCompactions(
	db: WriteDb,
	from: RunId,
	to: { runId: RunId; messageId: MessageId; sessionId: SessionId; parts: number },
): void {
	const rows = all<CompactionRow>(
		db,
		sql`SELECT ${COLUMNS} FROM compactions c JOIN messages m ON m.id = c.up_to
		WHERE c.run_id = ${from} AND c.up_to_part <= ${to.parts} ORDER BY c.rowid`,
	);
	for (const compaction of rows.map(compactionOf)) {
		const { within, upTo } = compaction;
		if (!within) continue;
		const items = compaction.items.map((item) => (item.messageId === upTo ? { ...item, messageId: to.messageId } : item));
		const id = newId<CompactionId>();
		keepCompaction(db, { ...compaction, id, sessionId: to.sessionId, upTo: to.messageId, within: { ...within, runId: to.runId }, items });
	}
}

/** The notice of a copied reply leads to the copied summary. */
export function withCopiedSummary(part: MessagePart, ids: CopiedIds): MessagePart {
	const found =
		part.type === 'notice' && part.code === 'compacted' && part.values.of === 'chat' ? CompactionId.safeParse(part.values.id) : undefined;
	return part.type === 'notice' && found?.success ? { ...part, values: { ...part.values, id: copyId(ids, found.data) } } : part;
}

/** A model's words may tell a text in other words. Those of the chats that these parts, by rowid, are in go; their next prompt has new ones made. */
export function dropRetellings(db: WriteDb, partRowids: readonly number[]): void {
	// Back-ups of older versions have no such table, nor a message in parts.
	if (partRowids.length === 0) return;
	run(
		db,
		sql`DELETE FROM compactions WHERE text <> '' AND session_id IN (
			SELECT m.session_id FROM message_parts p JOIN messages m ON m.id = p.message_id
			WHERE p.rowid IN (SELECT value FROM json_each(${JSON.stringify(partRowids)})))`,
	);
}

function copyId(ids: CopiedIds, id: CompactionId): CompactionId {
	const copy = ids.get(id) ?? newId<CompactionId>();
	ids.set(id, copy);
	return copy;
}

function compactionOf(row: CompactionRow): Compaction {
	const within = row.run_id !== null && row.up_to_part !== null ? { runId: row.run_id as RunId, upToPart: row.up_to_part } : undefined;
	return Compaction.parse({
		id: row.id,
		sessionId: row.session_id,
		upTo: row.up_to,
		...(within && { within }),
		covers: within?.upToPart ?? row.depth + 1,
		text: row.text,
		items: Items.parse(JSON.parse(row.items)),
		label: Label.parse(row.label),
		...(row.sources !== null && { sources: JSON.parse(row.sources) }),
		method: row.method,
		...(row.model !== null && { model: ModelRef.parse(JSON.parse(row.model)) }),
		tokensBefore: row.tokens_before,
		tokensAfter: row.tokens_after,
		createdAt: row.created_at,
	});
}
