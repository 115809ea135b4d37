/**
 * One duplex channel of messages, whatever carries it: a MessagePort, a WebSocket, a unix socket, two ends in memory.
 * Every adapter passes the conformance suite in `test/spec`. Messages are strings or bytes and arrive whole and in order;
 * `post` after `close` is ignored; `onClose` fires once, also when the other side goes away.
 */
export interface Transport {
	post(message: string | Uint8Array): void;
	onMessage(listener: (message: string | Uint8Array) => void): void;
	onClose(listener: () => void): void;
	close(): void;
	/** Resolves when the carrier can take more without piling it up; absent where the carrier does not say. */
	drained?(): Promise<void>;
}

/** The shape that the RPC library calls a message port. */
export interface PortLike {
	on(event: string, callback: (event?: { data: unknown }) => void): void;
	postMessage(data: unknown): void;
}

/** A transport as the port that the RPC library takes, on either side. */
export function asPort(transport: Transport): PortLike {
	return {
		postMessage: (data) => transport.post(data as string | Uint8Array),
		on: (event, callback) => {
			if (event === 'message') transport.onMessage((data) => callback({ data }));
			if (event === 'close') transport.onClose(() => callback());
		},
	};
}
