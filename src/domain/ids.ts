import { z } from 'zod';

/** Branded ids: UUID version 7 as text, so that sorting by id is sorting by creation on one machine. */
export const SessionId = z.string().min(1).brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;
export const MessageId = z.string().min(1).brand<'MessageId'>();
export type MessageId = z.infer<typeof MessageId>;
export const RunId = z.string().min(1).brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;
export const InterruptId = z.string().min(1).brand<'InterruptId'>();
export type InterruptId = z.infer<typeof InterruptId>;
export const WorkflowInstanceId = z.string().min(1).brand<'WorkflowInstanceId'>();
export type WorkflowInstanceId = z.infer<typeof WorkflowInstanceId>;
export const RestoreId = z.string().min(1).brand<'RestoreId'>();
export type RestoreId = z.infer<typeof RestoreId>;
export const CompactionId = z.string().min(1).brand<'CompactionId'>();
export type CompactionId = z.infer<typeof CompactionId>;
export const AttachmentId = z.string().min(1).brand<'AttachmentId'>();
export type AttachmentId = z.infer<typeof AttachmentId>;
/** Chosen by the owner or derived from the kind: `ollama`, `lmstudio`, `openai`, `my-vllm`. */
export const ProviderId = z
	.string()
	.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
	.brand<'ProviderId'>();
export type ProviderId = z.infer<typeof ProviderId>;

/** Milliseconds since the Unix epoch, by the wall clock. Never used to order steps (dur-6): order is a sequence number. */
export const Timestamp = z.number().int().nonnegative();
export type Timestamp = z.infer<typeof Timestamp>;
