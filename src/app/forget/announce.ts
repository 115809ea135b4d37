import { proposalsAt } from '../../approvals/proposal-store.ts';
import type { Announce } from '../../contract/announce.ts';
import type { StateDb } from '../../db/open.ts';
import { isIn, type TextPlace } from '../../db/scrub.ts';
import { all, sql } from '../../db/sql.ts';
import type { MessageId } from '../../domain/ids.ts';
import { findMessage } from '../../sessions/message-store.ts';
import { summarise } from '../../sessions/session-store.ts';
import { rowidsIn } from './databases.ts';

/** Tells every view of the messages, chats and proposals that say something else now. */
export function announceScrubbed({ db, announce }: { db: StateDb; announce: Announce }, places: readonly TextPlace[]): void {
	const rowids = JSON.stringify(rowidsIn(places, 'messages'));
	const rows = all<{ id: MessageId }>(db.read, sql`SELECT id FROM messages WHERE rowid IN (SELECT value FROM json_each(${rowids}))`);
	const ofParts = places.flatMap((place) => (isIn(place, 'message_parts') ? [String(place.key[0]) as MessageId] : []));
	const messages = [...new Set([...rows.map(({ id }) => id), ...ofParts])].flatMap((id) => findMessage(db.read, id) ?? []);
	for (const message of messages) announce({ type: 'message_changed', message, headChanged: false });
	for (const sessionId of new Set(messages.map((message) => message.sessionId)))
		announce({ type: 'session_changed', session: summarise(db.read, sessionId) });
	for (const proposal of proposalsAt(db.read, rowidsIn(places, 'proposals'))) announce({ type: 'proposal_changed', proposal });
}
