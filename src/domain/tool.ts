import { z } from 'zod';
import { Json } from './json.ts';
import { EntryId, MemoryReceipt } from './memory.ts';

/**
 * What a second execution would do (R2): `pure` reads only; `idempotent` is keyed by `run:step`, a repeat changes nothing;
 * `effectful` may have happened and is never repeated without the owner's word.
 */
export const EffectClass = z.enum(['pure', 'idempotent', 'effectful']);
export type EffectClass = z.infer<typeof EffectClass>;

/** A model's request to run a tool. `callId` is unique within its run. */
export const ToolCall = z.object({ callId: z.string().min(1), tool: z.string().min(1), args: Json });
export type ToolCall = z.infer<typeof ToolCall>;

/** What a tool gave back. `text` is what the model reads; cut on code points by the tool's cap (chat-4). */
export const ToolResult = z.object({
	text: z.string(),
	isError: z.boolean(),
	/** One short line for the tool row, such as `3 entries`. */
	summary: z.string().optional(),
	/** What it wrote to memory, or what waits. */
	receipts: z.array(MemoryReceipt).optional(),
	/** The memories it handed to the model. */
	memories: z.array(EntryId).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** `unknown`: it was under way when the process died and the owner has not said yet (R2). */
export const ToolCallStatus = z.enum(['running', 'waiting', 'done', 'failed', 'denied', 'skipped', 'unknown', 'stopped']);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;
