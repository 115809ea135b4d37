import { z } from 'zod';
import { retryAfterMs } from '../base/retry-after.ts';
import { type ErrorShape, needsOwner, retryable, terminal } from '../domain/errors.ts';
import type { ProviderConfig } from '../domain/model.ts';
import { scrubProviderText } from './scrub.ts';

/** What a call is about, for the words of its errors. */
export interface CallSubject {
	provider: ProviderConfig;
	/** Absent for a list of models. */
	modelId?: string;
	/** The key that was sent, to keep it out of every text. */
	key: string | undefined;
	now: number;
}

export interface Refusal {
	status: number;
	headers: Pick<Headers, 'get'>;
	/** At most the first kilobytes. */
	body: string;
}

/** What providers put into an error body, whatever they call it. */
interface ProviderError {
	/** Machine-readable: `code`, `type`, both in lower case. */
	codes: string[];
	message: string;
}

const OVERFLOW_CODES = new Set(['context_length_exceeded', 'exceed_context_size_error', 'request_too_large', 'string_above_max_length']);
/**
 * Ollama, Anthropic, vLLM, LM Studio and OpenRouter have no code for "too long", only words. These are their words; nothing
 * else in Hearth reads a message.
 */
const OVERFLOW_WORDS = [
	/maximum context length/i,
	/context (?:length|size|window).{0,40}(?:exceed|overflow)|exceed\w*.{0,40}context (?:length|size|window)/i,
	/prompt is too long/i,
	/when context the overflows|loaded with context length of only/i,
	/input length and `max_tokens` exceed context limit/i,
	/available context size/i,
];
const NO_CREDIT_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'insufficient_credits', 'billing_error']);
const NO_CREDIT_WORDS = [/credit balance is too low/i];
const NO_TOOLS_WORDS = [/does not support tools/i, /tools? (?:is|are) not supported/i, /does not support tool use/i];
const BAD_TOOL_CALL_WORDS = [/error parsing tool call/i];
const OVERLOADED_CODES = new Set(['overloaded_error', 'server_is_overloaded', 'slow_down']);

const ErrorBody = z.looseObject({
	error: z.union([z.string(), z.looseObject({})]).optional(),
	message: z.string().optional(),
	type: z.string().optional(),
	code: z.union([z.string(), z.number()]).nullish(),
});
const ErrorFields = z.looseObject({
	message: z.string().catch(''),
	type: z.string().nullish().catch(null),
	code: z.union([z.string(), z.number()]).nullish().catch(null),
});

/** An answer with an error status, as an error of ours. */
export function refusalError(refusal: Refusal, subject: CallSubject): ErrorShape {
	const { status } = refusal;
	const wait = retryAfterMs(refusal.headers, subject.now);
	const error = readErrorBody(refusal.body);
	const isPage = looksLikeHtml(refusal.headers.get('content-type'), refusal.body);
	if (isPage && status < 500 && status !== 401) return pageError(subject, status);
	return statusError(status, error, subject, wait);
}

/** An error body that came with status 200, or inside a stream. */
export function reportedError(value: unknown, subject: CallSubject): ErrorShape {
	const error = readErrorValue(value);
	const status = error.codes.map(Number).find((code) => code >= 400 && code < 600);
	const known = codedError(error, subject, undefined);
	if (known) return known;
	if (status !== undefined) return statusError(status, error, subject, undefined);
	return retryable('model_bad_response', `${subject.provider.name} reported an error instead of answering.${quote(error, subject)}`, {
		safe: 'What had arrived is kept.',
	}).shape;
}

/** A web page where an answer should be. */
export function pageError(subject: CallSubject, status: number): ErrorShape {
	return terminal('model_bad_response', `A web page came back instead of an answer (status ${status}) from ${subject.provider.name}.`, {
		safe: 'Your message is kept.',
		action: 'Check the address in Settings, Models. In a café or an office, the network may want you to sign in first.',
	}).shape;
}

export function notAnApiError(subject: CallSubject): ErrorShape {
	return terminal('model_bad_response', `What ${subject.provider.name} sent could not be read as an answer.`, {
		safe: 'What had arrived is kept.',
		action: 'Check that the address in Settings, Models belongs to this kind of server.',
	}).shape;
}

export function emptyError(subject: CallSubject): ErrorShape {
	return retryable('model_empty_response', `${subject.modelId ?? subject.provider.name} sent an empty answer.`, {
		action: 'Try again, or choose another model.',
	}).shape;
}

export function looksLikeHtml(contentType: string | null, body: string): boolean {
	return /\bhtml\b/i.test(contentType ?? '') || /^\s*<(?:!doctype|html|head|body)\b/i.test(body);
}

