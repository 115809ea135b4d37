import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { ErrorShape, HearthError, retryable, toErrorShape } from '../domain/errors.ts';
import type { HearthClient } from './contract.ts';
import type { Hello } from './methods/system.ts';
import { PROTOCOL_VERSION, protocolMismatch } from './protocol.ts';
import { asPort, type Transport } from './transport.ts';

export interface Connection {
	/** Calls reject with a HearthError; after the channel closed, at once with `disconnected`. */
	readonly rpc: HearthClient;
	readonly hello: Hello;
	readonly closed: boolean;
	close(): void;
	/** Called once, also where the channel is closed already. */
	onClose(listener: () => void): void;
}

/**
 * Says hello over a transport. Rejects with `protocol_mismatch` where the runtime is of another version (the transport is
 * closed then), with `disconnected` where it goes away first. Close the transport to give up waiting.
 */
export async function connect(transport: Transport, options: { client: 'window' | 'browser' | 'cli' | 'test' }): Promise<Connection> {
	const state = { closed: false };
	// Registered before the RPC library's own listener, so that what it rejects on closing is known to be a disconnect.
	transport.onClose(() => {
		state.closed = true;
	});
	const link = new RPCLink({ port: asPort(transport) });
	const rpc: HearthClient = createORPCClient({
		call: async (path, input, callOptions) => {
			if (state.closed) throw disconnected();
			try {
				const output = await link.call(path, input, callOptions);
				return isAsyncIterator(output) ? withTypedErrors(output, state) : output;
			} catch (error) {
				throw typedError(error, state);
			}
		},
	});
	try {
		const hello = await rpc.system.hello({ protocol: PROTOCOL_VERSION, client: options.client });
		if (hello.protocol !== PROTOCOL_VERSION) throw protocolMismatch(hello.protocol);
		return {
			rpc,
			hello,
			get closed() {
				return state.closed;
			},
			close: () => transport.close(),
			onClose: (listener) => transport.onClose(listener),
		};
	} catch (error) {
		transport.close();
		throw error;
	}
}

function disconnected(): HearthError {
	return retryable('disconnected', 'The connection to the Hearth runtime is gone.', {
		safe: 'What was saved before is safe.',
		action: 'It is tried again by itself. If it stays away, restart Hearth.',
	});
}

function typedError(error: unknown, state: { closed: boolean }): unknown {
	if (error instanceof HearthError) return error;
	if (error instanceof ORPCError && error.code === 'HEARTH') {
		const shape = ErrorShape.safeParse(error.data);
		if (shape.success) return new HearthError(shape.data);
	}
	if (state.closed) return disconnected();
	// The caller's own abort stays what it is.
	if (error instanceof Error && error.name === 'AbortError') return error;
	return new HearthError(toErrorShape(error), { cause: error });
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** Not an async generator: `return` must reach the library at once, also while `next` is waiting. */
function withTypedErrors(iterator: AsyncIterator<unknown>, state: { closed: boolean }): AsyncIterableIterator<unknown> {
	return {
		next: async () => {
			try {
				return await iterator.next();
			} catch (error) {
				throw typedError(error, state);
			}
		},
		return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
		[Symbol.asyncIterator]() {
			return this;
		},
	};
}
