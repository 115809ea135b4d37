import { z } from 'zod';
import { ContextSource } from './context-source.ts';
import { InterruptId, RunId, SessionId, Timestamp } from './ids.ts';
import { Flag, Risk } from './inspection.ts';
import { Label } from './label.ts';
import { ProposalId } from './memory.ts';
import { PermissionId } from './permission.ts';
import { Sink } from './sink.ts';

/**
 * Where a crossing leads: a sink, or what is no sink of a tool: a tool that touches nothing (its arguments), the prompt of a model, the owner's
 * screen, the firewall's own settings, the owner's scheduled tasks.
 */
export const AuditSink = z.enum([...Sink.options, 'tool', 'prompt', 'screen', 'permission', 'policy', 'audit']);
export type AuditSink = z.infer<typeof AuditSink>;

/**
 * `held`: it waits as a proposal. `asked`: it waits as an action. `written`: what was approved was done. The last four are what happened
 * after a decision.
 */
export const AuditDecision = z.enum([
	'allowed',
	'asked',
	'held',
	'refused',
	'approved',
	'rejected',
	'granted',
	'revoked',
	'shown',
	'written',
	'done',
	'failed',
	'forgotten',
]);
export type AuditDecision = z.infer<typeof AuditDecision>;

/** What is told of a crossing beside its hashes: names, never content. Forgetting may take it away; the chain stays whole. */
export const AuditDetail = z.object({
	/** What it came from and where it went, one line each: `Page, example.com/a` → `workspace/notes.md`. */
	from: z.string().max(300),
	to: z.string().max(500),
	reason: z.string().max(1_000),
	/** What the step could see. */
	sources: z.array(ContextSource),
	tool: z.string().optional(),
	/** Of a network call: host, status, bytes. Of a command: exit code, seconds. */
	outcome: z.string().max(500).optional(),
});
export type AuditDetail = z.infer<typeof AuditDetail>;

/** One crossing from a source to a sink, as it was decided (S1). */
export const AuditRecord = z.object({
	/** 1, 2, 3 … without gaps. */
	seq: z.number().int().positive(),
	at: Timestamp,
	sink: AuditSink,
	decision: AuditDecision,
	rule: z.string().max(200),
	/** The join over what the step could see. */
	label: Label,
	risk: Risk,
	flags: z.array(Flag).max(50),
	/** SHA-256 of the exact text or arguments that crossed. */
	textHash: z.string().length(64).nullable(),
	/** Milliseconds that the decision took. */
	latencyMs: z.number().nonnegative(),
	runId: RunId.optional(),
	step: z.number().int().nonnegative().optional(),
	callId: z.string().optional(),
	sessionId: SessionId.optional(),
	interruptId: InterruptId.optional(),
	proposalId: ProposalId.optional(),
	permissionId: PermissionId.optional(),
	/** Of a `forgotten` record: whose details it took away, as first and last numbers. */
	blanked: z.array(z.tuple([z.number().int().positive(), z.number().int().positive()])).optional(),
	/** Null where it was forgotten. */
	detail: AuditDetail.nullable(),
	/** SHA-256 over a salt and the detail: stays when both of these go. */
	detailHash: z.string().length(64),
	/** Of the record before; 64 zeros for the first. */
	previousHash: z.string().length(64),
	/** SHA-256 over the previous hash and all of the above but the detail itself. */
	hash: z.string().length(64),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** What is to be written down; the store adds place, time and hashes. */
export type AuditEntry = Omit<AuditRecord, 'seq' | 'at' | 'detail' | 'detailHash' | 'previousHash' | 'hash'> & {
	readonly detail: AuditDetail;
};

export const ChainCheck = z.object({
	records: z.number().int().nonnegative(),
	whole: z.boolean(),
	/** Where it is broken first, and how in one sentence. */
	brokenAt: z.number().int().positive().optional(),
	problem: z.string().optional(),
	/** Records whose detail was forgotten; each is accounted for. */
	forgotten: z.number().int().nonnegative(),
	/** Records that say that the log had been found broken. */
	breaks: z.array(z.number().int().positive()),
	/** Where only the newest records were read: the first of them. */
	from: z.number().int().positive().optional(),
	headHash: z.string().length(64).nullable(),
	checkedAt: Timestamp,
});
export type ChainCheck = z.infer<typeof ChainCheck>;
