import { z } from 'zod';

/** What is wrong with a text that the owner writes, and where: both counted from 1. */
export const TextProblem = z.object({ line: z.number().int().positive(), column: z.number().int().positive(), message: z.string() });
export type TextProblem = z.infer<typeof TextProblem>;
