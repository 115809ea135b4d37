import { z } from 'zod';
import { DRAFT_LIMIT, type Draft } from '../contract/methods/sessions.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import type { SessionId, Timestamp } from '../domain/ids.ts';
import { repairSurrogates } from '../domain/text.ts';

const Ids = z.array(z.string());

/** What the owner had typed and attached but not sent. Empty where there is nothing. */
export function getDraft(db: ReadDb, sessionId: SessionId): Draft {
	const row = get<{ text: string; attachment_ids: string }>(
		db,
		sql`SELECT text, attachment_ids FROM drafts WHERE session_id = ${sessionId}`,
	);
	if (!row) return { text: '', attachmentIds: [] };
	// chat-1: should a longer text ever have got in, it must not freeze the window each time it opens.
	const text = row.text.length > DRAFT_LIMIT ? '' : repairSurrogates(row.text);
	const ids = JSON.stringify(Ids.parse(JSON.parse(row.attachment_ids)));
	const found = all<{ id: string }>(
		db,
		sql`SELECT a.id FROM json_each(${ids}) given JOIN attachments a ON a.id = given.value AND a.session_id = ${sessionId} ORDER BY given.key`,
	);
	return { text, attachmentIds: found.map((attachment) => attachment.id) };
}

/** Keeps a draft; an empty one is removed. The text's length is checked at the contract. */
export function saveDraft(db: WriteDb, sessionId: SessionId, draft: Draft, now: Timestamp): void {
	if (draft.text === '' && draft.attachmentIds.length === 0) {
		deleteDraft(db, sessionId);
		return;
	}
	runOne(
		db,
		sql`INSERT INTO drafts (session_id, text, attachment_ids, updated_at)
		VALUES (${sessionId}, ${repairSurrogates(draft.text)}, ${JSON.stringify(draft.attachmentIds)}, ${now})
		ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, attachment_ids = excluded.attachment_ids, updated_at = excluded.updated_at`,
	);
}

/** Forgets the draft, if there is one. */
export function deleteDraft(db: WriteDb, sessionId: SessionId): void {
	run(db, sql`DELETE FROM drafts WHERE session_id = ${sessionId}`);
}
