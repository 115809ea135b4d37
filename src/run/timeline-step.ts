import type { RunBreak, RunStep } from '../contract/methods/runs.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { InterruptId, Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Plan } from '../domain/plan.ts';
import type { Interrupt } from '../domain/run.ts';
import type { ToolResult } from '../domain/tool.ts';
import type { RunEvent } from './events.ts';

/** What the life of a run is made of, for people. */

export interface JournalRow {
	readonly seq: number;
	readonly at: Timestamp;
	readonly event: RunEvent;
}

export interface TimelineSources {
	/** A tool's name for people; undefined where there is no such tool any more. */
	title(tool: string): string | undefined;
	/** Steps with a checkpoint. */
	readonly checkpoints: ReadonlySet<number>;
	/** What the run waited for, by id. */
	readonly interrupts: ReadonlyMap<InterruptId, Interrupt>;
}

/** A line with what it is made of. */
export interface TimelineStep {
	readonly line: RunStep;
	readonly callId?: string;
	readonly args?: Json;
	/** What came out, as text; only its beginning where it is kept whole elsewhere. */
	readonly output?: string;
	readonly whole?: ToolResult['whole'];
	/** Content hash of what a model was given besides the conversation. */
	readonly prompt?: string;
	readonly error?: ErrorShape;
	/** Of a model: all that it could see. Of a tool: what its result was made from. */
	readonly sources?: readonly ContextSource[];
	/** Why it was done again or not, a sentence each, in the order it happened. */
	readonly redone: readonly string[];
}

export interface Timeline {
	readonly steps: readonly TimelineStep[];
	readonly breaks: readonly RunBreak[];
	/** What the run means to do, as far as it said. */
	readonly plan?: Plan;
}

export type Details = Partial<Omit<TimelineStep, 'line' | 'redone'>>;
