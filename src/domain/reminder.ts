import { z } from 'zod';
import { SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';

export const ReminderId = z.string().min(1).brand<'ReminderId'>();
export type ReminderId = z.infer<typeof ReminderId>;

export const LONGEST_REMINDER = 500;

/** Something that the owner is to be told at a time, once. */
export const Reminder = z.object({
	id: ReminderId,
	/** In the words of the step that set it: never Hearth's own. */
	text: z.string(),
	/** The join over everything that step could see. */
	label: Label,
	/** The chat that it came from. */
	sessionId: SessionId.optional(),
	dueAt: Timestamp,
	createdAt: Timestamp,
	/** When it came due and the owner was told. */
	toldAt: Timestamp.optional(),
	dismissedAt: Timestamp.optional(),
});
export type Reminder = z.infer<typeof Reminder>;
