import { z } from 'zod';
import { Compaction } from '../../domain/compaction.ts';
import { AttachmentId, CompactionId, InterruptId, MessageId, RunId, SessionId } from '../../domain/ids.ts';
import { Label } from '../../domain/label.ts';
import { AttachmentInfo } from '../../domain/message.ts';
import { Interrupt, InterruptAnswer } from '../../domain/run.ts';
import { SessionIdInput } from '../shapes.ts';
import { method } from './base.ts';

const Started = z.object({ sessionId: SessionId, userMessageId: MessageId.nullable(), messageId: MessageId, runId: RunId });
const Content = { text: z.string().max(200_000), attachmentIds: z.array(AttachmentId).max(50).default([]) };

/** One part of what the model will see (M6). `id` is stable, so that the owner's choice to leave it out is kept. */
export const PromptPart = z.object({
	id: z.string(),
	kind: z.enum([
		'hearth',
		'agent',
		'owner',
		'memory_core',
		'recalled',
		'skills',
		'findings',
		'tools',
		'summary',
		'session',
		'attachments',
		'message',
	]),
	title: z.string(),
	/** An estimate. */
	tokens: z.number().int().nonnegative(),
	included: z.boolean(),
	removable: z.boolean(),
	/** Why it is cut or left out, where it is. */
	note: z.string().optional(),
	/** What the owner can do so that more of it fits. */
	action: z.string().optional(),
	/** Of memory: how it counts now, and what it was before the owner approved it (B4). */
	label: Label.optional(),
	origin: Label.optional(),
	text: z.string(),
});
export type PromptPart = z.infer<typeof PromptPart>;

export const MAX_ATTACHMENT_BYTES = 20 * 1024 * 1024;

export const chat = {
	/**
	 * Adds the message, in a new chat where no session is named, and starts its run, in one transaction. `requestId` makes a repeated call
	 * return the first's result.
	 */
	send: method.input(z.object({ sessionId: SessionId.optional(), requestId: z.uuid(), ...Content })).output(Started),
	/** A new version of the owner's message and a new reply to it; the old ones stay as versions. */
	editAndResend: method.input(z.object({ messageId: MessageId, requestId: z.uuid(), ...Content })).output(Started),
	/** A new version of a reply. */
	regenerate: method.input(z.object({ messageId: MessageId, requestId: z.uuid() })).output(Started),
	/** Goes on with an interrupted, stopped or failed reply in the same run, after what it already says. */
	continue: method.input(z.object({ messageId: MessageId })).output(Started),
	/** Does the cut-off step of a reply again from its start; finished steps are not repeated. */
	retry: method.input(z.object({ messageId: MessageId })).output(Started),
	/** Shows another version of a message, with what followed it. */
	chooseVersion: method.input(z.object({ messageId: MessageId })).output(z.void()),
	stop: method.input(z.object({ runId: RunId })).output(z.void()),
	/** What the next send of this draft would show the model, and the model's window. */
	preview: method
		.input(z.object({ sessionId: SessionId, ...Content }))
		.output(z.object({ parts: z.array(PromptPart), usedTokens: z.number().int(), windowTokens: z.number().int(), modelName: z.string() })),
	/** A summary that a reply was made with. Throws `not_found` where it is gone: it is made anew when it is needed. */
	summary: method.input(z.object({ compactionId: CompactionId })).output(Compaction),
	/** Leaves a part out of this session's prompts, or takes it in again. */
	includePart: method.input(z.object({ sessionId: SessionId, partId: z.string().max(200), included: z.boolean() })).output(z.void()),
	attach: method
		.input(
			z.object({
				sessionId: SessionId,
				name: z.string().min(1).max(255),
				mime: z.string().max(120),
				/** Base64, at most 20 MiB decoded. */
				content: z.base64(),
			}),
		)
		.output(AttachmentInfo),
	attachment: method
		.input(z.object({ attachmentId: AttachmentId }))
		.output(z.object({ info: AttachmentInfo, content: z.base64(), text: z.string() })),
	interrupts: method.input(SessionIdInput.partial()).output(z.array(Interrupt)),
	/** The owner's answer. `shownHash` must equal the interrupt's; else `stale` and nothing happens (B3). */
	answer: method.input(z.object({ interruptId: InterruptId, shownHash: z.string(), answer: InterruptAnswer })).output(Interrupt),
};
