import { z } from 'zod';
import { RunId, SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';

export const PermissionId = z.string().min(1).brand<'PermissionId'>();
export type PermissionId = z.infer<typeof PermissionId>;

/** What a permission names. Memory, skills, messages, forgetting and commands without a sandbox can't be permitted in advance. */
export const PermissionScope = z.discriminatedUnion('kind', [
	/** Files of `workspace/` and sandboxed commands there without network. */
	z.object({ kind: z.literal('workspace') }),
	/** `path`: absolute; everything below it. `write` includes reading. `mine`: the owner says that the texts in it are their own (label `workspace`). */
	z.object({
		kind: z.literal('folder'),
		path: z.string().min(1).max(4_000),
		access: z.enum(['read', 'write']),
		mine: z.boolean().default(false),
	}),
	/** `example.com`, `*.example.com`, with a port where it is not the usual one. `posts`: sending, too. */
	z.object({ kind: z.literal('host'), host: z.string().min(1).max(300), posts: z.boolean().default(false) }),
	/** In the sandbox. Words separated by blanks; the last may be `*` for any more: `git status *`. `hosts`: that it may reach. */
	z.object({ kind: z.literal('command'), pattern: z.string().min(1).max(1_000), hosts: z.array(z.string().max(300)).max(50).default([]) }),
	/** `tool` absent: all of the server's. */
	z.object({ kind: z.literal('server'), server: z.string().min(1).max(100), tool: z.string().max(200).optional() }),
]);
export type PermissionScope = z.infer<typeof PermissionScope>;

/** For which work it holds. */
export const PermissionJob = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('any') }),
	z.object({ kind: z.literal('run'), runId: RunId }),
	z.object({ kind: z.literal('chat'), sessionId: SessionId }),
	z.object({ kind: z.literal('workflow'), name: z.string().min(1).max(200) }),
	/** A scheduled or triggered task; TaskId of `domain/task.ts`. */
	z.object({ kind: z.literal('task'), taskId: z.string().min(1) }),
]);
export type PermissionJob = z.infer<typeof PermissionJob>;

/** What the owner says yes to in advance. With label `external` it has to name its job (a run, a chat, a workflow, a task), else it covers nothing. */
export const PermissionTerms = z
	.object({
		/** Only for this tool; absent: for any that touches such a thing. */
		tool: z.string().max(64).optional(),
		scope: PermissionScope,
		/** The most tainted step that it covers. */
		label: Label,
		job: PermissionJob,
		until: Timestamp.optional(),
	})
	.refine(
		({ label, job }) => label !== 'external' || job.kind !== 'any',
		'A permission for steps that read outside text has to name its job.',
	);
export type PermissionTerms = z.infer<typeof PermissionTerms>;

export const Permission = z.object({
	id: PermissionId,
	terms: PermissionTerms,
	/** `default`: of the profile from its start (its own `workspace/`). `approval`: given with an answer to a question. */
	origin: z.enum(['default', 'owner', 'approval']),
	createdAt: Timestamp,
	uses: z.number().int().nonnegative(),
	lastUsedAt: Timestamp.optional(),
	revokedAt: Timestamp.optional(),
});
export type Permission = z.infer<typeof Permission>;

/** What the owner may grant with a yes, shown with the question and bound by its hash (B3). */
export const PermissionOffer = z.object({
	/** `run`: until the run ends. `standing`: until revoked, or for as long as the owner says. */
	reach: z.enum(['run', 'standing']),
	terms: PermissionTerms,
});
export type PermissionOffer = z.infer<typeof PermissionOffer>;
