import { z } from 'zod';
import { Label, LABELS } from './label.ts';

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
	'hearth',
]);
export type ContextSourceKind = z.infer<typeof ContextSourceKind>;

/** `name`: for people, one line: a path, an address without its query, a tool of a server. `hash`: SHA-256 of the text, where it is one text. */
export const ContextSource = z.object({
	kind: ContextSourceKind,
	name: z.string().max(300),
	label: Label,
	hash: z.string().length(64).optional(),
});
export type ContextSource = z.infer<typeof ContextSource>;

/** Most sources that a step carries by name; of more, the least trusted ones are named. */
export const MOST_SOURCES = 40;

/** The union, without repeats: least trusted first, then in order of appearance. Idempotent; its labels join to the label of all of them. */
export function joinSources(...lists: readonly (readonly ContextSource[] | undefined)[]): ContextSource[] {
	const seen = new Map<string, ContextSource>();
	for (const list of lists)
		for (const source of list ?? []) {
			const key = JSON.stringify([source.kind, source.name, source.label, source.hash ?? null]);
			if (!seen.has(key)) seen.set(key, source);
		}
	return [...seen.values()].sort((a, b) => LABELS.indexOf(b.label) - LABELS.indexOf(a.label)).slice(0, MOST_SOURCES);
}
