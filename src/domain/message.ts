import { z } from 'zod';
import { ContextSource } from './context-source.ts';
import { ErrorShape } from './errors.ts';
import { AttachmentId, MessageId, RunId, SessionId, Timestamp } from './ids.ts';
import { Json } from './json.ts';
import { Label } from './label.ts';
import { EntryId } from './memory.ts';
import { ModelRef, Usage } from './model.ts';
import { ToolCallStatus, ToolResult } from './tool.ts';

export const AttachmentInfo = z.object({
	id: AttachmentId,
	name: z.string(),
	mime: z.string(),
	bytes: z.number().int().nonnegative(),
	kind: z.enum(['text', 'pdf', 'image']),
	/** Characters of text the model can be given; 0 for images. */
	textChars: z.number().int().nonnegative(),
});
export type AttachmentInfo = z.infer<typeof AttachmentInfo>;

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
/** Thinking, kept apart from the answer and folded in the view (chat-8). */
export const ReasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });
export const AttachmentPart = z.object({ type: z.literal('attachment'), attachment: AttachmentInfo });
export const ToolPart = z.object({
	type: z.literal('tool'),
	callId: z.string(),
	tool: z.string(),
	args: Json,
	status: ToolCallStatus,
	result: ToolResult.optional(),
	label: Label.optional(),
	/** What its result was made from. */
	sources: z.array(ContextSource).optional(),
	startedAt: Timestamp.optional(),
	finishedAt: Timestamp.optional(),
});
/** Something Hearth itself says about the turn; `code` names the string, `values` fill it. */
export const NoticePart = z.object({
	type: z.literal('notice'),
	code: z.enum([
		'history_trimmed',
		'attachment_trimmed',
		'results_trimmed',
		'fallback_model',
		'tool_call_repaired',
		'retried',
		'step_limit',
		'images_not_seen',
		// The owner's message held a known secret: it was removed before it was kept (S3).
		'secrets_removed',
		// The reply says that something was saved, and nothing was (mem-9).
		'nothing_saved',
		// After a restart: a live resource was opened again, or is gone. Models are told of these two.
		'resource_reopened',
		'resource_torn_down',
		// The owner restored or forked the run at this place.
		'restored_here',
		'forked_here',
		// Older turns are told as a summary.
		'compacted',
	]),
	values: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
});
/** The memories that the reply was made with: recalled into its prompt, or fetched by a tool. */
export const MemoryPart = z.object({ type: z.literal('memory'), entryIds: z.array(EntryId) });
export const MessagePart = z.discriminatedUnion('type', [TextPart, ReasoningPart, AttachmentPart, ToolPart, NoticePart, MemoryPart]);
export type MessagePart = z.infer<typeof MessagePart>;
export type ToolPart = z.infer<typeof ToolPart>;
export type NoticePart = z.infer<typeof NoticePart>;

/**
 * `streaming`: its run is at work. `waiting`: its run waits for the owner, a time, an event or another run. `interrupted`: cut off by a crash or a cut stream.
 * `stopped`: by the owner. Partial text of the last two is kept, *Continue* and *Retry* are offered.
 */
export const MessageStatus = z.enum(['complete', 'streaming', 'waiting', 'interrupted', 'stopped', 'failed']);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** One message. An assistant message holds a whole turn: the parts of all its steps in order. */
export const Message = z.object({
	id: MessageId,
	sessionId: SessionId,
	/** The message it follows; null for the first. Siblings are versions of each other (edit and resend, regenerate). */
	parentId: MessageId.nullable(),
	role: z.enum(['user', 'assistant']),
	parts: z.array(MessagePart),
	status: MessageStatus,
	error: ErrorShape.optional(),
	runId: RunId.nullable(),
	model: ModelRef.optional(),
	modelName: z.string().optional(),
	usage: Usage.optional(),
	label: Label,
	/** What it was made from, by name; of a message of the owner's own, nothing. */
	sources: z.array(ContextSource).optional(),
	createdAt: Timestamp,
	/** All versions at this place, oldest first, this one included. */
	versions: z.array(MessageId),
});
export type Message = z.infer<typeof Message>;

/** The readable text of a message: its text parts joined by blank lines. */
export function messageText(message: Pick<Message, 'parts'>): string {
	return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
