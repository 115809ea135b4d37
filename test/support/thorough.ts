/** The long tests (`npm run test:soak`) kill at each passing of a crash point, the default ones at every third. */
export const THOROUGH = process.env.HEARTH_THOROUGH === '1';

export function stride(fine: number): number {
	return THOROUGH ? fine : fine * 3;
}
