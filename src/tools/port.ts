import type { z } from 'zod';
import type { RunId, SessionId } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { EffectClass, ToolResult } from '../domain/tool.ts';

export interface ToolContext {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	/** Stable over restarts: `run:step:call`. An idempotent tool uses it so that a repeat changes nothing (R2). */
	readonly idempotencyKey: string;
	readonly signal: AbortSignal;
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
	readonly timeoutMs: number;
	/** Most characters of `text` handed back; cut on a code point, and said so. */
	readonly outputCap: number;
	/** The owner answers this call instead of `run`: what they are asked. */
	question?(args: Args): { question: string; choices?: string[] };
	/** Rejects with a HearthError or any error; the gate turns it into a result that the model can read. */
	run(args: Args, context: ToolContext): Promise<ToolOutput>;
}
