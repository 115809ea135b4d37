/** What the system tells of who sits at it. */
export interface Presence {
	/** Since the last key or movement. */
	readonly idleSeconds: number;
	readonly locked: boolean;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
}

/** Less than this is a pause for thought. */
const AWAY_SECONDS = 60;

export interface Away {
	/** The screen was locked, or the machine goes to sleep. */
	left(at: number): void;
	/** For how many minutes the owner was away, once, where they are back; else undefined. */
	look(presence: Presence): number | undefined;
}

/** Tells from looks, some seconds apart, when the owner comes back, and after how long. Pure but for what it remembers. */
export function createAway(): Away {
	let since: number | undefined;
	return {
		left: (at) => {
			since ??= at;
		},
		look: ({ idleSeconds, locked, at }) => {
			const last = at - idleSeconds * 1000;
			if (locked || idleSeconds >= AWAY_SECONDS) {
				since = Math.min(since ?? last, last);
				return undefined;
			}
			if (since === undefined) return undefined;
			const minutes = (last - since) / 60_000;
			since = undefined;
			return minutes > 0 ? minutes : undefined;
		},
	};
}
