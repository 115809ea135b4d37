import type { Transport } from './transport.ts';
import { TransportEnd } from './transport-end.ts';

/** What the browser's WebSocket and the `ws` package have in common. */
export interface WebSocketLike {
	binaryType: string;
	readonly readyState: number;
	/** `done` is called by `ws` when the bytes are with the operating system; browsers ignore it. */
	send(data: string | Uint8Array, done?: () => void): void;
	close(code?: number, reason?: string): void;
	addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
	addEventListener(type: 'open', listener: () => void): void;
	addEventListener(type: 'error', listener: () => void): void;
	addEventListener(type: 'close', listener: () => void): void;
}

const CONNECTING = 0;
const OPEN = 1;
/** Bytes on their way at which a sender that can wait should. */
const HIGH_WATER = 1024 * 1024;

/** `reportsSent`: `send` calls its callback, so that `drained` can tell (the `ws` package). */
export function webSocketTransport(socket: WebSocketLike, options: { reportsSent?: boolean } = {}): Transport {
	const end = new TransportEnd();
	const beforeOpen: (string | Uint8Array)[] = [];
	let underway = 0;
	let waiting: (() => void)[] = [];
	const release = (): void => {
		const resolvers = waiting;
		waiting = [];
		for (const resolve of resolvers) resolve();
	};
	const send = (message: string | Uint8Array): void => {
		if (!options.reportsSent) {
			socket.send(message);
			return;
		}
		underway += message.length;
		socket.send(message, () => {
			underway -= message.length;
			if (underway < HIGH_WATER) release();
		});
	};
	socket.binaryType = 'arraybuffer';
	socket.addEventListener('open', () => {
		for (const message of beforeOpen.splice(0)) send(message);
		if (end.closed) socket.close(1000);
	});
	socket.addEventListener('message', (event) => {
		if (typeof event.data === 'string') end.receive(event.data);
		else if (event.data instanceof ArrayBuffer) end.receive(new Uint8Array(event.data));
	});
	// A browser says `error` and then `close`; the reason is not told to pages.
	socket.addEventListener('error', () => {});
	socket.addEventListener('close', () => {
		end.end();
		release();
	});
	return end.transport({
		post: (message) => {
			if (socket.readyState === CONNECTING) beforeOpen.push(message);
			else if (socket.readyState === OPEN) send(message);
		},
		// A socket that is closed while it opens would take with it what waits to be sent.
		close: () => {
			if (beforeOpen.length === 0) socket.close(1000);
		},
		...(options.reportsSent && {
			drained: () => (underway < HIGH_WATER || end.closed ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
		}),
	});
}
