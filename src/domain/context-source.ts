import { z } from 'zod';
import { Timestamp } from './ids.ts';
import { joinLabels, LABELS, Label } from './label.ts';
import { cutCodePoints } from './text.ts';

/** Where a piece of what a step could see came from. */
export const ContextSourceKind = z.enum([
	'owner_message',
	'reply',
	'document',
	'memory',
	'attachment',
	'summary',
	'skill',
	'file',
	'command',
	'page',
	'search',
	'server',
	'event',
	'child',
	'workflow',
	/** The words of a scheduled task, and what fired it. */
	'task',
	/** An item of a source, and what background work found in it. */
	'finding',
	'hearth',
]);
export type ContextSourceKind = z.infer<typeof ContextSourceKind>;

const LONGEST_NAME = 300;
const LONGEST_ADDRESS = 4_000;

/**
 * `name`: for people, one line: a path, an address without its query, a tool of a server. `hash`: SHA-256 of what was read, where it is one
 * text. `url` and `at`: of a page, its whole address and when it was fetched.
 */
export const ContextSource = z.object({
	kind: ContextSourceKind,
	name: z.string().max(LONGEST_NAME),
	label: Label,
	hash: z.string().length(64).optional(),
	url: z.string().max(LONGEST_ADDRESS).optional(),
	at: Timestamp.optional(),
});
export type ContextSource = z.infer<typeof ContextSource>;

/** Kinds that somebody else than the owner and the agent writes, whatever a single text of theirs is labelled. */
export const OUTSIDE_KINDS = ['page', 'search', 'server', 'command', 'finding'] as const satisfies readonly ContextSourceKind[];

/** Most sources that a step carries by name; of more, the least trusted ones are named. */
export const MOST_SOURCES = 40;

/** The union, without repeats: least trusted first, then in order of appearance. Idempotent; its labels join to the label of all of them. */
export function joinSources(...lists: readonly (readonly ContextSource[] | undefined)[]): ContextSource[] {
	const seen = new Map<string, ContextSource>();
	for (const list of lists)
		for (const source of list ?? []) {
			const key = keyOf(source);
			if (!seen.has(key)) seen.set(key, source);
		}
	return [...seen.values()].sort((a, b) => LABELS.indexOf(b.label) - LABELS.indexOf(a.label)).slice(0, MOST_SOURCES);
}

/** Those of `sources` that `known` does not hold. */
export function newSources(sources: readonly ContextSource[], known: readonly ContextSource[] = []): ContextSource[] {
	const keys = new Set(known.map(keyOf));
	return sources.filter((source) => !keys.has(keyOf(source)));
}

/** The join over sources; `owner` when there are none. */
export function labelOfSources(sources: readonly ContextSource[]): Label {
	return joinLabels(...sources.map(({ label }) => label));
}

/** A name as it may stand in a line of a log or a prompt: one line, bounded. */
export function sourceName(text: string): string {
	const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
	return line.length <= LONGEST_NAME ? line : `${cutCodePoints(line, LONGEST_NAME - 1)}…`;
}

/** Host and path of an address as a URL writes it: its query may hold what nobody should read in a log. */
export function pageName(url: string): string {
	const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]+)([^?#]*)/i.exec(url) ?? [];
	return sourceName(host === undefined ? url.replace(/[?#].*$/s, '') : `${host}${path === '/' ? '' : path}`);
}

function keyOf({ kind, name, label, hash, url }: ContextSource): string {
	return JSON.stringify([kind, name, label, hash ?? null, url ?? null]);
}
