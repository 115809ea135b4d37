import type { Migration } from '../migrate.ts';
import { migration0001 } from './0001-sessions-and-runs.ts';
import { migration0002 } from './0002-memory.ts';
import { migration0003 } from './0003-durable-runs.ts';
import { migration0004 } from './0004-firewall.ts';
import { migration0005 } from './0005-heartbeat.ts';
import { migration0006 } from './0006-tasks.ts';

/** In order of their version, without gaps. */
export const migrations: readonly Migration[] = [migration0001, migration0002, migration0003, migration0004, migration0005, migration0006];
