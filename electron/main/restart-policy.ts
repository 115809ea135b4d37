/** When a runtime that died is started again. Pure. */
export interface RestartState {
	/** Deaths in a row; a life that lasted long enough starts the row anew. */
	readonly deathsInARow: number;
	/** Starts after the first, since the app was opened. */
	readonly restarts: number;
}

const DELAYS_MS = [100, 500, 2_000, 5_000, 15_000];
const HEALTHY_AFTER_MS = 30_000;

export const freshStart: RestartState = { deathsInARow: 0, restarts: 0 };

/** `livedMs`: how long it served since it said it was ready; 0 where it never did. `delayMs` is absent where it is given up. */
export function afterDeath(state: RestartState, livedMs: number): { state: RestartState; delayMs?: number } {
	const deathsInARow = livedMs >= HEALTHY_AFTER_MS ? 1 : state.deathsInARow + 1;
	const delayMs = DELAYS_MS[deathsInARow - 1];
	if (delayMs === undefined) return { state: { ...state, deathsInARow } };
	return { state: { deathsInARow, restarts: state.restarts + 1 }, delayMs };
}
