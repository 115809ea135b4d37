import { HearthError, needsOwner, retryable, terminal } from '../domain/errors.ts';
import { connectionError, cutError } from './errors.ts';

/** What goes wrong with a mailbox that is read, in words. Only codes are read: the server's own words may hold anything (S3). */

const PLACE = 'Settings, Sources';
const NO_PASSWORD_SENT = 'No password was sent.';

export function noPassword(shown: string): HearthError {
	return needsOwner('unauthorised', `There is no password for the mailbox at ${shown}.`, { action: `Enter it in ${PLACE}.` });
}

export function unprotected(shown: string): HearthError {
	return needsOwner('network_denied', `The connection to ${shown} would be one that others can read.`, {
		safe: NO_PASSWORD_SENT,
		action: `Choose TLS or STARTTLS in ${PLACE}.`,
	});
}

interface ImapFailure {
	readonly code?: string;
	/** The server's word for why, such as `NONEXISTENT`. */
	readonly serverResponseCode?: string;
	readonly responseStatus?: string;
	readonly authenticationFailed?: boolean;
	readonly tlsFailed?: boolean;
	readonly throttleReset?: number;
	readonly executedCommand?: string;
}

/** The server is there and can't now. */
const PASSING = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'OVERQUOTA']);
const TIMES_OUT = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT']);
const IS_GONE = new Set(['NoConnection', 'EConnectionClosed', 'StateLogout', 'ClosedAfterConnectText', 'ClosedAfterConnectTLS']);
const MAKES_NO_SENSE =
	/^(?:ParserError|LineTooLarge|LiteralTooLarge|ResponseTooLarge|TooMany|MAX_IMAP_NESTING|InvalidResponse|ResponseProcessingFailed|UnexpectedTag|MissingTag)/;

/** `broken`: what ended the connection, if anything did. */
export function readingError(error: unknown, broken: unknown, of: { shown: string; mailbox: string }): HearthError {
	const { shown, mailbox } = of;
	if (error instanceof HearthError) return error;
	if (broken !== undefined && IS_GONE.has((error as ImapFailure | null)?.code ?? '')) return readingError(broken, undefined, of);
	const { code = '', serverResponseCode = '', responseStatus, ...failure } = (error ?? {}) as ImapFailure;
	const isPassing = PASSING.has(serverResponseCode.toUpperCase());
	if (failure.authenticationFailed)
		return isPassing
			? retryable('network_unreachable', `${shown} can’t sign anybody in now.`)
			: needsOwner('unauthorised', `${shown} did not accept the sign-in.`, {
					action: `Check the user name and the password in ${PLACE}. Many providers want a password of its own for each program.`,
				});
	if (code === 'ETHROTTLE')
		return retryable('network_unreachable', `${shown} was asked as often as it allows for now.`, {
			retryAfterMs: Math.max(0, failure.throttleReset ?? 0),
		});
	if (TIMES_OUT.has(code)) return retryable('network_timeout', `${shown} did not answer in time.`);
	if (code === 'STARTTLS_INJECTION' || (failure.tlsFailed && code === ''))
		return needsOwner('network_denied', `${shown} offers no connection that others can’t read.`, {
			safe: NO_PASSWORD_SENT,
			action: `Check the port and the kind of security in ${PLACE}.`,
		});
	if (IS_GONE.has(code)) return cutError(shown, 'source');
	if (MAKES_NO_SENSE.test(code)) return terminal('network_bad_response', `${shown} sent what can’t be read.`);
	if (responseStatus === 'NO' && /\bEXAMINE\b/.test(failure.executedCommand ?? ''))
		return isPassing
			? retryable('network_unreachable', `${shown} can’t open the mailbox now.`)
			: needsOwner('source_missing', `${shown} has no mailbox “${mailbox}”, or does not let you open it.`, {
					action: `Check its name in ${PLACE}.`,
				});
	if (responseStatus !== undefined) return terminal('network_bad_response', `${shown} refused what was asked of it.`);
	return connectionError(error, shown, 'source');
}
