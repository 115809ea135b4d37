import { HearthError, terminal } from '../domain/errors.ts';
import { type CallSubject, notAnApiError, refusalError, reportedError } from './provider-errors.ts';

/**
 * An error of the client library as one of ours, by its kind. Undefined where it only says that the stream ended too soon:
 * what that means depends on what had arrived.
 */
export function sdkError(error: unknown, subject: CallSubject): HearthError | undefined {
	if (error instanceof HearthError) return error;
	if (!(error instanceof Error)) return new HearthError(reportedError(error, subject));
	switch (error.name) {
		case 'AI_InvalidResponseDataError':
			return undefined;
		case 'AI_TypeValidationError':
			return 'value' in error && holdsError(error.value)
				? new HearthError(reportedError(error.value, subject))
				: new HearthError(notAnApiError(subject));
		case 'AI_APICallError':
			return apiCallError(error, subject);
		case 'AI_UnsupportedFunctionalityError':
			return terminal('invalid_input', `${subject.modelId ?? subject.provider.name} can’t take this kind of attachment.`, {
				safe: 'Your message is kept.',
				action: 'Leave the attachment out, or choose another model.',
			});
		// Ollama's client: "Did not receive done".
		case 'Error':
		case 'OllamaError':
			return error.cause instanceof HearthError ? error.cause : undefined;
		default:
			return new HearthError(notAnApiError(subject));
	}
}

function apiCallError(error: Error, subject: CallSubject): HearthError {
	if (error.cause instanceof HearthError) return error.cause;
	const body = 'responseBody' in error && typeof error.responseBody === 'string' ? error.responseBody : '';
	const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
	if (status !== undefined && status >= 400) return new HearthError(refusalError({ status, headers: new Headers(), body }, subject));
	return new HearthError('data' in error && holdsError(error.data) ? reportedError(error.data, subject) : notAnApiError(subject));
}

function holdsError(value: unknown): boolean {
	return value !== null && typeof value === 'object' && 'error' in value;
}
