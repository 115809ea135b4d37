import type { FindingsDigest } from '../../src/contract/methods/heartbeat.ts';
import { localDay } from '../../src/domain/local-day.ts';

/** What the owner was told of findings by notifications. */
export interface Told {
	/** The owner's local day of the last one; empty where there was none. */
	readonly day: string;
	/** It stands unopened: they have not looked at Hearth since. */
	readonly standing: boolean;
}
export const NOTHING_TOLD: Told = { day: '', standing: false };

export interface FindingsNotice {
	readonly waiting: number;
	/** New since the last look that was told of; all that wait where it is not less. */
	readonly found: number;
	/** Of the day's first one: for how many days the oldest has waited. */
	readonly days?: number;
}

/**
 * What is told after a look, without a word of what was found: one notification for a look that found something, none while an earlier one
 * stands unopened. The first of a day is the digest: it also says for how long the oldest has waited, and comes although one stands, and
 * although the look found nothing, where something has waited since an earlier day. So there is at most one digest a day.
 */
export function noticeOf(
	found: number,
	{ waiting, oldestAt }: Pick<FindingsDigest, 'waiting' | 'oldestAt'>,
	told: Told,
	now: number,
): FindingsNotice | undefined {
	if (waiting === 0) return undefined;
	const days = oldestAt === undefined ? 0 : daysBetween(oldestAt, now);
	const isFirst = told.day !== localDay(now);
	if (isFirst && (found > 0 || days > 0)) return { waiting, found, ...(days > 0 && { days }) };
	return found > 0 && !told.standing ? { waiting, found } : undefined;
}

/** Days of the owner's calendar. */
function daysBetween(earlier: number, later: number): number {
	const dayOf = (at: number): number => {
		const date = new Date(at);
		return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
	};
	return Math.max(0, dayOf(later) - dayOf(earlier));
}
