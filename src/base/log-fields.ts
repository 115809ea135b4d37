import { HearthError } from '../domain/errors.ts';

/** Field names whose values never reach a log: secrets, and everything that may hold what people or models wrote. */
const HIDDEN = new Set(
	[
		...['key', 'apikey', 'authorization', 'auth', 'cookie', 'credential', 'credentials', 'password', 'passphrase', 'secret', 'token'],
		...['text', 'content', 'message', 'messages', 'prompt', 'parts', 'title', 'query', 'body', 'arguments', 'args', 'input', 'output'],
		...['sample', 'delta', 'reasoning', 'answer', 'headers', 'draft', 'detail'],
	].map((name) => name.toLowerCase()),
);
const HIDDEN_ENDINGS = /(api_?key|secret|password|passphrase|token|authorization|cookie)$/i;

/** Values that look like a secret wherever they stand: provider keys, bearer headers, credentials in an address, long random words. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
	[/\b(sk|pk|rk|ghp|gho|xox[abprs]|glpat|AIza|hf|key)[-_][A-Za-z0-9_-]{8,}/g, '[redacted]'],
	[/\bAIza[A-Za-z0-9_-]{20,}/g, '[redacted]'],
	[/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, '$1 [redacted]'],
	[/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s:@]+:[^/\s@]+@/gi, '$1[redacted]@'],
	[/([?&#](?:key|token|api_?key|access_token|secret|password|auth)=)[^&\s#]+/gi, '$1[redacted]'],
	// Without slashes, which would make every long path look like one.
	[/\b[A-Za-z0-9+_-]{40,}={0,2}/g, '[redacted]'],
	[/\b[A-Za-z0-9+/]{40,}={1,2}/g, '[redacted]'],
];
const LONGEST_STRING = 300;
const DEEPEST = 4;
const MOST_ITEMS = 50;

/** Takes secrets out of a string and cuts it to a length that cannot hold a conversation. */
export function scrub(text: string): string {
	let result = text;
	for (const [shape, replacement] of SECRET_SHAPES) result = result.replace(shape, replacement);
	return result.length > LONGEST_STRING ? `${result.slice(0, LONGEST_STRING)}…` : result;
}

/** A copy of the fields that is safe to keep: bounded in depth, length and count, without secrets and without written text. */
export function safeFields(fields: Record<string, unknown>): Record<string, unknown> {
	return safeObject(fields, 0);
}

function safeObject(value: object, depth: number): Record<string, unknown> {
	const result: Record<string, unknown> = {};
	for (const [name, item] of Object.entries(value).slice(0, MOST_ITEMS)) {
		result[name] = isHidden(name, item) ? '[redacted]' : safeValue(item, depth + 1);
	}
	return result;
}

function isHidden(name: string, value: unknown): boolean {
	// Counts such as `inputTokens` or `text: 12` tell nothing.
	if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null) return false;
	return HIDDEN.has(name.toLowerCase()) || HIDDEN_ENDINGS.test(name);
}

function safeValue(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return scrub(value);
	if (typeof value === 'bigint') return value.toString();
	if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
	if (value instanceof Error) return safeError(value, depth);
	if (typeof value !== 'object' || value === null) return value;
	if (depth >= DEEPEST) return '[deep]';
	if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
	if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => safeValue(item, depth + 1));
	return safeObject(value, depth);
}

/**
 * What an error tells without its own words: a foreign error's text may quote anything (JSON.parse quotes its input). Our
 * own errors, the system's and SQLite's speak in fixed phrases and are kept.
 */
function safeError(error: Error, depth: number): Record<string, unknown> {
	const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
	const fixedPhrases = error instanceof HearthError || error.name === 'SqliteError' || 'syscall' in error;
	const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
	return {
		name: error.name,
		...(code ? { code } : {}),
		...(fixedPhrases ? { says: scrub(error.message) } : {}),
		at: frames.slice(0, 8).map((line) => scrub(line.trim())),
		...(error.cause === undefined || depth >= DEEPEST ? {} : { cause: safeValue(error.cause, depth + 1) }),
	};
}
