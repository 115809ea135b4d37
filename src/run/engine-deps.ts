import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId } from '../domain/ids.ts';
import type { Redactor } from '../firewall/ports.ts';
import type { HoldMemoryWrite, Tool } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Blobs } from './blobs.ts';
import type { FirewallDoor, MemoryDoor } from './gate-port.ts';
import type { ModelSource } from './models.ts';
import type { PromptSources } from './prompt.ts';
import type { RunBudgetDeps } from './run-budget.ts';
import type { WatchProgram } from './tool-step.ts';
import type { Witness } from './witness.ts';
import type { WorkPort } from './work-port.ts';
import { writeProvenance } from './write-provenance.ts';

/** What the run engine is given; `app` wires it. */
export interface EngineDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly models: ModelSource;
	readonly tools: ToolRegistry;
	/** Tools of one run alone, beside those. Asked anew each time: they must follow from what is stored. */
	readonly ownTools?: ((runId: RunId) => readonly Tool[]) | undefined;
	/** What calls are judged by. */
	readonly firewall: FirewallDoor;
	readonly blobs: Blobs;
	/** Takes secrets out of what is written down, streamed, and sent. */
	readonly redactor: Redactor;
	/** The second record of effects; without it a database that lost its last writes is taken for whole. */
	readonly witness?: Witness | undefined;
	readonly prompt: Omit<PromptSources, 'db' | 'clock' | 'tools' | 'blobs' | 'compact' | 'redactor'>;
	/** Read anew for each step. */
	readonly limits: () => { silenceMs: number; maxModelCalls: number };
	/** What all runs of an instance of a workflow may use together, where a task limits it. */
	readonly budgetOfInstance?: RunBudgetDeps['ofInstance'];
	/** Where memory writes go that are held; absent where there is no memory. */
	readonly hold?: HoldMemoryWrite | undefined;
	/** What a tool with side effects runs within; absent where there is no memory to guard. */
	readonly watchProgram?: WatchProgram | undefined;
	/** Timers, Pause all and the meter; without it waits have no end by time, and everything may go on. */
	readonly work?: WorkPort | undefined;
}

/** How memory writes of its runs get there, where there is memory. */
export function memoryDoor({ hold, db, clock, blobs }: EngineDeps): MemoryDoor | undefined {
	return hold && { hold, provenance: writeProvenance(db.read, clock, (hash) => blobs.textNow(hash)) };
}
