import type { ReadDb } from '../db/brands.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { RunKind } from '../domain/run.ts';
import type { ActiveHours } from '../domain/schedule.ts';
import { isActive } from '../schedule/active-hours.ts';
import { gapBetween } from '../timer/gap-store.ts';
import type { Hindrance } from './missed.ts';

/** What stood in the way at some time from `from` to `to`: nothing went on, or it was outside of the owner's hours as they are now. */
export function hindranceBetween(
	db: ReadDb,
	{ from, to, kind }: { readonly from: Timestamp; readonly to: Timestamp; readonly kind: RunKind },
	owners: { readonly hours: ActiveHours | null; readonly zone: string },
): Exclude<Hindrance, 'late'> | undefined {
	const gap = gapBetween(db, from, to);
	if (gap !== undefined) return gap;
	return kind !== 'chat' && owners.hours && !isActive(owners.hours, from, owners.zone) ? 'active_hours' : undefined;
}
