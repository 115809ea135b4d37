import { roughTokens } from '../../base/rough-tokens.ts';
import { parseJson } from '../../domain/json.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { stoppedError } from '../errors.ts';
import type { EmbeddingPort } from '../port.ts';
import { prefixFor } from '../prefixes.ts';
import { badResponseError, refusedError, type ServerSubject, wayError } from '../server-errors.ts';

/** One call through the guarded fetch of `src/net`, in the words that matter here. */
export interface EmbeddingRequest {
	url: string;
	allow: { readonly baseUrl: string; readonly ownerNamed: boolean };
	purpose: 'embedding';
	method: 'POST';
	headers: Readonly<Record<string, string>>;
	body: string;
	signal: AbortSignal;
	silenceMs: number;
	maxBytes: number;
}
export type EmbeddingFetch = (request: EmbeddingRequest) => Promise<Response>;

export interface ServerDeps {
	readonly fetch: EmbeddingFetch;
	/** Undefined where the server needs no key. Rejects with a HearthError where the store is locked. */
	key(): Promise<string | undefined>;
	now(): number;
	/** Told of each answer: what making the vectors used. `estimated`: the server did not say. */
	used(use: EmbeddingUse): void;
}

export interface EmbeddingUse {
	readonly base: string;
	readonly tokens: number;
	readonly estimated: boolean;
}

/** What differs between servers. */
export interface ServerApi {
	readonly kind: 'ollama' | 'openai-compatible';
	/** Without a slash at the end. */
	readonly base: string;
	readonly path: string;
	readonly modelId: string;
	readonly getModel: string;
	body(texts: readonly string[]): unknown;
	/** The vectors in the order of the texts; undefined where the answer has another form. */
	read(answer: unknown): readonly (readonly number[])[] | undefined;
	/** What the server counted; undefined where it does not say. */
	tokens(answer: unknown): number | undefined;
}

/** Texts of one request, and UTF-16 units of one text: what every model's window and every server's limit has room for. */
const BATCH = 32;
const MOST_CHARS = 6000;
/** A large model on a laptop may first have to be loaded. */
const SILENCE_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
const ERROR_CHARS = 16_384;

/** A port over a server's HTTP API; the requests of one call follow each other, those of different calls do not wait for each other. */
export function createServerPort(api: ServerApi, deps: ServerDeps): EmbeddingPort {
	const { base, modelId } = api;
	const { host } = new URL(base);
	const closing = new AbortController();
	let dims: number | undefined;

	async function ask(texts: readonly string[], key: string | undefined, signal: AbortSignal): Promise<Float32Array[]> {
		const subject: ServerSubject = { host, modelId, keySent: key !== undefined, getModel: api.getModel };
		const { response, text } = await send(texts, key, signal);
		if (!response.ok) throw refusedError(response.status, response.headers, text.slice(0, ERROR_CHARS), subject, deps.now());
		const answer = parseJson(text);
		if (answer === undefined) throw badResponseError('something that is not JSON', subject);
		const counted = api.tokens(answer);
		deps.used({ base, tokens: counted ?? roughTokens(texts.join('')), estimated: counted === undefined });
		const vectors = api.read(answer);
		if (!vectors) throw badResponseError('something other than vectors', subject);
		if (vectors.length !== texts.length) throw badResponseError(`${vectors.length} vectors for ${texts.length} texts`, subject);
		return vectors.map((vector) => {
			const length = Math.hypot(...vector);
			if (!(length > 0) || !Number.isFinite(length)) throw badResponseError('a vector without a direction', subject);
			dims ??= vector.length;
			if (vector.length !== dims) throw badResponseError(`vectors of ${vector.length} numbers where others have ${dims}`, subject);
			return Float32Array.from(vector, (value) => value / length);
		});
	}

	async function send(
		texts: readonly string[],
		key: string | undefined,
		signal: AbortSignal,
	): Promise<{ response: Response; text: string }> {
		try {
			const response = await deps.fetch({
				url: `${base}${api.path}`,
				allow: { baseUrl: base, ownerNamed: true },
				purpose: 'embedding',
				method: 'POST',
				headers: {
					accept: 'application/json',
					'content-type': 'application/json',
					...(key !== undefined && { authorization: `Bearer ${key}` }),
				},
				body: JSON.stringify(api.body(texts)),
				signal,
				silenceMs: SILENCE_MS,
				maxBytes: MAX_BYTES,
			});
			return { response, text: await response.text() };
		} catch (error) {
			throw wayError(error);
		}
	}

	return {
		id: `${api.kind}:${base}:${modelId}`,
		get dims() {
			return dims;
		},
		async embed(texts, kind, signal) {
			const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
			const prefix = prefixFor(modelId, kind);
			const key = await deps.key();
			const vectors: Float32Array[] = [];
			for (let at = 0; at < texts.length; at += BATCH) {
				if (either.aborted) throw stoppedError();
				const batch = texts.slice(at, at + BATCH).map((text) => prefix + cutCodePoints(text, MOST_CHARS));
				vectors.push(...(await ask(batch, key, either)));
			}
			return vectors;
		},
		async close() {
			closing.abort();
		},
	};
}
