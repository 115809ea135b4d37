import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { WebSocket, WebSocketServer } from 'ws';
import { dialSocket, openSocketDoor } from '../../src/app/socket.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createMemoryTransportPair } from '../../src/contract/memory-transport.ts';
import { type DomPortLike, type EmitterPortLike, portTransport } from '../../src/contract/port-transport.ts';
import type { Transport } from '../../src/contract/transport.ts';
import { webSocketTransport } from '../../src/contract/websocket-transport.ts';
import type { TransportPair } from '../spec/transport.ts';

/** A real channel of every kind there is; `left` is the view's end, `right` the runtime's. */
export const TRANSPORTS: Record<string, () => Promise<TransportPair>> = {
	'in memory': async () => {
		const [left, right] = createMemoryTransportPair();
		return { left, right, dispose: () => {} };
	},
	'MessagePort (emitter)': async () => {
		const { port1, port2 } = new MessageChannel();
		return { left: portTransport(port1 as EmitterPortLike), right: portTransport(port2 as EmitterPortLike), dispose: () => {} };
	},
	'MessagePort (DOM)': async () => {
		const { port1, port2 } = new MessageChannel();
		return { left: portTransport(domOnly(port1)), right: portTransport(domOnly(port2)), dispose: () => {} };
	},
	WebSocket: async () => {
		const http = createServer();
		const server = new WebSocketServer({ server: http });
		const right = new Promise<Transport>((resolve) =>
			server.once('connection', (socket) => resolve(webSocketTransport(socket, { reportsSent: true }))),
		);
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
		const left = webSocketTransport(new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`));
		return {
			left,
			right: await right,
			dispose: () =>
				new Promise((resolve) => {
					for (const client of server.clients) client.terminate();
					server.close();
					http.close(() => resolve());
				}),
		};
	},
	'unix socket': async () => {
		const folder = mkdtempSync(join(tmpdir(), 'hearth-socket-'));
		let accept: (transport: Transport) => void = () => {};
		const right = new Promise<Transport>((resolve) => {
			accept = resolve;
		});
		const door = await openSocketDoor({ profileFolder: folder, attach: (transport) => accept(transport), logger: silentLogger });
		const left = await dialSocket(folder);
		if (!left) throw new Error('nobody listens');
		return {
			left,
			right: await right,
			async dispose() {
				await door.close();
				rmSync(folder, { recursive: true });
			},
		};
	},
};

/** The port as a page sees it: with addEventListener alone. */
function domOnly(port: MessagePort | import('node:worker_threads').MessagePort): DomPortLike {
	const target = port as unknown as DomPortLike;
	return {
		postMessage: (data) => target.postMessage(data),
		addEventListener: (type, listener) => target.addEventListener(type, listener),
		start: () => target.start?.(),
		close: () => target.close(),
	};
}
