import { type HearthError, needsOwner, retryable, terminal } from '../domain/errors.ts';

/** What is true of every failure here: search goes on without vectors. */
export const KEYWORDS_GO_ON = 'Your memory is safe, and search by keyword goes on.';

export function stoppedError(): HearthError {
	return terminal('run_stopped', 'Stopped.', { safe: KEYWORDS_GO_ON });
}

export function crashedError(cause: unknown): HearthError {
	return retryable('embedding_failed', 'The built-in embedding model stopped unexpectedly.', {
		safe: KEYWORDS_GO_ON,
		action: 'It starts again with the next search.',
		cause,
	});
}

export type ModelFault = 'missing' | 'changed' | 'runtime';

/** The embedded model can't be loaded, now or later, without somebody's doing. */
export function modelMissingError(fault: ModelFault, cause: unknown): HearthError {
	const messages: Record<ModelFault, string> = {
		missing: 'The files of the built-in embedding model are not there.',
		changed: 'The files of the built-in embedding model are not the ones that Hearth came with, so they are not used.',
		runtime: `The built-in embedding model does not run on this machine (${process.platform} ${process.arch}).`,
	};
	const actions: Record<ModelFault, string> = {
		missing: 'Install Hearth again, or run “npm run build” in a copy of the source.',
		changed: 'Install Hearth again, or run “npm run build” in a copy of the source.',
		runtime: 'Choose another embedding model in Settings, or go on with keywords alone.',
	};
	return needsOwner('embedding_model_missing', messages[fault], { safe: KEYWORDS_GO_ON, action: actions[fault], cause });
}
