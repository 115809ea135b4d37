import { type HearthError, terminal } from '../../domain/errors.ts';

/** Why a text is not forgotten everywhere yet. */

export function busy(safe: string): HearthError {
	return terminal('conflict', 'Hearth is writing a reply, which may hold the text and save it again.', {
		safe,
		action: 'Wait for the reply or stop it, then forget it once more.',
	});
}

export function stillThere(paths: readonly string[]): HearthError {
	return terminal('internal', `The text is still in: ${paths.slice(0, 20).join(', ')}.`, {
		safe: 'It was removed everywhere else.',
		action: 'Close programs that hold these files open, then forget it once more.',
	});
}
