import type { LiveEvent } from './events.ts';

/** Tells every view what changed. Called after the transaction that made the change has committed; never throws. */
export type Announce = (event: LiveEvent) => void;
