import { type ErrorShape, type HearthError, retryable, toErrorShape } from '../../src/domain/errors.ts';

/** Any failure of a call as what the owner is told: what happened, what is safe, what to do. */
export function shapeOf(error: unknown): ErrorShape {
	return toErrorShape(error);
}

export function disconnected(): HearthError {
	return retryable('disconnected', 'Hearth’s runtime can’t be reached right now.', {
		safe: 'What was sent before is safe.',
		action: 'Wait a moment: the window reconnects by itself.',
	});
}
