import { mapEventIterator, ORPCError } from '@orpc/client';
import { type ContractProcedure, type InferSchemaInput, type InferSchemaOutput, ValidationError } from '@orpc/contract';
import { implement, type Router } from '@orpc/server';
import type { Logger } from '../base/logger.ts';
import { type Contract, contract } from '../contract/contract.ts';
import type { LiveItem } from '../contract/events.ts';
import { asStorageError } from '../db/errors.ts';
import { HearthError, terminal, toErrorShape } from '../domain/errors.ts';

// biome-ignore lint/suspicious/noExplicitAny: the library's own type for "any procedure"; what matters is inferred.
type Input<Procedure> = Procedure extends ContractProcedure<infer Schema, any, any, any> ? InferSchemaOutput<Schema> : never;
// biome-ignore lint/suspicious/noExplicitAny: as above.
type Output<Procedure> = Procedure extends ContractProcedure<any, infer Schema, any, any> ? InferSchemaInput<Schema> : never;
type Handler<Procedure> = (input: Input<Procedure>, context: { signal?: AbortSignal }) => Promise<Output<Procedure>>;

type Plain = { [Noun in keyof Contract]: { [Method in keyof Contract[Noun]]: Handler<Contract[Noun][Method]> } };
/** One plain function for each method of the contract, by noun and name. Only `system.live` streams. */
export type Handlers = Omit<Plain, 'system'> & {
	system: Omit<Plain['system'], 'live'> & {
		live(input: Input<Contract['system']['live']>, context: { signal?: AbortSignal }): AsyncGenerator<LiveItem, void, void>;
	};
};

export type HearthRouter = Router<Contract, Record<never, never>>;

type AnyHandler = (input: unknown, context: { signal?: AbortSignal }) => unknown;
interface Implementer {
	handler(run: (call: { input: unknown; signal?: AbortSignal }) => unknown): unknown;
}

/** The contract, implemented by the handlers. Inputs and outputs are validated by the contract's schemas on the way. */
export function createRouter(handlers: Handlers): HearthRouter {
	const implementers = implement(contract) as unknown as Record<string, Record<string, Implementer>>;
	const router: Record<string, Record<string, unknown>> = {};
	for (const [noun, methods] of Object.entries(contract)) {
		const functions = handlers[noun as keyof Handlers] as unknown as Record<string, AnyHandler>;
		const built: Record<string, unknown> = {};
		for (const method of Object.keys(methods)) {
			const run = functions[method];
			const implementer = implementers[noun]?.[method];
			if (!run || !implementer) throw new Error(`${noun}.${method} has no handler`);
			built[method] = implementer.handler(({ input, signal }) => run(input, signal ? { signal } : {}));
		}
		router[noun] = built;
	}
	return router as unknown as HearthRouter;
}

/**
 * Runs one call and turns whatever it throws into the contract's one typed error. What is unknown is logged by the
 * method's name and the place in the code, never by its text: that may hold the owner's words (S3).
 */
export async function withTypedErrors(path: readonly string[], logger: Logger, call: () => Promise<unknown>): Promise<unknown> {
	try {
		const output = await call();
		if (!isAsyncIterator(output)) return output;
		return mapEventIterator(output, { value: async (item) => item, error: async (error) => typedError(error, path, logger) });
	} catch (error) {
		throw typedError(error, path, logger);
	}
}

function typedError(error: unknown, path: readonly string[], logger: Logger): ORPCError<'HEARTH', unknown> {
	const storage = asStorageError(error);
	const known = storage instanceof HearthError ? storage : invalidInput(error);
	const method = path.join('.');
	if (!known) logger.error('rpc_failed', { method, error, fields: fieldsOf(error) });
	else if (known.cause !== undefined) logger.warn('rpc_refused', { method, code: known.code, error: known.cause });
	return new ORPCError('HEARTH', { data: toErrorShape(known ?? error), cause: error });
}

/** The owner's or a view's input did not fit the contract; the message names the field, not its content. */
function invalidInput(error: unknown): HearthError | undefined {
	if (!(error instanceof ORPCError) || error.code !== 'BAD_REQUEST') return undefined;
	const first = error.cause instanceof ValidationError ? error.cause.issues[0] : undefined;
	const [field] = fieldsOf(error);
	const what = first ? `${field ? `${field}: ` : ''}${first.message}` : 'The request could not be read.';
	return terminal('invalid_input', what.endsWith('.') ? what : `${what}.`, {
		safe: 'Nothing was changed.',
		action: 'Correct it and try again.',
	});
}

/** The names of the fields that did not fit a schema. */
function fieldsOf(error: unknown): string[] {
	if (!(error instanceof ORPCError) || !(error.cause instanceof ValidationError)) return [];
	return error.cause.issues.map((issue) => (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.'));
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
