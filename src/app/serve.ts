import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import { type HearthRouter, withTypedErrors } from './router.ts';

/** Answers calls over any number of transports. */
export interface RpcServer {
	/** Serves this transport until it closes. A message that is not of the protocol closes it, and nothing else. */
	attach(transport: Transport): void;
	/** Closes every transport. */
	close(): void;
}

export function createRpcServer(router: HearthRouter, logger: Logger): RpcServer {
	const handler = new StandardRPCHandler(router, {
		clientInterceptors: [({ next, path }) => withTypedErrors(path, logger, () => next())],
	});
	const handle = createServerPeerHandleRequestFn(handler, {});
	const open = new Set<Transport>();
	return {
		attach(transport) {
			open.add(transport);
			const peer = new ServerPeer(async (message) => {
				transport.post(message as string | Uint8Array);
				// A live stream waits here for a slow reader, and skips ahead when it falls too far behind (see `live.ts`).
				await transport.drained?.();
			});
			transport.onMessage((message) => {
				peer.message(message, handle).catch((error: unknown) => {
					// Also where the far side went away in mid-answer: then closing changes nothing.
					logger.warn('door_message_refused', { name: error instanceof Error ? error.name : typeof error });
					transport.close();
				});
			});
			transport.onClose(() => {
				open.delete(transport);
				peer.close();
			});
		},
		close() {
			for (const transport of [...open]) transport.close();
		},
	};
}
