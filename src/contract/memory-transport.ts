import type { Transport } from './transport.ts';
import { TransportEnd } from './transport-end.ts';

/** Two ends in one process. Messages arrive in a later microtask, in order, as over a real channel. */
export function createMemoryTransportPair(): [Transport, Transport] {
	const left = new TransportEnd();
	const right = new TransportEnd();
	const later = (action: () => void): void => {
		void Promise.resolve().then(action);
	};
	const to = (other: TransportEnd) => ({
		post: (message: string | Uint8Array) => later(() => other.receive(message)),
		close: () => later(() => other.end()),
	});
	return [left.transport(to(right)), right.transport(to(left))];
}
