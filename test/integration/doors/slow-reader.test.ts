import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, connect as dial } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLive } from '../../../src/app/live.ts';
import { createRouter, type Handlers } from '../../../src/app/router.ts';
import { createRpcServer, type RpcServer } from '../../../src/app/serve.ts';
import { socketTransport } from '../../../src/app/socket-transport.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { connect } from '../../../src/contract/client.ts';
import type { LiveItem } from '../../../src/contract/events.ts';
import type { Transport } from '../../../src/contract/transport.ts';
import { webSocketTransport } from '../../../src/contract/websocket-transport.ts';
import { brokenHandlers } from '../../support/broken-handlers.ts';

/** Each about 4 kB on the wire. */
const EVENTS = 40_000;
const KEPT = 200;

interface Reader {
	transport: Transport;
	pause(): void;
	resume(): void;
	close(): void;
}

const CARRIERS: Record<string, (server: RpcServer) => Promise<Reader>> = {
	WebSocket: async (rpc) => {
		const http = createServer();
		const sockets = new WebSocketServer({ server: http });
		sockets.on('connection', (socket) => rpc.attach(webSocketTransport(socket, { reportsSent: true })));
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
		const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
		const close = (): void => {
			socket.terminate();
			sockets.close();
			http.close();
		};
		return { transport: webSocketTransport(socket), pause: () => socket.pause(), resume: () => socket.resume(), close };
	},
	'stream socket': async (rpc) => {
		const plain = createPlainServer((socket) => rpc.attach(socketTransport(socket)));
		await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
		const socket = dial((plain.address() as AddressInfo).port, '127.0.0.1');
		const close = (): void => {
			socket.destroy();
			plain.close();
		};
		return { transport: socketTransport(socket), pause: () => socket.pause(), resume: () => socket.resume(), close };
	},
};

for (const [name, open] of Object.entries(CARRIERS)) {
	test(`a reader that stops reading (${name}) costs bounded memory, and is told of the gap when it goes on`, async () => {
		let now = 0;
		const clock: Clock = { now: () => now, monotonic: () => now };
		const live = createLive({ clock, keptEvents: KEPT });
		now = 3_600_000;
		const rpc = createRpcServer(createRouter(handlers(live)), silentLogger);
		const reader = await open(rpc);
		const connection = await connect(reader.transport, { client: 'test' });
		const stream = await connection.rpc.system.live({});
		expect((await stream.next()).value).toMatchObject({ type: 'ready' });

		reader.pause();
		const before = process.memoryUsage().rss;
		const text = 'x'.repeat(4000);
		for (let index = 0; index < EVENTS; index += 1) {
			live.announce({ type: 'health_changed', health: { state: 'ok', warnings: [{ kind: 'terminal', code: 'internal', message: text }] } });
			// The runtime's other work goes on meanwhile.
			if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		// All of it together would be 160 MB, more than twice that as strings.
		expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(120);

		reader.resume();
		const seen: LiveItem[] = [];
		for (let item = await stream.next(); !item.done; item = await stream.next()) {
			seen.push(item.value);
			if (seqOf(item.value) === EVENTS) break;
		}
		expect(seen.some((item) => item.type === 'ready' && item.gap)).toBe(true);
		expect(seen.length).toBeLessThan(EVENTS / 2);
		const sequence = seen.map(seqOf);
		expect([...sequence].sort((left, right) => left - right)).toEqual(sequence);
		live.announce({ type: 'config_changed' });
		expect((await stream.next()).value).toEqual({ type: 'event', seq: EVENTS + 1, event: { type: 'config_changed' } });
		connection.close();
		reader.close();
	}, 60_000);
}

function seqOf(item: LiveItem): number {
	return item.seq;
}

function handlers(live: ReturnType<typeof createLive>): Handlers {
	const all = brokenHandlers(undefined, { epoch: live.epoch });
	all.system.live = (input, context) => live.read(input, context.signal);
	return all;
}
