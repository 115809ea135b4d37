import { utilityProcess } from 'electron';
import { FromRuntime } from '../host-protocol.ts';
import { runtimeEnvironment } from './runtime-child.ts';
import type { RuntimeEnd, SpawnRuntime } from './runtime-process.ts';

/** The runtime as a utility process of this Electron. Windows' channels go to it directly. */
export function utilityRuntime(options: { entry: string; packaged: boolean }): SpawnRuntime {
	return (events) => {
		const child = utilityProcess.fork(options.entry, [], {
			serviceName: 'Hearth runtime',
			env: runtimeEnvironment(options.packaged),
			execArgv: [],
			stdio: options.packaged ? 'ignore' : 'inherit',
		});
		let ended = false;
		let nextPort = 0;
		const end = (how: RuntimeEnd): void => {
			if (ended) return;
			ended = true;
			events.onEnd(how);
		};
		child.on('exit', (code) => end({ kind: 'code', code }));
		child.on('message', (value: unknown) => {
			const parsed = FromRuntime.safeParse(value);
			if (parsed.success) events.onMessage(parsed.data);
		});
		return {
			get pid() {
				return child.pid;
			},
			post: (message) => {
				if (!ended) child.postMessage(message);
			},
			kill: () => {
				if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
			},
			attach: (port) => {
				if (ended) port.close();
				else child.postMessage({ type: 'port_opened', port: nextPort++ }, [port]);
			},
		};
	};
}
