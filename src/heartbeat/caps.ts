import { FIRST_TRUST, LOW_TRUST, type Urgency } from '../domain/heartbeat.ts';

/** How many findings may be held, and which come first. Pure. */

export interface Room {
	/** Of one look, less what other runs of it hold. */
	readonly look: number;
	/** Of the owner's day, less what is held of it. */
	readonly day: number;
	/** Of the source's day, as its trust lets it, less what is held of it. */
	readonly source: number;
}

export function roomIn({ look, day, source }: Room): number {
	return Math.max(0, Math.min(look, day, source));
}

/** A source that the owner mostly rejects brings fewer; one finding a day is always let through, so that it can win trust again. */
export function sourceCap(findingsPerDay: number, trust: number): number {
	const share = trust < LOW_TRUST ? trust / (2 * FIRST_TRUST) : Math.min(1, trust / FIRST_TRUST);
	return Math.max(1, Math.floor(findingsPerDay * share));
}

const ORDER: Readonly<Record<Urgency, number>> = { high: 0, normal: 1, low: 2 };

/** The most urgent first, else as they were answered: the same answer is always cut at the same place. */
export function byUrgency<T extends { readonly urgency: Urgency; readonly index: number }>(findings: readonly T[]): T[] {
	return findings.toSorted((a, b) => ORDER[a.urgency] - ORDER[b.urgency] || a.index - b.index);
}

/** Of the longest day of a year. What is further ahead was made by a clock that was wrong, and uses up no day. */
export const LONGEST_DAY_MS = 25 * 3_600_000;

/** The first instant of the day in which `at` lies, by the owner's clock. */
export function startOfDay(at: number): number {
	const date = new Date(at);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
