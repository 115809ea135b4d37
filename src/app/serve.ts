import { StandardRPCHandler } from '@orpc/server/standard';
import { createServerPeerHandleRequestFn } from '@orpc/server/standard-peer';
import { ServerPeer } from '@orpc/standard-server-peer';
import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import type { Door, OwnerDoors } from './owner-doors.ts';
import { type HearthRouter, withTypedErrors } from './router.ts';

/** Answers calls over any number of transports. */
export interface RpcServer {
	/** Serves this transport until it closes. A message that is not of the protocol closes it, and nothing else. `door`: where it came in, not what it says. */
	attach(transport: Transport, door?: Door): void;
	/** Closes every transport. */
	close(): void;
}

/** `doors`: throws where a call may not come through this door. */
export function createRpcServer(router: HearthRouter, logger: Logger, doors?: Pick<OwnerDoors, 'check'>): RpcServer {
	const handlerOf = (door: Door) =>
		createServerPeerHandleRequestFn(
			new StandardRPCHandler(router, {
				clientInterceptors: [
					({ next, path }) =>
						withTypedErrors(path, logger, async () => {
							doors?.check(door, path);
							return next();
						}),
				],
			}),
			{},
		);
	const handlers = { window: handlerOf('window'), web: handlerOf('web'), socket: handlerOf('socket') };
	const open = new Set<Transport>();
	return {
		attach(transport, door = 'window') {
			const handle = handlers[door];
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
