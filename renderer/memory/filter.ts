import type { Label } from '../../src/domain/label.ts';
import { localDay } from '../../src/domain/local-day.ts';
import type { Author, EntryFilter, SourceKind } from '../../src/domain/memory.ts';
import type { Place } from './place.ts';

/** When the entries were written. `custom` names days, the second one included. */
export type DateChoice =
	| { readonly kind: 'any' | 'today' | 'week' | 'month' | 'year' | 'before_year' }
	| { readonly kind: 'custom'; readonly from: string; readonly until: string };

/** What the row of filters says. Empty lists filter nothing. */
export interface Chosen {
	readonly authors: readonly Author[];
	readonly labels: readonly Label[];
	readonly sources: readonly SourceKind[];
	readonly date: DateChoice;
	readonly neverUsed: boolean;
}

export const NOTHING_CHOSEN: Chosen = { authors: [], labels: [], sources: [], date: { kind: 'any' }, neverUsed: false };

const DAY_MS = 86_400_000;

export function isFiltered(chosen: Chosen): boolean {
	const { authors, labels, sources, date, neverUsed } = chosen;
	return authors.length + labels.length + sources.length > 0 || date.kind !== 'any' || neverUsed;
}

/** The start of a day of the owner's clock, in milliseconds. `2026-03-10`; undefined for anything else. */
export function startOfDay(day: string, add = 0): number | undefined {
	const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number);
	if (!parts) return undefined;
	const [year = 0, month = 1, date = 1] = parts;
	return new Date(year, month - 1, date + add).getTime();
}

/** What the runtime is asked for. `now` in milliseconds. */
export function filterOf(place: Place, chosen: Chosen, now: number): EntryFilter {
	const { from, until } = span(chosen.date, now);
	return {
		...(place.kind === 'file' ? { file: place.file } : {}),
		...(place.kind === 'file' && place.headingPath.length > 0 ? { headingPath: [...place.headingPath] } : {}),
		...(chosen.authors.length > 0 ? { authors: [...chosen.authors] } : {}),
		...(chosen.labels.length > 0 ? { labels: [...chosen.labels] } : {}),
		...(chosen.sources.length > 0 ? { sources: [...chosen.sources] } : {}),
		...(from === undefined ? {} : { from }),
		...(until === undefined ? {} : { until }),
		...(chosen.neverUsed ? { neverUsed: true } : {}),
	};
}

function span(date: DateChoice, now: number): { from?: number | undefined; until?: number | undefined } {
	const today = startOfDay(localDay(now)) ?? now;
	switch (date.kind) {
		case 'any':
			return {};
		case 'today':
			return { from: today };
		case 'week':
			return { from: today - 6 * DAY_MS };
		case 'month':
			return { from: today - 29 * DAY_MS };
		case 'year':
			return { from: today - 364 * DAY_MS };
		case 'before_year':
			return { until: today - 364 * DAY_MS };
		case 'custom':
			return { from: startOfDay(date.from), until: startOfDay(date.until, 1) };
		default:
			return date satisfies never;
	}
}
