import type { ReadDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import { type Message, messageText, type ToolPart } from '../domain/message.ts';
import type { RunSummary } from '../domain/run.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { Blobs } from '../run/blobs.ts';
import { readEvents } from '../run/journal-store.ts';
import { getMessage } from '../sessions/message-store.ts';
import type { ActionKind } from './definition.ts';
import type { Outcome } from './events.ts';

/** Characters of a result that an instance keeps in its data. */
const MOST_CHARS = 100_000;

/** What came of a state's action, from its run at rest. */
export async function outcomeOf(
	deps: { readonly db: ReadDb; readonly blobs: Pick<Blobs, 'text'> },
	run: RunSummary,
	action: ActionKind,
): Promise<Outcome> {
	const message = getMessage(deps.db, run.messageId);
	const part = message.parts.filter((each): each is ToolPart => each.type === 'tool').at(-1);
	if (run.status === 'stopped') return { kind: 'stopped' };
	if (run.status === 'done') {
		if (action !== 'agent' && part?.status === 'skipped') return { kind: 'skipped' };
		return doneWith(deps, run, action, message, part);
	}
	// The owner's no is an answer, not a failure to be tried again.
	if (action === 'tool' && part?.status === 'denied') return { kind: 'skipped' };
	return { kind: 'failed', error: message.error ?? terminal('run_interrupted', 'It did not come to its end.').shape };
}

async function doneWith(
	{ db, blobs }: { readonly db: ReadDb; readonly blobs: Pick<Blobs, 'text'> },
	run: RunSummary,
	action: ActionKind,
	message: Message,
	part: ToolPart | undefined,
): Promise<Outcome> {
	const text = (given: string): string => cutCodePoints(given, MOST_CHARS);
	switch (action) {
		case 'event': {
			const came = readEvents(db, run.id).findLast((event) => event.type === 'wait_ended')?.outcome;
			if (came?.type === 'event_came') return { kind: 'done', value: came.payload, label: came.label, sources: came.sources };
			return { kind: 'done', value: null, label: 'owner' };
		}
		case 'ask':
			return { kind: 'done', value: text(part?.result?.text ?? ''), label: 'owner' };
		case 'tool': {
			const { result, label = message.label, sources } = part ?? {};
			const whole = result?.whole ? await blobs.text(result.whole.hash) : undefined;
			return { kind: 'done', value: text(whole ?? result?.text ?? ''), label, sources };
		}
		default:
			return { kind: 'done', value: text(messageText(message)), label: message.label, sources: message.sources };
	}
}
