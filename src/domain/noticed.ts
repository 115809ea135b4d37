import { z } from 'zod';
import { Zone } from './schedule.ts';

/** Where the owner is now, where the shell knows. */
const zone = Zone.optional();

/** What the shell notices of the machine and of who sits at it. */
export const Noticed = z.discriminatedUnion('what', [
	/** It was asleep. */
	z.object({ what: z.literal('woke'), zone }),
	/** Its clock or its time zone was set. */
	z.object({ what: z.literal('clock'), zone }),
	/** The owner is back, after so long without a sign of them. */
	z.object({ what: z.literal('unlocked'), idleMinutes: z.number().min(0), zone }),
]);
export type Noticed = z.infer<typeof Noticed>;
