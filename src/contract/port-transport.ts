import type { Transport } from './transport.ts';
import { TransportEnd } from './transport-end.ts';

/** A MessagePort of the DOM, as a window has it. */
export interface DomPortLike {
	postMessage(data: unknown): void;
	addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
	start?(): void;
	close(): void;
}

/** A port that emits events: Node's `worker_threads` port and Electron's `MessagePortMain`. */
export interface EmitterPortLike {
	postMessage(data: unknown): void;
	on(event: string, listener: (value: unknown) => void): unknown;
	start?(): void;
	close(): void;
}

/** A MessagePort of any of these kinds as a transport. */
export function portTransport(port: DomPortLike | EmitterPortLike): Transport {
	const end = new TransportEnd();
	const receive = (value: unknown): void => {
		// Electron and the DOM wrap the message in an event, Node hands it over bare.
		const message = isMessage(value) ? value : (value as { data?: unknown } | undefined)?.data;
		if (isMessage(message)) end.receive(message);
	};
	if ('on' in port) {
		port.on('message', receive);
		port.on('close', () => end.end());
	} else {
		port.addEventListener('message', receive);
		port.addEventListener('close', () => end.end());
	}
	port.start?.();
	return end.transport({ post: (message) => port.postMessage(message), close: () => port.close() });
}

function isMessage(value: unknown): value is string | Uint8Array {
	return typeof value === 'string' || value instanceof Uint8Array;
}
