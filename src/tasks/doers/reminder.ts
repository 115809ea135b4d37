import type { WriteDb } from '../../db/brands.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { Label } from '../../domain/label.ts';
import type { ReminderId } from '../../domain/reminder.ts';
import type { TaskDoer } from '../ports.ts';

/** In the caller's transaction: the owner is told these words at once, once for each key. */
export type RemindNow = (tx: WriteDb, words: { text: string; label: Label; sessionId?: SessionId; key: string }) => ReminderId;

/** Tells the owner some words: no model, no run. */
export function reminderDoer({ remind, told }: { remind: RemindNow; told: () => void }): TaskDoer {
	return {
		begin: (tx, { draft, label }, { id }) => {
			const text = draft.work.kind === 'reminder' ? draft.work.text : draft.title;
			return { reminderId: remind(tx, { text, label, key: `task:${id}` }), done: true };
		},
		start: told,
		retry: told,
		stop: async () => undefined,
		standing: () => ({ kind: 'done', text: '', label: 'owner' }),
		used: () => ({ tokens: 0, costUsd: 0 }),
	};
}
