import { z } from 'zod';

/** What is said between the runtime and the thread that embeds. */

export const EmbedStart = z.object({ job: z.literal('embed texts'), folder: z.string(), guard: z.instanceof(SharedArrayBuffer) });
export type EmbedStart = z.infer<typeof EmbedStart>;

export const EmbedOrder = z.discriminatedUnion('type', [
	z.object({ type: z.literal('embed'), texts: z.array(z.string()) }),
	/** Gives the memory back and ends the thread. */
	z.object({ type: z.literal('end') }),
]);
export type EmbedOrder = z.infer<typeof EmbedOrder>;

export const EmbedWord = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	z.object({ type: z.literal('refused'), fault: z.enum(['missing', 'changed', 'runtime']), cause: z.string() }),
	/** The vectors of one order, one after the other. */
	z.object({ type: z.literal('vectors'), values: z.instanceof(Float32Array) }),
	z.object({ type: z.literal('failed'), cause: z.string() }),
]);
export type EmbedWord = z.infer<typeof EmbedWord>;
