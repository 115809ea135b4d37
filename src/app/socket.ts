import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { writeFileAtomic } from '../base/atomic-file.ts';
import type { Logger } from '../base/logger.ts';
import type { Transport } from '../contract/transport.ts';
import { terminal } from '../domain/errors.ts';
import { chooseSocketAddress, readTicket, type SocketTicket, ticketFile } from './socket-address.ts';
import { socketTransport } from './socket-transport.ts';

const HANDSHAKE_MS = 5000;
const LONGEST_GREETING = 256;
const WELCOME = 'hearth 1 welcome\n';
const REFUSED = 'hearth 1 refused\n';

export interface SocketDoor {
	readonly address: string;
	/** Puts the socket and the token back where they were deleted or replaced; those inside stay. Returns whether that was needed. */
	mend(): Promise<boolean>;
	/** Takes the door away and resolves when those who came in before have gone. Who was on the threshold tries again. */
	lastGone(): Promise<void>;
	close(): Promise<void>;
}

/**
 * Lets the owner's other programs in: a socket only the owner's user can open (0600), and a token on top that no tool can
 * read. Call it while holding the profile's lock: a socket file found there is then one that a killed process left.
 */
export async function openSocketDoor(options: {
	profileFolder: string;
	attach: (transport: Transport) => void;
	logger: Logger;
}): Promise<SocketDoor> {
	const address = await chooseSocketAddress(options.profileFolder);
	const ticket: SocketTicket = { address, token: randomBytes(32).toString('base64url'), pid: process.pid };
	if (process.platform !== 'win32') await rm(address, { force: true });
	const inside = new Set<Socket>();
	const threshold = new Set<Socket>();
	let closed: Promise<void> | undefined;
	let emptied = (): void => {};
	const server = createServer((socket) => {
		threshold.add(socket);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => {
			threshold.delete(socket);
			inside.delete(socket);
			if (inside.size === 0) emptied();
		});
		greet(socket, ticket.token, options.logger).then(
			(transport) => {
				if (!transport || !threshold.delete(socket)) return;
				inside.add(socket);
				options.attach(transport);
			},
			(error: unknown) => {
				options.logger.warn('socket_failed', { error });
				socket.destroy();
			},
		);
	});
	let place = await listen(server, address);
	const writeTicket = () => writeFileAtomic(ticketFile(options.profileFolder), JSON.stringify(ticket), { mode: 0o600 });
	const stopAccepting = async (): Promise<void> => {
		closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
		for (const socket of threshold) socket.destroy();
		if (process.platform !== 'win32') await rm(address, { force: true });
		await rm(ticketFile(options.profileFolder), { force: true });
	};
	try {
		await writeTicket();
	} catch (error) {
		await stopAccepting();
		throw error;
	}
	return {
		address,
		async mend() {
			const socketThere = (await identityOf(address)) === place;
			const ticketThere = (await readTicket(options.profileFolder))?.token === ticket.token;
			if (socketThere && ticketThere) return false;
			if (!socketThere) {
				// Those inside keep a server from ending, and do not keep it from listening again.
				if (server.listening) server.close();
				if (process.platform !== 'win32') await rm(address, { force: true });
				place = await listen(server, address);
			}
			if (!ticketThere) await writeTicket();
			return true;
		},
		async lastGone() {
			const gone = new Promise<void>((resolve) => {
				emptied = resolve;
			});
			await stopAccepting();
			if (inside.size > 0) await gone;
		},
		async close() {
			await stopAccepting();
			for (const socket of inside) socket.destroy();
			await closed;
		},
	};
}

/**
 * A channel to the process that runs this profile; undefined where none does, or where it is just going away. Rejects with
 * `unauthorised` where one answers that does not take the token.
 */
export async function dialSocket(profileFolder: string): Promise<Transport | undefined> {
	const ticket = await readTicket(profileFolder);
	if (!ticket) return undefined;
	const socket = await reach(ticket.address);
	if (!socket) return undefined;
	socket.write(`hearth 1 ${ticket.token}\n`);
	const answer = await firstLine(socket);
	if (answer?.line !== WELCOME) {
		socket.destroy();
		if (!answer) return undefined;
		throw terminal('unauthorised', 'Hearth is running, but did not let this command in.', {
			safe: 'Nothing was changed.',
			action: 'Restart Hearth, then try again.',
		});
	}
	return socketTransport(socket, answer.rest);
}

async function greet(socket: Socket, token: string, logger: Logger): Promise<Transport | undefined> {
	const greeting = await firstLine(socket);
	if (!greeting || !sameSecret(greeting.line, `hearth 1 ${token}\n`)) {
		logger.warn('socket_refused');
		// Without waiting for the other end, which may never hang up.
		socket.end(REFUSED, () => socket.destroy());
		return undefined;
	}
	socket.write(WELCOME);
	return socketTransport(socket, greeting.rest);
}

/** The first line with its end, and what came after it; undefined where there is none in time or it is too long. */
function firstLine(socket: Socket): Promise<{ line: string; rest: Buffer } | undefined> {
	return new Promise((resolve) => {
		let head = Buffer.alloc(0);
		const finish = (value: { line: string; rest: Buffer } | undefined): void => {
			clearTimeout(timer);
			socket.off('data', onData);
			socket.off('close', onClose);
			socket.pause();
			resolve(value);
		};
		const onData = (chunk: Buffer): void => {
			head = Buffer.concat([head, chunk]);
			const at = head.indexOf(0x0a);
			if (at >= 0) finish({ line: head.subarray(0, at + 1).toString('utf8'), rest: head.subarray(at + 1) });
			else if (head.length > LONGEST_GREETING) finish(undefined);
		};
		const onClose = (): void => finish(undefined);
		const timer = setTimeout(onClose, HANDSHAKE_MS);
		socket.on('data', onData);
		socket.on('close', onClose);
	});
}

function sameSecret(left: string, right: string): boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(left), digest(right));
}

/** Resolves with what tells the socket apart from another one at its address. */
async function listen(server: Server, address: string): Promise<string | undefined> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		// The socket is made with the mode that the mask leaves; `listen` makes it before it returns.
		const mask = process.platform === 'win32' ? undefined : process.umask(0o177);
		try {
			server.listen(address, resolve);
		} finally {
			if (mask !== undefined) process.umask(mask);
		}
	});
	if (process.platform !== 'win32') await chmod(address, 0o600);
	return identityOf(address);
}

/** Undefined where there is no socket; a pipe of Windows has no place in a folder and is always itself. */
async function identityOf(address: string): Promise<string | undefined> {
	if (process.platform === 'win32') return address;
	const info = await lstat(address, { bigint: true }).catch(() => undefined);
	return info?.isSocket() ? `${info.dev}-${info.ino}-${info.birthtimeNs}` : undefined;
}

function reach(address: string): Promise<Socket | undefined> {
	return new Promise((resolve) => {
		const socket = connect(address);
		const failed = (): void => resolve(undefined);
		socket.once('error', failed);
		socket.once('connect', () => {
			socket.off('error', failed);
			socket.on('error', () => socket.destroy());
			resolve(socket);
		});
	});
}
