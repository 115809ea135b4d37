import { z } from 'zod';

/** Of tools: a file or folder below `workspace/`. What it may look like is judged by the files themselves, in words. */
export const PATH = z.string().trim().min(1).max(1_000);
