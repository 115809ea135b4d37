import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../app/create-app.ts';
import { dialSocket } from '../app/socket.ts';
import { type Connection, connect } from '../contract/client.ts';
import { createMemoryTransportPair } from '../contract/memory-transport.ts';
import { HearthError } from '../domain/errors.ts';
import { ask, atTerminal } from './ask.ts';

/** A connection to the runtime of a profile, and how to leave it. */
export interface Door extends Pick<Connection, 'rpc' | 'hello' | 'onClose'> {
	/** Nothing ran, so this command runs the runtime itself. */
	readonly own: boolean;
	leave(): Promise<void>;
}

export interface DoorOptions {
	readonly profileFolder: string;
	readonly rendererFolder?: string;
	readonly webPort?: number;
	/** False for a short look (see `createApp`). */
	readonly takeUpRuns: boolean;
}

/**
 * Reaches the profile's runtime: through its socket when the app runs, else by starting one under the profile's lock
 * (product.md, "One owner per folder, many doors"). Rejects with what `createApp` rejects with.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
	const running = await reachRunning(options.profileFolder);
	if (running) return running;
	let app: App;
	try {
		app = await createApp({ ...options, hostMode: 'command-line' });
	} catch (error) {
		// Another one took the lock in this very moment; it opens its socket next.
		if (!(error instanceof HearthError) || error.code !== 'profile_locked') throw error;
		await sleep(500);
		const late = await reachRunning(options.profileFolder);
		if (late) return late;
		throw error;
	}
	const [near, far] = createMemoryTransportPair();
	app.attach(far);
	const connection = await connect(near, { client: 'cli' });
	return {
		rpc: connection.rpc,
		hello: connection.hello,
		onClose: connection.onClose,
		own: true,
		leave: async () => {
			connection.close();
			await app.close();
		},
	};
}

async function reachRunning(profileFolder: string): Promise<Door | undefined> {
	const transport = await dialSocket(profileFolder);
	if (!transport) return undefined;
	const connection = await connect(transport, { client: 'cli' });
	return { rpc: connection.rpc, hello: connection.hello, onClose: connection.onClose, own: false, leave: async () => connection.close() };
}

/** Does the work; where stored keys are locked, unlocks them with `HEARTH_PASSPHRASE` or by asking, and does it once more. */
export async function withKeys<T>(door: Door, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof HearthError) || error.code !== 'secret_store_locked') throw error;
		const given =
			process.env.HEARTH_PASSPHRASE ?? (atTerminal() ? await ask('Passphrase for the stored keys: ', { hidden: true }) : undefined);
		if (given === undefined) throw error;
		await door.rpc.secrets.unlock({ passphrase: given });
		return work();
	}
}
