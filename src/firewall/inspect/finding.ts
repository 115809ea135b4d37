import type { FlagKind } from '../../domain/inspection.ts';

/** From UTF-16 offset `start` (included) to `end` (excluded) of the text that was looked at. */
export interface Finding {
	readonly kind: FlagKind;
	readonly start: number;
	readonly end: number;
	/** How much it says by itself: 0 nothing, 1 little, 2 much, 3 that somebody wants to steer the agent or to hide something. */
	readonly weight: number;
}
