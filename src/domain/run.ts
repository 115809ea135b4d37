import { z } from 'zod';
import { InterruptId, MessageId, RunId, SessionId, Timestamp } from './ids.ts';
import { Json } from './json.ts';
import { Label } from './label.ts';
import { EffectClass } from './tool.ts';

/** `interrupted`: was at a model call when the process died; waits for *Continue* or *Retry*. The last three are final. */
export const RunStatus = z.enum(['running', 'waiting', 'interrupted', 'done', 'failed', 'stopped']);
export type RunStatus = z.infer<typeof RunStatus>;

export const RunSummary = z.object({
	id: RunId,
	sessionId: SessionId,
	messageId: MessageId,
	status: RunStatus,
	step: z.number().int().nonnegative(),
	updatedAt: Timestamp,
});
export type RunSummary = z.infer<typeof RunSummary>;

/** What a run waits for: a row, never a held promise (R3). */
export const InterruptKind = z.enum(['approval', 'question', 'did_it_happen']);
export type InterruptKind = z.infer<typeof InterruptKind>;

export const InterruptDetail = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('approval'),
		tool: z.string(),
		/** The tool's name for people, where it had one. */
		title: z.string().optional(),
		args: Json,
		effect: EffectClass,
		label: Label,
		rule: z.string(),
		reason: z.string(),
	}),
	z.object({ kind: z.literal('question'), question: z.string(), choices: z.array(z.string()).optional() }),
	z.object({ kind: z.literal('did_it_happen'), tool: z.string(), title: z.string().optional(), args: Json, startedAt: Timestamp }),
]);
export type InterruptDetail = z.infer<typeof InterruptDetail>;

export const Interrupt = z.object({
	id: InterruptId,
	runId: RunId,
	sessionId: SessionId,
	step: z.number().int().nonnegative(),
	callId: z.string(),
	detail: InterruptDetail,
	/** SHA-256 of exactly what is shown to the owner; an answer must name it (B3). */
	shownHash: z.string().length(64),
	status: z.enum(['open', 'answered', 'expired']),
	createdAt: Timestamp,
	answeredAt: Timestamp.optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

/** The owner's word. Which answers fit is decided by the interrupt's kind. */
export const InterruptAnswer = z.discriminatedUnion('type', [
	z.object({ type: z.literal('approve') }),
	z.object({ type: z.literal('reject'), reason: z.string().max(2000).optional() }),
	z.object({ type: z.literal('reply'), text: z.string().min(1).max(20_000) }),
	/** It happened; `result` is what the owner pasted of its outcome, may be empty. */
	z.object({ type: z.literal('happened'), result: z.string().max(100_000) }),
	z.object({ type: z.literal('run_again') }),
	z.object({ type: z.literal('skip') }),
	z.object({ type: z.literal('stop') }),
]);
export type InterruptAnswer = z.infer<typeof InterruptAnswer>;
