import type { Socket } from 'node:net';
import type { Transport } from '../contract/transport.ts';
import { TransportEnd } from '../contract/transport-end.ts';

/** Largest message, in bytes: an attachment of 20 MiB in base64 fits. */
const MAX_FRAME = 64 * 1024 * 1024;
const HEADER = 5;
const TEXT = 0;
const BYTES = 1;

/** A byte stream as a transport: each message is its length (32 bit, big-endian), its kind (text or bytes) and its bytes. */
export function socketTransport(socket: Socket, head: Buffer = Buffer.alloc(0)): Transport {
	const end = new TransportEnd();
	let chunks: Buffer[] = [];
	let size = 0;
	let wanted = HEADER;
	let drained: Promise<void> | undefined;

	const take = (bytes: number): Buffer => {
		const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
		chunks = all.length > bytes ? [all.subarray(bytes)] : [];
		size -= bytes;
		return all.subarray(0, bytes);
	};
	let header: Buffer | undefined;
	const receive = (chunk: Buffer): void => {
		if (chunk.length === 0) return;
		chunks.push(chunk);
		size += chunk.length;
		while (size >= wanted && !end.closed) {
			const bytes = take(wanted);
			if (!header) {
				header = bytes;
				wanted = header.readUInt32BE(0);
				if (wanted > MAX_FRAME || (header[4] !== TEXT && header[4] !== BYTES)) {
					socket.destroy();
					return;
				}
			} else {
				end.receive(header[4] === TEXT ? bytes.toString('utf8') : new Uint8Array(bytes));
				header = undefined;
				wanted = HEADER;
			}
		}
	};
	socket.on('data', receive);
	// Why it ended makes no difference to the callers; `close` follows.
	socket.on('error', () => socket.destroy());
	socket.on('close', () => end.end());
	if (socket.destroyed) end.end();
	receive(head);
	socket.resume();

	return end.transport({
		post: (message) => {
			const text = typeof message === 'string';
			const body = text ? Buffer.from(message, 'utf8') : Buffer.from(message.buffer, message.byteOffset, message.byteLength);
			const frame = Buffer.allocUnsafe(HEADER);
			frame.writeUInt32BE(body.length, 0);
			frame[4] = text ? TEXT : BYTES;
			socket.cork();
			socket.write(frame);
			socket.write(body);
			socket.uncork();
		},
		close: () => socket.end(),
		drained: () => {
			if (!socket.writableNeedDrain || socket.destroyed) return Promise.resolve();
			drained ??= new Promise<void>((resolve) => {
				const done = (): void => {
					drained = undefined;
					socket.off('drain', done);
					socket.off('close', done);
					resolve();
				};
				socket.once('drain', done);
				socket.once('close', done);
			});
			return drained;
		},
	});
}
