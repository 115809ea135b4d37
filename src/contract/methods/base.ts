import { oc } from '@orpc/contract';
import { ErrorShape } from '../../domain/errors.ts';

/** Every method may fail with one typed error, `HEARTH`, whose data is an `ErrorShape`. */
export const method = oc.errors({ HEARTH: { data: ErrorShape } });
