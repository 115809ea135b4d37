import type { StringId } from '../../src/contract/strings/index.ts';

import type { MemoryEntry, Provenance, Source } from '../../src/domain/memory.ts';
import type { ShownLabel } from '../ui/marks.tsx';

/** One piece of the grey line under an entry. `link` is put where the string says `{source}`. */
export type Part =
	| { readonly kind: 'writer'; readonly id: StringId; readonly source?: Source; readonly more: number }
	| { readonly kind: 'date'; readonly id: StringId; readonly at: number; readonly withTime?: true }
	| { readonly kind: 'used'; readonly count: number; readonly at: number | undefined }
	| { readonly kind: 'words'; readonly id: StringId };

/** Outside text that the owner approved stays outside text (B4): its label says both. Of a text older than the ledger nothing is known. */
export function shownLabel({ label, origin, approval }: Pick<Provenance, 'label' | 'origin' | 'approval'>): ShownLabel {
	if (label === 'approved' && origin === 'approved') return 'unknown';
	return origin === 'external' && (approval || label === 'approved') ? 'approved' : label;
}

/** Who wrote it, and out of what: the string's id says both, because the words of a sentence belong together. */
export function writerOf({ author, sources }: Pick<Provenance, 'author' | 'sources'>): Part {
	// A finding stands before the pages and files that it was found in: those are what one looks for.
	const found = author === 'heartbeat' ? sources.filter(({ kind }) => kind !== 'finding') : [];
	const named = found.length > 0 ? found : sources;
	const source = named[0];
	const more = Math.max(0, named.length - 1);
	return source ? { kind: 'writer', id: `memory.from.${author}`, source, more } : { kind: 'writer', id: `memory.by.${author}`, more };
}

/** The line under an entry: who, when, who approved it, how long it holds, whether it was of use. `now` in milliseconds. */
export function provenanceParts(entry: MemoryEntry, now: number): Part[] {
	const { provenance } = entry;
	const parts: Part[] = [writerOf(provenance)];
	if (provenance.approval) parts.push({ kind: 'date', id: 'memory.approvedOn', at: provenance.approval.at, withTime: true });
	else parts.push({ kind: 'date', id: 'memory.on', at: provenance.at });
	if (provenance.sources.length === 0) parts.push({ kind: 'words', id: 'memory.noSource' });
	if (entry.validFrom !== undefined && entry.state !== 'not_yet') parts.push({ kind: 'date', id: 'memory.since', at: entry.validFrom });
	if (entry.validUntil !== undefined && entry.validUntil > now && entry.state !== 'superseded') {
		// The first instant at which it no longer holds: its last day is the one before.
		parts.push({ kind: 'date', id: 'memory.until', at: entry.validUntil - 1 });
	}
	parts.push({ kind: 'used', count: entry.useCount, at: entry.lastUsedAt });
	return parts;
}

/** Whole days of the owner's clock between two instants. */
export function daysBetween(earlier: number, later: number): number {
	const noon = (at: number): number => new Date(at).setHours(12, 0, 0, 0);
	return Math.round((noon(later) - noon(earlier)) / 86_400_000);
}
