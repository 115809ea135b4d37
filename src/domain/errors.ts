import { z } from 'zod';

/** The kind decides the policy; nobody parses messages. */
export const ErrorKind = z.enum(['terminal', 'retryable', 'needs_owner']);
export type ErrorKind = z.infer<typeof ErrorKind>;

/** Stable, machine-readable names of what went wrong. A code is added here before it is thrown anywhere. */
export const ERROR_CODES = [
	'invalid_input',
	'not_found',
	'conflict',
	'stale',
	'internal',
	'unauthorised',
	// A program without a sandbox runs: what comes over the socket may be its word.
	'door_closed',
	'protocol_mismatch',
	'disconnected',
	// storage
	'profile_locked',
	'disk_full',
	// The database lost its last writes: a warning, not an error of a call.
	'journal_cut',
	// The audit log is not the one that was written: a warning, too.
	'audit_broken',
	'read_only',
	'database_corrupt',
	'database_newer',
	'file_too_large',
	'config_invalid',
	// models
	'model_unreachable',
	'model_auth',
	'model_not_found',
	'model_rate_limited',
	'model_server_error',
	'model_bad_response',
	'model_empty_response',
	'model_stream_cut',
	'model_timeout',
	'model_context_overflow',
	'model_not_configured',
	'model_bad_tool_call',
	'network_denied',
	// pages, search, messages, tool servers
	'network_unreachable',
	'network_cut',
	'network_timeout',
	'network_bad_response',
	// what background work reads
	'source_missing',
	'source_refused',
	// For good: it is not asked again.
	'source_gone',
	// What stands there is not what it was added as.
	'source_unreadable',
	// runs
	'run_interrupted',
	'run_stopped',
	'run_step_limit',
	// What one run of a task may use is used.
	'run_budget_used',
	// What may be used in a day is used: no model is called.
	'budget_used',
	'tool_failed',
	// However often it is called: what it is asked for can't be.
	'tool_impossible',
	'tool_denied',
	'tool_unknown',
	// tool servers
	'server_unreachable',
	// It is there, and does not do what was asked of it, or does not speak the protocol.
	'server_refused',
	'server_sign_in',
	// Something of it is missing here: a program, a value, the owner's yes.
	'server_not_set_up',
	// workflows
	'workflow_failed',
	// background work: the answer of a look is none
	'findings_unreadable',
	// text of others would leave this machine, or cost money, and the owner did not say that it may
	'consent_missing',
	// embeddings
	'embedding_unreachable',
	'embedding_auth',
	'embedding_quota',
	'embedding_rate_limited',
	'embedding_bad_response',
	'embedding_failed',
	'embedding_model_missing',
	// secrets
	'secret_store_unavailable',
	'secret_store_locked',
	'secret_wrong_passphrase',
] as const;
export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The shape of an error as stored and sent: what happened, what is safe, what to do (product.md, S5). Never holds a secret (S3). */
export const ErrorShape = z.object({
	kind: ErrorKind,
	code: ErrorCode,
	/** What happened, in one plain sentence. */
	message: z.string(),
	/** What is safe and kept, if that is in question. */
	safe: z.string().optional(),
	/** What the owner can do now. */
	action: z.string().optional(),
	/** Milliseconds to wait before another try; only with kind `retryable`. */
	retryAfterMs: z.number().nonnegative().optional(),
});
export type ErrorShape = z.infer<typeof ErrorShape>;

export class HearthError extends Error {
	readonly shape: ErrorShape;
	constructor(shape: ErrorShape, options?: { cause?: unknown }) {
		super(shape.message, options);
		this.name = 'HearthError';
		this.shape = shape;
	}
	get code(): ErrorCode {
		return this.shape.code;
	}
	get kind(): ErrorKind {
		return this.shape.kind;
	}
}

export function terminal(code: ErrorCode, message: string, more: Partial<ErrorShape> & { cause?: unknown } = {}): HearthError {
	const { cause, ...rest } = more;
	return new HearthError({ ...rest, kind: 'terminal', code, message }, { cause });
}

export function retryable(code: ErrorCode, message: string, more: Partial<ErrorShape> & { cause?: unknown } = {}): HearthError {
	const { cause, ...rest } = more;
	return new HearthError({ ...rest, kind: 'retryable', code, message }, { cause });
}

export function needsOwner(code: ErrorCode, message: string, more: Partial<ErrorShape> & { cause?: unknown } = {}): HearthError {
	const { cause, ...rest } = more;
	return new HearthError({ ...rest, kind: 'needs_owner', code, message }, { cause });
}

/** Any thrown value as a shape. Unknown errors become `internal` with a fixed text: their own text may hold anything. */
export function toErrorShape(error: unknown): ErrorShape {
	if (error instanceof HearthError) return error.shape;
	return {
		kind: 'terminal',
		code: 'internal',
		message: 'Something went wrong inside Hearth.',
		safe: 'What was saved before is safe.',
		action: 'Try again. If it happens again, save a diagnostics file from Settings, About.',
	};
}
