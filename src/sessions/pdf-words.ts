import { z } from 'zod';

/** What is said between the runtime and the thread that reads a PDF. */

export const PdfJob = z.object({ job: z.literal('read a PDF'), bytes: z.instanceof(Uint8Array), pages: z.number() });
export type PdfJob = z.infer<typeof PdfJob>;

export const PdfWord = z.discriminatedUnion('type', [
	z.object({ type: z.literal('opened'), pages: z.number().int().nonnegative() }),
	z.object({ type: z.literal('page'), text: z.string() }),
	z.object({ type: z.literal('end') }),
	z.object({ type: z.literal('refused'), why: z.enum(['password', 'damaged']), cause: z.string() }),
]);
export type PdfWord = z.infer<typeof PdfWord>;
