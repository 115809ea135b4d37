import type { MessagePortMain } from 'electron';
import { type EmitterPortLike, portTransport } from '../src/contract/port-transport.ts';
import type { Transport } from '../src/contract/transport.ts';
import { TransportEnd } from '../src/contract/transport-end.ts';
import { type FromRuntime, ToRuntime } from './host-protocol.ts';

/** The runtime's end of the channel to the shell that started it. */
export interface HostChannel {
	post(message: FromRuntime): void;
	/** Ports are not among these messages: they arrive as transports. */
	onMessage(listener: (message: ToRuntime) => void): void;
	onPort(listener: (transport: Transport) => void): void;
	/** The shell is gone. Called once. */
	onGone(listener: () => void): void;
}

/** This many relayed messages may wait in the pipe before a slow reader is waited for. */
const RELAYED_AHEAD = 64;

/** In a utility process: the shell sends each window's MessagePort itself. It dies with its parent. */
export function utilityChannel(parent: Electron.ParentPort): HostChannel {
	const listeners: ((message: ToRuntime) => void)[] = [];
	const portListeners: ((transport: Transport) => void)[] = [];
	parent.on('message', (event) => {
		const parsed = ToRuntime.safeParse(event.data);
		if (!parsed.success) return;
		if (parsed.data.type === 'port_opened') {
			const port: MessagePortMain | undefined = event.ports[0];
			if (port) for (const listener of portListeners) listener(portTransport(port as unknown as EmitterPortLike));
		} else for (const listener of listeners) listener(parsed.data);
	});
	return {
		post: (message) => parent.postMessage(message),
		onMessage: (listener) => listeners.push(listener),
		onPort: (listener) => portListeners.push(listener),
		onGone: () => {},
	};
}

/** In a plain Node child: windows' channels are relayed over the process's IPC channel. */
export function childChannel(self: NodeJS.Process): HostChannel {
	const listeners: ((message: ToRuntime) => void)[] = [];
	const portListeners: ((transport: Transport) => void)[] = [];
	const ports = new Map<number, TransportEnd>();
	let unsent = 0;
	let waiting: (() => void)[] = [];

	const send = (message: FromRuntime): void => {
		if (!self.connected || !self.send) return;
		unsent += 1;
		self.send(message, undefined, undefined, () => {
			unsent -= 1;
			if (unsent >= RELAYED_AHEAD) return;
			for (const resolve of waiting.splice(0)) resolve();
		});
	};
	const open = (port: number): void => {
		const end = new TransportEnd();
		ports.set(port, end);
		const transport = end.transport({
			post: (data) => send({ type: 'port_message', port, data }),
			close: () => {
				ports.delete(port);
				send({ type: 'port_closed', port });
			},
			drained: () => (unsent < RELAYED_AHEAD ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
		});
		for (const listener of portListeners) listener(transport);
	};
	self.on('message', (value) => {
		const parsed = ToRuntime.safeParse(value);
		if (!parsed.success) return;
		const message = parsed.data;
		if (message.type === 'port_opened') open(message.port);
		else if (message.type === 'port_message') ports.get(message.port)?.receive(message.data);
		else if (message.type === 'port_closed') {
			const end = ports.get(message.port);
			ports.delete(message.port);
			end?.end();
		} else for (const listener of listeners) listener(message);
	});
	self.once('disconnect', () => {
		waiting = [];
		for (const end of ports.values()) end.end();
		ports.clear();
	});
	return {
		post: send,
		onMessage: (listener) => listeners.push(listener),
		onPort: (listener) => portListeners.push(listener),
		onGone: (listener) => self.once('disconnect', listener),
	};
}
