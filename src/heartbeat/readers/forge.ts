import { z } from 'zod';
import { retryAfterMs } from '../../base/retry-after.ts';
import { type HearthError, needsOwner, retryable, terminal } from '../../domain/errors.ts';
import type { PlaceOf } from '../../domain/heartbeat.ts';
import { parseJson } from '../../domain/json.ts';
import type { ReadRequest } from '../ports.ts';
import type { SourceFetch, Validators } from '../source-fetch.ts';

/** GitHub and Gitea over REST: where to ask, what comes back, what a refusal means. */

const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Person = z.object({ login: z.string().optional() }).nullish();

export const Issue = z.object({
	id: z.number().int(),
	number: z.number().int(),
	title: z.string(),
	body: z.string().nullish(),
	state: z.string(),
	state_reason: z.string().nullish(),
	html_url: z.string(),
	user: Person,
	created_at: Time,
	updated_at: Time,
	closed_at: z.string().nullish(),
	pull_request: z.object({ merged: z.boolean().nullish(), merged_at: z.string().nullish() }).nullish(),
});
export type Issue = z.infer<typeof Issue>;

export const Comment = z.object({
	id: z.number().int(),
	body: z.string().nullish(),
	html_url: z.string(),
	issue_url: z.string().nullish(),
	pull_request_url: z.string().nullish(),
	/** Of a comment on a line of a pull request. */
	path: z.string().nullish(),
	user: Person,
	created_at: Time,
	updated_at: Time,
});
export type Comment = z.infer<typeof Comment>;

export interface Page {
	/** As they came; the schema decides which of them count. */
	readonly rows: readonly unknown[];
	readonly hasNext: boolean;
	readonly validators: Validators;
	readonly bytes: number;
}

/** `path`: below the repository. Undefined where nothing changed since the validators. */
export type AskForge = (path: string, query: Readonly<Record<string, string>>, validators?: Validators) => Promise<Page | undefined>;

export function forgeOf(request: ReadRequest<'issues'>, fetchSource: SourceFetch): AskForge {
	const { place, secret, signal, limits, now } = request;
	const base = new URL(`${apiOf(place)}/repos/${place.repository}/`);
	const token = secret === undefined || secret === '' ? undefined : secret;
	return async (path, query, validators) => {
		const url = new URL(path, base);
		url.search = new URLSearchParams(query).toString();
		const answer = await fetchSource({
			url: url.href,
			accept: place.service === 'github' ? 'application/vnd.github+json' : 'application/json',
			headers: token === undefined ? undefined : { authorization: `${place.service === 'github' ? 'Bearer' : 'token'} ${token}` },
			signedIn: token !== undefined,
			validators,
			signal,
			maxBytes: limits.maxBytes,
			now,
			refused: (status, headers) => refusal(status, headers, { ...place, host: base.host, signedIn: token !== undefined, now }),
		});
		if (answer.kind === 'unchanged') return undefined;
		const rows = z.array(z.unknown()).safeParse(parseJson(Buffer.from(answer.body).toString('utf8')));
		if (!rows.success)
			throw terminal('source_unreadable', `${base.host} does not answer as a ${nameOf(place)} does.`, {
				action: 'Check the address, and which service it is.',
			});
		// Where the next page lies is known here: its address is the server's word, and is not followed.
		const hasNext = /<[^>]*>\s*;[^,]*\brel="?next\b/i.test(answer.headers.get('link') ?? '');
		return { rows: rows.data, hasNext, validators: answer.validators, bytes: answer.body.length };
	};
}

/** Throws `invalid_input` where it has to be named. */
function apiOf({ service, baseUrl }: PlaceOf<'issues'>): string {
	const base = baseUrl?.replace(/\/+$/, '');
	if (service === 'github') {
		if (base === undefined || /^https:\/\/(?:www\.|api\.)?github\.com$/i.test(base)) return 'https://api.github.com';
		return base.endsWith('/api/v3') ? base : `${base}/api/v3`;
	}
	if (base === undefined)
		throw terminal('invalid_input', 'A Gitea has an address of its own.', { action: 'Name it, such as https://codeberg.org.' });
	return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

function nameOf({ service }: Pick<PlaceOf<'issues'>, 'service'>): string {
	return service === 'github' ? 'GitHub' : 'Gitea';
}

interface Refused extends Pick<PlaceOf<'issues'>, 'service' | 'repository'> {
	readonly host: string;
	readonly signedIn: boolean;
	readonly now: number;
}

const TOKEN = 'Give this source a token that may read it, or check the name.';

function refusal(status: number, headers: Pick<Headers, 'get'>, of: Refused): HearthError | undefined {
	const { host, repository, signedIn, now } = of;
	const wait = waitOf(headers, now);
	if ((status === 403 || status === 429) && wait !== undefined)
		return retryable('network_unreachable', `${host} was asked as often as it allows for now.`, {
			retryAfterMs: wait,
			...(!signedIn && { action: 'With a token it may be asked more often.' }),
		});
	if (status === 404)
		return needsOwner(
			'source_missing',
			`${host} shows no repository ${repository}${signedIn ? ' to this token' : ', or only with a token'}.`,
			{
				action: TOKEN,
			},
		);
	if (status === 410)
		return terminal('source_refused', `${repository} at ${host} has its issues switched off.`, { action: 'Pause or remove it.' });
	return undefined;
}

/** Milliseconds until it may be asked again; undefined where that is not why it refused. */
function waitOf(headers: Pick<Headers, 'get'>, now: number): number | undefined {
	const told = retryAfterMs(headers, now);
	if (told !== undefined) return told;
	if (headers.get('x-ratelimit-remaining') !== '0') return undefined;
	const reset = Number(headers.get('x-ratelimit-reset'));
	return Number.isFinite(reset) && reset > 0 ? Math.max(1_000, reset * 1_000 - now) : 60 * 60_000;
}
