/**
 * The long tests (`npm run test:soak`) try the costly properties more often and kill at each passing of every crash point; the default ones
 * at every fifth passing of some. The benchmark `crash` kills at all of them.
 */
export const THOROUGH = process.env.HEARTH_THOROUGH === '1';

export function stride(fine: number): number {
	return THOROUGH ? fine : fine * 5;
}

/** All of them in the long tests, else those that are chosen. */
export function some<T>(all: readonly T[], chosen: (one: T) => boolean): T[] {
	return all.filter((one) => THOROUGH || chosen(one));
}

/** Tries of a property test that takes long for each: the long tests find what is rare. */
export function tries(few: number): number {
	return THOROUGH ? few * 5 : few;
}

/**
 * What is drawn is the same at each default run, so that a red run is this change's own; the long tests draw anew. `HEARTH_SEED` gives a
 * printed seed again.
 */
export const SEED = Number(process.env.HEARTH_SEED ?? (THOROUGH ? Date.now() % 1_000_000 : 20_261_130));
