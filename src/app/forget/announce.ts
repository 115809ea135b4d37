import { proposalsAt } from '../../approvals/proposal-store.ts';
import type { Announce } from '../../contract/announce.ts';
import type { StateDb } from '../../db/open.ts';
import type { TextPlace } from '../../db/scrub.ts';
import { all, sql } from '../../db/sql.ts';
import type { MessageId } from '../../domain/ids.ts';
import { findMessage } from '../../sessions/message-store.ts';
import { getSession, summarise } from '../../sessions/session-store.ts';
import { rowidsIn } from './places.ts';

/** Tells every view of the messages, chats, proposals, skills and reminders that say something else now. */
export function announceScrubbed({ db, announce }: { db: StateDb; announce: Announce }, places: readonly TextPlace[]): void {
	const rowids = (table: string) => sql`SELECT value FROM json_each(${JSON.stringify(rowidsIn(places, table))})`;
	const ids = all<{ id: MessageId }>(
		db.read,
		sql`SELECT id FROM messages WHERE rowid IN (${rowids('messages')})
		UNION SELECT message_id FROM message_parts WHERE rowid IN (${rowids('message_parts')})`,
	);
	const messages = ids.flatMap(({ id }) => findMessage(db.read, id) ?? []);
	for (const message of messages) announce({ type: 'message_changed', message, headChanged: false });
	for (const sessionId of new Set(messages.map((message) => message.sessionId)))
		if (getSession(db.read, sessionId).kind === 'chat') announce({ type: 'session_changed', session: summarise(db.read, sessionId) });
	for (const proposal of proposalsAt(db.read, rowidsIn(places, 'proposals'))) announce({ type: 'proposal_changed', proposal });
	if (rowidsIn(places, 'skills').length > 0) announce({ type: 'skills_changed' });
	if (rowidsIn(places, 'watched_items').length > 0 || rowidsIn(places, 'watched_sources').length > 0) announce({ type: 'sources_changed' });
	if (rowidsIn(places, 'reminders').length > 0) announce({ type: 'reminders_changed' });
}
