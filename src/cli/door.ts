import { setTimeout as sleep } from 'node:timers/promises';
import { dialSocket } from '../app/socket.ts';
import { type Connection, connect } from '../contract/client.ts';
import { createMemoryTransportPair } from '../contract/memory-transport.ts';
import { HearthError } from '../domain/errors.ts';
import { ask, atTerminal } from './ask.ts';

/** A connection to the runtime of a profile, and how to leave it. */
export interface Door extends Pick<Connection, 'rpc' | 'hello' | 'onClose'> {
	/** Nothing ran, so this command runs the runtime itself. */
	readonly own: boolean;
	/** Waits for other commands that came in meanwhile, unless told not to. */
	leave(options?: { now: boolean }): Promise<void>;
}

export interface DoorOptions {
	readonly profileFolder: string;
	readonly rendererFolder?: string;
	readonly webPort?: number;
	/** False for a short look (see `createApp`). */
	readonly takeUpRuns: boolean;
	readonly memoryAsLeft?: boolean;
	/** For stored keys. */
	readonly passphrase?: string | undefined;
	/** It ends with this command (see `createApp`). */
	readonly brief?: boolean;
}

/** How long to wait for a runtime that is between having the lock and having a door, or is on its way out. */
const PATIENCE_MS = 5000;

/**
 * Reaches the profile's runtime: through its socket when the app runs, else by starting one under the profile's lock
 * (product.md, "One owner per folder, many doors"). Rejects with what `createApp` rejects with.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
	for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
		const running = await reachRunning(options.profileFolder);
		if (running) return running;
		try {
			return await startOwn(options);
		} catch (error) {
			if (!isLocked(error) || Date.now() > deadline) throw error;
		}
	}
}

/**
 * Starts the profile's runtime, to own it: what a short command has open is waited for. Rejects with `profile_locked` where another stays, and
 * with what `createApp` rejects with.
 */
export async function openOwnDoor(options: DoorOptions): Promise<Door> {
	for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
		try {
			return await startOwn(options);
		} catch (error) {
			if (!isLocked(error) || Date.now() > deadline) throw error;
		}
	}
}

async function startOwn(options: DoorOptions): Promise<Door> {
	// Only here: a command that the running app serves, the help and a slip of the pen need nothing of the runtime.
	const { createApp } = await import('../app/create-app.ts');
	const app = await createApp({ ...options, hostMode: 'command-line' });
	const [near, far] = createMemoryTransportPair();
	app.attach(far);
	const connection = await connect(near, { client: 'cli' }).catch(async (error: unknown) => {
		await app.close();
		throw error;
	});
	return {
		rpc: connection.rpc,
		hello: connection.hello,
		onClose: connection.onClose,
		own: true,
		leave: async (how) => {
			connection.close();
			if (!how?.now) await app.lastCommandGone();
			await app.close();
		},
	};
}

function isLocked(error: unknown): boolean {
	return error instanceof HearthError && error.code === 'profile_locked';
}

async function reachRunning(profileFolder: string): Promise<Door | undefined> {
	const transport = await dialSocket(profileFolder);
	if (!transport) return undefined;
	try {
		const connection = await connect(transport, { client: 'cli' });
		return { rpc: connection.rpc, hello: connection.hello, onClose: connection.onClose, own: false, leave: async () => connection.close() };
	} catch (error) {
		if (error instanceof HearthError && error.code === 'disconnected') return undefined;
		throw error;
	}
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
