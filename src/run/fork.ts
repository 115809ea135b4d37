import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { type Message, messageText } from '../domain/message.ts';
import type { ModelRef } from '../domain/model.ts';
import type { RunPlace, RunSummary } from '../domain/run.ts';
import { copyBranch } from '../sessions/branch.ts';
import { getMessage, getMessageHead } from '../sessions/message-store.ts';
import { getSession, setHead } from '../sessions/session-store.ts';
import { titleFromText } from '../sessions/title.ts';
import { type Checkpoint, checkpointsOf } from './checkpoint-store.ts';
import { getRun, holdsLook, readEvents } from './journal-store.ts';
import { IllegalEvent } from './reduce.ts';
import { staysApart } from './refusals.ts';
import type { RunLog } from './run-log.ts';

export interface ForkAsked {
	readonly place: RunPlace;
	/** The owner's message, where it is another one. */
	readonly text?: string | undefined;
	readonly model?: ModelRef | undefined;
}

/**
 * A new chat with what was said so far, and a run that goes on after this step: what is finished is taken over and not done again (R4). What
 * the other one waited for then is dropped, and the call judged anew. Throws `not_found`, and `conflict` where there is nothing to go on with, or no model to do it.
 */
export function forkRun(
	tx: WriteDb,
	log: Pick<RunLog, 'beginCopy'>,
	{ place, text, model }: ForkAsked,
	now: Timestamp,
	asShown: (message: Message) => Message,
): { sessionId: SessionId; messageId: MessageId; runId: RunId } {
	const source = getRun(tx, place.runId);
	if (holdsLook(tx, source.sessionId)) throw staysApart();
	if (isScripted(tx, source)) throw nothingToDecide();
	const checkpoint = placeOf(tx, place);
	const { parentId: askedId } = getMessageHead(tx, source.messageId);
	if (askedId === null) throw new Error('a reply without a message to reply to');
	const said = text !== undefined && text.trim() !== messageText(getMessage(tx, askedId)).trim() ? text : undefined;
	if (said?.trim() === '') throw terminal('invalid_input', 'Your message is empty.', { safe: 'Nothing was changed.' });
	const sessionId = copyBranch(tx, askedId, now, asShown, { prefix: 'Fork of ', ...(said !== undefined && { lastText: said }) });
	const { headId: parentId } = getSession(tx, sessionId);
	if (parentId === null) throw new Error('a copy without a message');
	const runId = newId<RunId>();
	const messageId = newId<MessageId>();
	const from: RunPlace = { runId: source.id, step: checkpoint.step };
	// A chat of its own, whatever it came from: the owner is there.
	const started = { kind: undefined, unattended: undefined, depth: undefined, budget: undefined, test: undefined, ...(model && { model }) };
	const event = { type: 'forked', from, at: now, ...(model && { model }) } as const;
	try {
		const title = said === undefined ? source.title : (titleFromText(said) ?? source.title);
		log.beginCopy(tx, source, checkpoint, { runId, messageId, sessionId, parentId, title, event, started });
	} catch (error) {
		if (error instanceof IllegalEvent) throw nothingLeft();
		throw error;
	}
	setHead(tx, sessionId, messageId);
	return { sessionId, messageId, runId };
}

/** The newest checkpoint up to there: a step that is under way, or waits, has none yet. Throws `not_found`. */
function placeOf(tx: WriteDb, { runId, step }: RunPlace): Checkpoint {
	const checkpoint = checkpointsOf(tx, runId).findLast((one) => one.step <= step);
	if (checkpoint) return checkpoint;
	throw terminal('not_found', 'That run is from before runs could be forked.', { action: 'Branch its chat instead.' });
}

/** What a workflow's state does without a model: the same call again, whose answer no workflow would hear. */
function isScripted(tx: WriteDb, { id, kind }: RunSummary): boolean {
	if (kind !== 'workflow') return false;
	const [begun] = readEvents(tx, id, 1);
	return begun?.type === 'run_started' && begun.script !== undefined;
}

function nothingToDecide() {
	return terminal('conflict', 'This is a step of a workflow that no model decides: a fork of it would only do the same again.', {
		safe: 'Nothing was changed.',
		action: 'Start the workflow anew, or fork a run of one of its agent’s states.',
	});
}

function nothingLeft() {
	return terminal('conflict', 'After this step the reply is finished: there is nothing that could go on.', {
		safe: 'Nothing was changed.',
		action: 'Fork an earlier step, or branch the chat.',
	});
}
