import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, runOne, sql } from '../db/sql.ts';
import type { MessageId } from '../domain/ids.ts';
import type { MessagePart } from '../domain/message.ts';
import { partJson, partsOf } from './message-row.ts';

/** The parts of messages, a row each. Their messages are in `message-store`, which is told what full-text search is to see of them. */

/** What became of a message's parts: those that are new or different, by number, and how many there are now. */
export interface PartsChange {
	readonly changed: readonly (readonly [position: number, part: MessagePart])[];
	readonly length: number;
}

/** A part is another one where it is another object: who changes parts makes new ones, and keeps those that stay. */
export function partsChange(before: readonly MessagePart[], after: readonly MessagePart[]): PartsChange {
	const changed: [number, MessagePart][] = [];
	if (before !== after) for (const [position, part] of after.entries()) if (part !== before[position]) changed.push([position, part]);
	return { changed, length: after.length };
}

/** Costs what changed, however many parts there are. */
export function changeParts(db: WriteDb, messageId: MessageId, { changed, length }: PartsChange): void {
	for (const [position, part] of changed) {
		runOne(
			db,
			sql`INSERT INTO message_parts (message_id, position, part) VALUES (${messageId}, ${position}, ${partJson(part)})
			ON CONFLICT (message_id, position) DO UPDATE SET part = excluded.part`,
		);
	}
	run(db, sql`DELETE FROM message_parts WHERE message_id = ${messageId} AND position >= ${length}`);
}

/** The parts of a message from number `from` on. */
export function readParts(db: ReadDb, messageId: MessageId, from = 0): MessagePart[] {
	const rows = all<{ part: string }>(
		db,
		sql`SELECT part FROM message_parts WHERE message_id = ${messageId} AND position >= ${from} ORDER BY position`,
	);
	return partsOf(`[${rows.map((row) => row.part).join(',')}]`);
}
