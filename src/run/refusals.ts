import { type HearthError, needsOwner, terminal } from '../domain/errors.ts';
import type { RunSummary } from '../domain/run.ts';

/** What the owner is told where the run engine can't do what was asked. */

/** The end of a reply that the disk did not take. */
export function stoppedUnsaved(cause: HearthError): HearthError {
	return needsOwner(cause.code, 'The reply has stopped, but that can’t be saved just now.', {
		safe: 'What had arrived is kept in memory, and saved as soon as it can be.',
		action: cause.shape.action,
		cause,
	});
}

export function payloadTooLarge(most: number): HearthError {
	return terminal('invalid_input', `What comes with an event may have at most ${most} characters.`, {
		safe: 'Nobody was told.',
		action: 'Put it into a file in workspace/ and name that file.',
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
