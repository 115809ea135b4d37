import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import { type ErrorShape, terminal } from '../domain/errors.ts';
import { type DoorKeeper, keepSocketDoor } from './door-keeper.ts';
import type { OwnerDoors } from './owner-doors.ts';
import type { HearthRouter } from './router.ts';
import { createRpcServer } from './serve.ts';
import { openWebDoor, type WebDoor } from './web.ts';

export interface DoorsDeps {
	readonly profileFolder: string;
	/** Folder of the built view; without it the web door stays closed. */
	readonly rendererFolder: string | undefined;
	readonly webPort: number | undefined;
	readonly owner: OwnerDoors;
	readonly logger: Logger;
}

/** All that commands come in through: windows, browsers, the socket. */
export interface Doors {
	/** The window, or the command line that is the runtime itself. */
	attach(transport: Transport): void;
	/** A one-time address of the web door, which is opened where it is closed. */
	openWeb(): Promise<string>;
	/** Lets other programs of the owner's in. */
	openSocket(): Promise<void>;
	socketAddress(): string | undefined;
	socketProblem(): ErrorShape | undefined;
	lastGone(): Promise<void>;
	closeSocket(): Promise<void>;
	close(): Promise<void>;
}

/** `router`: asked for when something comes in. */
export function createDoors({ profileFolder, rendererFolder, webPort = 0, owner, logger }: DoorsDeps, router: HearthRouter): Doors {
	const rpc = createRpcServer(router, logger, owner);
	let web: Promise<WebDoor> | undefined;
	let socket: DoorKeeper | undefined;
	return {
		attach: (transport) => rpc.attach(transport, 'window'),
		async openWeb() {
			if (!rendererFolder)
				throw terminal('conflict', 'This Hearth has no built view to show in a browser.', { action: 'Run: npm run web' });
			web ??= openWebDoor({ rendererFolder, port: webPort, attach: (transport) => rpc.attach(transport, 'web'), logger });
			return web.then(
				(door) => door.mint(),
				(error: unknown) => {
					web = undefined;
					throw error;
				},
			);
		},
		async openSocket() {
			socket = await keepSocketDoor({ profileFolder, attach: (transport) => rpc.attach(transport, 'socket'), logger });
		},
		socketAddress: () => socket?.address(),
		socketProblem: () => socket?.problem(),
		lastGone: async () => socket?.lastGone(),
		closeSocket: async () => socket?.close(),
		close: async () => {
			await (await web?.catch(() => undefined))?.close();
			rpc.close();
		},
	};
}
