import { z } from 'zod';
import { AuditDecision, AuditRecord, AuditSink, ChainCheck } from '../../domain/audit.ts';
import { RunId, Timestamp } from '../../domain/ids.ts';
import { Label } from '../../domain/label.ts';
import { ProposalId } from '../../domain/memory.ts';
import { Permission, PermissionId, PermissionTerms } from '../../domain/permission.ts';
import { ProposalStatus } from '../../domain/proposal.ts';
import { method } from './base.ts';

export const AuditFilter = z.object({
	/** In names, rule or hash; part of a word is enough. */
	text: z.string().max(200).optional(),
	decisions: z.array(AuditDecision).optional(),
	labels: z.array(Label).optional(),
	sinks: z.array(AuditSink).optional(),
	runId: RunId.optional(),
	since: Timestamp.optional(),
	until: Timestamp.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** A record with what there is around it. */
export const AuditRecordView = z.object({
	record: AuditRecord,
	/** Hash of the one after it; null for the newest. */
	nextHash: z.string().length(64).nullable(),
	/** Where there still is one. */
	run: z.object({ runId: RunId, title: z.string() }).optional(),
	proposal: z.object({ proposalId: ProposalId, status: ProposalStatus }).optional(),
});
export type AuditRecordView = z.infer<typeof AuditRecordView>;

/** The audit log (S1): read, checked, exported; nothing here or anywhere writes into it by hand. */
export const audit = {
	/** Newest first; `before`: only records with a smaller number. `total`: of the whole log. */
	list: method
		.input(AuditFilter.extend({ before: z.number().int().positive().optional(), limit: z.number().int().min(1).max(500).default(100) }))
		.output(z.object({ records: z.array(AuditRecord), hasMore: z.boolean(), total: z.number().int(), seq: z.number().int() })),
	get: method.input(z.object({ seq: z.number().int().positive() })).output(AuditRecordView),
	/** Reads every record anew. */
	verify: method.output(ChainCheck),
	/**
	 * One JSON object a line, oldest first, a part at a time: can be checked without Hearth (docs/firewall.md says how). `after`: the `next` of
	 * the part before.
	 */
	export: method
		.input(
			AuditFilter.extend({ after: z.number().int().nonnegative().optional(), limit: z.number().int().min(1).max(5_000).default(2_000) }),
		)
		.output(z.object({ text: z.string(), records: z.number().int(), next: z.number().int().optional() })),
};

/** A rule as the owner reads it. */
export const PolicyRuleView = z.object({
	id: z.string(),
	/** In one sentence, what it covers. */
	covers: z.string(),
	verdict: z.enum(['allow', 'ask', 'hold', 'deny']),
	reason: z.string(),
	/** Not in the owner's file: shipped, or a floor that no file can lower. */
	origin: z.enum(['shipped', 'file', 'floor']),
});

export const PolicyView = z.object({
	rules: z.array(PolicyRuleView),
	/** Where the file is, and what is wrong with it: then the shipped rules hold. */
	path: z.string(),
	problem: z.string().optional(),
});
export type PolicyView = z.infer<typeof PolicyView>;

export const permissions = {
	/** Those in force first, then the newest revoked and ended ones. */
	list: method.output(
		z.object({
			permissions: z.array(Permission),
			/** Absolute: the agent's own folder. A folder permission for it says only whether the texts there are the owner's own. */
			workspace: z.string(),
			seq: z.number().int(),
		}),
	),
	/** The owner's own doing, in Settings or on a terminal. Throws `invalid_input` for a folder that must not be granted (the profile, the home itself, the root). */
	add: method.input(z.object({ terms: PermissionTerms })).output(Permission),
	revoke: method.input(z.object({ permissionId: PermissionId })).output(Permission),
	policy: method.output(PolicyView),
};
