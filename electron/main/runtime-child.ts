import { fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessagePortMain } from 'electron';
import { FromRuntime } from '../host-protocol.ts';
import type { RuntimeEnd, SpawnRuntime } from './runtime-process.ts';

/**
 * A plain Node lets the space for new objects grow to 134 MB, of which it keeps most while nothing happens; Electron's own, whose pointers are
 * shorter, stops at 17.
 */
export const RUNTIME_FLAGS: readonly string[] = ['--max-semi-space-size=8'];

/** The runtime as a plain Node child. Windows' channels are relayed over its IPC channel. */
export function childRuntime(options: { entry: string; node: string; packaged: boolean }): SpawnRuntime {
	return (events) => {
		const child = fork(options.entry, [], {
			execPath: options.node,
			execArgv: [...RUNTIME_FLAGS],
			serialization: 'advanced',
			env: runtimeEnvironment(options.packaged),
			stdio: ['ignore', options.packaged ? 'ignore' : 'inherit', options.packaged ? 'ignore' : 'inherit', 'ipc'],
		});
		const ports = new Map<number, MessagePortMain>();
		let ended = false;
		let nextPort = 0;

		const end = (how: RuntimeEnd): void => {
			if (ended) return;
			ended = true;
			for (const port of ports.values()) port.close();
			ports.clear();
			events.onEnd(how);
		};
		// A message to a process that has just gone: `exit` tells the supervisor, the sender has nothing to do.
		const post = (message: unknown): void => {
			if (child.connected) child.send(message as object, () => {});
		};
		child.on('error', (error) => end({ kind: 'not_started', problem: error.message }));
		child.on('exit', (code, signal) => end(signal ? { kind: 'signal', signal } : { kind: 'code', code: code ?? 0 }));
		child.on('message', (value) => {
			const parsed = FromRuntime.safeParse(value);
			if (!parsed.success) return;
			const message = parsed.data;
			if (message.type === 'port_message') ports.get(message.port)?.postMessage(message.data);
			else if (message.type === 'port_closed') {
				ports.get(message.port)?.close();
				ports.delete(message.port);
			} else events.onMessage(message);
		});
		return {
			pid: child.pid,
			post,
			kill: () => {
				child.kill('SIGKILL');
			},
			attach: (port) => {
				if (ended) {
					port.close();
					return;
				}
				const number = nextPort++;
				ports.set(number, port);
				post({ type: 'port_opened', port: number });
				port.on('message', (event) => post({ type: 'port_message', port: number, data: event.data }));
				port.on('close', () => {
					if (ports.delete(number)) post({ type: 'port_closed', port: number });
				});
				port.start();
			},
		};
	};
}

/** The runtime is no Electron; and in a package nothing from outside may choose what it loads. */
export function runtimeEnvironment(packaged: boolean): Record<string, string> {
	const environment = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
	delete environment.ELECTRON_RUN_AS_NODE;
	delete environment.NODE_OPTIONS;
	if (packaged)
		for (const name of Object.keys(environment))
			if (name.startsWith('HEARTH_') && name !== 'HEARTH_HOME') delete environment[name];
			// From the sources a start takes half the time when Node keeps what it made of them.
			else environment.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
	// glibc else keeps what the embedding model used after it was unloaded: 165 instead of 233 MB resident.
	environment.MALLOC_TRIM_THRESHOLD_ ??= '262144';
	return environment;
}
