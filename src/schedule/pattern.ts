/** A recurring pattern on a clock without gaps. Its times are walls: milliseconds since 1970 by the clock on the wall (`wallAt`). */
export interface WallPattern {
	/** The first wall after `after`. */
	next(after: number): number | undefined;
}

/**
 * `fixed`: times of day that are named; each comes once on its day. `wild`: steps and wildcards that follow real time through a change of clocks;
 * its phase may depend on the offset that the clocks go by.
 */
export type Pattern =
	| { readonly kind: 'fixed'; readonly walls: WallPattern }
	| { readonly kind: 'wild'; walls(offset: number): WallPattern };
