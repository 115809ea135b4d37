import { z } from 'zod';
import { Inspection } from './inspection.ts';
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

/** From this many UTF-16 units on the text of a result is kept beside the journal, by its hash. */
export const LARGE_RESULT = 16_384;
/** What of it stays in its place. */
export const LARGE_RESULT_HEAD = 2_000;

/** What a tool gave back. `text` is what the model reads; cut on code points by the tool's cap (chat-4). */
export const ToolResult = z.object({
	text: z.string(),
	/** `text` is only the beginning: the whole has this hash in `blobs/`, and so many UTF-16 units. */
	whole: z.object({ hash: z.string().length(64), chars: z.number().int().positive() }).optional(),
	isError: z.boolean(),
	/** The same call would fail every time: what it asks for can't be. */
	hopeless: z.literal(true).optional(),
	/** One short line for the tool row, such as `3 entries`. */
	summary: z.string().optional(),
	/** What it wrote to memory, or what waits. */
	receipts: z.array(MemoryReceipt).optional(),
	/** What the detectors say of `text`. */
	inspection: Inspection.optional(),
	/** The memories it handed to the model. */
	memories: z.array(EntryId).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** `unknown`: it was under way when the process died and the owner has not said yet (R2). */
export const ToolCallStatus = z.enum(['running', 'waiting', 'done', 'failed', 'denied', 'skipped', 'unknown', 'stopped']);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/**
 * Something alive that a call left open: a child process, a browser, a connection. It is never written down, only that it was there. After a
 * restart its tool opens it anew where `reopens`, else it was torn down; the model is told either way.
 */
export const LiveResource = z.object({
	/** Unique within its run. */
	id: z.string().min(1).max(100),
	tool: z.string(),
	/** For people and models: `shell in workspace/bills`. */
	what: z.string().min(1).max(300),
	reopens: z.boolean(),
});
export type LiveResource = z.infer<typeof LiveResource>;
