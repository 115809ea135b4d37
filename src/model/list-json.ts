import type { z } from 'zod';
import { HearthError } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';
import type { AllowedAddress } from '../net/destination.ts';
import type { AdapterDeps } from './adapter.ts';
import { type CallSubject, looksLikeHtml, notAnApiError, pageError, refusalError } from './provider-errors.ts';
import { readStart } from './wire-fetch.ts';

const LIST_LIMIT = 8 * 1024 * 1024;
const LIST_SILENCE_MS = 5000;

export interface ListRequest<T> {
	url: string;
	allow: AllowedAddress;
	headers?: Record<string, string>;
	/** Sent as JSON by POST. */
	body?: unknown;
	schema: z.ZodType<T>;
	signal: AbortSignal;
}

/** A small JSON document from a provider, such as its list of models. Rejects with a HearthError. */
export async function fetchJson<T>(deps: AdapterDeps, key: string | undefined, request: ListRequest<T>): Promise<T> {
	const subject: CallSubject = { provider: deps.provider, key, now: deps.now() };
	const response = await deps.fetch({
		url: request.url,
		allow: request.allow,
		purpose: 'model_list',
		method: request.body === undefined ? 'GET' : 'POST',
		headers: {
			accept: 'application/json',
			...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
			...request.headers,
		},
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		signal: request.signal,
		connectMs: LIST_SILENCE_MS,
		silenceMs: LIST_SILENCE_MS,
		maxBytes: LIST_LIMIT,
	});
	const contentType = response.headers.get('content-type');
	if (!response.ok) {
		const body = await readStart(response);
		throw new HearthError(refusalError({ status: response.status, headers: response.headers, body }, subject));
	}
	const text = await response.text();
	if (looksLikeHtml(contentType, text)) throw new HearthError(pageError(subject, response.status));
	const parsed = request.schema.safeParse(parseJson(text));
	if (!parsed.success) throw new HearthError(notAnApiError(subject));
	return parsed.data;
}
