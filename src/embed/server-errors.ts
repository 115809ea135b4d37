import { z } from 'zod';
import { retryAfterMs } from '../base/retry-after.ts';
import { type ErrorCode, HearthError, needsOwner, retryable, terminal } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';
import { KEYWORDS_GO_ON } from './errors.ts';

/** Which server and model a call was for, for the words of its errors. */
export interface ServerSubject {
	/** Host and port. */
	readonly host: string;
	readonly modelId: string;
	readonly keySent: boolean;
	/** What to do about a model that the server does not have. */
	readonly getModel: string;
}

const CHECK_ADDRESS = 'Check the address in Settings, Memory.';
const NO_CREDIT = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'insufficient_credits', 'billing_error']);
const code = z.union([z.string(), z.number()]).nullish().catch(null);
const ErrorBody = z.object({ error: z.union([z.string(), z.object({ code, type: code })]) });

/** An answer with an error status. Nothing of the server's own words is passed on: servers echo keys (S3). */
export function refusedError(
	status: number,
	headers: Pick<Headers, 'get'>,
	body: string,
	subject: ServerSubject,
	now: number,
): HearthError {
	const { host, modelId } = subject;
	const more = { safe: KEYWORDS_GO_ON };
	const said = ErrorBody.safeParse(parseJson(body)).data?.error;
	const codes = typeof said === 'object' ? [said.code, said.type].map(String) : [];
	const wait = retryAfterMs(headers, now);
	if (status === 402 || codes.some((name) => NO_CREDIT.has(name))) {
		const action = 'Add credit there, or choose another embedding model in Settings, Memory.';
		return needsOwner('embedding_quota', `Your quota at ${host} is used up.`, { ...more, action });
	}
	if (status === 401 || status === 403 || status === 407) {
		const message = subject.keySent ? `${host} refused the key for embeddings.` : `${host} wants a key for embeddings.`;
		return needsOwner('embedding_auth', message, { ...more, action: 'Check the key in Settings, Memory.' });
	}
	if (status === 429) return retryable('embedding_rate_limited', `${host} asks to slow down.`, { ...more, retryAfterMs: wait });
	if (status === 404 && said !== undefined) {
		return needsOwner('embedding_model_missing', `${host} has no embedding model “${modelId}”.`, { ...more, action: subject.getModel });
	}
	if (status >= 500 || status === 408 || status === 409) {
		return retryable('embedding_unreachable', `${host} has a problem (status ${status}).`, { ...more, retryAfterMs: wait });
	}
	return terminal('embedding_bad_response', `${host} refused to embed with “${modelId}” (status ${status}).`, {
		...more,
		action: CHECK_ADDRESS,
	});
}

/** An answer that holds no vectors, or not the ones that were asked for. */
export function badResponseError(what: string, subject: ServerSubject): HearthError {
	return terminal('embedding_bad_response', `${subject.host} answered with ${what}.`, {
		safe: KEYWORDS_GO_ON,
		action: 'Check in Settings, Memory that the address and the model are made for embeddings.',
	});
}

const OURS: Partial<Record<ErrorCode, ErrorCode>> = {
	model_unreachable: 'embedding_unreachable',
	model_timeout: 'embedding_unreachable',
	model_stream_cut: 'embedding_unreachable',
	model_bad_response: 'embedding_bad_response',
};

/** A failure on the way there, told as one of embeddings. */
export function wayError(error: unknown): unknown {
	if (!(error instanceof HearthError)) return error;
	const { shape } = error;
	return new HearthError({ ...shape, code: OURS[shape.code] ?? shape.code, safe: KEYWORDS_GO_ON }, { cause: error });
}
