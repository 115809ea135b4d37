import type { HearthClient } from '../../src/contract/contract.ts';
import { useConnection } from './connection-store.ts';
import { disconnected, shapeOf } from './errors.ts';

/** In a box: awaiting the client itself hands out another object, since its proxy answers to `then`. */
interface Box {
	readonly client: HearthClient;
}
let current: Box | undefined;
let waiting: (() => void)[] = [];

export function setClient(client: HearthClient | undefined): void {
	current = client && { client };
	if (client) {
		const ready = waiting;
		waiting = [];
		for (const resolve of ready) resolve();
	}
}

/** Resolves when a client is there; rejects with `disconnected` after `timeoutMs`. */
async function whenOnline(timeoutMs: number): Promise<Box> {
	if (current) return current;
	if (useConnection.getState().link.state === 'refused') throw disconnected();
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, timeoutMs);
		waiting.push(() => {
			clearTimeout(timer);
			resolve();
		});
	});
	if (!current) throw disconnected();
	return current;
}

/**
 * One call of the runtime. Waits up to `waitMs` for the connection. `repeatable` calls (reads, and writes with a request id)
 * are made once more when the connection broke under them. Rejects with what `shapeOf` understands.
 */
export async function call<T>(
	work: (client: HearthClient) => Promise<T>,
	options: { repeatable?: boolean; waitMs?: number } = {},
): Promise<T> {
	const waitMs = options.waitMs ?? 10_000;
	const box = await whenOnline(waitMs);
	try {
		return await work(box.client);
	} catch (error) {
		const lost = current !== box || shapeOf(error).code === 'disconnected';
		if (!options.repeatable || !lost) throw lost ? disconnected() : error;
		return await work((await whenOnline(waitMs)).client);
	}
}
