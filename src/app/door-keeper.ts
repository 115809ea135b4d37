import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import { asStorageError } from '../db/errors.ts';
import { type ErrorShape, toErrorShape } from '../domain/errors.ts';
import { openSocketDoor, type SocketDoor } from './socket.ts';

const LOOK_EVERY_MS = 2_000;

export interface DoorKeeper {
	/** Where the door is; undefined while it is closed. */
	address(): string | undefined;
	/** Why it is closed. */
	problem(): ErrorShape | undefined;
	/** Takes the door away for good and resolves when those who came in before have gone. */
	lastGone(): Promise<void>;
	close(): Promise<void>;
}

/**
 * Keeps the door for commands open as long as the app runs: tries again where it could not be opened (a full disk), and puts back
 * what somebody deleted of it. Without the door the app still works, only commands can't reach it; the doctor says so.
 */
export async function keepSocketDoor(options: {
	profileFolder: string;
	attach: (transport: Transport) => void;
	logger: Logger;
}): Promise<DoorKeeper> {
	const { logger } = options;
	let door: SocketDoor | undefined;
	let problem: ErrorShape | undefined;
	let timer: NodeJS.Timeout | undefined;
	let looking: Promise<void> = Promise.resolve();
	let closed = false;

	async function look(): Promise<void> {
		try {
			if (!door) door = await openSocketDoor(options);
			else if (await door.mend()) logger.warn('socket_mended');
			problem = undefined;
		} catch (error) {
			const found = toErrorShape(asStorageError(error));
			if (problem?.code !== found.code) logger.error('socket_not_opened', { error });
			problem = found;
		}
	}
	function lookLater(): void {
		if (closed) return;
		timer = setTimeout(() => {
			looking = look().then(lookLater);
		}, LOOK_EVERY_MS);
		timer.unref();
	}
	async function stopLooking(): Promise<void> {
		closed = true;
		clearTimeout(timer);
		await looking;
	}

	await look();
	lookLater();
	return {
		address: () => (problem ? undefined : door?.address),
		problem: () => problem,
		lastGone: async () => {
			await stopLooking();
			await door?.lastGone();
		},
		close: async () => {
			await stopLooking();
			await door?.close();
		},
	};
}
