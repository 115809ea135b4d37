import { z } from 'zod';
import { MessageId, SessionId, Timestamp } from '../domain/ids.ts';
import { Message } from '../domain/message.ts';
import type { Session } from './session-store.ts';

/**
 * A session as a file. All versions of all messages are in it, in the order they were added; `headId` ends the chosen
 * branch. A new version of the format gets a new number; readers refuse numbers they do not know.
 */
export const SessionExport = z.object({
	format: z.literal('hearth-session'),
	version: z.literal(1),
	exportedAt: Timestamp,
	session: z.object({
		id: SessionId,
		title: z.string(),
		pinned: z.boolean(),
		headId: MessageId.nullable(),
		createdAt: Timestamp,
		updatedAt: Timestamp,
	}),
	messages: z.array(Message),
});
export type SessionExport = z.infer<typeof SessionExport>;

export function exportJson(session: Session, messages: readonly Message[], now: Timestamp): string {
	const { id, title, pinned, headId, createdAt, updatedAt } = session;
	const file: SessionExport = {
		format: 'hearth-session',
		version: 1,
		exportedAt: now,
		session: { id, title, pinned, headId, createdAt, updatedAt },
		messages: [...messages],
	};
	return `${JSON.stringify(file, undefined, '\t')}\n`;
}
