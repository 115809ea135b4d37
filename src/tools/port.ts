import type { z } from 'zod';
import type { RunId, SessionId } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { MemoryReceipt, Provenance } from '../domain/memory.ts';
import type { ProposalOperation } from '../domain/proposal.ts';
import type { EffectClass, ToolResult } from '../domain/tool.ts';
import type { WriteGrant } from '../domain/write-grant.ts';

/**
 * Where a call can take effect beyond its own result. `memory`: it writes memory. `forget`: it wants text gone for good, which only the
 * owner can do.
 */
export type Sink = 'memory' | 'forget';

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

export interface ToolContext {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	/** Stable over restarts: `run:step:call`. An idempotent tool uses it so that a repeat changes nothing (R2). */
	readonly idempotencyKey: string;
	readonly signal: AbortSignal;
	/** Of a tool with a sink. */
	readonly memory?: MemoryLeave;
}

/** `label`: the trust of the text, the join over everything it was made from; `agent` where it is left out. */
export type ToolOutput = ToolResult & { readonly label?: Label };

/** A tool the model may ask for. The gate is the only caller of `run`. */
export interface Tool<Args = unknown> {
	/** snake_case; unique in the registry. */
	readonly name: string;
	/** For people, where they are asked about it: `Search chats`. */
	readonly title: string;
	/** For the model: what it does and when to use it. */
	readonly description: string;
	readonly schema: z.ZodType<Args>;
	readonly effect: EffectClass;
	readonly sink?: Sink;
	readonly timeoutMs: number;
	/** Most characters of `text` handed back; cut on a code point, and said so. */
	readonly outputCap: number;
	/** The owner answers this call instead of `run`: what they are asked. */
	question?(args: Args): { question: string; choices?: string[] };
	/** Rejects with a HearthError or any error; the gate turns it into a result that the model can read. */
	run(args: Args, context: ToolContext): Promise<ToolOutput>;
}
