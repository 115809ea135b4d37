import { z } from 'zod';
import manifest from './embedded-model.json' with { type: 'json' };

/** The model that comes with Hearth. `files` are what must lie in its folder, with their SHA-256. */
export const EMBEDDED_MODEL = z.object({ id: z.string(), dims: z.number(), files: z.record(z.string(), z.string()) }).parse(manifest);

/** Word pieces of a text that count, the two marks at its ends included; the model was trained with as many. */
export const MOST_PIECES = 256;
