import type { z } from 'zod';
import type { ContextSource, ContextSourceKind } from '../domain/context-source.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { MemoryReceipt, Provenance } from '../domain/memory.ts';
import type { Plan } from '../domain/plan.ts';
import type { ProposalOperation } from '../domain/proposal.ts';
import type { EventName } from '../domain/run.ts';
import type { Sink, Touch, TouchOf } from '../domain/sink.ts';
import type { TaskCard } from '../domain/task.ts';
import type { EffectClass, LiveResource, ToolResult } from '../domain/tool.ts';
import type { WriteGrant } from '../domain/write-grant.ts';
import type { NamedBy } from '../net/page-address.ts';

/** What would be written, and what is kept of why. `stepKey`: the same key holds once (R2). Wired to approvals. */
export type HoldMemoryWrite = (held: {
	operation: ProposalOperation;
	provenance: Provenance;
	label: Label;
	rule: string;
	reason: string;
	sessionId: SessionId;
	runId: RunId;
	stepKey: string;
}) => MemoryReceipt;

/** What the gate lets a call with a sink do to memory. */
export interface MemoryLeave {
	/** Undefined: nothing may be written, only held for the owner. */
	readonly grant: WriteGrant | undefined;
	/** Why it is held or allowed, in one sentence. */
	readonly why: string;
	/** Where a text that is to be written came from (M2). `quote`: words that it rests on, as the model gave them; they count only where they are really there. */
	provenance(of: { text: string; quote?: string | undefined; reason: string }): Provenance;
	/** Leaves it to the owner and writes nothing. */
	hold(operation: ProposalOperation, provenance: Provenance): MemoryReceipt;
}

/**
 * A tool's own durable notes within a run: cursors, ids that are done, partial outputs. What is set is written with the call's outcome, in
 * one transaction; `save` writes it at once, so that a long call that dies goes on from there. Values are JSON, best small.
 */
export interface ToolState {
	get(key: string): Json | undefined;
	/** Newest first is not promised: by key. */
	entries(): [key: string, value: Json][];
	/** `undefined` removes. */
	set(key: string, value: Json | undefined): void;
	/** Rejects with a storage error; then nothing of it is kept yet. */
	save(): Promise<void>;
}

/** What a call waits for in place of running: a row, never a held promise (R3). The outcome becomes its result. */
export type WaitRequest =
	| { readonly kind: 'timer'; readonly dueAt: number; readonly note: string }
	| { readonly kind: 'event'; readonly name: EventName; readonly note: string; readonly until?: number | undefined }
	/** `tools`: those that the child may use; all of the parent's but `delegate` where left out. */
	| {
			readonly kind: 'child';
			readonly task: string;
			readonly tools?: readonly string[] | undefined;
			readonly maxModelCalls?: number | undefined;
	  };

/** What a tool found out about a call that was under way when the process died (R2). `found`: what it could tell, in one sentence. */
export type Verified =
	| { readonly happened: 'yes'; readonly output: ToolOutput }
	| { readonly happened: 'no' }
	| { readonly happened: 'unknown'; readonly found?: string };

export interface ToolContext {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	/** Stable over restarts: `run:step:call`. An idempotent tool uses it so that a repeat changes nothing (R2). */
	readonly idempotencyKey: string;
	readonly signal: AbortSignal;
	/** The join over everything that the step could see: what it writes has this label. */
	readonly label: Label;
	/** What those were, by name. */
	readonly sources?: readonly ContextSource[] | undefined;
	readonly state: ToolState;
	/** The run's plan as it is now. */
	readonly plan: Plan | undefined;
	/** Of a tool whose sink is memory, or forgetting. */
	readonly memory?: MemoryLeave;
	/** What the call was allowed to touch: nothing else may be. A tool that goes on to more (a redirect) asks `mayTouch`. */
	readonly touches: readonly Touch[];
	/** Whether a policy or a permission lets this very call touch that, too, without asking. Recorded in the audit log. */
	mayTouch(touch: Touch): boolean;
	/**
	 * How the owner named the host of a touch, where they did: with a permission in force for this call that names exactly this host, in their own
	 * message that the run answers, or with the yes to this very call. Addresses of this machine and the local network need it.
	 */
	namedBy(touch: TouchOf<'network'>): NamedBy | undefined;
	/** Shows text of a call under way; what counts is its result. */
	output(text: string): void;
	/** Nobody watches: polite to other people's servers. */
	readonly unattended: boolean;
}

/** `label`: the trust of the text, the join over everything it was made from; `agent` where it is left out. `sources`: what those were. */
export type ToolOutput = ToolResult & {
	readonly label?: Label;
	readonly sources?: readonly ContextSource[];
	/** The run's plan from now on. The reducer refuses one that does not follow from the plan before. */
	readonly plan?: Plan;
	/** What the call left open, and ids of what it closed. */
	readonly opened?: readonly LiveResource[];
	readonly closed?: readonly string[];
};

/** `before`: what was shown to the owner when they were asked, where it is asked again whether that is still so. */
export interface TouchesAt {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly before?: readonly Touch[] | undefined;
}

/** A tool the model may ask for. The gate is the only caller of `run`. */
export interface Tool<Args = unknown> {
	/** snake_case; unique in the registry. */
	readonly name: string;
	/** For people, where they are asked about it: `Search chats`. */
	readonly title: string;
	/** For the model: what it does and when to use it. */
	readonly description: string;
	/** Who wrote the description, where Hearth did not: it is part of what each step can see. */
	readonly describedBy?: ContextSource;
	readonly schema: z.ZodType<Args>;
	/** The JSON Schema that a model is told, where it is not made from `schema`. */
	readonly parameters?: Readonly<Record<string, Json>>;
	readonly effect: EffectClass;
	/** The kinds of sinks that it can touch, declared. */
	readonly sinks?: readonly Sink[];
	/** Of use only in a chat: other runs have nobody before them. */
	readonly chatOnly?: true;
	/** False while it is not set up: then models are not told of it. Absent: always. */
	offered?(): boolean;
	/** What kinds of sources its results come from, declared. */
	readonly sources?: readonly ContextSourceKind[];
	readonly timeoutMs: number;
	/** Most characters of `text` handed back; cut on a code point, and said so. */
	readonly outputCap: number;
	/**
	 * What this very call would touch: each of a declared sink, with its scope. Required where `sinks` are declared. Reads only what it needs
	 * to say so. Throws a HearthError that the model reads (a path outside every folder, an address that makes no sense).
	 */
	touches?(args: Args, at: TouchesAt): readonly Touch[] | Promise<readonly Touch[]>;
	/** Of a call that would make a task: what the owner is shown of it, and says yes to. */
	card?(args: Args, touches: readonly Touch[]): TaskCard | undefined;
	/** The owner answers this call instead of `run`: what they are asked. */
	question?(args: Args): { question: string; choices?: string[] };
	/** The call waits instead of running, unless there is nothing to wait for. Throws a HearthError that the model reads. `now`: the clock. */
	wait?(args: Args, now: number): WaitRequest | undefined;
	/** Of an effectful tool that can find out itself whether a call happened; asked once before the owner is (R2). Must not repeat it. */
	verify?(args: Args, context: ToolContext): Promise<Verified>;
	/** Opens anew what a call had left open. False where it can't: it counts as torn down. */
	reopen?(resource: LiveResource, context: Pick<ToolContext, 'runId' | 'sessionId' | 'signal'>): Promise<boolean>;
	/** Rejects with a HearthError or any error; the gate turns it into a result that the model can read. */
	run(args: Args, context: ToolContext): Promise<ToolOutput>;
}
