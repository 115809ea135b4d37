import { type HearthError, needsOwner, terminal } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { EVENT_PAYLOAD_CHARS, type RunSummary } from '../domain/run.ts';

/** What the owner is told where the run engine can't do what was asked. */

/** The end of a reply that the disk did not take. */
export function stoppedUnsaved(cause: HearthError): HearthError {
	return needsOwner(cause.code, 'The reply has stopped, but that can’t be saved just now.', {
		safe: 'What had arrived is kept in memory, and saved as soon as it can be.',
		action: cause.shape.action,
		cause,
	});
}

/** Throws `invalid_input`. */
export function checkPayload(payload: Json): void {
	if (JSON.stringify(payload).length <= EVENT_PAYLOAD_CHARS) return;
	throw terminal('invalid_input', `What comes with an event may have at most ${EVENT_PAYLOAD_CHARS} characters.`, {
		safe: 'Nobody was told.',
		action: 'Put it into a file in workspace/ and name that file.',
	});
}

/** A run of a workflow's state: its instance has gone on without it, or has failed with it, and which state comes next is the workflow's to say. */
export function belongsToWorkflow(): HearthError {
	return terminal('conflict', 'This run is a state’s of a workflow, and goes on only with it.', {
		safe: 'Nothing was changed.',
		action: 'Enter the state of the workflow again, in Timeline → Workflows.',
	});
}

/** A run of a task, or a test of one: which of its runs is tried again, and what becomes of its result, is said in Tasks. */
export function belongsToTask(): HearthError {
	return terminal('conflict', 'This is a run of a task, and goes on only with it.', {
		safe: 'Nothing was changed.',
		action: 'Run it again in Tasks: it goes on at the step where it stopped.',
	});
}

/** What a look read is in quarantine: no chat is made of it, and its model is told nothing more (B1). */
export function staysApart(): HearthError {
	return terminal('conflict', 'This is a look of background work: what it read stays apart from chats.', {
		safe: 'Nothing was changed.',
		action: 'Decide on its findings in the inbox.',
	});
}

/** What is said in the session of a workflow or of delegated work would be read by its next step, and hold it up. */
export function noChat(): HearthError {
	return terminal('conflict', 'This is the record of work in the background, and no chat.', {
		safe: 'Nothing was changed.',
		action: 'Fork the run to go on from it in a chat of its own.',
	});
}

/** A session has one open run at a time. */
export function stillBusy(run: RunSummary): HearthError {
	if (run.status === 'sleeping')
		return terminal('conflict', 'The last reply waits for something and goes on then.', {
			safe: 'Your text is kept.',
			action: 'End its wait, stop it, or write in another chat.',
		});
	return run.status === 'waiting'
		? terminal('conflict', 'The last reply waits for your answer.', {
				safe: 'Your text is kept.',
				action: 'Answer its question, or stop it.',
			})
		: terminal('conflict', 'Hearth is still replying in this chat.', {
				safe: 'Your text is kept.',
				action: 'Wait for the reply, or stop it.',
			});
}

/** A request that is repeated gets what the first one began; another wish under its id would be lost. */
export function idUsedBefore(): HearthError {
	return terminal('conflict', 'This request has the id of an earlier, different one.', {
		safe: 'Nothing was done for it.',
		action: 'Try again with an id of its own.',
	});
}
