import { HearthError, needsOwner, retryable, terminal } from '../../domain/errors.ts';
import { cutCodePoints } from '../../domain/text.ts';

/** The client library, loaded with the first server: a runtime without one does without it. */
export const loadSdk = () => import('@modelcontextprotocol/client');
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Of a server's own words in an error. */
const MOST_WORDS = 500;
const RETRY_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);

/** What went wrong with a server, in words. `gone`: for an end without a reason. Its kind says what comes next: `retryable` is tried again, the others wait for the owner. */
export function serverError(sdk: Sdk, error: unknown, title: string, gone = () => goneError(title)): HearthError {
	const known = hearthErrorIn(error);
	if (known) return known;
	if (sdk.UnauthorizedError.isInstance(error)) return signInError(title);
	if (sdk.SdkHttpError.isInstance(error)) return statusError(error.status, title);
	if (sdk.ProtocolError.isInstance(error)) {
		return terminal('server_refused', `${title} answered with an error: ${cutCodePoints(error.message, MOST_WORDS)}`);
	}
	if (sdk.SdkError.isInstance(error)) {
		const { RequestTimeout, ConnectionClosed, NotConnected, SendFailed } = sdk.SdkErrorCode;
		if (error.code === RequestTimeout) return retryable('server_unreachable', `${title} did not answer in time.`);
		if (error.code === ConnectionClosed || error.code === NotConnected || error.code === SendFailed) return gone();
	}
	if (isNoSuchProgram(error)) {
		return terminal('server_not_set_up', `The program of ${title} can’t be started: it was not found, or may not be run.`, {
			action: 'Check the command in Settings, Tool servers.',
		});
	}
	return terminal('server_refused', `${title} does not speak the protocol of tool servers as Hearth knows it.`, {
		action: 'Check its command or address, and whether there is a newer version of it.',
		cause: error,
	});
}

export function signInError(title: string): HearthError {
	return needsOwner('server_sign_in', `${title} wants you to sign in.`, { action: 'Sign in under Settings, Tool servers.' });
}

export function goneError(title: string): HearthError {
	return retryable('server_unreachable', `The connection to ${title} is gone.`);
}

/** What it wrote last is told beside it: that is the program's text, and may hold anything. */
export function endedError(title: string, sandboxed: boolean): HearthError {
	return retryable('server_unreachable', `The program of ${title} ended.`, {
		action: sandboxed
			? 'See what it wrote. It sees only the folders that you named: its own files may have to be among them.'
			: 'See what it wrote, and check its command in Settings, Tool servers.',
	});
}

/** An answer that is none of a tool server's. */
export function statusError(status: number | undefined, title: string): HearthError {
	if (status === 401 || status === 403) return signInError(title);
	if (status !== undefined && RETRY_STATUS.has(status)) return retryable('server_unreachable', `${title} answers with status ${status}.`);
	return terminal('server_refused', `${title} does not answer as a tool server does${status === undefined ? '' : ` (status ${status})`}.`, {
		action: 'Check its address in Settings, Tool servers.',
	});
}

/** The guarded fetch's own, however deep the library wrapped it. */
function hearthErrorIn(error: unknown): HearthError | undefined {
	let at = error;
	for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
		if (at instanceof HearthError) return at;
		at = at.cause;
	}
	return undefined;
}

function isNoSuchProgram(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
}

export function notAsApproved(title: string, tool: string): HearthError {
	return terminal('server_refused', `${title} does not offer “${tool}” any more as the owner approved it. It was not called.`);
}
