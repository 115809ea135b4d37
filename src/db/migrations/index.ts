import type { Migration } from '../migrate.ts';
import { migration0001 } from './0001-sessions-and-runs.ts';

/** In order of their version, without gaps. */
export const migrations: readonly Migration[] = [migration0001];