function statusError(status: number, error: ProviderError, subject: CallSubject, wait: number | undefined): ErrorShape {
	const { provider } = subject;
	const known = codedError(error, subject, wait);
	if (known) return known;
	if (status === 401 || status === 403 || status === 407) {
		// No quote: these are the answers that echo keys.
		const what = status === 401 ? 'refused the key' : 'does not allow this key to do that';
		return needsOwner('model_auth', subject.key === undefined ? `${provider.name} wants a key.` : `${provider.name} ${what}.`, {
			safe: 'Your message is kept.',
			action: 'Check the key in Settings, Models.',
		}).shape;
	}
	if (status === 402) return noCredit(subject);
	if (status === 404 && error.message !== '' && subject.modelId !== undefined) return modelMissing(subject);
	if (status === 404 || status === 405) {
		return terminal('model_bad_response', `${provider.name} does not know this address (status ${status}).`, {
			action: 'Check the address in Settings, Models: it may need to end in /v1.',
		}).shape;
	}
	if (status === 413) return overflow(subject);
	if (status === 429) {
		return retryable('model_rate_limited', `${provider.name} asks to slow down.`, { retryAfterMs: wait, safe: 'Your message is kept.' })
			.shape;
	}
	if (status === 408 || status === 504) {
		return retryable('model_timeout', `${provider.name} ran out of time (status ${status}).`, { retryAfterMs: wait }).shape;
	}
	if (status >= 500 || status === 409) {
		return retryable('model_server_error', `${provider.name} has a problem (status ${status}).${quote(error, subject)}`, {
			retryAfterMs: wait,
			safe: 'Your message is kept.',
		}).shape;
	}
	return terminal('model_bad_response', `${provider.name} refused the request (status ${status}).${quote(error, subject)}`, {
		safe: 'Your message is kept.',
		action: 'Try another model.',
	}).shape;
}

/** Errors that the provider names by a code or by its own fixed words, whatever the status. */
function codedError(error: ProviderError, subject: CallSubject, wait: number | undefined): ErrorShape | undefined {
	const has = (codes: ReadonlySet<string>) => error.codes.some((code) => codes.has(code));
	const says = (words: readonly RegExp[]) => words.some((word) => word.test(error.message));
	const { provider } = subject;
	if (has(OVERFLOW_CODES) || says(OVERFLOW_WORDS)) return overflow(subject);
	if (has(NO_CREDIT_CODES) || says(NO_CREDIT_WORDS)) return noCredit(subject);
	if (has(OVERLOADED_CODES)) {
		return retryable('model_server_error', `${provider.name} is overloaded.`, { retryAfterMs: wait, safe: 'Your message is kept.' }).shape;
	}
	if (error.codes.includes('rate_limit_error') || error.codes.includes('rate_limit_exceeded')) {
		return retryable('model_rate_limited', `${provider.name} asks to slow down.`, { retryAfterMs: wait, safe: 'Your message is kept.' })
			.shape;
	}
	if (error.codes.includes('model_not_found')) return modelMissing(subject);
	if (says(BAD_TOOL_CALL_WORDS)) {
		return retryable('model_bad_tool_call', `${subject.modelId ?? provider.name} wrote a tool call that can’t be read.`, {}).shape;
	}
	if (says(NO_TOOLS_WORDS)) {
		return terminal('model_bad_response', `${subject.modelId ?? provider.name} can’t use tools.`, {
			action: 'Choose a model that can use tools.',
		}).shape;
	}
	return undefined;
}

function overflow(subject: CallSubject): ErrorShape {
	return terminal('model_context_overflow', `The conversation is longer than ${subject.modelId ?? subject.provider.name} can take in.`, {
		safe: 'Nothing of it is lost.',
		action: 'Start a new chat, leave parts out, or choose a model with a larger window.',
	}).shape;
}

function noCredit(subject: CallSubject): ErrorShape {
	return needsOwner('model_rate_limited', `Your account at ${subject.provider.name} has no credit left.`, {
		safe: 'Your message is kept.',
		action: 'Add credit there, or choose another model.',
	}).shape;
}

function modelMissing(subject: CallSubject): ErrorShape {
	const name = subject.modelId ?? 'that model';
	const action =
		subject.provider.kind === 'ollama' ? `Run “ollama pull ${name}”, or choose another model.` : 'Load it there, or choose another model.';
	return needsOwner('model_not_found', `${subject.provider.name} has no model “${name}”.`, { safe: 'Your message is kept.', action }).shape;
}

function quote(error: ProviderError, subject: CallSubject): string {
	const words = scrubProviderText(error.message, [subject.key]);
	return words === '' ? '' : ` It says: “${words}”`;
}

function readErrorBody(body: string): ProviderError {
	try {
		return readErrorValue(JSON.parse(body));
	} catch {
		// Not JSON: a proxy's text or a page. Its words are not the provider's.
		return { codes: [], message: '' };
	}
}

/** Reads `{error: {…}}`, `{error: "…"}`, `{type: "error", error: {…}}`, `{message, code}` and the inner object alone. */
function readErrorValue(value: unknown): ProviderError {
	if (typeof value === 'string') return { codes: [], message: value };
	const body = ErrorBody.safeParse(value);
	if (!body.success) return { codes: [], message: '' };
	if (typeof body.data.error === 'string') return { codes: codesOf(body.data), message: body.data.error };
	const fields = ErrorFields.safeParse(body.data.error ?? body.data);
	return fields.success ? { codes: codesOf(fields.data), message: fields.data.message } : { codes: [], message: '' };
}

function codesOf(fields: { type?: string | null; code?: string | number | null }): string[] {
	return [fields.code, fields.type].flatMap((code) => (code === null || code === undefined ? [] : [String(code).toLowerCase()]));
}
